#include "base/allowance.h"

namespace leto {

std::string_view describe(Allowance::End end) {
  switch (end) {
    case Allowance::End::None:
      return "nothing happened";
    case Allowance::End::Time:
      return "the time was over";
    case Allowance::End::Memory:
      return "the memory was used up";
    case Allowance::End::User:
      return "it was interrupted";
  }
  return "";
}

}  // namespace leto
