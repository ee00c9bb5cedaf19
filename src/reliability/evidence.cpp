#include "reliability/evidence.h"

#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace leto::reliability {

namespace {

// Each part is gone through once, however often it is part of others. Chains of parts can be as
// long as chains of calls, so they are followed by a list and not by the stack.
class Sum {
 public:
  explicit Sum(Analysis& into) : out_(into) {}

  void run(const Evidence& all) {
    for (const Evidence* one : list_parts(all, false)) rests_on(*one);
    const std::vector<const Evidence*> parts = list_parts(all, true);
    // Whoever has something as its part stands behind it: who comes last is had by nobody.
    std::unordered_map<const Evidence*, double> times{{&all, 1}};
    for (std::size_t k = parts.size(); k-- > 0;) weigh(*parts[k], times);
  }

 private:
  // What is part of others before them. With `lost`, without what others only rest on, and what is
  // said on the way is noted.
  std::vector<const Evidence*> list_parts(const Evidence& all, bool lost) {
    struct Place {
      const Evidence* in;
      std::size_t next = 0;
    };
    std::vector<const Evidence*> done;
    std::unordered_set<const Evidence*> seen{&all};
    std::vector<Place> way{{&all}};
    while (!way.empty()) {
      Place& here = way.back();
      if (here.next == here.in->size()) {
        done.push_back(here.in);
        way.pop_back();
        continue;
      }
      const Item& item = (*here.in)[here.next++];
      if (lost) note(item);
      const auto* part = std::get_if<Part>(&item.of);
      if (part != nullptr && !(lost && part->only_rests_on) && seen.insert(part->of).second)
        way.push_back({part->of});
    }
    return done;
  }

  // By place and text, which stand in what is summed up.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string_view>;
  static Key key(const Span& at, const std::string& text) {
    return {at.file.value, at.begin, at.end, text};
  }
  void note(const Item& item) {
    std::visit(Overload{
                   [&](const Problem& problem) {
                     if (problems_.insert(key(problem.at, problem.text)).second)
                       out_.problems.push_back(problem);
                   },
                   [&](const Share& share) {
                     if (!shares_.emplace(key(share.at, share.what), out_.shares.size()).second)
                       return;
                     out_.shares.push_back(share);
                     out_.shares.back().weight = 0;
                   },
                   [](const ReliesOn&) {},
                   [](const Recovers&) {},
                   [](const Part&) {},
               },
               item.of);
  }
  void rests_on(const Evidence& one) {
    for (const Item& item : one) {
      if (const auto* clause = std::get_if<ReliesOn>(&item.of))
        out_.relies_on.insert(clause->function);
      if (const auto* rule = std::get_if<Recovers>(&item.of))
        out_.recoveries.insert(rule->recovery);
    }
  }
  void weigh(const Evidence& one, std::unordered_map<const Evidence*, double>& times) {
    const double often = times[&one];
    for (const Item& item : one) {
      if (const auto* part = std::get_if<Part>(&item.of); part != nullptr && !part->only_rests_on)
        times[part->of] += often * part->times;
      if (const auto* share = std::get_if<Share>(&item.of); share != nullptr && share->weight > 0)
        out_.shares[shares_.at(key(share->at, share->what))].weight += often * share->weight;
    }
  }

  Analysis& out_;
  std::set<Key> problems_;
  std::map<Key, std::size_t> shares_;
};

}  // namespace

void sum_up(const Evidence& all, Analysis& into) {
  Sum(into).run(all);
}

}  // namespace leto::reliability
