// Results as text: what is in them, that strings from outside do no harm where they go, and that
// nothing is said of nothing.
#include "report/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/test_builder.h"
#include "report/claims.h"
#include "report/footing.h"
#include "report/pages.h"
#include "report/plot.h"
#include "report/screen.h"

namespace leto::report {

namespace {

using nlohmann::json;
using prove::Status;

// One error with all that an error can have.
struct Said {
  SourceStore sources;
  DiagnosticList list;
  explicit Said(std::string path = "a.leto", std::string text = "int f() {\n\treturn y;\n}\n") {
    const FileId id = sources.add(std::move(path), std::move(text));
    list.report(Diagnostic{DiagnosticKind::UnknownName, Span{id, 18, 19}, {"variable", "y"}, {}, {}}
                    .note(Span{id, 4, 5}, "in this function")
                    .helping("did you mean 'f'?", Edit{Span{id, 18, 19}, "f"}));
  }
};

// A claim of each status, in one line each.
struct Results {
  SourceStore sources;
  Verified v;
  explicit Results(std::string path = "a.leto") {
    const FileId id = sources.add(path, "one\ntwo\nthree\nfour\n");
    v.file = path;
    v.model = "m";
    v.program = std::make_shared<core::Program>();
    const Status all[] = {Status::Proved, Status::Refuted, Status::Unknown, Status::Vacuous};
    const std::uint32_t starts[] = {0, 4, 8, 14};
    for (std::size_t i = 0; i < 4; ++i) {
      prove::Claim claim{{core::ClaimKind::Assert, "f", Span{id, starts[i], starts[i] + 1}}};
      claim.status = all[i];
      const auto evidence = std::make_shared<prove::Evidence>();
      evidence->obligations.emplace_back();
      evidence->outcomes.emplace_back();
      if (all[i] == Status::Unknown) evidence->outcomes[0].reason = solver::Reason::Time;
      claim.obligations = 1;
      claim.evidence = evidence;
      v.claims.push_back(claim);
    }
    v.claims[1].situation = "when <both> \"runs\" & more";
  }
  [[nodiscard]] ClaimReport report(const ClaimStyle& style = {}) const { return {style, sources}; }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

// Escaping ---------------------------------------------------------------------------------------

TEST(Escaping, EachTargetHasItsOwn) {
  EXPECT_EQ(uri_of("a b/%c#d"), "a%20b/%25c%23d");
  EXPECT_EQ(uri_of("\xc3\xa4"), "%C3%A4");
  EXPECT_EQ(csv_text("say \"no\""), "say \"\"no\"\"");
  EXPECT_EQ(xml_text("<a b=\"c\">&\x01"), "&lt;a b=&quot;c&quot;&gt;&amp; ");
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "\xef\xbf\xbd");
  EXPECT_EQ(name_on_line("a\nb\tc"), "a\u240ab\u2409c");
  EXPECT_EQ(uri_of("") + csv_text("") + xml_text("") + name_on_line(""), "");
}

TEST(Escaping, ControlCharactersAreShownAndNotSent) {
  EXPECT_EQ(visible("\x1b[2J"), "\u241b[2J");
  EXPECT_EQ(visible("\x7f"), "\u2421");
  EXPECT_EQ(visible("a\nb\tc"), "a\nb\tc");
  EXPECT_EQ(visible("\xff"), "\ufffd");
  EXPECT_EQ(visible("\xe2\x80\xae"), "\ufffd");  // turns the direction
  EXPECT_EQ(visible("\xc2\x9b"), "\ufffd");      // a control character of two bytes
}

// What is our own steers; what looks like it does not.
TEST(Escaping, TheScreenTellsOursFromTheirs) {
  std::ostringstream inner;
  {
    Screen screen(inner);
    std::ostream out(&screen);
    out << painted("ours", "1") << "\x1b[1mtheirs"
        << "\xe2\x82";
    out << "\xac";  // the rest of a character
  }
  EXPECT_EQ(inner.str(), "\x1b[1mours\x1b[0m\u241b[1mtheirs\u20ac");
}

// Diagnostics ------------------------------------------------------------------------------------

TEST(Diagnostics, NothingIsSaidOfNothing) {
  const SourceStore sources;
  const DiagnosticList none;
  EXPECT_EQ(render_text(none, sources, {}), "");
  EXPECT_TRUE(json::parse(render_json(none, sources))["diagnostics"].empty());
  EXPECT_TRUE(json::parse(render_sarif(none, sources))["runs"][0]["results"].empty());
}

TEST(Diagnostics, TextShowsTheLineAndTheHelp) {
  const Said said;
  const std::string text = render_text(said.list, said.sources, {});
  for (const char* part : {"a.leto:2:9: ", "L0301", "no variable named 'y' is in scope",
                           "return y;", "in this function", "did you mean 'f'?", "1 error."})
    EXPECT_EQ(count(text, part) > 0, true) << part << "\n" << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Diagnostics, TooManyAreCounted) {
  Said said;
  for (std::uint32_t i = 0; i < 5; ++i)
    said.list.report({DiagnosticKind::UnknownName, Span{FileId{0}, i, i + 1}, {"x", "z"}, {}, {}});
  const std::string text = render_text(said.list, said.sources, {false, 2});
  EXPECT_EQ(count(text, "L0301"), 2u + 1u);  // and where there is more to read
  EXPECT_NE(text.find("6 errors (4 not shown"), std::string::npos) << text;
}

TEST(Diagnostics, JsonHasPlacesNotesAndEdits) {
  const Said said;
  const json d = json::parse(render_json(said.list, said.sources));
  EXPECT_EQ(d["errors"], 1);
  const json& first = d["diagnostics"][0];
  EXPECT_EQ(first["code"], "L0301");
  EXPECT_EQ(first["range"]["start"]["line"], 2);
  EXPECT_EQ(first["range"]["start"]["column"], 9);
  EXPECT_EQ(first["notes"][0]["range"]["start"]["line"], 1);
  EXPECT_EQ(first["help"]["edit"]["replacement"], "f");
}

TEST(Diagnostics, SarifNamesRulesFilesAndFixes) {
  const Said said("a b.leto");
  const json run = json::parse(render_sarif(said.list, said.sources))["runs"][0];
  const json& result = run["results"][0];
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "L0301");
  const json& location = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(location["artifactLocation"]["uri"], "a%20b.leto");
  EXPECT_EQ(location["region"]["startLine"], 2);
  EXPECT_EQ(result["relatedLocations"].size(), 1u);
  EXPECT_EQ(result["fixes"].size(), 1u);
}

// Whatever a file is called, what machines read can be read.
TEST(Diagnostics, OddNamesOfFilesAreNoOddJson) {
  const Said said("\xff\"\n<.leto");
  EXPECT_TRUE(json::accept(render_json(said.list, said.sources)));
  EXPECT_TRUE(json::accept(render_sarif(said.list, said.sources)));
  EXPECT_EQ(place(said.sources, Span{FileId{0}, 0, 1}), "\ufffd\"\u240a<.leto:1:1");
  EXPECT_EQ(place(said.sources, {}), "?");
}

// Claims -----------------------------------------------------------------------------------------

TEST(Claims, TextHasALineForEach) {
  const Results r;
  const std::string text = r.report().claims("a.leto", r.v);
  EXPECT_EQ(count(text, "\n"), 5u) << text;
  EXPECT_NE(text.find("a.leto under m\n"), std::string::npos);
  EXPECT_NE(text.find("a.leto:2:1: the assertion can fail"), std::string::npos);
  ClaimStyle quiet;
  quiet.proved_too = false;
  EXPECT_EQ(count(r.report(quiet).claims("a.leto", r.v), "\n"), 4u);
}

TEST(Claims, TheSummaryCountsThem) {
  const Results r;
  const std::string text = r.report().summary(r.v);
  EXPECT_NE(text.find("1 proved, 1 refuted, 1 unknown, 1 vacuous of 4 claims"), std::string::npos)
      << text;
}

TEST(Claims, JsonSaysWhatEachIsWorth) {
  const Results r;
  const json v = r.report().machine(r.v);
  EXPECT_EQ(v["status"], "refuted");
  ASSERT_EQ(v["claims"].size(), 4u);
  EXPECT_EQ(v["claims"][0]["status"], "proved");
  EXPECT_FALSE(v["claims"][0].contains("headline"));
  EXPECT_EQ(v["claims"][1]["situation"], r.v.claims[1].situation);
  EXPECT_EQ(v["claims"][2]["reason"], solver::describe(solver::Reason::Time));
  EXPECT_EQ(v["claims"][3]["line"], 4);
}

// What is proved is no finding; what is unknown is a warning.
TEST(Claims, SarifHasThoseThatAreNotProved) {
  const Results r;
  const json all = r.report().sarif({r.v});
  const json& results = all["runs"][0]["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[2]["level"], "error");
  EXPECT_TRUE(r.report().sarif({})["runs"][0]["results"].empty());
}

TEST(Claims, JunitTellsFailuresFromErrors) {
  const Results r("a<b>.leto");
  const std::string xml = r.report().junit({r.v}, {});
  EXPECT_NE(xml.find("tests=\"4\" failures=\"2\" errors=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("a&lt;b&gt;.leto under m"), std::string::npos);
  EXPECT_NE(xml.find("when &lt;both&gt; &quot;runs&quot; &amp; more"), std::string::npos);
  EXPECT_EQ(count(xml, "<testcase"), 4u);
  EXPECT_EQ(count(xml, "<failure"), 2u);
  EXPECT_EQ(count(xml, "<error"), 1u);
}

// A file that cannot be read is in it too.
TEST(Claims, JunitHasWhatKeptFilesFromBeingVerified) {
  const Said said;
  const std::string xml = ClaimReport({}, said.sources).junit({}, said.list);
  EXPECT_NE(xml.find("<testsuite name=\"input\" tests=\"1\" errors=\"1\">"), std::string::npos);
  EXPECT_EQ(ClaimReport({}, said.sources).junit({}, {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n</testsuites>\n");
}

TEST(Claims, InferredInvariantsStandBelowTheirLoops) {
  Results r;
  const Span loop{FileId{0}, 4, 7};
  r.v.inferred = {{"f", loop, loop, "invariant a"}, {"f", loop, loop, "invariant b"}};
  EXPECT_EQ(
      r.report().inferred(r.v),
      "  a.leto:2:1: inferred for this loop, in 'f':\n      invariant a\n      invariant b\n");
  EXPECT_EQ(r.report().suggestions(r.v), "  no invariant was found that would close a claim\n");
}

// Only what is certain to be broken is called a run.
TEST(Claims, ExplanationsSayTheCause) {
  Results r;
  const auto e = std::make_shared<diagnose::Explanation>();
  e->cause = diagnose::Cause::Weak;
  e->suggestion = {{"f", Span{FileId{0}, 4, 7}, Span{FileId{0}, 4, 7}, "invariant i >= 0"}};
  r.v.explanations = {nullptr, e, nullptr, nullptr};
  const json claim = r.report().machine(r.v)["claims"][1];
  EXPECT_EQ(claim["explanation"]["cause"], "weak");
  EXPECT_FALSE(claim["explanation"].contains("run"));
  EXPECT_EQ(claim["explanation"]["suggestion"][0]["text"], "invariant i >= 0");
  EXPECT_NE(r.report().suggestions(r.v).find("add to this loop:\n      invariant i >= 0\n"),
            std::string::npos);
  EXPECT_NE(r.report().explanations(r.v).find("a.leto:2:1"), std::string::npos);
}

// What a verdict rests on ------------------------------------------------------------------------

TEST(Footing, IsSaidWithItsHashes) {
  workbench::Footing footing;
  footing.model = workbench::Footing::File{"m", "m.leto", "0123456789abcdef"};
  footing.others = {{"", "a.leto", ""}};
  const std::string text = to_text(footing, Original::Trusted);
  EXPECT_EQ(text,
            "  rests on the model m (m.leto, sha256 0123456789ab),\n    a.leto (unreadable), "
            "without a cache; the original run is trusted\n");
  const json machine = to_json(footing, Original::Proved);
  EXPECT_EQ(machine["model"]["sha256"], "0123456789abcdef");
  EXPECT_TRUE(machine["files"][0]["sha256"].is_null());
  EXPECT_EQ(machine["original"], "proved");
  EXPECT_FALSE(to_json({}, Original::SaidElsewhere).contains("original"));
}

// Charts -----------------------------------------------------------------------------------------

TEST(Charts, HaveABarForEachShare) {
  const std::string svg =
      bar_chart("f & g", {{"masked", 1, 4, 0.1, 0.5}, {"<sdc>", 3, 4, 0.5, 0.9}});
  EXPECT_NE(svg.find("f &amp; g"), std::string::npos);
  EXPECT_NE(svg.find("&lt;sdc&gt;"), std::string::npos);
  EXPECT_NE(svg.find("1 (25.00 %)"), std::string::npos);
  EXPECT_NE(svg.find("3 (75.00 %)"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(Charts, OfNothingAreCharts) {
  const std::string svg = bar_chart("", {});
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_NE(bar_chart("", {{"masked", 0, 0, 0, 0}}).find("0 (0.00 %)"), std::string::npos);
}

// XML has no control characters, whatever a file is called.
TEST(Charts, HaveNoControlCharacters) {
  const std::string svg = bar_chart("a\x01.leto", {{"\x1b\xff", 1, 1, 0, 1}});
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

// Pages ------------------------------------------------------------------------------------------

TEST(Pages, EveryDiagnosticHasOneWithAWrongAndARightExample) {
  for (const DiagnosticInfo& d : all_diagnostics()) {
    const auto found = examples(explanation(d.code));
    const auto wrong = [](const Example& e) { return e.wrong; };
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), wrong)) << d.code;
    EXPECT_FALSE(std::all_of(found.begin(), found.end(), wrong)) << d.code;
  }
  EXPECT_EQ(explanation("L9999"), "");
}

TEST(Pages, ForATerminalTheyHaveNoMarks) {
  const std::string text = explanation_text("L0301", false);
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('`'), std::string::npos);
  EXPECT_EQ(text.find("\n#"), std::string::npos);
}

}  // namespace leto::report
