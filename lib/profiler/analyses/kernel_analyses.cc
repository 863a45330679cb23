// Kernel level: kernels one by one, by name and by layer, and rooflines.
#include <algorithm>
#include <utility>

#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

void Append(std::vector<Column> columns, Table* table) {
  std::ranges::move(columns, std::back_inserter(table->columns));
}

SectionFrame Frame(std::string_view id, std::string_view title, std::string_view table_title,
                   std::string_view text = {}) {
  return {
      .id = id, .title = title, .text = text, .table_title = table_title, .level = Level::kKernel};
}

void AddRoofline(const Table& table, std::string group, std::vector<Chart::Roof> roofs,
                 Section* section) {
  section->charts.push_back({.kind = Chart::Kind::kRoofline,
                             .title = table.title,
                             .table = table.id,
                             .x = "intensity",
                             .y = "throughput",
                             .group = std::move(group),
                             .size = "latency",
                             .x_is_log = true,
                             .y_is_log = true,
                             .roofs = std::move(roofs)});
}

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
void MakeKernelTable(const Subject& subject, const AnalysisOptions& options, Table* table) {
  table->columns = {TextColumn("kernel"), IntegerColumn("layer", "its index"), TextColumn("type"),
                    TextColumn("runs on"), RealColumn("latency", "ms", "while any part of it ran")};
  Append(WorkColumns(), table);
  const std::vector<Chart::Roof> roofs = RoofsFor(subject, options);
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

}  // namespace

Section AnalyzeKernels(const Experiment& experiment, const AnalysisOptions& options) {
  return PerSubject(
      experiment, options, Frame("kernels", "Kernels", "Kernels, the slowest first"),
      [&](const Subject& subject, Table* table, Section* section) {
        MakeKernelTable(subject, options, table);
        if (table->rows.empty()) return;
        const auto num_short =
            std::ranges::count_if(subject.kernels, [](const KernelSummary& kernel) {
              return kernel.latency_ns.is_known() && kernel.latency_ns.value() < 1e6;
            });
        AddFact(subject, experiment, "kernels",
                StrCat(subject.kernels.size(), " kernels, ", num_short, " below 1 ms"), section);
      });
}

Section AnalyzeKernelRoofline(const Experiment& experiment, const AnalysisOptions& options) {
  return PerSubject(experiment, options,
                    Frame("kernel-roofline", "Roofline of the kernels", "Kernels under the roof"),
                    [&](const Subject& subject, Table* table, Section* section) {
                      MakeKernelTable(subject, options, table);
                      std::erase_if(table->rows, [](const Row& row) {
                        return row[9] == Cell() || row[10] == Cell();
                      });
                      AddRoofline(*table, "type", RoofsFor(subject, options), section);
                    });
}

Section AnalyzeKernelsByName(const Experiment& experiment, const AnalysisOptions& options) {
  return PerSubject(
      experiment, options,
      Frame("kernels-by-name", "Kernels by name", "Kernels of one name together"),
      [&](const Subject& subject, Table* table, Section* section) {
        table->columns = {TextColumn("kernel"), IntegerColumn("calls"),
                          RealColumn("latency", "ms", "while any of them ran"),
                          ShareColumn("share", "latency of the model at level model")};
        Append(WorkColumns(), table);
        const std::vector<Chart::Roof> roofs = RoofsFor(subject, options);
        for (const KernelTotal& kernel : subject.by_name) {
          const double latency = kernel.latency_ns.value();
          Row row = {kernel.name, IntegerCell(kernel.count), CellOf(kernel.latency_ns, kMilli),
                     kernel.latency_ns.is_known() ? ShareCell(latency, subject.latency_ns.value())
                                                  : Cell()};
          AddWorkCells(
              kernel.work, kernel.occupancy, latency, roofs,
              PrecisionOf(subject,
                          [&](const KernelSummary& each) { return each.name == kernel.name; }),
              &row);
          table->rows.push_back(std::move(row));
        }
        if (table->rows.empty()) return;
        AddFact(subject, experiment, "different kernels", StrCat(subject.by_name.size(), " unique"),
                section);
      });
}

Section AnalyzeKernelsByLayer(const Experiment& experiment, const AnalysisOptions& options) {
  return PerSubject(
      experiment, options,
      Frame("kernels-by-layer", "Kernels by layer", "Kernels of a layer together"),
      [&](const Subject& subject, Table* table, Section*) {
        table->columns = {
            IntegerColumn("index"),   TextColumn("name"),
            TextColumn("type"),       RealColumn("layer", "ms", "of runs at level layer"),
            IntegerColumn("kernels"), RealColumn("latency", "ms", "while any kernel of it ran")};
        Append(WorkColumns(), table);
        const std::vector<Chart::Roof> roofs = RoofsFor(subject, options);
        for (const LayerSummary& layer : subject.layers) {
          if (layer.kernels.count == 0) continue;
          Row row = {IntegerCell(layer.index),
                     layer.name,
                     layer.op,
                     CellOf(layer.latency_ns, kMilli),
                     IntegerCell(layer.kernels.count),
                     CellOf(layer.kernels.latency_ns, kMilli)};
          AddWorkCells(layer.work, layer.kernels.occupancy, layer.kernels.latency_ns.value(), roofs,
                       PrecisionOfLayer(subject, layer), &row);
          table->rows.push_back(std::move(row));
        }
      });
}

Section AnalyzeLayerWork(const Experiment& experiment, const AnalysisOptions& options) {
  SectionFrame frame = Frame("layer-work", "Operations and memory traffic by layer",
                             "What the layers compute and move");
  frame.level = Level::kLayer;
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {IntegerColumn("index"),   TextColumn("name"),
                          TextColumn("type"),       RealColumn("operations", "Gflop"),
                          RealColumn("read", "MB"), RealColumn("written", "MB"),
                          TextColumn("known by")};
        table->source = "counters where runs have them, else the ops' formulas";
        const bool has_operations = std::ranges::any_of(
            subject.layers, [](const LayerSummary& layer) { return layer.work.flops > 0; });
        for (const LayerSummary& layer : subject.layers) {
          if (!layer.work.is_known()) continue;
          const bool is_counted = layer.work.source == Work::Source::kCounter;
          table->rows.push_back({IntegerCell(layer.index), layer.name, layer.op,
                                 has_operations ? Cell(layer.work.flops * kGiga) : Cell(),
                                 layer.work.bytes_read * kMega, layer.work.bytes_written * kMega,
                                 std::string(is_counted ? "counters" : "formulas")});
        }
        for (std::string column : {"operations", "read", "written"}) {
          if (column == "operations" && !has_operations) continue;
          section->charts.push_back({.kind = Chart::Kind::kBars,
                                     .title = StrCat(table->title, ": ", column),
                                     .table = table->id,
                                     .x = "index",
                                     .y = column,
                                     .bands = Thirds(subject.layers.size())});
        }
      });
}

Section AnalyzeKernelShare(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame =
      Frame("kernel-share", "Kernels' part of each layer", "Kernels' part of the layers",
            "How long any kernel of a layer ran while the layer did, over the layer's latency in "
            "the same "
            "runs. What ran before or after its layer is shown apart.");
  return PerSubject(
      experiment, options, frame, [&](const Subject& subject, Table* table, Section* section) {
        const bool on_device = std::ranges::any_of(subject.kernels, &KernelSummary::is_device);
        const std::string part = on_device ? "device" : "kernels";
        table->columns = {IntegerColumn("index"),
                          TextColumn("name"),
                          TextColumn("type"),
                          TextColumn("part", "kernels, or the rest of the layer"),
                          ShareColumn("share", "latency of the layer at level kernel"),
                          RealColumn("latency", "ms"),
                          RealColumn("outside", "ms", "kernels that ran when the layer did not")};
        double spilled = 0;
        for (const LayerSummary& layer : subject.layers) {
          const double whole = layer.kernel_level_ns.value();
          if (!(whole > 0)) continue;
          // Means of different samples might part by a rounding.
          const double inside = std::clamp(layer.covered_ns.value(), 0.0, whole);
          spilled += layer.spill_ns.value();
          table->rows.push_back({IntegerCell(layer.index), layer.name, layer.op, part,
                                 inside / whole, inside * kMilli, CellOf(layer.spill_ns, kMilli)});
          table->rows.push_back({IntegerCell(layer.index), layer.name, layer.op, "other",
                                 1 - inside / whole, (whole - inside) * kMilli, Cell()});
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
      });
}

Section AnalyzeLayerRoofline(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame =
      Frame("layer-roofline", "Roofline of the layers", "Layers under the roof");
  return PerSubject(
      experiment, options, frame, [&](const Subject& subject, Table* table, Section* section) {
        table->columns = {IntegerColumn("index"), TextColumn("name"), TextColumn("type"),
                          RealColumn("latency", "ms", "while any kernel of it ran")};
        Append(WorkColumns(), table);
        const std::vector<Chart::Roof> roofs = RoofsFor(subject, options);
        for (const LayerSummary& layer : subject.layers) {
          const double latency = layer.kernels.latency_ns.value();
          if (!layer.work.is_known() || !(latency > 0)) continue;
          Row row = {IntegerCell(layer.index), layer.name, layer.op,
                     CellOf(layer.kernels.latency_ns, kMilli)};
          AddWorkCells(layer.work, layer.kernels.occupancy, latency, roofs,
                       PrecisionOfLayer(subject, layer), &row);
          table->rows.push_back(std::move(row));
        }
        AddRoofline(*table, "type", roofs, section);
      });
}

}  // namespace tfrt::profiler
