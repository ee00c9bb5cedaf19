// The syntax tree of one file: plain data in stores, children by typed id,
// immutable once built. It says what was written and nothing else; what names
// and types mean is in the facts that `check` lays beside it.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/base.h"
#include "syntax/lexer.h"

namespace leto::syntax {

struct ExprTag;
struct StmtTag;
struct ItemTag;
using ExprId = Id<ExprTag>;
using StmtId = Id<StmtTag>;
using ItemId = Id<ItemTag>;

struct Ident {
  Name name;
  Span span;
};

enum class Side : std::uint8_t { Original, Relaxed };
enum class Scalar : std::uint8_t { Void, Bool, Int, Uint, Real, Bits };
enum class Shape : std::uint8_t { Scalar, Vector, Matrix };

struct TypeSyntax {
  Scalar scalar = Scalar::Void;
  Shape shape = Shape::Scalar;
  Span span;
  Name record = {};         // valid: of this record, and no scalar is named
  std::uint16_t width = 0;  // of bits<N>: N
};

enum class UnaryOp : std::uint8_t { Negate, Not, Complement };
// clang-format off
enum class BinaryOp : std::uint8_t {
  Add, Sub, Mul, Div, Mod, And, Or, Implies, Eq, Ne, Lt, Le, Gt, Ge,
  BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight, Join  // of words
};
// clang-format on

[[nodiscard]] std::string_view spelling(UnaryOp op);
[[nodiscard]] std::string_view spelling(BinaryOp op);
[[nodiscard]] std::string_view spelling(Scalar scalar);
// Binding strength, 1 (->) to 11 (* / %).
[[nodiscard]] int precedence(BinaryOp op);
[[nodiscard]] bool is_comparison(BinaryOp op);
// & | ^ << >> ++: of words only.
[[nodiscard]] bool is_of_words(BinaryOp op);

// Expressions ---------------------------------------------------------------

// clang-format off
struct ErrorExpr {};                              // something that did not parse
// 42; or 0xFF, 0b101: `text` is then the same in decimal, and `written` what stands there
struct IntegerExpr { Name text; Name written = {}; };
struct RealExpr { Name text; };                   // 0.5, 1e-3
struct BoolExpr { bool value; };                  // true
struct NameExpr { Name name; };                   // x
struct SidedExpr { Name name; Side side; };       // x<o>, x<r>
struct ModelExpr { Ident member; };               // model.x
struct MemberExpr { Ident scope; Ident member; }; // M.x in a model, l.entry for a label, s.x
struct FieldExpr { ExprId base; Ident field; };   // s<o>.x, v[i].x: a part of what is no plain name
struct IndexExpr { ExprId base; ExprId index; };  // v[i]; also l[e] for a label l
struct UpdateExpr { ExprId base; ExprId index; ExprId value; };  // v[i := e]
struct PartExpr { ExprId base; ExprId high; ExprId low; };  // b[7:0]; both are integers
// bits<8>(i), exact_bits<8>(i), zero_extend<16>(b), sign_extend<16>(b)
struct WidenExpr { Ident callee; std::uint16_t width; ExprId arg; };
struct ParenExpr { ExprId inner; };               // (e), kept as the author wrote it
struct UnaryExpr { UnaryOp op; bool dotted; ExprId operand; };
struct BinaryExpr { BinaryOp op; bool dotted; ExprId lhs; ExprId rhs; Span op_span; };
struct ChainExpr { std::vector<ExprId> operands; std::vector<BinaryOp> ops; };  // a < b <= c
// P.right(inputs; outputs), P.right(inputs; outputs against z): what a problem says is right. How
// many of the arguments are which; what is left are challengers.
struct ClausesOf { Ident problem; std::size_t inputs = 0, outputs = 0; };
// Functions, properties, abs, min, max. The clauses of a problem are called by `name_of_right`.
struct CallExpr { Ident callee; std::vector<ExprId> args; std::optional<ClausesOf> of = {}; };
// A function constant: model.f(x), or M.f(x) in a model.
struct MemberCallExpr { std::optional<Ident> scope; Ident member; std::vector<ExprId> args; };
struct EqExpr { ExprId arg; };                    // eq(e)
struct EqAllExpr {};                              // eq(*)
struct OldExpr { ExprId arg; };                   // old(s)
struct IfExpr { ExprId condition; ExprId then_value; ExprId else_value; };  // if (c) a else b

struct Binder { TypeSyntax type; Ident name; };
struct QuantExpr { bool universal; std::vector<Binder> binders; ExprId body; };
struct CountExpr { Binder binder; ExprId body; };  // count(node p)(e): of a system, or of a model
// clang-format on

struct Expr {
  Span span;
  std::variant<ErrorExpr, IntegerExpr, RealExpr, BoolExpr, NameExpr, SidedExpr, ModelExpr,
               MemberExpr, FieldExpr, IndexExpr, UpdateExpr, PartExpr, WidenExpr, ParenExpr,
               UnaryExpr, BinaryExpr, ChainExpr, CallExpr, MemberCallExpr, EqExpr, EqAllExpr,
               OldExpr, IfExpr, QuantExpr, CountExpr>
      node;
};

// The property that the clauses of a problem stand for; no name that somebody wrote has a dot.
[[nodiscard]] std::string name_of_right(std::string_view problem, std::size_t challengers);

// The text of a number; invalid if it is none.
[[nodiscard]] Name number_text(const Expr& expr);

// Calls `f` on each child of an expression, left to right.
template <class F>
void for_each_child(const Expr& expr, F f) {
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, FieldExpr>) {
          f(node.base);
        } else if constexpr (std::is_same_v<Node, IndexExpr>) {
          f(node.base);
          f(node.index);
        } else if constexpr (std::is_same_v<Node, UpdateExpr>) {
          f(node.base);
          f(node.index);
          f(node.value);
        } else if constexpr (std::is_same_v<Node, PartExpr>) {
          f(node.base);
          f(node.high);
          f(node.low);
        } else if constexpr (std::is_same_v<Node, ParenExpr>) {
          f(node.inner);
        } else if constexpr (std::is_same_v<Node, UnaryExpr>) {
          f(node.operand);
        } else if constexpr (std::is_same_v<Node, BinaryExpr>) {
          f(node.lhs);
          f(node.rhs);
        } else if constexpr (std::is_same_v<Node, ChainExpr>) {
          for (ExprId child : node.operands) f(child);
        } else if constexpr (std::is_same_v<Node, CallExpr> ||
                             std::is_same_v<Node, MemberCallExpr>) {
          for (ExprId child : node.args) f(child);
        } else if constexpr (std::is_same_v<Node, EqExpr> || std::is_same_v<Node, OldExpr> ||
                             std::is_same_v<Node, WidenExpr>) {
          f(node.arg);
        } else if constexpr (std::is_same_v<Node, IfExpr>) {
          f(node.condition);
          f(node.then_value);
          f(node.else_value);
        } else if constexpr (std::is_same_v<Node, QuantExpr> || std::is_same_v<Node, CountExpr>) {
          f(node.body);
        }
      },
      expr.node);
}

// Parts shared by statements, functions and models ----------------------------

struct Attributes {
  std::optional<Ident> region;        // @region(name)
  std::optional<Ident> label;         // @label(name)
  bool noinf = false;                 // @noinf
  ExprId rate = {};                   // @rate(p): a number or a name; invalid: none
  std::optional<Span> replaces = {};  // @replaces: where it stands
};

enum class ClauseKind : std::uint8_t {
  Requires,
  RequiresR,
  Ensures,
  EnsuresR,
  Invariant,
  InvariantR,
  Decreases
};
[[nodiscard]] std::string_view spelling(ClauseKind kind);
[[nodiscard]] bool is_relational(ClauseKind kind);

struct Clause {
  ClauseKind kind;
  ExprId expr;
  Span span;
  std::vector<ExprId> more = {};  // decreases a, b, c: all but the first
  // Of a checker: it is said only where this model is picked. Nothing: always.
  Name under = {};
};
// All that it says, in order.
[[nodiscard]] std::vector<ExprId> parts_of(const Clause& clause);

struct Param {
  Attributes attributes;
  bool inout = false;  // changed in place
  bool ghost = false;  // for proofs only: the challenger of a checker
  TypeSyntax type;
  Ident name;
  std::vector<ExprId> dims;
};

// Statements ------------------------------------------------------------------

struct ErrorStmt {};

struct Declarator {
  Ident name;
  std::vector<ExprId> dims;
  ExprId init;  // may be invalid: none
};
struct DeclStmt {
  Attributes attributes;
  bool ghost = false;     // specvar
  bool snapshot = false;  // specvar snapshot: for proofs only
  TypeSyntax type;
  std::vector<Declarator> declarators;
};
struct AssignStmt {
  ExprId target;
  std::optional<BinaryOp> op;  // += and friends
  bool dotted = false;
  ExprId value;
};
// clang-format off
struct StepStmt { bool increment; ExprId target; };  // ++i, --i
struct IfStmt { ExprId condition; StmtId then_branch; StmtId else_branch; };  // else may be invalid
// clang-format on
struct WhileStmt {
  Attributes attributes;
  ExprId condition;
  std::vector<Clause> invariants;
  StmtId body;
};
struct ForStmt {
  Attributes attributes;
  StmtId init;       // may be invalid
  ExprId condition;  // may be invalid: true
  StmtId step;       // may be invalid
  std::vector<Clause> invariants;
  StmtId body;
};
// repeat n { }: so many times, whatever happens inside.
struct RepeatStmt {
  Attributes attributes;
  ExprId count;  // an integer or a name
  std::vector<Clause> invariants;
  StmtId body;
};
// try { } check (e) recover { }, or recover redo(n); or recover redo(n) under M;
struct TryStmt {
  StmtId body;
  std::optional<Ident> checker;  // check NAME (e)
  ExprId check;
  StmtId recover;              // invalid: the body again
  ExprId redo;                 // how often; invalid: once
  std::optional<Ident> under;  // the model that the body is done again under
};
// clang-format off
// The value may be invalid: none. More than one: all but the first.
struct ReturnStmt { ExprId value; std::vector<ExprId> more = {}; };
enum class JumpKind : std::uint8_t { Break, Continue };
[[nodiscard]] std::string_view spelling(JumpKind kind);
struct JumpStmt { JumpKind kind; std::optional<Ident> loop; };  // its label; nothing: the innermost
struct CallStmt { ExprId call; };
struct SpreadStmt { std::vector<ExprId> targets; ExprId call; };  // q, r = divide(x, y);
// forall(uint i; i < n) { L(i); }: lemmas, for all values in a range
struct ForallStmt { std::vector<Binder> binders; ExprId range; StmtId body; };
enum class AssertionKind : std::uint8_t { Assert, Assume, AssertR };
[[nodiscard]] std::string_view spelling(AssertionKind kind);
struct ClaimStmt { AssertionKind kind; ExprId expr; };
struct BlockStmt { std::vector<StmtId> body; };
// The rest stands in the steps of systems only.
struct ChooseStmt { std::vector<ExprId> targets; ExprId with; };  // `with` may be invalid: anything
// for (lieutenant p, lieutenant q) { }: all nodes, in their order
struct NodesStmt { std::vector<Binder> binders; StmtId body; };
// clang-format on
// x = message.(v, p, q) else d: what q gets when p sends it v.
struct MessageStmt {
  ExprId target;
  bool dotted = false;  // without the dot it is exact
  ExprId value, from, to;
  ExprId otherwise = {};  // invalid: the target stays as it is
};

struct Stmt {
  Span span;
  std::variant<ErrorStmt, DeclStmt, AssignStmt, StepStmt, IfStmt, WhileStmt, ForStmt, RepeatStmt,
               TryStmt, ReturnStmt, JumpStmt, CallStmt, SpreadStmt, ForallStmt, ClaimStmt,
               BlockStmt, ChooseStmt, NodesStmt, MessageStmt>
      node;
};

// Items -----------------------------------------------------------------------

// clang-format off
// import "path.leto"; or, of the library that comes with the tool, import <sums>;
struct ImportItem { std::string path; Span path_span; bool library = false; };
struct UseModelItem { Ident model; };                     // use model M;
// Also inside models. Of a vector, with its values: const vector<uint> t(3) = [1, 2, 4];
struct ConstItem {
  TypeSyntax type;
  Ident name;
  ExprId init;
  std::vector<ExprId> dims = {}, elements = {};
};
struct ConstraintItem { ExprId expr; };                   // requires e;  (on constants)
// checker NAME false_positive 0.05 false_negative 0.01;
struct CheckerItem { Ident name; ExprId false_positive; ExprId false_negative; };
struct RecordItem { Ident name; std::vector<Binder> fields; };  // record State { real x; bool on; }
// clang-format on
struct PropertyItem {
  bool relational;
  Ident name;
  std::vector<Param> params;
  ExprId body;
};
// define real sum(vector<real> v, uint n) decreases n: if (n == 0) 0 else sum(v, n - 1) + v[n - 1];
struct DefineItem {
  TypeSyntax type;
  Ident name;
  std::vector<Param> params;
  std::optional<Clause> measure;
  ExprId body;
};
// reliability 0.99 <= R(result), reliability result >= 0.99 * R(x, y)
struct ReliabilityClause {
  bool of_result = false;  // the second form
  ExprId number;
  std::vector<Ident> names;
  Span span;
  // R(P(inputs; outputs)): the names are its inputs and its outputs, and it says what stands here:
  // what the problem calls right of the original's inputs and outputs, and of the original's inputs
  // and the relaxed run's outputs.
  struct OfProblem {
    Ident problem;
    std::size_t inputs = 0;
    ExprId original, relaxed;
  };
  std::optional<OfProblem> of = {};
};
// What a function that nobody wrote stands for: a checker, or something that is to be proved or
// tried of a problem or a checker.
enum class Role : std::uint8_t {
  Written,    // somebody wrote it
  Checker,    // what a program calls
  Exact,      // the exact run of a checker, without challengers
  Against,    // the same against a challenger
  Unique,     // a lemma: two right results are equal
  Exists,     // a lemma: what is right has a witness
  Right,      // a clause of a problem, of given values
  RightCase,  // a clause of a problem against challengers, of the values of an example
  Certified,  // what certifies a witness, of given values
  Under,      // the relaxed run of a checker under a model
  Decided,    // the exact run of a checker, which accepts where it gives up
  Run,        // what is run and emitted of a checker that can give up: it stops there
  ExactRun,   // the same, exactly
  Surely,     // a lemma: what is surely right is right
  Within,     // how often loops may be run through, of given values
  Never,      // a lemma: nothing is right and certified
};
struct FunctionItem {
  Role role = Role::Written;
  Name under = {};  // Role::Under: the model
  std::vector<Clause> contract;
  std::vector<ReliabilityClause> reliability;
  bool external = false;  // extern: it has no body
  bool ends = false;      // it is claimed to end
  bool lemma = false;     // it is no function but a proof
  bool pure = false;      // specifications may use it
  TypeSyntax type;
  std::vector<Binder> results;  // (real q, real r): more than one; the type is void then
  Ident name;
  std::vector<Param> params;
  std::vector<Param> made;  // returns (uint k, vector<int> p(n)): what a lemma makes
  StmtId body;
};

// Problems and checkers ---------------------------------------------------------

// A value of an example: a number or a truth, or a list.
struct Literal {
  Span span;
  ExprId scalar;  // invalid: a list
  std::vector<Literal> elements;
};
struct Given {
  Ident name;
  Literal value;
};
// clang-format off
struct PortMember { bool output; std::vector<Param> params; };   // input uint n, vector<int> a(n);
struct UniqueMember { std::optional<Ident> lemma; };             // unique by L;
// clang-format on
// right e; or right against (vector<real> z(n)) when e: c; or right surely e;
struct RightMember {
  bool surely = false;  // what a checker promises to accept
  std::vector<Param> against = {};
  ExprId when = {};
  ExprId expr;
};
// example (n = 1, v = [2]) wrong against ([3]);
struct ExampleMember {
  std::vector<Given> given;
  bool right = false;
  std::vector<Literal> against = {};
};
struct ProblemMember {
  Span span;
  std::variant<PortMember, ConstraintItem, UniqueMember, RightMember, ExampleMember> node;
};
struct ProblemItem {
  Ident name;
  std::vector<ProblemMember> members;
};

// clang-format off
struct CertifiesClause { ExprId expr; };
struct ExistsClause {  // one of three
  std::optional<Ident> lemma;  // exists by L
  ExprId up_to = {};           // exists up to 3
  std::string assumed = {};    // exists assumed "...", with its quotes
};
struct WithinClause { ExprId expr; };  // within e: how often its loops are run through
struct UnderClause {  // sound under M; complete under M unless e
  bool complete = false;
  Ident model;
  ExprId unless = {};
};
// clang-format on
struct CheckerClause {
  Span span;
  std::variant<CertifiesClause, ExistsClause, UnderClause, WithinClause> node;
};
// checker C for P when e with (vector<real> y(m)) certifies e { }
struct ProvedCheckerItem {
  Ident name, problem;
  ExprId when = {};  // invalid: all
  std::vector<Param> witness;
  std::vector<CheckerClause> clauses;
  StmtId body;
};

struct QualifiedName {
  Ident scope;
  Ident member;
};

enum class OperationKind : std::uint8_t { Unary, Binary, Read, Write };
struct OperatorMember {
  Attributes attributes;
  OperationKind kind;
  UnaryOp unary = UnaryOp::Negate;
  BinaryOp binary = BinaryOp::Add;
  std::vector<Param> params;
  // clang-format off
  struct When { ExprId expr; };
  struct Ensures { ExprId expr; };
  struct Modifies { std::vector<Ident> names; };
  struct Refines { std::vector<QualifiedName> targets; };
  // clang-format on
  struct OpClause {
    Span span;
    std::variant<When, Ensures, Modifies, Refines> node;
  };
  std::vector<OpClause> clauses;
  Span head;  // "operator *", for messages
};
// clang-format off
struct StateMember { TypeSyntax type; Ident name; ExprId init; };
struct InvariantMember { ExprId expr; };                          // invariant e;
struct ImportMember { QualifiedName target; std::vector<QualifiedName> refines; };
struct InitMember { QualifiedName target; ExprId value; };        // M.length = 1;
// const bool bad(int a, int b); a function that nobody knows, the same in both runs
struct RigidMember { TypeSyntax type; Ident name; std::vector<Param> params; };
// M.bad(a, b) = a > 1000;
struct RigidValueMember { QualifiedName target; std::vector<Ident> params; ExprId value; };
// witness bad(a, b): a > 1000; a function that meets the constraints
struct WitnessMember { Ident name; std::vector<Ident> params; ExprId value; };
// Of models and of systems: enum phase { ordering, voting }
struct EnumItem { Ident name; std::vector<Ident> values; };
// const node status kind; node bool down = false; one for each node
struct NodeMember { bool constant; TypeSyntax type; Ident name; ExprId init; };
struct RoundMember { TypeSyntax type; Ident name; };  // round any lie; what is told in a broadcast
// clang-format on
// message(any sent, node from, node to) when e ensures e modifies s[from];
struct MessageMember {
  Attributes attributes;
  std::vector<Param> params;  // three
  // clang-format off
  struct Changed { Ident name; std::optional<Ident> at; };
  struct Changes { std::vector<Changed> places; };
  // clang-format on
  struct Part {
    Span span;
    std::variant<OperatorMember::When, OperatorMember::Ensures, Changes, OperatorMember::Refines>
        node;
  };
  std::vector<Part> clauses;
  Span head;  // "message", for messages
};

struct Member {
  Span span;
  std::variant<ConstItem, ConstraintItem, StateMember, InvariantMember, OperatorMember,
               ImportMember, InitMember, RigidMember, RigidValueMember, WitnessMember, EnumItem,
               PropertyItem, NodeMember, RoundMember, MessageMember>
      node;
};
struct ModelItem {
  Ident name;
  Ident over;  // the model of the layer below; without a name: none
  std::vector<Ident> supers;
  std::vector<Member> members;
};

// Systems -----------------------------------------------------------------------

// clang-format off
struct NodesPart {                       // nodes general(1), lieutenant(3);
  struct Sort { Ident name; ExprId count; };
  std::vector<Sort> sorts;
};
struct InitiallyPart { ExprId expr; };   // initially e;
struct TrustPart { ExprId expr; };       // trust e;
// clang-format on
// real told(lieutenant, lieutenant) = 0;
struct VariablePart {
  bool clock = false;
  TypeSyntax type;
  Ident name;
  std::vector<Ident> indices;  // kinds of nodes
  ExprId init;                 // may be invalid: any value
};
// step relay(lieutenant p) when e { }
struct StepPart {
  Ident name;
  std::vector<Binder> binders;
  ExprId when;  // may be invalid: true
  StmtId body;
};
// elapse now to a[p] for (node p) when armed[p], b;
struct ElapsePart {
  struct Moment {
    ExprId place;
    std::vector<Binder> binders;
    ExprId when;  // may be invalid: true
  };
  Ident clock;
  std::vector<Moment> moments;
};
// always name: e; or lemma name: e;
struct ClaimPart {
  bool lemma;
  Ident name;
  ExprId expr;
};
struct Part {
  Span span;
  std::variant<ConstItem, ConstraintItem, PropertyItem, EnumItem, NodesPart, VariablePart,
               InitiallyPart, TrustPart, StepPart, ElapsePart, ClaimPart>
      node;
};
struct SystemItem {
  Ident name;
  std::vector<Part> parts;
};

struct Item {
  Span span;
  std::variant<ImportItem, UseModelItem, ConstItem, ConstraintItem, CheckerItem, RecordItem,
               PropertyItem, DefineItem, FunctionItem, ModelItem, ProblemItem, ProvedCheckerItem,
               SystemItem>
      node;
};

struct Tree {
  FileId file;
  // Nobody wrote it: its function stands for a problem or a checker of that file.
  bool derived = false;
  Store<ExprId, Expr> exprs;
  Store<StmtId, Stmt> stmts;
  std::vector<Item> items;
  std::vector<Comment> comments;
  // Names that stood in text which recovery had to skip. An unknown name among
  // them may well be declared there, so nobody should complain about it.
  std::vector<Name> skipped_names;
  bool has_errors = false;
};

// What a library is imported by: "sums".
[[nodiscard]] std::string library_name(const ImportItem& item);

// Same structure and names; places and comments do not count.
[[nodiscard]] bool equal(const Tree& a, const Tree& b);

}  // namespace leto::syntax
