// Layer level: layers by latency and memory, one by one and by the type of their op.
#include <algorithm>
#include <map>
#include <utility>

#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

double LatencySum(const Subject& subject) {
  double sum = 0;
  for (const LayerSummary& layer : subject.layers) sum += layer.latency_ns.value();
  return sum;
}

void SortBy(size_t column, Table* table) {
  std::ranges::stable_sort(table->rows, [column](const Row& a, const Row& b) {
    return a[column] > b[column];  // of one type; nothing is least
  });
}

void MakeLayers(const Study& study, const Subject& subject, Table* table, Section* section) {
  table->columns = {IntegerColumn("index", "in execution order"),
                    TextColumn("name"),
                    TextColumn("type"),
                    TextColumn("shape", "of the first result"),
                    RealColumn("latency", "ms"),
                    ShareColumn("share", "sum of all layers' latencies"),
                    RealColumn("allocated", "MB"),
                    RealColumn("peak", "MB", "in use by the allocators it used"),
                    IntegerColumn("runs"),
                    ShareColumn("variation", "mean of the runs", "their standard deviation")};
  const double sum = LatencySum(subject);
  size_t num_short = 0;
  for (const LayerSummary& layer : subject.layers) {
    const bool is_known = layer.latency_ns.is_known();
    num_short += is_known && layer.latency_ns.value() < 1e6;
    table->rows.push_back(
        LayerRow(layer, {layer.shape, CellOf(layer.latency_ns, kMilli),
                         ShareCell(layer.latency_ns, sum), CellOf(layer.allocated_bytes, kMega),
                         CellOf(layer.peak_bytes, kMega), IntegerCell(layer.latency_ns.summary.n),
                         is_known ? Cell(layer.latency_ns.summary.cv) : Cell()}));
  }
  if (table->rows.empty()) return;
  SortBy(4, table);
  AddFact(study, subject, "layers",
          StrCat(subject.layers.size(), " layers, ", num_short, " below 1 ms"), section);
}

void MakeLayerLatency(const Study&, const Subject& subject, Table* table, Section* section) {
  table->columns = LayerColumns({RealColumn("latency", "ms")});
  for (const LayerSummary& layer : subject.layers) {
    if (!layer.latency_ns.is_known()) continue;
    table->rows.push_back(LayerRow(layer, {CellOf(layer.latency_ns, kMilli)}));
  }
  AddBars(*table, table->title, "index", "latency", section, Thirds(subject.layers.size()));
}

void MakeLayerMemory(const Study&, const Subject& subject, Table* table, Section* section) {
  table->columns = LayerColumns({RealColumn("allocated", "MB"), RealColumn("peak", "MB")});
  for (const LayerSummary& layer : subject.layers) {
    if (!layer.allocated_bytes.is_known()) continue;
    table->rows.push_back(
        LayerRow(layer, {CellOf(layer.allocated_bytes, kMega), CellOf(layer.peak_bytes, kMega)}));
  }
  AddBars(*table, table->title, "index", "allocated", section, Thirds(subject.layers.size()));
}

void MakeLayerTypes(const Study&, const Subject& subject, Table* table, Section* section) {
  table->columns = {TextColumn("type"), IntegerColumn("layers"),
                    ShareColumn("share", "number of layers")};
  std::map<std::string, size_t> counts;
  for (const LayerSummary& layer : subject.layers) ++counts[layer.op];
  for (const auto& [type, count] : counts) {
    table->rows.push_back(
        {type, IntegerCell(count),
         ShareCell(static_cast<double>(count), static_cast<double>(subject.layers.size()))});
  }
  SortBy(1, table);
  AddBars(*table, table->title, "type", "layers", section);
}

// Sums a quantity over the layers of each type of op that have it.
void MakeSumsByType(const Subject& subject, Measurement LayerSummary::* quantity, double scale,
                    const Column& column, std::string base, Table* table, Section* section) {
  struct Total {
    size_t count = 0;
    double sum = 0;
    bool is_known = false;
  };
  std::map<std::string, Total> totals;
  double sum = 0;
  for (const LayerSummary& layer : subject.layers) {
    Total& total = totals[layer.op];
    ++total.count;
    total.sum += (layer.*quantity).value();
    total.is_known |= (layer.*quantity).is_known();
    sum += (layer.*quantity).value();
  }
  table->columns = {TextColumn("type"), IntegerColumn("layers"), column,
                    ShareColumn("share", std::move(base))};
  for (const auto& [type, total] : totals) {
    if (!total.is_known) continue;
    table->rows.push_back(
        {type, IntegerCell(total.count), total.sum * scale, ShareCell(total.sum, sum)});
  }
  SortBy(2, table);
  AddBars(*table, table->title, "type", column.name, section);
}

void MakeLatencyByType(const Study&, const Subject& subject, Table* table, Section* section) {
  MakeSumsByType(subject, &LayerSummary::latency_ns, kMilli, RealColumn("latency", "ms"),
                 "sum of all layers' latencies", table, section);
}

void MakeMemoryByType(const Study&, const Subject& subject, Table* table, Section* section) {
  MakeSumsByType(subject, &LayerSummary::allocated_bytes, kMega, RealColumn("allocated", "MB"),
                 "sum of what all layers allocated", table, section);
}

void MakeConvolutions(const Study& study, Section* section) {
  Table table = PartOf(*section, "Convolutions' part of the layers' latency");
  table.columns = SubjectColumns({IntegerColumn("layers"), IntegerColumn("convolutions"),
                                  RealColumn("latency in convolutions", "ms"),
                                  ShareColumn("share", "sum of all layers' latencies")});
  for (const Subject* subject : Wanted(study)) {
    const double sum = LatencySum(*subject);
    if (!(sum > 0)) continue;
    size_t count = 0;
    double latency = 0;
    for (const LayerSummary& layer : subject->layers) {
      if (!IsConvolution(layer.op)) continue;
      ++count;
      latency += layer.latency_ns.value();
    }
    table.rows.push_back(
        SubjectRow(*subject, {IntegerCell(subject->layers.size()), IntegerCell(count),
                              latency * kMilli, ShareCell(latency, sum)}));
  }
  section->tables.push_back(std::move(table));
}

}  // namespace

std::span<const StackAnalysis> LayerAnalyses() {
  using enum Level;
  static constexpr StackAnalysis kAnalyses[] = {
      ForEach(2, "layers", "Layers", kLayer, "Layers", MakeLayers,
              "Ops as they were executed, the slowest first."),
      ForEach(3, "layer-latency", "Latency by layer", kLayer, "Latency of the layers",
              MakeLayerLatency),
      ForEach(4, "layer-memory", "Allocated memory by layer", kLayer,
              "Memory that the layers allocated", MakeLayerMemory),
      ForEach(5, "layer-types", "Types of layers", kLayer, "Layers by type", MakeLayerTypes),
      ForEach(6, "latency-by-type", "Latency by type of layer", kLayer, "Latency by type",
              MakeLatencyByType),
      ForEach(7, "memory-by-type", "Allocated memory by type of layer", kLayer, "Memory by type",
              MakeMemoryByType),
      ForAll(16, "convolutions", "Latency in convolutions", kLayer, MakeConvolutions)};
  return kAnalyses;
}

}  // namespace tfrt::profiler
