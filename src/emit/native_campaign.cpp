// The C++ of a native campaign: what a run keeps, what became of all of them, and a `main` that is
// told which to do.
#include "emit/native_runtime.h"

namespace leto::emit {

namespace {

constexpr std::string_view kNativeCampaign =
    R"text(// Runs --------------------------------------------------------------------------------------------

// What every program's runs have.
struct base_run {
  chooser choose;
  std::uint64_t sites = 0, steps_o = 0, steps_r = 0, limit = 1'000'000;
  std::uint32_t now = 0;  // the place at hand
  bool violated = false;
  std::vector<std::uint32_t> taken;  // places at which a fault was met, each once

  void begin() {
    sites = steps_o = steps_r = 0;
    now = 0;
    violated = false;
    taken.clear();
  }
  void met(std::uint32_t site) {
    if (std::find(taken.begin(), taken.end(), site) == taken.end()) taken.push_back(site);
  }
  void look_at_steps() const {
    if (steps_o > limit) stop(end::original_hung, nothing, 0);
    if (steps_r > limit) stop(end::hung, nothing, 0);
  }
};

enum class verdict : unsigned char { masked, acceptable, sdc, detected, failed, hung, none };
inline constexpr unsigned verdicts = 7;
inline verdict verdict_of(end how) {
  switch (how) {
    case end::assert_failed:
      return verdict::detected;
    case end::check_failed:
    case end::stuck:
      return verdict::failed;
    case end::hung:
      return verdict::hung;
    case end::done:
    case end::original_failed:
    case end::original_hung:
    case end::impossible:
    case end::undecidable:
      break;
  }
  return verdict::none;
}

// Inputs --------------------------------------------------------------------------------------------

// A number of each kind: an integer, 0 or 1, or a double, its error and its tag.
class reader {
 public:
  explicit reader(const char* path) : file_(path) {}
  bool good() const { return static_cast<bool>(file_); }
  void read(integer& x) { file_ >> x.n; }
  void read(bool& x) { x = whole() != 0; }
  void read(char& x) { x = whole() != 0 ? 1 : 0; }
  void read(double& x) {
    std::string word;
    file_ >> word;
    x = std::strtod(word.c_str(), nullptr);
  }
  void read(real& x) {
    read(x.v);
    read(x.e);
    file_ >> x.tag;
  }
  template <class T>
  void read(array<T>& x) {
    const std::int64_t rows = whole(), cols = whole();
    x.make({rows}, {cols});
    for (T& one : x.all) read(one);
  }
  template <class T>
  void read(std::vector<T>& x) {
    x.resize(static_cast<std::size_t>(whole()));
    for (T& one : x) read(one);
  }

 private:
  std::int64_t whole() {
    std::int64_t n = 0;
    file_ >> n;
    return n;
  }
  std::ifstream file_;
};

// Campaigns -----------------------------------------------------------------------------------------

struct settings {
  std::uint64_t seed = 1, fault_free = 10, limit = 1'000'000;
  unsigned jobs = 1;
  std::vector<double> rates;  // by specification; empty: there are none
};

template <class Run>
struct tally {
  std::uint64_t counts[verdicts] = {}, apart[verdicts] = {}, first[verdicts], without_faults = 0, steps = 0;
  std::uint64_t sites[Run::site_count + 1][verdicts] = {};
  struct cause {
    std::uint64_t runs = 0, first = 0;
    std::uint32_t place = 0;
  };
  std::map<std::pair<unsigned, std::uint32_t>, cause> causes;
  tally() { std::fill(first, first + verdicts, UINT64_MAX); }

  void add_cause(unsigned how, std::uint32_t reason, const cause& more) {
    const auto [it, added] = causes.try_emplace({how, reason}, more);
    if (added) return;
    it->second.runs += more.runs;
    if (more.first > it->second.first) return;
    it->second.first = more.first;
    it->second.place = more.place;
  }
  void add(const tally& more) {
    for (unsigned c = 0; c < verdicts; ++c) {
      counts[c] += more.counts[c];
      apart[c] += more.apart[c];
      first[c] = std::min(first[c], more.first[c]);
    }
    without_faults += more.without_faults;
    steps += more.steps;
    for (unsigned s = 0; s < Run::site_count; ++s)
      for (unsigned c = 0; c < verdicts; ++c) sites[s][c] += more.sites[s][c];
    for (const auto& [key, one] : more.causes) add_cause(key.first, key.second, one);
  }
  void print(std::ostream& to) const {
    for (unsigned c = 0; c < verdicts; ++c)
      to << "class " << counts[c] << ' ' << apart[c] << ' ' << first[c] << '\n';
    to << "without " << without_faults << "\nsteps " << steps << '\n';
    for (unsigned s = 0; s < Run::site_count; ++s) {
      to << "site " << s;
      for (unsigned c = 0; c < verdicts; ++c) to << ' ' << sites[s][c];
      to << '\n';
    }
    for (const auto& [key, one] : causes)
      to << "cause " << key.first << ' ' << key.second << ' ' << one.place << ' ' << one.runs << ' ' << one.first << '\n';
  }
};

// One after the other, by one thread.
template <class Run>
class worker {
 public:
  worker(const Run& loaded, const settings& how) : run_(loaded), how_(how) {
    run_.limit = how.limit;
    run_.choose.take_none();
    halt why{};
    (void)go(why);
    sites_ = run_.sites;
  }
  std::uint64_t sites() const { return sites_; }

  // From `from`, which begins a batch, to below `to`.
  void batch(std::uint64_t from, std::uint64_t to, tally<Run>& out, std::string* each) {
    std::uint64_t seeds[streams::lanes] = {};
    for (unsigned l = 0; l < streams::lanes; ++l) seeds[l] = mix(mix(how_.seed, from + l), 4);
    all_.seed(seeds);
    for (std::uint64_t i = from; i < to; ++i) one(i, static_cast<unsigned>(i - from), out, each);
  }

 private:
  verdict go(halt& why) {
    run_.begin();
    why = {};
    try {
      run_.run();
      run_.look_at_steps();
      if (run_.violated) return verdict::sdc;
      return run_.same_results() ? verdict::masked : verdict::acceptable;
    } catch (const halt& halted) {
      why = halted;
      if (why.place == 0) why.place = run_.now;
      return verdict_of(why.how);
    }
  }

  void one(std::uint64_t index, unsigned lane, tally<Run>& out, std::string* each) {
    const std::uint64_t own = mix(how_.seed, index);
    const bool rates = !how_.rates.empty();
    if (!rates && how_.fault_free > 0 && index % how_.fault_free == how_.fault_free - 1) {
      run_.choose.take_none();
    } else {
      constexpr double later[] = {0, 0, 0, 0.1, 0.5, 1};
      run_.choose.take_some(stream(all_, lane), sites_ == 0 ? 0 : mix(own, 2) % sites_,
                            later[mix(own, 3) % std::size(later)], &how_.rates);
    }
    halt why{};
    const verdict v = go(why);
    const auto c = static_cast<unsigned>(v);
    const bool met_none = run_.taken.empty();
    ++(met_none && !rates && v != verdict::none ? out.apart : out.counts)[c];
    out.steps += run_.steps_o + run_.steps_r;
    out.without_faults += met_none ? 1 : 0;
    out.first[c] = std::min(out.first[c], index);
    if (v == verdict::none) out.add_cause(static_cast<unsigned>(why.how), why.reason, {1, index, why.place});
    for (std::uint32_t site : run_.taken) ++out.sites[site][c];
    if (each != nullptr) *each += "run " + std::to_string(c) + ' ' + std::to_string(run_.taken.size()) + '\n';
  }

  Run run_;
  const settings& how_;
  streams all_;
  std::uint64_t sites_ = 0;
};

template <class Run>
tally<Run> campaign(const Run& loaded, const settings& how, std::uint64_t from, std::uint64_t to, std::string* each) {
  constexpr std::uint64_t chunk = 1024;
  static_assert(chunk % streams::lanes == 0);
  tally<Run> total;
  std::atomic<std::uint64_t> next{from};
  std::mutex mutex;
  const auto work = [&] {
    const auto mine = std::make_unique<worker<Run>>(loaded, how);
    tally<Run> own;
    for (std::uint64_t at = next.fetch_add(chunk); at < to; at = next.fetch_add(chunk))
      for (std::uint64_t i = at; i < std::min(at + chunk, to); i += streams::lanes)
        mine->batch(i, std::min<std::uint64_t>({i + streams::lanes, at + chunk, to}), own, each);
    const std::lock_guard lock(mutex);
    total.add(own);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < how.jobs && each == nullptr; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return total;
}

// INPUTS SEED FAULT-FREE STEPS JOBS; then, line by line, "runs FROM TO" or "each FROM TO".
template <class Run>
int serve(int count, char** words) {
  if (count != 6) {
    std::cerr << "usage: " << words[0] << " INPUTS SEED FAULT-FREE STEPS JOBS\n"
              << "then lines on the standard input: 'runs FROM TO' or 'each FROM TO'\n";
    return 2;
  }
  reader in(words[1]);
  settings how;
  how.seed = std::strtoull(words[2], nullptr, 10);
  how.fault_free = std::strtoull(words[3], nullptr, 10);
  how.limit = std::strtoull(words[4], nullptr, 10);
  how.jobs = std::max(1u, static_cast<unsigned>(std::strtoul(words[5], nullptr, 10)));
  in.read(how.rates);
  Run loaded;
  loaded.load(in);
  if (!in.good()) {
    std::cerr << words[0] << ": the inputs cannot be read\n";
    return 2;
  }
  std::string what;
  std::uint64_t from = 0, to = 0;
  while (std::cin >> what >> from >> to) {
    std::string each;
    const tally<Run> total = campaign(loaded, how, from, to, what == "each" ? &each : nullptr);
    std::cout << each;
    total.print(std::cout);
    std::cout << "end" << std::endl;
  }
  return 0;
}

)text";

}  // namespace

std::string native_campaign() {
  return std::string(kNativeCampaign);
}

}  // namespace leto::emit
