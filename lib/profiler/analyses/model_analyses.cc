// Model level: batches, the models as a whole, systems beside each other, what recording costs.
#include <algorithm>
#include <map>
#include <utility>

#include "compare_layers.h"
#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Programs = std::map<std::pair<std::string, std::string>, std::vector<const Subject*>>;

// The batches of each model on each system, of those with a latency.
Programs ByProgram(const std::vector<const Subject*>& subjects) {
  Programs programs;
  for (const Subject* subject : subjects) {
    if (subject->latency_ns.value() > 0) {
      programs[std::pair(subject->model, subject->system)].push_back(subject);
    }
  }
  return programs;
}

BatchPoint PointOf(const Subject& subject) { return {subject.batch, subject.latency_ns.value()}; }

// Collects the doubts of all subjects of a table. A doubt that many of them share is reported once.
class Doubts {
 public:
  void Add(const Subject& subject) {
    for (const std::string& doubt : subject.doubts) {
      auto found = std::ranges::find(all_, doubt, &Doubt::text);
      if (found == all_.end()) found = all_.insert(all_.end(), {doubt, {}});
      found->subjects.push_back(subject.Title());
    }
  }
  void WriteTo(Table* table) const {
    constexpr size_t kFew = 2;
    for (const Doubt& doubt : all_) {
      std::string names;
      for (size_t i = 0; i < doubt.subjects.size() && i < kFew; ++i) {
        names += StrCat(i == 0 ? "" : "; ", doubt.subjects[i]);
      }
      if (doubt.subjects.size() > kFew)
        names += StrCat(" and ", doubt.subjects.size() - kFew, " more");
      table->doubts.push_back(StrCat(names, ": ", doubt.text));
    }
  }

 private:
  struct Doubt {
    std::string text;
    std::vector<std::string> subjects;
  };
  std::vector<Doubt> all_;
};

Table BatchTable(const std::vector<const Subject*>& subjects) {
  Table table;
  Doubts doubts;
  table.columns = {IntegerColumn("batch"),
                   RealColumn("latency", "ms", "trimmed mean of the runs"),
                   RealColumn("latency of an item", "ms"),
                   RealColumn("throughput", "items/s"),
                   ShareColumn("gain", "throughput at half the batch"),
                   IntegerColumn("runs"),
                   IntegerColumn("left out", "on each side, of the trimmed mean"),
                   RealColumn("minimum", "ms"),
                   RealColumn("maximum", "ms"),
                   ShareColumn("variation", "mean of the runs", "their standard deviation")};
  for (const Subject* subject : subjects) {
    const BatchPoint point = PointOf(*subject);
    Cell gain;
    for (const Subject* half : subjects) {
      if (subject->batch % 2 == 0 && half->batch == subject->batch / 2) {
        gain = point.throughput() / PointOf(*half).throughput() - 1;
      }
    }
    const TrimmedMean& mean = subject->latency_ns.summary;
    table.rows.push_back({point.batch, mean.mean * kMilli,
                          mean.mean * kMilli / static_cast<double>(point.batch), point.throughput(),
                          gain, IntegerCell(mean.n), IntegerCell(mean.num_trimmed),
                          mean.min * kMilli, mean.max * kMilli, mean.cv});
    doubts.Add(*subject);
  }
  doubts.WriteTo(&table);
  return table;
}

void AddBestBatches(const std::vector<BatchPoint>& points, const std::string& name,
                    const AnalysisOptions& options, Section* section) {
  const BestBatches best = FindBestBatches(points, options.latency_target_ms / kMilli);
  auto text = [](std::optional<int64_t> batch, std::string_view otherwise) {
    return batch ? StrCat(*batch) : std::string(otherwise);
  };
  auto& facts = section->facts;
  facts.emplace_back(StrCat("batch from which doubling adds at most 5 % (", name, ")"),
                     text(best.saturating, "not saturated"));
  facts.emplace_back(StrCat("batch with the highest throughput (", name, ")"),
                     text(best.fastest, "none"));
  if (options.latency_target_ms > 0) {
    facts.emplace_back(
        StrCat("largest batch within ", options.latency_target_ms, " ms (", name, ")"),
        text(best.within_latency, "none"));
  }
  for (const BatchPoint& point : points) {
    if (point.batch != 1) continue;
    facts.emplace_back(StrCat("latency of one item alone (", name, ")"),
                       FixedText(point.latency_ns * kMilli, 3, "ms"));
  }
}

}  // namespace

BestBatches FindBestBatches(std::span<const BatchPoint> points, double latency_target_ns) {
  BestBatches best;
  double highest = 0;
  std::map<int64_t, BatchPoint> by_batch;
  for (const BatchPoint& point : points) {
    if (point.throughput() > 0) by_batch[point.batch] = point;
  }
  for (const auto& [batch, point] : by_batch) {
    auto doubled = batch <= INT64_MAX / 2 ? by_batch.find(2 * batch) : by_batch.end();
    if (!best.saturating && doubled != by_batch.end() &&
        doubled->second.throughput() <= 1.05 * point.throughput()) {
      best.saturating = batch;
    }
    if (point.throughput() > highest) {
      highest = point.throughput();
      best.fastest = batch;
    }
    if (latency_target_ns > 0 && point.latency_ns <= latency_target_ns) best.within_latency = batch;
  }
  return best;
}

Section AnalyzeBatches(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{.id = "batches",
                  .title = "Latency and throughput by batch",
                  .text = "From runs without records of layers and kernels, where there are any."};
  for (const auto& [program, subjects] : ByProgram(Wanted(experiment, options))) {
    Table table = BatchTable(subjects);
    const std::string name = StrCat(program.first, ", ", program.second);
    const size_t number = section.tables.size() + 1;
    table.id = number == 1 ? "batches" : StrCat("batches-", number);
    table.title = StrCat("Batches of ", name);
    table.subject = name;
    table.source = subjects.front()->SourceText(subjects.front()->model_level);
    std::vector<BatchPoint> points;
    for (const Subject* subject : subjects) points.push_back(PointOf(*subject));
    AddBestBatches(points, name, options, &section);
    section.charts.push_back({.kind = Chart::Kind::kLines,
                              .title = StrCat("Throughput of ", name),
                              .table = table.id,
                              .x = "batch",
                              .y = "throughput",
                              .x_is_log = true});
    section.charts.push_back({.kind = Chart::Kind::kBars,
                              .title = StrCat("Latency of ", name),
                              .table = table.id,
                              .x = "batch",
                              .y = "latency",
                              .y_is_log = true});
    section.tables.push_back(std::move(table));
  }
  return section;
}

Section AnalyzeModels(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{
      .id = "models",
      .title = "Models as a whole, by batch",
      .text = "All kernels of a model together: what it computes, moves, and is bound by."};
  for (const auto& [program, subjects] : ByProgram(Wanted(experiment, options))) {
    const std::string name = StrCat(program.first, ", ", program.second);
    const size_t number = section.tables.size() + 1;
    Table table{.id = number == 1 ? "models" : StrCat("models-", number),
                .title = StrCat("Batches of ", name),
                .source = subjects.front()->SourceText(subjects.front()->kernel_level),
                .subject = name};
    table.columns = {IntegerColumn("batch"), RealColumn("latency", "ms", "of runs at level model"),
                     RealColumn("kernels", "ms", "how long any kernel ran"),
                     ShareColumn("kernels' share", "latency of the model at level model")};
    std::ranges::move(WorkColumns(), std::back_inserter(table.columns));
    const std::vector<Chart::Roof> roofs = RoofsFor(*subjects.front(), options);
    std::string bound_batches;
    Doubts doubts;
    for (const Subject* subject : subjects) {
      const double kernels = subject->all_kernels.latency_ns.value();
      Row row = {subject->batch, CellOf(subject->latency_ns, kMilli),
                 CellOf(subject->all_kernels.latency_ns, kMilli),
                 subject->all_kernels.latency_ns.is_known()
                     ? ShareCell(kernels, subject->latency_ns.value())
                     : Cell()};
      AddWorkCells(subject->work, subject->all_kernels.occupancy, kernels,
                   RoofsFor(*subject, options), PrecisionOfAll(*subject), &row);
      if (row[row.size() - 2] == Cell(std::string("memory"))) {
        bound_batches += StrCat(bound_batches.empty() ? "" : ", ", subject->batch);
      }
      table.rows.push_back(std::move(row));
      doubts.Add(*subject);
    }
    doubts.WriteTo(&table);
    if (!roofs.empty()) {
      section.facts.emplace_back(StrCat("batches bound by memory (", name, ")"),
                                 bound_batches.empty() ? "none" : bound_batches);
    }
    section.charts.push_back({.kind = Chart::Kind::kRoofline,
                              .title = StrCat("Roofline of ", name, " by batch"),
                              .table = table.id,
                              .x = "intensity",
                              .y = "throughput",
                              .group = "batch",
                              .size = "latency",
                              .x_is_log = true,
                              .y_is_log = true,
                              .roofs = roofs});
    section.tables.push_back(std::move(table));
  }
  return section;
}

Section AnalyzeModelRoofline(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{.id = "model-roofline", .title = "Models under one roof"};
  Table table{.id = "model-roofline", .title = "Models, each at its fastest batch"};
  table.columns = {TextColumn("model"), TextColumn("system"), IntegerColumn("batch"),
                   RealColumn("latency", "ms")};
  std::ranges::move(WorkColumns(), std::back_inserter(table.columns));
  std::vector<Chart::Roof> roofs = options.roofs;
  std::string without_kernels;
  for (const auto& [program, subjects] : ByProgram(Wanted(experiment, options))) {
    const Subject* fastest = *std::ranges::max_element(
        subjects, {}, [](const Subject* subject) { return PointOf(*subject).throughput(); });
    if (!fastest->work.is_known()) continue;
    if (roofs.empty()) roofs = RoofsFor(*fastest, options);
    Row row = {program.first, program.second, fastest->batch, CellOf(fastest->latency_ns, kMilli)};
    // Without records of kernels: by the model's latency, so at least.
    const bool has_kernels = fastest->all_kernels.latency_ns.value() > 0;
    AddWorkCells(
        fastest->work, fastest->all_kernels.occupancy,
        has_kernels ? fastest->all_kernels.latency_ns.value() : fastest->latency_ns.value(),
        RoofsFor(*fastest, options), PrecisionOfAll(*fastest), &row);
    if (!has_kernels) {
      without_kernels += StrCat(without_kernels.empty() ? "" : "; ", fastest->Title());
    }
    table.rows.push_back(std::move(row));
  }
  if (!without_kernels.empty()) {
    table.doubts.push_back(StrCat(
        without_kernels, ": no kernels were recorded; the throughput is by the model's latency"));
  }
  section.charts.push_back({.kind = Chart::Kind::kRoofline,
                            .title = "Models",
                            .table = table.id,
                            .x = "intensity",
                            .y = "throughput",
                            .group = "model",
                            .size = "latency",
                            .x_is_log = true,
                            .y_is_log = true,
                            .roofs = std::move(roofs)});
  section.tables.push_back(std::move(table));
  return section;
}

Section AnalyzeSpeedUp(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{.id = "speed-up",
                  .title = "Throughput by batch and model",
                  .text = "How many times the items a second of the smallest batch."};
  std::map<std::string, std::vector<const Subject*>> systems;
  for (const auto& [program, subjects] : ByProgram(Wanted(experiment, options))) {
    auto& of_system = systems[program.second];
    of_system.insert(of_system.end(), subjects.begin(), subjects.end());
  }
  for (const auto& [system, subjects] : systems) {
    const size_t number = section.tables.size() + 1;
    Table table{.id = number == 1 ? "speed-up" : StrCat("speed-up-", number),
                .title = StrCat("Throughput on ", system)};
    table.columns = {TextColumn("model"), IntegerColumn("batch"), IntegerColumn("smallest batch"),
                     RealColumn("speed-up", "", "throughput over that of the smallest batch")};
    const Subject* smallest = nullptr;
    for (const Subject* subject : subjects) {
      if (!smallest || smallest->model != subject->model) smallest = subject;
      table.rows.push_back({subject->model, subject->batch, smallest->batch,
                            PointOf(*subject).throughput() / PointOf(*smallest).throughput()});
    }
    section.charts.push_back({.kind = Chart::Kind::kHeatMap,
                              .title = table.title,
                              .table = table.id,
                              .x = "batch",
                              .y = "model",
                              .size = "speed-up"});
    section.tables.push_back(std::move(table));
  }
  return section;
}

Section CompareSystems(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{
      .id = "systems",
      .title = "Systems beside each other",
      .text =
          "Systems fuse nodes differently: their layers are compared up to each layer that has "
          "the same name in both."};
  std::map<std::pair<std::string, int64_t>, std::vector<const Subject*>> programs;
  for (const Subject* subject : Wanted(experiment, options)) {
    if (subject->latency_ns.value() > 0) {
      programs[std::pair(subject->model, subject->batch)].push_back(subject);
    }
  }
  Table table{.id = "systems", .title = "Latency by model, batch and system"};
  table.columns = {TextColumn("model"),
                   IntegerColumn("batch"),
                   TextColumn("program"),
                   TextColumn("system"),
                   RealColumn("latency", "ms"),
                   TextColumn("compared with"),
                   RealColumn("relative latency", "", "over that of the system compared with"),
                   RealColumn("relative throughput", "")};
  Doubts doubts;
  Table layers{.id = "systems-layers",
               .title = "Layers of two systems",
               .source = "runs at level layer",
               .num_shown = options.top};
  layers.columns = LayerComparisonColumns();
  for (const auto& [program, subjects] : programs) {
    if (subjects.size() < 2) continue;
    auto base = std::ranges::find(subjects, options.baseline, &Subject::system);
    if (base == subjects.end()) base = subjects.begin();
    for (const Subject* subject : subjects) {
      const double relative = subject->latency_ns.value() / (*base)->latency_ns.value();
      table.rows.push_back({program.first, program.second,
                            StrCat(program.first, ", batch ", program.second), subject->system,
                            CellOf(subject->latency_ns, kMilli), (*base)->system, relative,
                            1 / relative});
      doubts.Add(*subject);
      if (subject != *base) AddLayerComparison(*subject, **base, &layers);
    }
  }
  doubts.WriteTo(&table);
  if (table.rows.empty()) {
    section.text = "No model was run at one batch by several systems.";
    return section;
  }
  section.charts.push_back({.kind = Chart::Kind::kBars,
                            .title = "Relative latency",
                            .table = table.id,
                            .x = "program",
                            .y = "relative latency",
                            .group = "system"});
  section.tables.push_back(std::move(table));
  if (!layers.rows.empty() || !layers.doubts.empty()) section.tables.push_back(std::move(layers));
  return section;
}

Section AnalyzeOverview(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{.id = "overview", .title = "Models, batches and systems"};
  Doubts doubts;
  Table table{.id = "overview", .title = "All that was run"};
  table.columns = {TextColumn("model"),
                   IntegerColumn("batch"),
                   TextColumn("system"),
                   RealColumn("latency", "ms"),
                   RealColumn("throughput", "items/s"),
                   RealColumn("kernels", "ms"),
                   ShareColumn("kernels' share", "latency of the model at level model"),
                   IntegerColumn("layers"),
                   IntegerColumn("kernel calls")};
  std::ranges::move(WorkColumns(), std::back_inserter(table.columns));
  // Systems beside each other.
  std::vector<const Subject*> subjects = Wanted(experiment, options);
  std::ranges::stable_sort(subjects, {}, [](const Subject* subject) {
    return std::pair(subject->model, subject->batch);
  });
  for (const Subject* subject : subjects) {
    const KernelTotal& kernels = subject->all_kernels;
    Row row = {subject->model,
               subject->batch,
               subject->system,
               CellOf(subject->latency_ns, kMilli),
               subject->latency_ns.value() > 0 ? Cell(PointOf(*subject).throughput()) : Cell(),
               CellOf(kernels.latency_ns, kMilli),
               kernels.latency_ns.is_known()
                   ? ShareCell(kernels.latency_ns.value(), subject->latency_ns.value())
                   : Cell(),
               IntegerCell(subject->layers.size()),
               IntegerCell(kernels.count)};
    AddWorkCells(subject->work, kernels.occupancy, kernels.latency_ns.value(),
                 RoofsFor(*subject, options), PrecisionOfAll(*subject), &row);
    table.rows.push_back(std::move(row));
    doubts.Add(*subject);
  }
  doubts.WriteTo(&table);
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace tfrt::profiler
