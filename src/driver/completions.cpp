#include "driver/completions.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

namespace leto::driver {

namespace {

enum class Takes : std::uint8_t { Nothing, Model, Directory, File, Words, Anything };

struct Offer {
  std::string name;    // "--model"
  std::string letter;  // "m"; may be empty
  std::string help;
  Takes takes = Takes::Nothing;
  std::vector<std::string> words = {};
};

struct CommandOffer {
  std::string name, help;
  std::vector<Offer> options;
  std::vector<Offer> inner;  // commands within it
};

// The words of an option that takes one of a few: see `one_of`.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  const std::string type = option.get_type_name();
  const std::size_t start = type.find("one of ");
  if (start == std::string::npos) return words;
  std::string rest = type.substr(start + 7);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    words.push_back(rest.substr(0, end));
    rest.erase(0, std::min(rest.size(), end + 1));
  }
  return words;
}

Offer offer_of(const CLI::Option& option) {
  Offer offer;
  offer.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) offer.letter = option.get_snames().front();
  offer.help = option.get_description();
  offer.words = words_of(option);
  const std::string& text = option.get_option_text();
  offer.takes = option.get_items_expected_max() == 0 ? Takes::Nothing
                : !offer.words.empty()               ? Takes::Words
                : text == "MODEL"                    ? Takes::Model
                : text == "DIR"                      ? Takes::Directory
                : text.starts_with("FILE")           ? Takes::File
                                                     : Takes::Anything;
  return offer;
}

std::vector<CommandOffer> commands_of(const CLI::App& app) {
  std::vector<CommandOffer> all;
  for (const CLI::App* one : app.get_subcommands({})) {
    CommandOffer command{one->get_name(), one->get_description(), {}, {}};
    for (const CLI::Option* option : one->get_options({}))
      if (!option->get_lnames().empty()) command.options.push_back(offer_of(*option));
    for (const CLI::App* inner : one->get_subcommands({}))
      command.inner.push_back({inner->get_name(), "", inner->get_description()});
    all.push_back(std::move(command));
  }
  return all;
}

std::string joined(const std::vector<Offer>& offers) {
  std::string out;
  for (const Offer& offer : offers) out += (out.empty() ? "" : " ") + offer.name;
  return out;
}

// Between single quotes.
std::string single_quoted(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + out + "'";
}

constexpr std::string_view kModels = "leto models 2>/dev/null | cut -d\" \" -f1";

// What stands behind a command: its options, or commands within it, or programs.
std::string bash_case(const CommandOffer& command) {
  const std::string inner = joined(command.inner);
  return fmt::format(
      "    {})\n      if [[ $current == -* ]]; then\n"
      "        COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n      else\n"
      "        COMPREPLY=({})\n      fi ;;\n",
      command.name, joined(command.options),
      !inner.empty() ? fmt::format("$(compgen -W \"{}\" -- \"$current\")", inner)
                     : "$(compgen -f -X '!*.leto' -- \"$current\") $(compgen -d -- \"$current\")");
}

// What stands behind an option; empty if it takes nothing, or anything.
std::string bash_value(const std::string& command, const Offer& option) {
  if (option.takes == Takes::Nothing || option.takes == Takes::Anything) return "";
  const std::string with = option.takes == Takes::Model       ? fmt::format("-W \"$({})\"", kModels)
                           : option.takes == Takes::Directory ? "-d"
                           : option.takes == Takes::File
                               ? "-f"
                               : fmt::format("-W \"{}\"", fmt::join(option.words, " "));
  return fmt::format(
      "    \"{} {}\"{}) COMPREPLY=($(compgen {} -- \"$current\")); return ;;\n", command,
      option.name, option.letter.empty() ? "" : fmt::format("|\"{} -{}\"", command, option.letter),
      with);
}

std::string for_bash(const std::vector<CommandOffer>& commands) {
  std::string names, values, cases;
  for (const CommandOffer& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    cases += bash_case(command);
    for (const Offer& option : command.options) values += bash_value(command.name, option);
  }
  return fmt::format(
      "# bash completion for leto\n"
      "_leto() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} "
      "command=\n"
      "  local i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    if [[ \" {0} \" == *\" ${{COMP_WORDS[i]}} \"* ]]; then command=${{COMP_WORDS[i]}}; "
      "break; fi\n"
      "  done\n"
      "  case \"$command $previous\" in\n{1}  esac\n"
      "  case $command in\n"
      "    \"\") COMPREPLY=($(compgen -W \"{0} --help --version\" -- \"$current\")) ;;\n{2}"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _leto leto\n",
      names, values, cases);
}

std::string for_fish(const std::vector<CommandOffer>& commands) {
  std::string out = "# fish completion for leto\ncomplete -c leto -f\n";
  for (const CommandOffer& command : commands) {
    out += fmt::format("complete -c leto -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       single_quoted(command.help));
    const std::string seen =
        fmt::format("complete -c leto -n '__fish_seen_subcommand_from {}'", command.name);
    if (command.inner.empty())
      out += fmt::format("{} -k -a '(__fish_complete_suffix .leto)'\n", seen);
    for (const Offer& inner : command.inner)
      out += fmt::format("{} -a {} -d {}\n", seen, inner.name, single_quoted(inner.help));
    for (const Offer& option : command.options) {
      out += fmt::format("{} -l {}", seen, option.name.substr(2));
      if (!option.letter.empty()) out += " -s " + option.letter;
      if (option.takes == Takes::Model) out += fmt::format(" -x -a '({})'", kModels);
      if (option.takes == Takes::Directory) out += " -x -a '(__fish_complete_directories)'";
      if (option.takes == Takes::File) out += " -r -F";
      if (option.takes == Takes::Words)
        out += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
      if (option.takes == Takes::Anything) out += " -x";
      out += fmt::format(" -d {}\n", single_quoted(option.help));
    }
  }
  return out;
}

// What stands in an argument of `_arguments`.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const Offer& option) {
  const std::string action = option.takes == Takes::Nothing ? ""
                             : option.takes == Takes::Model ? fmt::format(":model:($({}))", kModels)
                             : option.takes == Takes::Directory ? ":directory:_directories"
                             : option.takes == Takes::File      ? ":file:_files"
                             : option.takes == Takes::Words
                                 ? fmt::format(":word:({})", fmt::join(option.words, " "))
                                 : ":value: ";
  std::string out;
  std::vector<std::string> names{option.name};
  if (!option.letter.empty()) names.push_back("-" + option.letter);
  for (const std::string& name : names)
    out +=
        fmt::format(" \\\n        {}",
                    single_quoted(fmt::format("*{}[{}]{}", name, zsh_text(option.help), action)));
  return out;
}

std::string for_zsh(const std::vector<CommandOffer>& commands) {
  std::string list, cases;
  for (const CommandOffer& command : commands) {
    list += fmt::format("    {}\n",
                        single_quoted(fmt::format("{}:{}", command.name, zsh_text(command.help))));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const Offer& option : command.options) cases += zsh_option(option);
    const std::string inner = joined(command.inner);
    cases += inner.empty() ? " \\\n        '*:program:_files -g \"*.leto\"' ;;\n"
                           : fmt::format(" \\\n        '1:command:({})' ;;\n", inner);
  }
  return fmt::format(
      "#compdef leto\n"
      "_leto() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "_leto \"$@\"\n",
      list, cases);
}

}  // namespace

std::optional<std::string> completion_script(const CLI::App& app, std::string_view shell) {
  const std::vector<CommandOffer> commands = commands_of(app);
  if (shell == "bash") return for_bash(commands);
  if (shell == "zsh") return for_zsh(commands);
  if (shell == "fish") return for_fish(commands);
  return std::nullopt;
}

}  // namespace leto::driver
