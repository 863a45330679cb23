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

struct TypeTotal {
  size_t count = 0;
  double latency_ns = 0, allocated = 0;
  bool is_timed = false, has_memory = false;
};
std::map<std::string, TypeTotal> ByType(const Subject& subject) {
  std::map<std::string, TypeTotal> types;
  for (const LayerSummary& layer : subject.layers) {
    TypeTotal& type = types[layer.op];
    ++type.count;
    type.latency_ns += layer.latency_ns.value();
    type.allocated += layer.allocated_bytes.value();
    type.is_timed |= layer.latency_ns.is_known();
    type.has_memory |= layer.allocated_bytes.is_known();
  }
  return types;
}

void AddBars(const Table& table, std::string x, std::string y, std::vector<Chart::Band> bands,
             Section* section) {
  section->charts.push_back({.kind = Chart::Kind::kBars,
                             .title = table.title,
                             .table = table.id,
                             .x = std::move(x),
                             .y = std::move(y),
                             .bands = std::move(bands)});
}

}  // namespace

Section AnalyzeLayers(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {.id = "layers",
                              .title = "Layers",
                              .text = "Ops as they were executed, the slowest first.",
                              .table_title = "Layers"};
  return PerSubject(
      experiment, options, frame, [&](const Subject& subject, Table* table, Section* section) {
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
          table->rows.push_back({IntegerCell(layer.index), layer.name, layer.op, layer.shape,
                                 CellOf(layer.latency_ns, kMilli),
                                 is_known ? ShareCell(layer.latency_ns.value(), sum) : Cell(),
                                 CellOf(layer.allocated_bytes, kMega),
                                 CellOf(layer.peak_bytes, kMega),
                                 IntegerCell(layer.latency_ns.summary.n),
                                 is_known ? Cell(layer.latency_ns.summary.cv) : Cell()});
        }
        if (table->rows.empty()) return;
        SortBy(4, table);
        AddFact(subject, experiment, "layers",
                StrCat(subject.layers.size(), " layers, ", num_short, " below 1 ms"), section);
      });
}

Section AnalyzeLayerLatency(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {
      .id = "layer-latency", .title = "Latency by layer", .table_title = "Latency of the layers"};
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {IntegerColumn("index"), TextColumn("name"), TextColumn("type"),
                          RealColumn("latency", "ms")};
        for (const LayerSummary& layer : subject.layers) {
          if (!layer.latency_ns.is_known()) continue;
          table->rows.push_back(
              {IntegerCell(layer.index), layer.name, layer.op, CellOf(layer.latency_ns, kMilli)});
        }
        AddBars(*table, "index", "latency", Thirds(subject.layers.size()), section);
      });
}

Section AnalyzeLayerMemory(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {.id = "layer-memory",
                              .title = "Allocated memory by layer",
                              .table_title = "Memory that the layers allocated"};
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {IntegerColumn("index"), TextColumn("name"), TextColumn("type"),
                          RealColumn("allocated", "MB"), RealColumn("peak", "MB")};
        for (const LayerSummary& layer : subject.layers) {
          if (!layer.allocated_bytes.is_known()) continue;
          table->rows.push_back({IntegerCell(layer.index), layer.name, layer.op,
                                 CellOf(layer.allocated_bytes, kMega),
                                 CellOf(layer.peak_bytes, kMega)});
        }
        AddBars(*table, "index", "allocated", Thirds(subject.layers.size()), section);
      });
}

Section AnalyzeLayerTypes(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {
      .id = "layer-types", .title = "Types of layers", .table_title = "Layers by type"};
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {TextColumn("type"), IntegerColumn("layers"),
                          ShareColumn("share", "number of layers")};
        for (const auto& [name, type] : ByType(subject)) {
          table->rows.push_back({name, IntegerCell(type.count),
                                 ShareCell(static_cast<double>(type.count),
                                           static_cast<double>(subject.layers.size()))});
        }
        SortBy(1, table);
        AddBars(*table, "type", "layers", {}, section);
      });
}

Section AnalyzeLatencyByType(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {.id = "latency-by-type",
                              .title = "Latency by type of layer",
                              .table_title = "Latency by type"};
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {TextColumn("type"), IntegerColumn("layers"), RealColumn("latency", "ms"),
                          ShareColumn("share", "sum of all layers' latencies")};
        const double sum = LatencySum(subject);
        for (const auto& [name, type] : ByType(subject)) {
          if (!type.is_timed) continue;
          table->rows.push_back({name, IntegerCell(type.count), type.latency_ns * kMilli,
                                 ShareCell(type.latency_ns, sum)});
        }
        SortBy(2, table);
        AddBars(*table, "type", "latency", {}, section);
      });
}

Section AnalyzeMemoryByType(const Experiment& experiment, const AnalysisOptions& options) {
  const SectionFrame frame = {.id = "memory-by-type",
                              .title = "Allocated memory by type of layer",
                              .table_title = "Memory by type"};
  return PerSubject(
      experiment, options, frame, [](const Subject& subject, Table* table, Section* section) {
        table->columns = {TextColumn("type"), IntegerColumn("layers"),
                          RealColumn("allocated", "MB"),
                          ShareColumn("share", "sum of what all layers allocated")};
        const std::map<std::string, TypeTotal> types = ByType(subject);
        double sum = 0;
        for (const auto& [name, type] : types) sum += type.allocated;
        for (const auto& [name, type] : types) {
          if (!type.has_memory) continue;
          table->rows.push_back({name, IntegerCell(type.count), type.allocated * kMega,
                                 ShareCell(type.allocated, sum)});
        }
        SortBy(2, table);
        AddBars(*table, "type", "allocated", {}, section);
      });
}

Section AnalyzeConvolutions(const Experiment& experiment, const AnalysisOptions& options) {
  Section section{.id = "convolutions", .title = "Latency in convolutions"};
  Table table{.id = "convolutions", .title = "Convolutions' part of the layers' latency"};
  table.columns = {TextColumn("model"),
                   IntegerColumn("batch"),
                   TextColumn("system"),
                   IntegerColumn("layers"),
                   IntegerColumn("convolutions"),
                   RealColumn("latency in convolutions", "ms"),
                   ShareColumn("share", "sum of all layers' latencies")};
  for (const Subject* subject : Wanted(experiment, options)) {
    const double sum = LatencySum(*subject);
    if (!(sum > 0)) continue;
    size_t count = 0;
    double latency = 0;
    for (const LayerSummary& layer : subject->layers) {
      if (!IsConvolution(layer.op)) continue;
      ++count;
      latency += layer.latency_ns.value();
    }
    table.rows.push_back({subject->model, subject->batch, subject->system,
                          IntegerCell(subject->layers.size()), IntegerCell(count), latency * kMilli,
                          ShareCell(latency, sum)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace tfrt::profiler
