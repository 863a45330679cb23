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

void AddBatches(const std::vector<const Subject*>& subjects, Table* table) {
  Doubts doubts;
  table->columns = {IntegerColumn("batch"),
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
    table->rows.push_back(
        {point.batch, mean.mean * kMilli, mean.mean * kMilli / static_cast<double>(point.batch),
         point.throughput(), gain, IntegerCell(mean.n), IntegerCell(mean.num_trimmed),
         mean.min * kMilli, mean.max * kMilli, mean.cv});
    doubts.Add(*subject);
  }
  doubts.WriteTo(table);
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

void MakeBatches(const Study& study, Section* section) {
  for (const auto& [program, subjects] : ByProgram(Wanted(study))) {
    const std::string name = StrCat(program.first, ", ", program.second);
    Table table = PartOf(*section, StrCat("Batches of ", name));
    table.subject = name;
    table.source = subjects.front()->SourceText(subjects.front()->model_level);
    AddBatches(subjects, &table);
    std::vector<BatchPoint> points;
    for (const Subject* subject : subjects) points.push_back(PointOf(*subject));
    AddBestBatches(points, name, study.options, section);
    section->charts.push_back({.kind = Chart::Kind::kLines,
                               .title = StrCat("Throughput of ", name),
                               .table = table.id,
                               .x = "batch",
                               .y = "throughput",
                               .x_is_log = true});
    AddBars(table, StrCat("Latency of ", name), "batch", "latency", section);
    section->charts.back().y_is_log = true;
    section->tables.push_back(std::move(table));
  }
}

// Adds the cells of all kernels of a subject together.
void AddSubjectWork(const Study& study, const Subject& subject, double latency_ns, Row* row) {
  AddWorkCells(subject.work, subject.all_kernels.occupancy, latency_ns,
               RoofsFor(subject, study.options), PrecisionOfAll(subject), row);
}

void MakeModels(const Study& study, Section* section) {
  for (const auto& [program, subjects] : ByProgram(Wanted(study))) {
    const std::string name = StrCat(program.first, ", ", program.second);
    Table table = PartOf(*section, StrCat("Batches of ", name));
    table.subject = name;
    table.source = subjects.front()->SourceText(subjects.front()->kernel_level);
    table.columns = {IntegerColumn("batch"), RealColumn("latency", "ms", "of runs at level model"),
                     RealColumn("kernels", "ms", "how long any kernel ran"),
                     ShareColumn("kernels' share", "latency of the model at level model")};
    AddWorkColumns(&table);
    const std::vector<Chart::Roof> roofs = RoofsFor(*subjects.front(), study.options);
    std::string bound_batches;
    Doubts doubts;
    for (const Subject* subject : subjects) {
      const Measurement& kernels = subject->all_kernels.latency_ns;
      Row row = {subject->batch, CellOf(subject->latency_ns, kMilli), CellOf(kernels, kMilli),
                 ShareCell(kernels, subject->latency_ns.value())};
      AddSubjectWork(study, *subject, kernels.value(), &row);
      if (row[row.size() - 2] == Cell(std::string("memory"))) {
        bound_batches += StrCat(bound_batches.empty() ? "" : ", ", subject->batch);
      }
      table.rows.push_back(std::move(row));
      doubts.Add(*subject);
    }
    doubts.WriteTo(&table);
    if (!roofs.empty()) {
      section->facts.emplace_back(StrCat("batches bound by memory (", name, ")"),
                                  bound_batches.empty() ? "none" : bound_batches);
    }
    AddRoofline(table, StrCat("Roofline of ", name, " by batch"), "batch", roofs, section);
    section->tables.push_back(std::move(table));
  }
}

void MakeModelRoofline(const Study& study, Section* section) {
  Table table = PartOf(*section, "Models, each at its fastest batch");
  table.columns = {TextColumn("model"), TextColumn("system"), IntegerColumn("batch"),
                   RealColumn("latency", "ms")};
  AddWorkColumns(&table);
  std::vector<Chart::Roof> roofs = study.options.roofs;
  std::string without_kernels;
  for (const auto& [program, subjects] : ByProgram(Wanted(study))) {
    const Subject* fastest = *std::ranges::max_element(
        subjects, {}, [](const Subject* subject) { return PointOf(*subject).throughput(); });
    if (!fastest->work.is_known()) continue;
    if (roofs.empty()) roofs = RoofsFor(*fastest, study.options);
    Row row = {program.first, program.second, fastest->batch, CellOf(fastest->latency_ns, kMilli)};
    // Without records of kernels: by the model's latency, so at least.
    const double kernels_ns = fastest->all_kernels.latency_ns.value();
    AddSubjectWork(study, *fastest, kernels_ns > 0 ? kernels_ns : fastest->latency_ns.value(),
                   &row);
    if (!(kernels_ns > 0)) {
      without_kernels += StrCat(without_kernels.empty() ? "" : "; ", fastest->Title());
    }
    table.rows.push_back(std::move(row));
  }
  if (!without_kernels.empty()) {
    table.doubts.push_back(StrCat(
        without_kernels, ": no kernels were recorded; the throughput is by the model's latency"));
  }
  AddRoofline(table, "Models", "model", std::move(roofs), section);
  section->tables.push_back(std::move(table));
}

void MakeSpeedUp(const Study& study, Section* section) {
  std::map<std::string, std::vector<const Subject*>> systems;
  for (const auto& [program, subjects] : ByProgram(Wanted(study))) {
    auto& of_system = systems[program.second];
    of_system.insert(of_system.end(), subjects.begin(), subjects.end());
  }
  for (const auto& [system, subjects] : systems) {
    Table table = PartOf(*section, StrCat("Throughput on ", system));
    table.columns = {TextColumn("model"), IntegerColumn("batch"), IntegerColumn("smallest batch"),
                     RealColumn("speed-up", "", "throughput over that of the smallest batch")};
    const Subject* smallest = nullptr;
    for (const Subject* subject : subjects) {
      if (!smallest || smallest->model != subject->model) smallest = subject;
      table.rows.push_back({subject->model, subject->batch, smallest->batch,
                            PointOf(*subject).throughput() / PointOf(*smallest).throughput()});
    }
    section->charts.push_back({.kind = Chart::Kind::kHeatMap,
                               .title = table.title,
                               .table = table.id,
                               .x = "batch",
                               .y = "model",
                               .size = "speed-up"});
    section->tables.push_back(std::move(table));
  }
}

void MakeSystems(const Study& study, Section* section) {
  std::map<std::pair<std::string, int64_t>, std::vector<const Subject*>> programs;
  for (const Subject* subject : Wanted(study)) {
    if (subject->latency_ns.value() > 0) {
      programs[std::pair(subject->model, subject->batch)].push_back(subject);
    }
  }
  Table table = PartOf(*section, "Latency by model, batch and system");
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
               .num_shown = study.options.top};
  layers.columns = LayerComparisonColumns();
  for (const auto& [program, subjects] : programs) {
    if (subjects.size() < 2) continue;
    auto base = std::ranges::find(subjects, study.options.baseline, &Subject::system);
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
    section->text = "No model was run at one batch by several systems.";
    return;
  }
  AddBars(table, "Relative latency", "program", "relative latency", section);
  section->charts.back().group = "system";
  section->tables.push_back(std::move(table));
  if (!layers.rows.empty() || !layers.doubts.empty()) {
    section->tables.push_back(std::move(layers));
  }
}

void MakeOverview(const Study& study, Section* section) {
  Doubts doubts;
  Table table = PartOf(*section, "All that was run");
  table.columns =
      SubjectColumns({RealColumn("latency", "ms"), RealColumn("throughput", "items/s"),
                      RealColumn("kernels", "ms"),
                      ShareColumn("kernels' share", "latency of the model at level model"),
                      IntegerColumn("layers"), IntegerColumn("kernel calls")});
  AddWorkColumns(&table);
  // Systems beside each other.
  std::vector<const Subject*> subjects = Wanted(study);
  std::ranges::stable_sort(subjects, {}, [](const Subject* subject) {
    return std::pair(subject->model, subject->batch);
  });
  for (const Subject* subject : subjects) {
    const double latency = subject->latency_ns.value();
    const KernelTotal& kernels = subject->all_kernels;
    Row row = SubjectRow(
        *subject, {CellOf(subject->latency_ns, kMilli),
                   latency > 0 ? Cell(PointOf(*subject).throughput()) : Cell(),
                   CellOf(kernels.latency_ns, kMilli), ShareCell(kernels.latency_ns, latency),
                   IntegerCell(subject->layers.size()), IntegerCell(kernels.count)});
    AddSubjectWork(study, *subject, kernels.latency_ns.value(), &row);
    table.rows.push_back(std::move(row));
    doubts.Add(*subject);
  }
  doubts.WriteTo(&table);
  section->tables.push_back(std::move(table));
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

std::span<const StackAnalysis> ModelAnalyses() {
  using enum Level;
  static constexpr StackAnalysis kAnalyses[] = {
      ForAll(1, "batches", "Latency and throughput by batch", kModel, MakeBatches,
             "From runs without records of layers and kernels, where there are any."),
      ForAll(15, "models", "Models as a whole, by batch", kKernel, MakeModels,
             "All kernels of a model together: what it computes, moves, and is bound by."),
      ForAll(17, "speed-up", "Throughput by batch and model", kModel, MakeSpeedUp,
             "How many times the items a second of the smallest batch."),
      ForAll(19, "systems", "Systems beside each other", kModel, MakeSystems,
             "Systems fuse nodes differently: their layers are compared up to each layer that has "
             "the same name in both."),
      ForAll(20, "model-roofline", "Models under one roof", kKernel, MakeModelRoofline),
      ForAll(21, "overview", "Models, batches and systems", kModel, MakeOverview)};
  return kAnalyses;
}

}  // namespace tfrt::profiler
