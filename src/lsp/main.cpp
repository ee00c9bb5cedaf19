#include <signal.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <string_view>

#include "lsp/lsp.h"
#include "process/process.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--stdio") continue;  // as ever
    if (argument == "--version") {
      std::cout << "leto-lsp " << LETO_VERSION << "\n";
      return 0;
    }
    std::cerr
        << "leto-lsp: an editor starts it, with no options (or --stdio); there is --version\n";
    return 2;
  }
  leto::process::prepare();
  signal(SIGPIPE, SIG_IGN);  // that the editor is gone shows where nothing more is read
  try {
    return leto::lsp::serve({STDIN_FILENO, STDOUT_FILENO, leto::process::own_directory()});
  } catch (const std::exception& problem) {
    std::cerr << "leto-lsp: internal error: " << problem.what() << "\n";
    return 5;
  }
}
