#include "diff.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "matching.h"
#include "statistics.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// How often a change may be seen where there is none.
constexpr double kLevel = 0.05;

// Two of a kind; null: there is none on this side.
template <typename T>
struct Both {
  const T* before = nullptr;
  const T* after = nullptr;
  const T& any() const { return before ? *before : *after; }
};

// All of both sides, each once.
template <typename T>
std::vector<Both<T>> Pair(const std::vector<const T*>& before, const std::vector<const T*>& after,
                          std::vector<std::string>* doubts, std::string_view what) {
  auto identities = [](const std::vector<const T*>& things) {
    std::vector<Identity> result;
    for (const T* thing : things) {
      result.push_back({static_cast<int64_t>(result.size()), thing->name});
    }
    return result;
  };
  const Matching matching = Match(identities(before), identities(after));
  if (matching.is_by_name && !before.empty() && !after.empty() && doubts) {
    doubts->push_back(StrCat("other ", what, " before and after: matched by name"));
  }
  std::vector<Both<T>> pairs;
  for (const T* thing : before) pairs.push_back({.before = thing});
  for (size_t i = 0; i < after.size(); ++i) {
    if (matching.reference_of[i] == kNoMatch) {
      pairs.push_back({.after = after[i]});
    } else {
      pairs[matching.reference_of[i]].after = after[i];
    }
  }
  return pairs;
}

// Subjects by system, model and batch; those of a model and batch that are left on both sides go
// together if nothing else does.
std::vector<Both<Subject>> PairSubjects(const Experiment& before, const Experiment& after) {
  auto systems_of = [](const Experiment& experiment) {
    std::set<std::string> systems;
    for (const Subject& subject : experiment.subjects()) systems.insert(subject.system);
    return systems.size();
  };
  const bool any_system = systems_of(before) == 1 && systems_of(after) == 1;
  std::vector<Both<Subject>> pairs;
  for (const Subject& subject : before.subjects()) pairs.push_back({.before = &subject});
  for (const Subject& subject : after.subjects()) {
    auto found = std::ranges::find_if(pairs, [&](const Both<Subject>& pair) {
      return pair.before && pair.before->model == subject.model &&
             pair.before->batch == subject.batch &&
             (any_system || pair.before->system == subject.system);
    });
    if (found == pairs.end()) {
      pairs.push_back({.after = &subject});
    } else {
      found->after = &subject;
    }
  }
  return pairs;
}

std::vector<Column> DifferenceColumns() {
  return {RealColumn("before", "ms", "median"),
          RealColumn("after", "ms", "median"),
          RealColumn("difference", "ms"),
          ShareColumn("relative", "latency before"),
          TextColumn("change", "whether it is more than runs differ by"),
          IntegerColumn("runs before"),
          IntegerColumn("runs after")};
}
constexpr size_t kDifferenceFromEnd = 5;

template <typename T>
void AddDifference(const Both<T>& both, const DiffOptions& options, Row row, Table* table) {
  static const Measurement kNothing;
  const Measurement& before = both.before ? both.before->latency_ns : kNothing;
  const Measurement& after = both.after ? both.after->latency_ns : kNothing;
  const double from = Median(before.samples) * kMilli, to = Median(after.samples) * kMilli;
  const bool is_change = before.is_known() && after.is_known();
  row.insert(row.end(),
             {before.is_known() ? Cell(from) : Cell(), after.is_known() ? Cell(to) : Cell(),
              Cell(to - from), is_change ? ShareCell(to - from, from) : Cell(),
              Cell(std::string(ChangeName(CompareMeasurements(before, after, options)))),
              IntegerCell(before.summary.n), IntegerCell(after.summary.n)});
  table->rows.push_back(std::move(row));
}

// The largest first, whether more or less.
void SortByDifference(Table* table) {
  auto size = [](const Row& row) {
    return std::abs(std::get<double>(row[row.size() - kDifferenceFromEnd]));
  };
  std::ranges::stable_sort(table->rows,
                           [&](const Row& a, const Row& b) { return size(a) > size(b); });
}

Table DiffTable(std::string id, std::string title, std::vector<Column> columns,
                const DiffOptions& options) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = std::move(columns),
              .num_shown = options.top};
  std::ranges::move(DifferenceColumns(), std::back_inserter(table.columns));
  return table;
}

std::vector<const LayerSummary*> LayersOf(const Subject* subject) {
  std::vector<const LayerSummary*> layers;
  if (!subject) return layers;
  for (const LayerSummary& layer : subject->layers) layers.push_back(&layer);
  return layers;
}
// Returns the kernels of one layer; kNoLayer: those of no layer.
std::vector<const KernelSummary*> KernelsOf(const Subject* subject, size_t layer) {
  std::vector<const KernelSummary*> kernels;
  if (!subject) return kernels;
  auto first = std::ranges::lower_bound(subject->kernels, layer, {}, &KernelSummary::layer);
  for (; first != subject->kernels.end() && first->layer == layer; ++first) {
    kernels.push_back(&*first);
  }
  return kernels;
}

class Differ {
 public:
  explicit Differ(const DiffOptions& options) : options_(options) {
    models_ =
        DiffTable("diff-models", "Models before and after",
                  {TextColumn("model"), IntegerColumn("batch"), TextColumn("system")}, options);
    layers_ = DiffTable(
        "diff-layers", "Layers before and after",
        {TextColumn("model"), IntegerColumn("batch"), TextColumn("layer"), TextColumn("type")},
        options);
    kernels_ = DiffTable(
        "diff-kernels", "Kernels before and after",
        {TextColumn("model"), IntegerColumn("batch"), TextColumn("layer"), TextColumn("kernel")},
        options);
  }

  void Add(const Both<Subject>& both) {
    const Subject& subject = both.any();
    AddDifference(both, options_, {subject.model, subject.batch, subject.system}, &models_);
    NoteLevels(both);
    for (const Both<LayerSummary>& layer :
         Pair(LayersOf(both.before), LayersOf(both.after), &layers_.doubts, "layers")) {
      AddDifference(layer, options_,
                    {subject.model, subject.batch, layer.any().name, layer.any().op}, &layers_);
      AddKernels(both,
                 layer.before ? KernelsOf(both.before, layer.before->index)
                              : std::vector<const KernelSummary*>(),
                 layer.after ? KernelsOf(both.after, layer.after->index)
                             : std::vector<const KernelSummary*>(),
                 layer.any().name);
    }
    AddKernels(both, KernelsOf(both.before, kNoLayer), KernelsOf(both.after, kNoLayer), Cell());
  }

  Section Finish() {
    Section section{
        .id = "diff",
        .title = "Before and after",
        .text =
            "Medians of the runs; a difference counts if it is more than 1 %, and ranks "
            "as uneven as those of the runs come by chance in one of 20 comparisons "
            "at most (Mann and Whitney's test)."};
    for (const Row& row : models_.rows) {
      section.facts.emplace_back(
          StrCat(std::get<std::string>(row[0]), ", batch ", std::get<int64_t>(row[1])),
          FactText(row));
    }
    for (Table* table : {&models_, &layers_, &kernels_}) {
      SortByDifference(table);
      if (table->rows.empty() && table != &models_) continue;
      section.tables.push_back(std::move(*table));
    }
    return section;
  }

 private:
  void AddKernels(const Both<Subject>& both, const std::vector<const KernelSummary*>& before,
                  const std::vector<const KernelSummary*>& after, const Cell& layer) {
    const Subject& subject = both.any();
    for (const Both<KernelSummary>& kernel :
         Pair<KernelSummary>(before, after, /*doubts=*/nullptr, "kernels")) {
      AddDifference(kernel, options_, {subject.model, subject.batch, layer, kernel.any().name},
                    &kernels_);
    }
  }

  // Latencies of different levels would show what recording costs.
  void NoteLevels(const Both<Subject>& both) {
    if (!both.before || !both.after) return;
    auto note = [&](std::optional<Level> before, std::optional<Level> after, Table* table) {
      if (!before || !after || before == after) return;
      table->doubts.push_back(StrCat(both.any().Title(), ": before of ",
                                     both.before->SourceText(before), ", after of ",
                                     both.after->SourceText(after), ": not comparable"));
    };
    note(both.before->model_level, both.after->model_level, &models_);
    note(both.before->layer_level, both.after->layer_level, &layers_);
  }

  static std::string FactText(const Row& row) {
    const size_t end = row.size();
    const auto* before = std::get_if<double>(&row[end - 7]);
    const auto* after = std::get_if<double>(&row[end - 6]);
    const auto* relative = std::get_if<double>(&row[end - 4]);
    std::string text = StrCat(before ? FixedText(*before, 3, "ms") : "-", " to ",
                              after ? FixedText(*after, 3, "ms") : "-");
    if (relative) text += StrCat(" (", PercentText(*relative), ")");
    return StrCat(text, ": ", std::get<std::string>(row[end - 3]));
  }

  const DiffOptions& options_;
  Table models_, layers_, kernels_;
};

}  // namespace

std::string_view ChangeName(Change change) {
  switch (change) {
    case Change::kNone:
      return "same";
    case Change::kFaster:
      return "faster";
    case Change::kSlower:
      return "slower";
    case Change::kNew:
      return "new";
    case Change::kGone:
      return "gone";
    case Change::kUnknown:
      break;
  }
  return "too few runs";
}

Change CompareMeasurements(const Measurement& before, const Measurement& after,
                           const DiffOptions& options) {
  if (before.is_known() != after.is_known())
    return before.is_known() ? Change::kGone : Change::kNew;
  const size_t fewest = std::min(before.summary.n, after.summary.n);
  if (fewest == 0 || fewest < options.min_runs) return Change::kUnknown;
  if (SmallestRankTest(before.summary.n, after.summary.n) > kLevel) return Change::kUnknown;
  const double from = Median(before.samples), to = Median(after.samples);
  if (std::abs(to - from) <= 0.01 * std::abs(from)) return Change::kNone;
  if (RankTest(before.samples, after.samples) > kLevel) return Change::kNone;
  return to < from ? Change::kFaster : Change::kSlower;
}

Section DiffExperiments(const Experiment& before, const Experiment& after,
                        const DiffOptions& options) {
  Differ differ(options);
  for (const Both<Subject>& both : PairSubjects(before, after)) differ.Add(both);
  return differ.Finish();
}

}  // namespace tfrt::profiler
