// Everything that is printed goes through a Screen. Control characters that came from outside, in
// names of files or in programs, are shown and not sent: they could erase what stands above, or
// make a verdict of their own.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace leto::report {

// How our own code steers a terminal: behind a mark that is another one in each process, and that
// nobody can guess who writes a file.
[[nodiscard]] std::string painted(std::string_view text, std::string_view code);
// Back to the start of the line, which is empty then.
[[nodiscard]] std::string erased_line();

// Text in which every character can be seen, each in the place of one: control characters as their
// pictures, bytes that are no UTF-8 and what turns the direction of writing as U+FFFD. Ends of
// lines and tabs stay.
[[nodiscard]] std::string visible(std::string_view text);

class Screen final : public std::streambuf {
 public:
  explicit Screen(std::ostream& inner) : inner_(inner) {}
  ~Screen() override;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  void pass_on(bool all);

  std::ostream& inner_;
  std::string waiting_;  // the start of a character whose end has not come yet
};

}  // namespace leto::report
