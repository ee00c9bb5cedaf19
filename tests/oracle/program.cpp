#include "oracle/program.h"

namespace leto::oracle {

void refuse(Span where, std::string why) {
  throw Stop{End::Malformed, where, std::move(why)};
}

struct Program::Collect {
  Program& program;
  const syntax::Tree& tree;

  void operator()(const syntax::ImportItem&) const {}  // the caller has brought in all files
  void operator()(const syntax::UseModelItem& item) const {
    program.used_models_.push_back(item.model.name);
  }
  void operator()(const syntax::ConstItem& item) const {
    program.constants_[item.name.name] = {&tree, &item};
    program.constant_order_.push_back(item.name.name);
  }
  void operator()(const syntax::ConstraintItem& item) const {
    program.constraints_.push_back({&tree, &item});
  }
  void operator()(const syntax::CheckerItem&) const {}  // says only how often a check is right
  // What they stand for is in trees of their own.
  void operator()(const syntax::ProblemItem&) const {}
  void operator()(const syntax::ProvedCheckerItem&) const {}
  void operator()(const syntax::SystemItem&) const {}
  void operator()(const syntax::RecordItem& item) const {
    program.records_[item.name.name] = {&tree, &item};
  }
  void operator()(const syntax::PropertyItem& item) const {
    program.properties_[item.name.name] = {&tree, &item};
  }
  void operator()(const syntax::DefineItem& item) const {
    program.definitions_[item.name.name] = {&tree, &item};
  }
  void operator()(const syntax::FunctionItem& item) const {
    program.functions_[item.name.name] = {&tree, &item};
  }
  void operator()(const syntax::ModelItem& item) const {
    program.models_[item.name.name] = {&tree, &item};
  }
};

Program::Program(const std::vector<const syntax::Tree*>& trees, const NameTable& names)
    : names_(names) {
  for (const syntax::Tree* tree : trees)
    for (const syntax::Item& item : tree->items) std::visit(Collect{*this, *tree}, item.node);
}

namespace {

template <class Map>
const typename Map::mapped_type* find_in(const Map& map, Name name) {
  const auto it = map.find(name);
  return it == map.end() ? nullptr : &it->second;
}

}  // namespace

const Program::Function* Program::function(Name name) const {
  return find_in(functions_, name);
}

const Program::Property* Program::property(Name name) const {
  return find_in(properties_, name);
}

const Program::Definition* Program::definition(Name name) const {
  return find_in(definitions_, name);
}

const Program::Constant* Program::constant(Name name) const {
  return find_in(constants_, name);
}

const Program::Model* Program::model(Name name) const {
  return find_in(models_, name);
}

Type Program::type_of(const syntax::TypeSyntax& type) const {
  if (!type.record.valid()) return oracle::type_of(type);
  const Record* record = find_in(records_, type.record);
  if (record == nullptr) refuse(type.span, "there is no such record");
  return {type.scalar, type.shape, record->item};
}

Number Program::literal(Name text, Span where) const {
  const std::optional<Number> value = read_literal(names_.text(text));
  if (!value) refuse(where, "a number that is too long");
  return *value;
}

}  // namespace leto::oracle
