#include "emit/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace leto::emit {

namespace {

// What a name must not be: words of C++ and C, macros of their libraries, and what the header uses.
// clang-format off
constexpr std::array kWords = std::to_array<std::string_view>({
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
    "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield",
    "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
    "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict",
    "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq",
    "main", "std", "leto", "enter", "went", "out", "got", "in", "expected", "integer", "real", "assert", "errno", "stdin", "stdout", "stderr", "linux",
    "unix", "major", "minor", "makedev", "NULL", "EOF", "NAN", "INFINITY", "HUGE_VAL", "BUFSIZ",
    "RAND_MAX", "I", "complex", "imaginary", "SIZE_MAX", "INT_MAX", "INT_MIN", "LONG_MAX", "LONG_MIN", "offsetof", "signbit",
    "isnan", "isinf", "isfinite", "size_t", "int64_t", "uint8_t", "INT64_MAX", "INT64_MIN", "PTRDIFF_MAX"});
// What C's library declares, and what CMake builds by itself.
constexpr std::array kTaken = std::to_array<std::string_view>({
    "abort", "abs", "acos", "all", "asin", "atan", "atan2", "atexit", "atoi", "bsearch", "calloc", "cbrt", "ceil",
    "clean", "clock", "copysign", "cos", "cosh", "div", "edit_cache", "emitted", "erf", "exit", "exp", "exp2", "expm1",
    "fabs", "fclose", "fdim", "fflush", "fgets", "floor", "fma", "fmax", "fmin", "fmod", "fopen", "fputs", "fread",
    "free", "frexp", "fwrite", "gamma", "getenv", "gets", "help", "hypot", "index", "install", "labs", "ldexp", "lgamma", "log",
    "log10", "log1p", "log2", "lrint", "lround", "malloc", "memcmp", "memcpy", "memmove", "memset", "modf", "nan",
    "package", "pow", "printf", "putc", "putchar", "puts", "qsort", "rand", "realloc", "rebuild_cache", "remainder", "remove",
    "rename", "rint", "round", "scanf", "setjmp", "signal", "sin", "sinh", "snprintf", "sprintf", "sqrt", "srand",
    "strcat", "strchr", "strcmp", "strcpy", "strlen", "strtol", "system", "tan", "tanh", "test", "tgamma", "time",
    "trunc", "y0", "y1", "yn", "j0", "j1", "jn"});
// clang-format on

bool is_word(std::string_view name) {
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace

bool can_be_name(std::string_view name) {
  return !is_word(name) && std::find(kTaken.begin(), kTaken.end(), name) == kTaken.end();
}

std::string identifier(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "t" + out;
  if (is_word(out)) out += "_x";
  return out;
}

std::string Names::fresh(std::string_view name) {
  const std::string base = identifier(name);
  std::string out = base;
  for (int n = 2; !taken_.insert(out).second; ++n) out = fmt::format("{}_{}", base, n);
  return out;
}

}  // namespace leto::emit
