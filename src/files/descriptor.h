// A file that is open. It is closed when nobody holds it any more.
#pragma once

#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

namespace leto::files {

// Of what `errno` said.
[[nodiscard]] inline std::string reason_of(int error) {
  return std::strerror(error);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] bool open() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }
  // Closing may be what fails: then not everything is on the disk.
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace leto::files
