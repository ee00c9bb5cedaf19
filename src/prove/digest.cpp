#include "prove/digest.h"

#include <openssl/sha.h>

namespace leto::prove {

std::string digest(const std::string& text) {
  unsigned char hash[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned char byte : hash) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace leto::prove
