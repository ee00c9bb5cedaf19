#include "report/pages.h"

#include <sstream>

#include "report/screen.h"

namespace leto::report {

namespace {

struct Page {
  std::string_view code;
  std::string_view text;
};
constexpr Page kPages[] = {
#include "explanations.inc"
};

// `\xNN` stands for a byte that a text file should not hold.
std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\\x") == 0 && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string explanation(std::string_view code) {
  for (const Page& page : kPages)
    if (page.code == code) return std::string(page.text);
  return {};
}

std::string explanation_text(std::string_view code, bool colour) {
  std::istringstream in(explanation(code));
  std::string line, out;
  bool in_code = false;
  while (std::getline(in, line)) {
    if (line.starts_with("```")) {
      const std::size_t file = line.find("file=");
      if (!in_code && file != std::string::npos) out += "    // " + line.substr(file + 5) + "\n";
      in_code = !in_code;
      continue;
    }
    if (in_code) {
      out += "    " + line + "\n";
    } else if (line.starts_with("#")) {
      line.erase(0, line.find_first_not_of("# "));
      out += (colour ? painted(line, "1") : line) + "\n";
    } else {
      std::string plain;
      for (char c : line)
        if (c != '`') plain += c;
      out += plain + "\n";
    }
  }
  return out;
}

std::vector<Example> examples(std::string_view page) {
  std::istringstream in{std::string(page)};
  std::vector<Example> found;
  std::string line;
  while (std::getline(in, line)) {
    if (line == "## Wrong" || line == "## Right") {
      found.push_back({line == "## Wrong", {}});
    } else if ((line.starts_with("```leto") || line.starts_with("```mcmt")) && !found.empty()) {
      Example::File file;
      const std::size_t name = line.find("file=");
      file.name =
          name == std::string::npos ? "example." + line.substr(3, 4) : line.substr(name + 5);
      const bool escaped = line.find("bytes") != std::string::npos;
      while (std::getline(in, line) && !line.starts_with("```")) file.text += line + "\n";
      if (escaped) file.text = unescape(file.text);
      found.back().files.push_back(std::move(file));
    }
  }
  return found;
}

}  // namespace leto::report
