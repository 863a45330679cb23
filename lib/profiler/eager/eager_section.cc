// M1 to M10 and the laws as tables and charts.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/profiler/figure_parts.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Row = std::vector<Cell>;

constexpr std::array<std::string_view, kNumEagerActivities> kActivities = {"gpu", "cpu", "dequeue",
                                                                           "copy", "waiting"};
constexpr std::array<std::string_view, kNumEagerCauses> kCauses = {
    "enqueue", "copy", "stall", "argument", "wake-up", "program"};
// Limit the rows of a table: more do not help a reader, and a file should stay small.
constexpr size_t kMaxQueuePoints = 20'000;
constexpr size_t kMaxBands = 1'000;
constexpr size_t kMaxCulprits = 200;
constexpr size_t kMaxFacts = 6;
// Limits tables with a few rows for each run.
constexpr size_t kNumShown = 15;

double Micro(double ns) { return ns / 1e3; }
double Micro(int64_t ns) { return static_cast<double>(ns) / 1e3; }
double Milli(int64_t ns) { return static_cast<double>(ns) / 1e6; }
Cell Text(std::string_view text) { return std::string(text); }
std::string BatchText(double batch) { return batch > 0 ? NumberText(batch) : "?"; }

// Names a run in tables and charts; runs of one name are numbered.
struct Named {
  const EagerRun* run;
  std::string name;
};

class Maker {
 public:
  explicit Maker(std::span<const EagerRun> runs) {
    // By model, target and mode, batches growing.
    std::vector<const EagerRun*> sorted;
    for (const EagerRun& run : runs) sorted.push_back(&run);
    std::ranges::stable_sort(sorted, {}, [](const EagerRun* run) {
      return std::tie(run->model, run->target, run->mode, run->metrics.batch);
    });
    std::map<std::string, int> times;
    for (const EagerRun* run : sorted) {
      std::string name =
          StrCat(run->model, " ", run->target, " ", run->mode, " x", BatchText(run->metrics.batch));
      if (int number = ++times[name]; number > 1) name += StrCat(" #", number);
      runs_.push_back({.run = run, .name = std::move(name)});
    }
    laws_ = CheckEagerLaws(runs);
  }

  Section Make() {
    section_.id = "eager";
    section_.title = "Eager execution";
    section_.text =
        "A step is what lies between its first call of an op and its last event. Kernels, host "
        "phases, copies and stalls are sets of time: what overlaps counts once. Of several steps "
        "of "
        "a profile it is the one of median length.";
    AddFacts();
    AddRuns();
    AddShares();
    AddPhases();
    AddLaws();
    AddConditional();
    AddWaiting();
    AddScenarios();
    AddCulprits();
    AddQueues();
    return std::move(section_);
  }

 private:
  // A table of all runs has what is doubtful about any of them, where it speaks of these figures.
  Table& AddTable(std::string_view id, std::string_view title, std::string_view figure,
                  std::vector<Column> columns) {
    Table& table = section_.tables.emplace_back();
    table.id = id;
    table.title = title;
    table.source = StrCat(runs_.size(), runs_.size() == 1 ? " step" : " steps");
    table.columns = std::move(columns);
    table.num_shown = kNumShown;
    for (const Named& named : runs_) AddDoubts(table, named, figure);
    return table;
  }

  static void AddDoubts(Table& table, const Named& named, std::string_view figure) {
    for (const EagerDoubt& doubt : named.run->metrics.doubts) {
      if (Mentions(doubt.figures, figure)) {
        table.doubts.push_back(StrCat(named.name, ": ", doubt.reason));
      }
    }
  }

  // Whether "M1, M3 to M6" holds "M5".
  static bool Mentions(std::string_view figures, std::string_view figure) {
    auto number_at = [&](std::string_view text) {
      int number = 0;
      for (size_t i = 1; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        number = number * 10 + (text[i] - '0');
      }
      return number;
    };
    const int wanted = number_at(figure);
    int last = 0;
    bool is_range = false;
    for (size_t i = 0; i < figures.size(); ++i) {
      if (figures.substr(i).starts_with(" to ")) is_range = true;
      if (figures[i] != 'M') continue;
      const int number = number_at(figures.substr(i));
      if (number == wanted || (is_range && last <= wanted && wanted <= number)) return true;
      last = number;
      is_range = false;
    }
    return false;
  }

  void AddChart(Chart chart) { section_.charts.push_back(std::move(chart)); }

  // Adds the facts of each run; if there are many runs, those of each law.
  void AddFacts() {
    if (runs_.size() > kMaxFacts) {
      AddLawFacts();
      return;
    }
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      section_.facts.emplace_back(StrCat("kernels' share of ", named.name),
                                  PercentText(m.kernel_share()));
    }
  }

  void AddLawFacts() {
    std::map<std::string_view, std::pair<size_t, size_t>> held_and_all;
    for (const EagerLaw& law : laws_) {
      auto& [held, all] = held_and_all[Name(law)];
      ++all;
      held += law.verdict == EagerLaw::Verdict::kHolds ||
              law.verdict == EagerLaw::Verdict::kHoldsWithTies;
    }
    for (const auto& [name, counts] : held_and_all) {
      section_.facts.emplace_back(name, StrCat(counts.first, " of ", counts.second));
    }
  }

  // Time per item of the same model, target and mode at batch 1.
  std::optional<double> AtBatchOne(const EagerRun& run) const {
    for (const Named& other : runs_) {
      const EagerRun& o = *other.run;
      if (o.metrics.batch == 1 && o.model == run.model && o.target == run.target &&
          o.mode == run.mode) {
        return o.metrics.time_per_item_ns();
      }
    }
    return std::nullopt;
  }

  void AddRuns() {
    const bool has_whole_batches = std::ranges::all_of(runs_, [](const Named& named) {
      const double batch = named.run->metrics.batch;
      return batch <= 1e15 && std::floor(batch) == batch;
    });
    const Column batch_column =
        has_whole_batches ? IntegerColumn("batch") : RealColumn("batch", "");
    auto batch_cell = [&](double batch) {
      if (batch <= 0) return Cell();
      return has_whole_batches ? Cell(static_cast<int64_t>(batch)) : Cell(batch);
    };
    Table& table =
        AddTable("eager-runs", "Steps", "M2",
                 {TextColumn("run"), TextColumn("model"), TextColumn("target"), TextColumn("mode"),
                  batch_column, IntegerColumn("ops"), IntegerColumn("executors"),
                  RealColumn("time", "ms", "from the first call of an op to the last event"),
                  RealColumn("time per item", "us", "time of the step by its batch"),
                  RealColumn("speed-up", "", "time per item at batch 1 by that of this batch"),
                  ShareColumn("queue empty", "time of the step"),
                  RealColumn("queue in use", "ms", "how long at least one op was in the queue")});
    for (const Named& named : runs_) {
      const EagerRun& run = *named.run;
      const EagerMetrics& m = run.metrics;
      const std::optional<double> item = m.time_per_item_ns(), first = AtBatchOne(run);
      table.rows.push_back(
          {Text(named.name), Text(run.model), Text(run.target), Text(run.mode), batch_cell(m.batch),
           IntegerCell(m.num_ops), IntegerCell(m.num_executors), Milli(m.window_ns),
           item ? Cell(Micro(*item)) : Cell(),
           item && first && *item > 0 ? Cell(*first / *item) : Cell(),
           ShareCell(m.while_empty.total_ns, m.window_ns), Milli(m.while_not_empty.total_ns)});
    }
    AddChart({.kind = Chart::Kind::kBars,
              .title = "Time per item",
              .table = table.id,
              .x = "run",
              .y = "time per item",
              .y_is_log = true});
  }

  void AddShares() {
    Table& table = AddTable("eager-shares", "Where the time of steps went", "M1",
                            {TextColumn("run"), TextColumn("part"), RealColumn("time", "ms"),
                             ShareColumn("share", "time of the step",
                                         "gpu, cpu and overhead add up to 1; both is the "
                                         "part of gpu in which a CPU ran kernels, too")});
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      const std::pair<std::string_view, int64_t> parts[] = {
          {"gpu", m.gpu_ns}, {"cpu", m.cpu_ns}, {"overhead", m.overhead_ns}};
      for (const auto& [part, ns] : parts) {
        table.rows.push_back({Text(named.name), Text(part), Milli(ns), ShareCell(ns, m.window_ns)});
      }
    }
    const std::string id = table.id;
    AddChart({.kind = Chart::Kind::kStack,
              .title = "Kernels and overhead",
              .table = id,
              .x = "run",
              .y = "share",
              .group = "part"});
    // Without devices there is nothing to be at once with.
    if (std::ranges::all_of(runs_, [](const Named& n) { return n.run->metrics.gpu_ns == 0; })) {
      return;
    }
    Table& both = AddTable(
        "eager-both", "Kernels on CPUs and devices at once", "M1",
        {TextColumn("run"), RealColumn("time", "ms"), ShareColumn("share", "time of the step")});
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      both.rows.push_back({Text(named.name), Milli(m.both_ns), ShareCell(m.both_ns, m.window_ns)});
    }
  }

  void AddPhases() {
    std::vector<Column> columns = {TextColumn("phase of run"), TextColumn("run"),
                                   TextColumn("phase"), IntegerColumn("ops")};
    for (const char* name : {"min", "p25", "mean", "p50", "p75", "p95", "p99", "max"}) {
      columns.push_back(RealColumn(name, "us"));
    }
    Table& table = AddTable("eager-phases", "Phases of ops", "M3", std::move(columns));
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      const std::pair<std::string_view, const EagerDistribution*> phases[] = {
          {"enqueue", &m.enqueue}, {"dequeue", &m.dequeue}, {"gpu", &m.gpu}, {"cpu", &m.cpu}};
      for (const auto& [phase, d] : phases) {
        if (d->num_ops == 0) continue;
        table.rows.push_back({Text(StrCat(named.name, ": ", phase)), Text(named.name), Text(phase),
                              IntegerCell(d->num_ops), Micro(d->min_ns), Micro(d->p25_ns),
                              Micro(d->mean_ns), Micro(d->p50_ns), Micro(d->p75_ns),
                              Micro(d->p95_ns), Micro(d->p99_ns), Micro(d->max_ns)});
      }
    }
    AddChart({.kind = Chart::Kind::kBoxes,
              .title = "Time of a phase, over ops",
              .table = table.id,
              .x = "phase of run",
              .y = "min",
              .group = "phase",
              .more = {"p25", "p50", "p75", "max"},
              .y_is_log = true});
  }

  // At most kMaxQueuePoints, of each stretch of time the highest.
  static std::vector<EagerMetrics::QueuePoint> Thinned(const EagerMetrics& m) {
    if (m.queue.size() <= kMaxQueuePoints) return m.queue;
    std::vector<EagerMetrics::QueuePoint> points;
    int64_t last = -1;
    for (const auto& point : m.queue) {
      const auto stretch = static_cast<int64_t>(static_cast<double>(point.time_ns) /
                                                static_cast<double>(m.window_ns) *
                                                static_cast<double>(kMaxQueuePoints));
      if (stretch == last) {
        points.back().depth = std::max(points.back().depth, point.depth);
      } else {
        points.push_back(point);
      }
      last = stretch;
    }
    return points;
  }

  static std::vector<std::pair<std::string_view, Interval>> LongestBands(const EagerMetrics& m) {
    std::vector<std::pair<std::string_view, Interval>> bands;
    for (const Interval& stall : m.stalls) bands.emplace_back("stall", stall);
    for (const Interval& copy : m.copies) bands.emplace_back("copy", copy);
    std::ranges::stable_sort(
        bands, [](const auto& a, const auto& b) { return a.second.length() > b.second.length(); });
    if (bands.size() > kMaxBands) bands.resize(kMaxBands);
    std::ranges::stable_sort(
        bands, [](const auto& a, const auto& b) { return a.second.begin < b.second.begin; });
    return bands;
  }

  void AddQueues() {
    for (size_t i = 0; i < runs_.size(); ++i) AddQueue(i);
  }

  // SYNC steps have no queue to show: no op is ever in it.
  void AddQueue(size_t index) {
    const Named& named = runs_[index];
    const EagerMetrics& m = named.run->metrics;
    if (m.while_not_empty.total_ns == 0) return;
    Table table{.id = StrCat("eager-queue-", index + 1),
                .title = StrCat("Ops in the queue: ", named.name),
                .columns = {RealColumn("time", "ms"), IntegerColumn("ops")},
                .num_shown = 20};
    AddDoubts(table, named, "M4");
    const auto points = Thinned(m);
    if (points.size() < m.queue.size()) {
      table.doubts.push_back(
          StrCat("of ", m.queue.size(), " changes ", points.size(), " are here, the highest ones"));
    }
    for (const auto& point : points) table.rows.push_back({Milli(point.time_ns), point.depth});
    Chart chart{.kind = Chart::Kind::kSteps,
                .title = table.title,
                .table = table.id,
                .x = "time",
                .y = "ops"};
    Table bands{.id = StrCat("eager-bands-", index + 1),
                .title = StrCat("Stalls of callers, and copies: ", named.name),
                .columns = {TextColumn("what"), RealColumn("begin", "ms"), RealColumn("end", "ms"),
                            RealColumn("time", "us")},
                .num_shown = 20};
    const auto longest = LongestBands(m);
    if (const size_t all = m.stalls.size() + m.copies.size(); longest.size() < all) {
      bands.doubts.push_back(StrCat("of ", all, " the longest ", longest.size(), " are here"));
    }
    for (const auto& [what, time] : longest) {
      bands.rows.push_back({Text(what), Milli(time.begin), Milli(time.end), Micro(time.length())});
      chart.bands.push_back(
          {.name = std::string(what), .begin = Milli(time.begin), .end = Milli(time.end)});
    }
    section_.tables.push_back(std::move(table));
    section_.tables.push_back(std::move(bands));
    AddChart(std::move(chart));
  }

  template <typename F>
  static void ForConditions(const EagerMetrics& m, const F& f) {
    f(std::string_view("queue empty"), m.while_empty);
    f(std::string_view("queue not empty"), m.while_not_empty);
  }

  void AddConditional() {
    Table& table = AddTable(
        "eager-conditional", "What went on while the queue was empty, and was not", "M5",
        {TextColumn("queue of run"), TextColumn("run"), TextColumn("queue"), TextColumn("activity"),
         RealColumn("time", "ms"),
         ShareColumn("share", "time with such a queue",
                     "an instant counts as the first of gpu, cpu, dequeue, copy that went on")});
    for (const Named& named : runs_) {
      ForConditions(named.run->metrics, [&](std::string_view queue, const EagerConditional& c) {
        for (size_t i = 0; i < kNumEagerActivities; ++i) {
          table.rows.push_back({Text(StrCat(named.name, ": ", queue)), Text(named.name),
                                Text(queue), Text(kActivities[i]), Milli(c.ns[i]),
                                ShareCell(c.ns[i], c.total_ns)});
        }
      });
    }
    AddChart({.kind = Chart::Kind::kStack,
              .title = "While the queue was empty, and was not",
              .table = table.id,
              .x = "queue of run",
              .y = "share",
              .group = "activity"});
  }

  void AddWaiting() {
    Table& table = AddTable("eager-waiting", "Waiting, with copies and without", "M9",
                            {TextColumn("run"), TextColumn("queue"), RealColumn("waiting", "ms"),
                             ShareColumn("waiting share", "time with such a queue"),
                             RealColumn("waiting and copies", "ms"),
                             ShareColumn("waiting and copies share", "time with such a queue")});
    for (const Named& named : runs_) {
      ForConditions(named.run->metrics, [&](std::string_view queue, const EagerConditional& c) {
        table.rows.push_back({Text(named.name), Text(queue), Milli(c.waiting_ns()),
                              ShareCell(c.waiting_ns(), c.total_ns),
                              Milli(c.waiting_with_copies_ns()),
                              ShareCell(c.waiting_with_copies_ns(), c.total_ns)});
      });
    }
  }

  void AddScenarios() {
    Table& table = AddTable(
        "eager-scenarios", "Host time that kernels hide, that executors hide, and that is exposed",
        "M7",
        {TextColumn("run"), RealColumn("hidden by kernels", "ms", "host phases while kernels ran"),
         ShareColumn("hidden by kernels share", "time of the step"),
         RealColumn("hidden by executors", "ms", "both host phases at once, without kernels"),
         ShareColumn("hidden by executors share", "time of the step"),
         RealColumn("exposed", "ms", "no kernel ran and no executor was at work"),
         ShareColumn("exposed share", "time of the step"),
         ShareColumn("stalled", "exposed time while the queue was empty",
                     "how much of it callers that stalled explain"),
         ShareColumn("copying", "exposed time while the queue was not empty",
                     "how much of it copies explain")});
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      table.rows.push_back({Text(named.name), Milli(m.masked_by_kernel_ns),
                            ShareCell(m.masked_by_kernel_ns, m.window_ns),
                            Milli(m.masked_by_executor_ns),
                            ShareCell(m.masked_by_executor_ns, m.window_ns), Milli(m.exposed_ns),
                            ShareCell(m.exposed_ns, m.window_ns),
                            ShareCell(m.exposed_empty_stalled_ns, m.exposed_empty_ns),
                            ShareCell(m.exposed_not_empty_copying_ns, m.exposed_not_empty_ns)});
    }
  }

  void AddCulprits() {
    std::vector<Column> columns = {
        TextColumn("run"),
        TextColumn("op"),
        TextColumn("device"),
        IntegerColumn("number"),
        RealColumn("exposed", "us", "time without kernel or executor that this op is to blame for"),
        ShareColumn("share", "exposed time of the step")};
    for (std::string_view cause : kCauses) columns.push_back(RealColumn(std::string(cause), "us"));
    columns.push_back(RealColumn("host", "us", "its own phases on the host"));
    columns.push_back(RealColumn("queued", "us"));
    columns.push_back(RealColumn("launch delay", "us", "from launch to start on the device"));
    Table& table =
        AddTable("eager-culprits", "Who is to blame for exposed time", "M10", std::move(columns));
    for (const Named& named : runs_) {
      const EagerMetrics& m = named.run->metrics;
      for (size_t i = 0; i < std::min(m.culprits.size(), kMaxCulprits); ++i) {
        table.rows.push_back(RowOf(named.name, m, m.culprits[i]));
      }
      if (m.culprits.size() > kMaxCulprits) {
        table.doubts.push_back(
            StrCat(named.name, ": of ", m.culprits.size(), " ops the worst ", kMaxCulprits));
      }
    }
  }

  static Row RowOf(std::string_view run, const EagerMetrics& m, const EagerCulprit& culprit) {
    Row row = {Text(run),
               Text(culprit.name),
               Text(culprit.device),
               static_cast<int64_t>(culprit.id),
               Micro(culprit.exposed_ns()),
               ShareCell(culprit.exposed_ns(), m.exposed_ns)};
    for (int64_t part : culprit.by_cause) row.push_back(Micro(part));
    row.push_back(Micro(culprit.host_ns));
    row.push_back(Micro(culprit.queue_ns));
    row.push_back(culprit.launch_delay_ns ? Cell(Micro(*culprit.launch_delay_ns)) : Cell());
    return row;
  }

  static std::string_view Name(const EagerLaw& law) {
    switch (law.kind) {
      case EagerLaw::Kind::kKernelShareRises:
        return "the kernels' share rises with the batch";
      case EagerLaw::Kind::kTimePerItemFalls:
        return "the time per item falls with the batch";
      case EagerLaw::Kind::kHostPhasesStay:
        break;
    }
    return law.phase == "enqueue" ? "the median of enqueueing does not depend on the batch"
                                  : "the median of dequeueing does not depend on the batch";
  }

  static std::string VerdictText(const EagerLaw& law) {
    std::string_view verdict = "unknown";
    if (law.verdict == EagerLaw::Verdict::kHolds) verdict = "holds";
    if (law.verdict == EagerLaw::Verdict::kHoldsWithTies) verdict = "holds with ties";
    if (law.verdict == EagerLaw::Verdict::kFails) verdict = "fails";
    return law.reason.empty() ? std::string(verdict) : StrCat(verdict, ": ", law.reason);
  }

  // "1: 12 % -> 8: 40 % = 16: 40 %", where = is a tie.
  static std::string ValuesText(const EagerLaw& law) {
    const bool is_share = law.kind == EagerLaw::Kind::kKernelShareRises;
    std::string text;
    for (size_t i = 0; i < law.values.size(); ++i) {
      if (i > 0) text += law.ties[i] ? " = " : " -> ";
      text +=
          StrCat(BatchText(law.batches[i]), ": ",
                 is_share ? PercentText(law.values[i]) : FixedText(Micro(law.values[i]), 3, "us"));
    }
    return text;
  }

  void AddLaws() {
    Table& table = AddTable("eager-laws", "What is expected as batches grow", "",
                            {TextColumn("law"), TextColumn("model"), TextColumn("target"),
                             TextColumn("mode"), TextColumn("by batch"), TextColumn("verdict")});
    table.num_shown = 0;  // all
    for (const EagerLaw& law : laws_) {
      table.rows.push_back({Text(Name(law)), Text(law.model), Text(law.target), Text(law.mode),
                            ValuesText(law), VerdictText(law)});
    }
  }

  std::vector<Named> runs_;
  std::vector<EagerLaw> laws_;
  Section section_;
};

}  // namespace

Section EagerSection(std::span<const EagerRun> runs) { return Maker(runs).Make(); }

}  // namespace tfrt::profiler
