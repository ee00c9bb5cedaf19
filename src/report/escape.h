// Text that came from outside, for where it goes. What goes to a terminal passes the Screen too;
// JSON has its own (machine_text.h).
#pragma once

#include <string>
#include <string_view>

namespace leto::report {

// A path, as a URI reference.
[[nodiscard]] std::string uri_of(std::string_view path);
// What stands between quotes in CSV.
[[nodiscard]] std::string csv_text(std::string_view text);
// What stands between tags, or between quotes of an attribute.
[[nodiscard]] std::string xml_text(std::string_view text);
// A name on one line: ends of lines and tabs are shown too.
[[nodiscard]] std::string name_on_line(std::string_view name);

}  // namespace leto::report
