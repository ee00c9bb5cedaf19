// A stand-in for a solver that misbehaves in one of the ways that solvers do.
//   fake_solver MODE [FILE]   writes its process ids to FILE
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "--version") {
    std::cout << "fake solver 1.0" << std::endl;
    return 0;
  }
  if (argc > 2) std::ofstream(argv[2], std::ios::app) << getpid() << "\n";
  const auto forever = [] {
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  if (mode == "family") {  // a child that ignores every polite signal
    if (fork() == 0) {
      for (int s : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) signal(s, SIG_IGN);
      if (argc > 2) std::ofstream(argv[2], std::ios::app) << getpid() << "\n";
      forever();
    }
    for (int s : {SIGTERM, SIGINT, SIGHUP}) signal(s, SIG_IGN);
  }
  std::string line;
  bool on_a_stack = false;
  while (std::getline(std::cin, line)) {
    if (line.rfind("(push", 0) == 0) on_a_stack = true;
    if (line.rfind("(reset)", 0) == 0) on_a_stack = false;
    const bool asked = line.find("(check-sat") != std::string::npos;
    const bool echo = line.rfind("(echo \"", 0) == 0;
    if (asked && (mode == "hang" || mode == "family")) forever();
    if (asked && mode == "memory") {
      std::vector<char*> blocks;
      while (true) {
        char* block = static_cast<char*>(std::malloc(8u << 20));
        if (block == nullptr) std::abort();
        std::memset(block, 1, 8u << 20);
        blocks.push_back(block);
      }
    }
    if (asked && mode == "crash") {
      std::cout << "uns" << std::flush;
      raise(SIGSEGV);
    }
    if (asked && mode == "exit") return 3;
    if (asked && mode == "late") std::this_thread::sleep_for(std::chrono::seconds(4));
    if (asked && mode == "garbage") std::cout << "%$# certainly\nunsat\n" << std::flush;
    if (asked && mode == "error")
      std::cout << "(error \"line 1: unknown constant\")\nunsat\n" << std::flush;
    if (asked && mode == "flood")
      while (true) std::cout << std::string(1 << 20, 'x') << "\n";
    if (asked && (mode == "late" || mode == "unsat")) std::cout << "unsat\n" << std::flush;
    if (asked && mode == "sat") std::cout << "sat\n" << std::flush;
    if (asked && mode == "alone") std::cout << (on_a_stack ? "unknown\n" : "sat\n") << std::flush;
    if (asked && mode == "unknown") std::cout << "unknown\n" << std::flush;
    if (line.find("reason-unknown") != std::string::npos)
      std::cout << "(:reason-unknown \"incomplete\")\n" << std::flush;
    if (echo) std::cout << line.substr(7, line.rfind('"') - 7) << "\n" << std::flush;
  }
  return 0;
}
