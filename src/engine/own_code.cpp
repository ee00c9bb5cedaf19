#include "engine/own_code.h"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace leto::engine {

namespace {

struct Wanted {
  std::uintptr_t address;  // of code that is in it
  std::string id;
};

bool has_address(const dl_phdr_info& file, std::uintptr_t address) {
  for (int i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file.dlpi_phdr[i];
    const std::uintptr_t begin = file.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address - begin < part.p_memsz) return true;
  }
  return false;
}

std::string spell_bytes(const unsigned char* bytes, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += fmt::format("{:02x}", bytes[i]);
  return out;
}

// In the notes of a part that is loaded; empty if it is not there. Each is a head, a name and
// what it says; name and text end at a multiple of four.
std::string find_id(const unsigned char* notes, std::size_t size) {
  std::size_t at = 0;
  while (size - at >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof head);
    const std::size_t name = at + sizeof head;
    const std::size_t text = name + (std::size_t{head.n_namesz} + 3) / 4 * 4;
    const std::size_t next = text + (std::size_t{head.n_descsz} + 3) / 4 * 4;
    if (next > size) return {};
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
        std::memcmp(notes + name, "GNU", 4) == 0)
      return spell_bytes(notes + text, head.n_descsz);
    at = next;
  }
  return {};
}

int look_at(dl_phdr_info* file, std::size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  if (!has_address(*file, wanted.address)) return 0;
  for (int i = 0; i < file->dlpi_phnum && wanted.id.empty(); ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      wanted.id = find_id(reinterpret_cast<const unsigned char*>(file->dlpi_addr + part.p_vaddr),
                          part.p_memsz);
  }
  return 1;  // there is only one
}

}  // namespace

std::string find_own_build_id() {
  Wanted wanted{reinterpret_cast<std::uintptr_t>(&find_own_build_id), {}};
  dl_iterate_phdr(look_at, &wanted);
  return wanted.id;
}

}  // namespace leto::engine
