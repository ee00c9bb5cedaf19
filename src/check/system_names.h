// What names mean in systems and in models of messages: scopes that see one another, and what each
// model of a chain declares.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "check/session.h"
#include "check/system.h"

namespace leto::check::sys {

struct Binding {
  enum class Kind : std::uint8_t { Variable, Slot, Round, Value } kind = Kind::Slot;
  std::uint32_t index = 0;
  Type type;
  Span span;
};
struct Scope;
struct ModelNames;
struct PropertyRef {
  const syntax::PropertyItem* item = nullptr;
  TreeIndex tree = 0;
  const Scope* scope = nullptr;  // what its body sees
};
// What a text sees beside its local names.
struct Scope {
  const Scope* outer = nullptr;
  const ModelNames* of_model = nullptr;  // null: of a system, or of files
  std::unordered_map<Name, Binding> values = {};
  std::unordered_map<Name, PropertyRef> properties = {};
  std::unordered_map<Name, std::uint32_t> enums = {}, sorts = {};
};

// A message specification as a model has it: of its own, or taken over.
struct MessageRef {
  const syntax::MessageMember* item = nullptr;
  TreeIndex tree = 0;
  const Scope* scope = nullptr;
  Name label = {};
  struct Target {
    ModelId super;
    Name label;
  };
  std::vector<Target> refines = {};
  ModelId taken_from = {};  // invalid: its own
  Span span = {};
};
struct ModelNames {
  ModelId id;
  Scope scope;  // inherited names too
  std::vector<MessageRef> messages;
};

// Where an expression stands.
struct Where {
  const Scope* scope = nullptr;
  TreeIndex tree = 0;
  std::string_view what = {};  // for messages: "a claim"
  bool state = true;           // what changes may be read
  bool old = false;            // 'old(e)' means something
  bool may_fail = false;       // a failure is an outcome: in a step
  bool rounds = false;         // what is told in a broadcast may be read
  Type any = {Base::Any};      // what that stands for
};

}  // namespace leto::check::sys
