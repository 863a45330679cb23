// Kernel level: kernels one by one, by name and by layer, and rooflines.
#include <algorithm>
#include <utility>

#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

std::string_view PrecisionOfLayer(const Subject& subject, const LayerSummary& layer) {
  return PrecisionOf(subject,
                     [&](const KernelSummary& kernel) { return kernel.layer == layer.index; });
}

std::vector<const KernelSummary*> LongestFirst(const Subject& subject) {
  std::vector<const KernelSummary*> kernels;
  for (const KernelSummary& kernel : subject.kernels) kernels.push_back(&kernel);
  std::ranges::stable_sort(kernels, [](const KernelSummary* a, const KernelSummary* b) {
    return a->latency_ns.value() > b->latency_ns.value();
  });
  return kernels;
}

// Analyses 8 and 9 show the same table.
void MakeKernelTable(const Study& study, const Subject& subject, Table* table) {
  table->columns = {TextColumn("kernel"), IntegerColumn("layer", "its index"), TextColumn("type"),
                    TextColumn("runs on"), RealColumn("latency", "ms", "while any part of it ran")};
  AddWorkColumns(table);
  const std::vector<Chart::Roof> roofs = RoofsFor(subject, study.options);
  for (const KernelSummary* kernel : LongestFirst(subject)) {
    const bool has_layer = kernel->layer != kNoLayer;
    Row row = {kernel->name, has_layer ? IntegerCell(kernel->layer) : Cell(),
               has_layer ? Cell(subject.layers[kernel->layer].op) : Cell(),
               std::string(kernel->is_device ? "device" : "processor"),
               CellOf(kernel->latency_ns, kMilli)};
    AddWorkCells(kernel->work, kernel->occupancy, kernel->latency_ns.value(), roofs,
                 PrecisionOf(subject, *kernel), &row);
    table->rows.push_back(std::move(row));
  }
}

void MakeKernels(const Study& study, const Subject& subject, Table* table, Section* section) {
  MakeKernelTable(study, subject, table);
  if (table->rows.empty()) return;
  const auto num_short = std::ranges::count_if(subject.kernels, [](const KernelSummary& kernel) {
    return kernel.latency_ns.is_known() && kernel.latency_ns.value() < 1e6;
  });
  AddFact(study, subject, "kernels",
          StrCat(subject.kernels.size(), " kernels, ", num_short, " below 1 ms"), section);
}

void MakeKernelRoofline(const Study& study, const Subject& subject, Table* table,
                        Section* section) {
  MakeKernelTable(study, subject, table);
  std::erase_if(table->rows, [](const Row& row) { return row[9] == Cell() || row[10] == Cell(); });
  AddRoofline(*table, table->title, "type", RoofsFor(subject, study.options), section);
}

void MakeKernelsByName(const Study& study, const Subject& subject, Table* table, Section* section) {
  table->columns = {TextColumn("kernel"), IntegerColumn("calls"),
                    RealColumn("latency", "ms", "while any of them ran"),
                    ShareColumn("share", "latency of the model at level model")};
  AddWorkColumns(table);
  const std::vector<Chart::Roof> roofs = RoofsFor(subject, study.options);
  for (const KernelTotal& kernel : subject.by_name) {
    Row row = {kernel.name, IntegerCell(kernel.count), CellOf(kernel.latency_ns, kMilli),
               ShareCell(kernel.latency_ns, subject.latency_ns.value())};
    AddWorkCells(
        kernel.work, kernel.occupancy, kernel.latency_ns.value(), roofs,
        PrecisionOf(subject, [&](const KernelSummary& each) { return each.name == kernel.name; }),
        &row);
    table->rows.push_back(std::move(row));
  }
  if (table->rows.empty()) return;
  AddFact(study, subject, "different kernels", StrCat(subject.by_name.size(), " unique"), section);
}

// Adds the cells of a layer's work, by the time of its kernels.
void AddLayerWork(const Study& study, const Subject& subject, const LayerSummary& layer, Row row,
                  Table* table) {
  AddWorkCells(layer.work, layer.kernels.occupancy, layer.kernels.latency_ns.value(),
               RoofsFor(subject, study.options), PrecisionOfLayer(subject, layer), &row);
  table->rows.push_back(std::move(row));
}

void MakeKernelsByLayer(const Study& study, const Subject& subject, Table* table, Section*) {
  table->columns =
      LayerColumns({RealColumn("layer", "ms", "of runs at level layer"), IntegerColumn("kernels"),
                    RealColumn("latency", "ms", "while any kernel of it ran")});
  AddWorkColumns(table);
  for (const LayerSummary& layer : subject.layers) {
    if (layer.kernels.count == 0) continue;
    AddLayerWork(
        study, subject, layer,
        LayerRow(layer, {CellOf(layer.latency_ns, kMilli), IntegerCell(layer.kernels.count),
                         CellOf(layer.kernels.latency_ns, kMilli)}),
        table);
  }
}

void MakeLayerWork(const Study&, const Subject& subject, Table* table, Section* section) {
  table->columns = LayerColumns({RealColumn("operations", "Gflop"), RealColumn("read", "MB"),
                                 RealColumn("written", "MB"), TextColumn("known by")});
  table->source = "counters where runs have them, else the ops' formulas";
  const bool has_operations = std::ranges::any_of(
      subject.layers, [](const LayerSummary& layer) { return layer.work.flops > 0; });
  for (const LayerSummary& layer : subject.layers) {
    if (!layer.work.is_known()) continue;
    const bool is_counted = layer.work.source == Work::Source::kCounter;
    table->rows.push_back(LayerRow(
        layer,
        {has_operations ? Cell(layer.work.flops * kGiga) : Cell(), layer.work.bytes_read * kMega,
         layer.work.bytes_written * kMega, std::string(is_counted ? "counters" : "formulas")}));
  }
  for (std::string column : {"operations", "read", "written"}) {
    if (column == "operations" && !has_operations) continue;
    AddBars(*table, StrCat(table->title, ": ", column), "index", column, section,
            Thirds(subject.layers.size()));
  }
}

void MakeKernelShare(const Study&, const Subject& subject, Table* table, Section* section) {
  const bool on_device = std::ranges::any_of(subject.kernels, &KernelSummary::is_device);
  const std::string part = on_device ? "device" : "kernels";
  table->columns = LayerColumns(
      {TextColumn("part", "kernels, or the rest of the layer"),
       ShareColumn("share", "latency of the layer at level kernel"), RealColumn("latency", "ms"),
       RealColumn("outside", "ms", "kernels that ran when the layer did not")});
  double spilled = 0;
  for (const LayerSummary& layer : subject.layers) {
    const double whole = layer.kernel_level_ns.value();
    if (!(whole > 0)) continue;
    // Means of different samples might part by a rounding.
    const double inside = std::clamp(layer.covered_ns.value(), 0.0, whole);
    spilled += layer.spill_ns.value();
    table->rows.push_back(
        LayerRow(layer, {part, inside / whole, inside * kMilli, CellOf(layer.spill_ns, kMilli)}));
    table->rows.push_back(
        LayerRow(layer, {"other", 1 - inside / whole, (whole - inside) * kMilli, Cell()}));
  }
  table->num_shown *= 2;
  if (spilled > 0) {
    table->doubts.push_back(StrCat("kernels ran for ", FixedText(spilled * kMilli, 3),
                                   " ms outside of their layers' time: not in the shares"));
  }
  section->charts.push_back({.kind = Chart::Kind::kStack,
                             .title = table->title,
                             .table = table->id,
                             .x = "index",
                             .y = "share",
                             .group = "part",
                             .bands = Thirds(subject.layers.size())});
}

void MakeLayerRoofline(const Study& study, const Subject& subject, Table* table, Section* section) {
  table->columns = LayerColumns({RealColumn("latency", "ms", "while any kernel of it ran")});
  AddWorkColumns(table);
  for (const LayerSummary& layer : subject.layers) {
    if (!layer.work.is_known() || !(layer.kernels.latency_ns.value() > 0)) continue;
    AddLayerWork(study, subject, layer, LayerRow(layer, {CellOf(layer.kernels.latency_ns, kMilli)}),
                 table);
  }
  AddRoofline(*table, table->title, "type", RoofsFor(subject, study.options), section);
}

}  // namespace

std::span<const StackAnalysis> KernelAnalyses() {
  using enum Level;
  static constexpr StackAnalysis kAnalyses[] = {
      ForEach(8, "kernels", "Kernels", kKernel, "Kernels, the slowest first", MakeKernels),
      ForEach(9, "kernel-roofline", "Roofline of the kernels", kKernel, "Kernels under the roof",
              MakeKernelRoofline),
      ForEach(10, "kernels-by-name", "Kernels by name", kKernel, "Kernels of one name together",
              MakeKernelsByName),
      ForEach(11, "kernels-by-layer", "Kernels by layer", kKernel, "Kernels of a layer together",
              MakeKernelsByLayer),
      ForEach(12, "layer-work", "Operations and memory traffic by layer", kLayer,
              "What the layers compute and move", MakeLayerWork),
      ForEach(13, "kernel-share", "Kernels' part of each layer", kKernel,
              "Kernels' part of the layers", MakeKernelShare,
              "How long any kernel of a layer ran while the layer did, over the layer's latency in "
              "the same runs. What ran before or after its layer is shown apart."),
      ForEach(14, "layer-roofline", "Roofline of the layers", kKernel, "Layers under the roof",
              MakeLayerRoofline)};
  return kAnalyses;
}

}  // namespace tfrt::profiler
