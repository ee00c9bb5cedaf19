// The functions that SHA-256 is made of, as they were before OpenSSL 3: they take no memory, so
// they cannot fail, and there is no digest that was not made.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "engine/digest.h"

#include <openssl/sha.h>

#include <array>
#include <string_view>

#include "files/files.h"

namespace leto::engine {

namespace {

using Hash = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Hash hash_of(std::string_view first, std::string_view second = {}) {
  Hash hash{};
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, first.data(), first.size());
  SHA256_Update(&state, second.data(), second.size());
  SHA256_Final(hash.data(), &state);
  return hash;
}

std::string_view bytes_of(const Hash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string in_hexadecimal(const Hash& hash) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned char byte : hash) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace

std::string digest(const std::string& text) {
  return in_hexadecimal(hash_of(text));
}

std::string digest_of_file(const std::string& path) {
  constexpr std::uint64_t kMostBytes = 1u << 30;
  SHA256_CTX state;
  SHA256_Init(&state);
  const std::string problem = files::read_parts(
      path, files::NamedBy::Program, kMostBytes,
      [&](std::string_view part) { SHA256_Update(&state, part.data(), part.size()); });
  if (!problem.empty()) return {};
  Hash hash{};
  SHA256_Final(hash.data(), &state);
  return in_hexadecimal(hash);
}

// RFC 2104.
std::string sealed_digest(const std::string& key, const std::string& text) {
  std::array<char, SHA256_CBLOCK> block{};
  const Hash hashed = hash_of(key);
  const std::string_view short_key = key.size() > block.size() ? bytes_of(hashed) : key;
  short_key.copy(block.data(), short_key.size());
  const auto padded = [&](char pad) {
    std::string out(block.begin(), block.end());
    for (char& c : out) c = static_cast<char>(c ^ pad);
    return out;
  };
  const Hash inner = hash_of(padded('\x36'), text);
  return in_hexadecimal(hash_of(padded('\x5c'), bytes_of(inner)));
}

}  // namespace leto::engine
