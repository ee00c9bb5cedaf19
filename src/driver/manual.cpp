#include "driver/manual.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

namespace leto::driver {

namespace {

// As it stands, whatever roff makes of some characters.
std::string roff_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '~')
      out += "\\(ti";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}
std::string bold(std::string_view text) {
  return "\\fB" + roff_text(text) + "\\fR";
}
std::string slanted(std::string_view text) {
  return "\\fI" + roff_text(text) + "\\fR";
}

// "-m, --model MODEL"
std::string head_of(const CLI::Option& option) {
  if (option.get_positional()) return slanted(option.get_name(true));
  std::string out;
  for (const std::string& name : option.get_snames()) out += bold("-" + name) + ", ";
  for (const std::string& name : option.get_lnames()) out += bold("--" + name) + ", ";
  out.resize(out.size() - 2);
  if (option.get_items_expected_max() > 0) out += " " + slanted(option.get_option_text());
  return out;
}

// What stands behind the name of a command: "[OPTION]... FILE..."
std::string call_of(const CLI::App& command) {
  std::string options, rest;
  for (const CLI::Option* option : command.get_options({})) {
    if (!option->get_positional()) {
      options = fmt::format("[{}]...", slanted("OPTION"));
      continue;
    }
    const std::string name = head_of(*option) + (option->get_items_expected_max() > 1 ? "..." : "");
    rest += option->get_required() ? " " + name : fmt::format(" [{}]", name);
  }
  std::string inner;
  for (const CLI::App* one : command.get_subcommands({}))
    inner += (inner.empty() ? " " : "|") + bold(one->get_name());
  return options + rest + inner;
}

// What is added below the options: a text, then examples.
struct Footer {
  std::string text;
  std::vector<std::string> examples;
};

Footer footer_of(const CLI::App& command) {
  Footer footer;
  std::istringstream lines(command.get_footer());
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with("  "))
      footer.examples.push_back(line.substr(2));
    else if (!line.starts_with("Example"))
      footer.text += roff_text(line) + "\n";
  return footer;
}

std::string list_options(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options({}))
    out += fmt::format(".TP\n{}\n{}\n", head_of(*option), roff_text(option->get_description()));
  return out;
}

std::string parts_of(const CLI::App& command) {
  std::string out = list_options(command);
  for (const CLI::App* inner : command.get_subcommands({})) {
    out +=
        fmt::format(".TP\n{}\n{}\n", bold(inner->get_name()), roff_text(inner->get_description()));
    for (const CLI::Option* option : inner->get_options({}))
      if (option != inner->get_help_ptr())
        out += fmt::format(".RS\n.TP\n{}\n{}\n.RE\n", head_of(*option),
                           roff_text(option->get_description()));
  }
  const Footer footer = footer_of(command);
  if (!footer.text.empty()) out += ".PP\n" + footer.text;
  if (!footer.examples.empty()) out += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const std::string& example : footer.examples) out += roff_text(example) + "\n";
  if (!footer.examples.empty()) out += ".RE\n.fi\n";
  return out;
}

std::string synopsis_of(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : app.get_subcommands({}))
    out += fmt::format("{}{}\n{}\n", out.empty() ? "" : ".br\n",
                       bold("leto " + command->get_name()), call_of(*command));
  return out;
}

// From "Exit codes: 0 fine, 1 what was asked for does not hold."
std::string exit_codes_of(const CLI::App& app) {
  std::string text = app.get_footer(), out;
  text.erase(0, text.find(": ") + 2);
  for (char& c : text)
    if (c == '\n') c = ' ';
  std::istringstream codes(text);
  std::string one;
  while (std::getline(codes >> std::ws, one, ',')) {
    if (one.ends_with(".")) one.pop_back();
    out += fmt::format(".TP\n{}\n{}\n", bold(one.substr(0, 1)), roff_text(one.substr(2)));
  }
  return out;
}

// Fills in one line after the other.
class Manual {
 public:
  explicit Manual(const CLI::App& app) : app_(app) {
    for (const CLI::App* command : app.get_subcommands({})) {
      unsaid_.insert("@command " + command->get_name() + "@");
      unsaid_.insert("@options " + command->get_name() + "@");
    }
  }

  // What stands for a line; nothing if it names a command that there is not.
  std::optional<std::string> fill(const std::string& line) {
    if (line == "@synopsis@") return synopsis_of(app_);
    if (line == "@exit codes@") return exit_codes_of(app_);
    if (!line.starts_with("@")) return line + "\n";
    if (unsaid_.erase(line) == 0) return std::nullopt;
    constexpr std::size_t kWord = 9;  // of "@command "
    const CLI::App& command = *app_.get_subcommand(line.substr(kWord, line.size() - kWord - 1));
    if (line.starts_with("@options")) return parts_of(command);
    return fmt::format(".SS leto {}\n{}.\n.PP\n", command.get_name(),
                       roff_text(command.get_description()));
  }
  [[nodiscard]] const std::set<std::string>& unsaid() const { return unsaid_; }

 private:
  const CLI::App& app_;
  std::set<std::string> unsaid_;
};

}  // namespace

std::optional<std::string> fill_manual(const CLI::App& app, const std::string& page,
                                       std::string& problem) {
  Manual manual(app);
  std::string out, line;
  std::istringstream lines(page);
  while (std::getline(lines, line)) {
    const std::optional<std::string> filled = manual.fill(line);
    if (!filled) {
      problem = fmt::format("there is no command for '{}', or it comes twice", line);
      return std::nullopt;
    }
    out += *filled;
  }
  if (manual.unsaid().empty()) return out;
  problem = fmt::format("'{}' is missing", *manual.unsaid().begin());
  return std::nullopt;
}

}  // namespace leto::driver
