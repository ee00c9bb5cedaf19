// Models: what one is with everything that it refines, and what its constants and its state are
// at the start. Parts keep the model that declared them, for names mean what they mean there.
#pragma once

#include <memory>
#include <set>

#include "oracle/specs.h"

namespace leto::oracle {

struct Part {  // an expression in the text of a model
  const syntax::Tree* tree = nullptr;
  ExprId expr;
  Name scope;  // the model that it stands in
};

struct Variable {  // a constant or a state variable
  Name model;      // that declares it
  Name name;
  Scalar type = Scalar::Void;
  std::optional<Part> init;
};

struct Function {  // a function constant
  Name model;      // that declares it
  const syntax::RigidMember* item = nullptr;
  const std::vector<syntax::Ident>* params = nullptr;  // of its value; null: it has none
  std::optional<Part> value;
};

struct Specification {
  const syntax::Tree* tree = nullptr;
  const syntax::OperatorMember* op = nullptr;
  Name scope;
  std::set<std::size_t> modifies;  // state variables
};

using State = std::vector<Number>;

class Model {
 public:
  Model(const Program& program, Name name);

  // A constant or a state variable, as an index into the list of them.
  struct Found {
    bool state = false;
    std::size_t index = 0;
  };
  // What a name means in the text of `scope`, which is this model or one that it refines.
  [[nodiscard]] std::optional<Found> find(Name scope, Name name) const;
  // Null: there is no such function constant.
  [[nodiscard]] const Function* find_function(Name scope, Name name) const;
  // By the name alone where that is enough, or by `M.x` with the declaring model.
  [[nodiscard]] std::optional<std::size_t> find_state(std::string_view text) const;
  [[nodiscard]] std::string spelling(const Variable& variable) const;

  [[nodiscard]] Name name() const { return name_; }
  [[nodiscard]] const std::vector<Variable>& constants() const { return constants_; }
  [[nodiscard]] const std::vector<Variable>& state() const { return state_; }
  [[nodiscard]] const std::vector<Part>& constraints() const { return constraints_; }
  [[nodiscard]] const std::vector<Part>& invariants() const { return invariants_; }
  [[nodiscard]] const std::vector<Specification>& specifications() const { return specs_; }

 private:
  struct Gather;
  using Declaration = std::pair<Name, Name>;  // the declaring model and the name

  void gather(Name model);
  [[nodiscard]] std::set<Declaration> declarations(Name scope, Name name) const;
  // The operators that a model has, imported ones among them, in the order of its members.
  [[nodiscard]] std::vector<Specification> operators_of(Name model) const;
  [[nodiscard]] Specification imported(const syntax::ImportMember& member) const;
  void set_value(const syntax::InitMember& member, Part value);
  void set_value(const syntax::RigidValueMember& member, Part value);
  [[nodiscard]] std::size_t require_state(Name scope, const syntax::Ident& ident) const;

  const Program& program_;
  Name name_;
  std::set<Name> gathered_;
  std::vector<Variable> constants_, state_;
  std::vector<Function> functions_;
  std::vector<Part> constraints_, invariants_;
  std::vector<Specification> specs_;
};

// A model with values for its constants, and the state that its runs begin with.
class Instance {
 public:
  Instance(const Program& program, const Inputs& inputs, bool picked, Specifications& specs,
           Name model);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const State& constants() const { return constants_; }
  [[nodiscard]] const State& initial() const { return initial_; }
  // The invariants that do not hold in a state.
  [[nodiscard]] std::vector<Span> broken(const State& state) const;
  [[nodiscard]] bool judge(const Part& part, const State& state) const;

 private:
  // Of such constraints the caller promises that they hold.
  [[nodiscard]] bool speaks_of_functions(const Part& part) const;
  void set_constants();
  void set_initial();
  [[nodiscard]] Number given(const Variable& variable, bool state) const;
  [[nodiscard]] Number checked(const Variable& variable, Number value) const;

  const Program& program_;
  const Inputs& inputs_;
  bool picked_;
  Specifications& specs_;
  Model model_;
  State constants_, initial_;
};

// What names mean in the text of a model: constants and state, and in a specification of an
// operator its parameters and the outcome.
class ModelNames final : public Names {
 public:
  struct Local {
    Name name;  // invalid: `result`
    View now, before;
  };

  // `state` is what plain names of state variables mean. Values are looked up in the constants
  // when a name is met, so they may be filled in one after the other.
  ModelNames(const Program& program, const Model& model, Name scope, const State& constants,
             const State& state);
  void add(Local local) { locals_.push_back(local); }
  // Gives `old` a meaning: this state, and what the locals were before.
  void set_before(const State& state);

  [[nodiscard]] std::optional<View> find(Name name, Mode mode) const override;
  [[nodiscard]] Typed model_member(const syntax::Ident& member, Mode mode) const override;
  [[nodiscard]] Typed qualified(const syntax::MemberExpr& member, Mode mode) const override;
  [[nodiscard]] std::optional<Typed> function(const syntax::Ident* scope, Name name,
                                              const std::vector<Typed>& args,
                                              Specifications& specs) const override;
  [[nodiscard]] const Names* snapshot(Name label, bool entry) const override;
  [[nodiscard]] const Names* before() const override { return before_.get(); }
  [[nodiscard]] const Names* outside() const override;
  [[nodiscard]] std::vector<Name> parameters() const override { return {}; }

 private:
  [[nodiscard]] Typed value(const Model::Found& found) const;

  const Program& program_;
  const Model& model_;
  Name scope_;
  const State& constants_;
  const State& state_;
  std::vector<Local> locals_;
  std::unique_ptr<ModelNames> before_;
  mutable std::map<std::pair<bool, std::size_t>, Value> values_;  // that views point to
};

}  // namespace leto::oracle
