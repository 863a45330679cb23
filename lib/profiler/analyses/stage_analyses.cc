// Where in a model its cost is, and what recording costs.
#include <algorithm>
#include <array>
#include <utility>

#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

struct Stage {
  const char* quantity;
  const char* unit;
  double (*of_layer)(const LayerSummary& layer);
};
constexpr std::array<Stage, 4> kStages = {
    {{"latency", "ms", [](const LayerSummary& layer) { return layer.latency_ns.value() * kMilli; }},
     {"allocated memory", "MB",
      [](const LayerSummary& layer) { return layer.allocated_bytes.value() * kMega; }},
     {"operations", "Gflop", [](const LayerSummary& layer) { return layer.work.flops * kGiga; }},
     {"memory traffic", "MB",
      [](const LayerSummary& layer) { return layer.work.bytes() * kMega; }}}};
constexpr std::array<const char*, 3> kThirdNames = {"beginning", "middle", "end"};

// The latency of the model at a deeper level, and how much more that is.
void AddLevel(const Subject& subject, Level level, Level before, Table* table) {
  const Measurement& here = subject.latency_by_level[static_cast<size_t>(level)];
  const Measurement& above = subject.latency_by_level[static_cast<size_t>(before)];
  const Measurement& base = subject.latency_by_level[0];
  if (!here.is_known()) return;
  const bool is_first = level == Level::kModel;
  const bool has_above = !is_first && above.is_known();
  const double more = here.value() - above.value();
  table->rows.push_back(SubjectRow(
      subject,
      {std::string(LevelName(level)), IntegerCell(here.summary.n), CellOf(here, kMilli),
       has_above ? Cell(more * kMilli) : Cell(),
       has_above ? ShareCell(more, above.value()) : Cell(),
       !is_first && base.is_known() ? ShareCell(here.value() - base.value(), base.value()) : Cell(),
       here.summary.min * kMilli,
       !is_first && base.is_known()
           ? ShareCell(here.summary.min - base.summary.min, base.summary.min)
           : Cell()}));
}

void AddLayerOverheads(const Subject& subject, Table* table) {
  if (subject.layer_level != Level::kLayer || subject.kernel_level != Level::kKernel) return;
  for (const LayerSummary& layer : subject.layers) {
    if (!layer.latency_ns.is_known() || !layer.kernel_level_ns.is_known()) continue;
    const double more = layer.kernel_level_ns.value() - layer.latency_ns.value();
    table->rows.push_back(SubjectRow(
        subject, {IntegerCell(layer.index), layer.name, CellOf(layer.latency_ns, kMilli),
                  CellOf(layer.kernel_level_ns, kMilli), more * kMilli,
                  ShareCell(more, layer.latency_ns.value()), IntegerCell(layer.kernels.count)}));
  }
}

void MakeStages(const Study& study, Section* section) {
  Table table = PartOf(*section, "Thirds of the layers");
  table.columns =
      SubjectColumns({TextColumn("quantity"), TextColumn("unit"), RealColumn("beginning", ""),
                      RealColumn("middle", ""), RealColumn("end", ""), TextColumn("most in"),
                      ShareColumn("share", "sum over all layers")});
  for (const Subject* subject : Wanted(study)) {
    for (const Stage& stage : kStages) {
      std::array<double, 3> thirds = {};
      for (const LayerSummary& layer : subject->layers) {
        thirds[ThirdOf(layer.index, subject->layers.size())] += stage.of_layer(layer);
      }
      const double sum = thirds[0] + thirds[1] + thirds[2];
      if (!(sum > 0)) continue;
      const auto most = std::ranges::max_element(thirds);
      table.rows.push_back(SubjectRow(
          *subject,
          {std::string(stage.quantity), std::string(stage.unit), thirds[0], thirds[1], thirds[2],
           std::string(kThirdNames[static_cast<size_t>(most - thirds.begin())]), *most / sum}));
    }
  }
  section->tables.push_back(std::move(table));
}

void MakeRecording(const Study& study, Section* section) {
  Table models = PartOf(*section, "Latency of the model by what is recorded");
  models.columns = SubjectColumns(
      {TextColumn("level"), IntegerColumn("runs"), RealColumn("latency", "ms"),
       RealColumn("more", "ms", "than at the level before it"),
       ShareColumn("overhead", "latency at the level before it"),
       ShareColumn("overhead in all", "latency at level model"),
       RealColumn("minimum", "ms", "the fastest run"),
       ShareColumn("overhead of minima", "minimum at level model",
                   "what others do on the machine only makes runs slower: where they do much, the "
                   "fastest runs tell most")});
  Table layers{.id = "recording-layers",
               .title = "Latency of layers with and without kernels",
               .num_shown = study.options.top};
  layers.columns = SubjectColumns(
      {IntegerColumn("index"), TextColumn("name"), RealColumn("at level layer", "ms"),
       RealColumn("at level kernel", "ms"), RealColumn("more", "ms"),
       ShareColumn("overhead", "latency at level layer"), IntegerColumn("kernels")});
  for (const Subject* subject : Wanted(study)) {
    std::optional<Level> before;
    size_t num_levels = 0;
    for (size_t i = 0; i < kNumLevels; ++i) {
      const auto level = static_cast<Level>(i);
      if (!subject->latency_by_level[i].is_known()) continue;
      AddLevel(*subject, level, before.value_or(Level::kModel), &models);
      before = level;
      ++num_levels;
    }
    if (num_levels < 2) {
      models.doubts.push_back(StrCat(subject->Title(),
                                     ": runs of one level alone: what recording "
                                     "costs is not known"));
    }
    AddLayerOverheads(*subject, &layers);
  }
  section->tables.push_back(std::move(models));
  if (!layers.rows.empty()) section->tables.push_back(std::move(layers));
}

}  // namespace

std::span<const StackAnalysis> StageAnalyses() {
  using enum Level;
  static constexpr StackAnalysis kAnalyses[] = {
      ForAll(18, "stages", "Beginning, middle and end", kLayer, MakeStages,
             "Thirds of the layers in execution order, and in which of them most is."),
      ForAll(22, "recording", "What recording costs", kModel, MakeRecording)};
  return kAnalyses;
}

}  // namespace tfrt::profiler
