#include "syntax/parse_item.h"
#include "syntax/syntax.h"

namespace leto::syntax {

Tree parse(const SourceFile& file, FileId id, NameTable& names, DiagnosticSink& sink,
           const Allowance* allowance) {
  Tree tree;
  tree.file = id;
  // What the lexer skips is an error of the tree as well.
  class Watch final : public DiagnosticSink {
   public:
    Watch(DiagnosticSink& next, bool& seen) : next_(next), seen_(seen) {}
    void report(Diagnostic diagnostic) override {
      seen_ = true;
      next_.report(std::move(diagnostic));
    }

   private:
    DiagnosticSink& next_;
    bool& seen_;
  } watch(sink, tree.has_errors);
  Tokens tokens = lex(file, id, watch, allowance);
  Cursor cursor(file, id, std::move(tokens), names, tree, sink, allowance);
  ItemParser(cursor).parse_file();
  return tree;
}

}  // namespace leto::syntax
