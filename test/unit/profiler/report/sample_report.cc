#include "test/unit/profiler/report/sample_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/profiler/report/timeline.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Kind = Chart::Kind;
using ColumnKind = Column::Kind;

// The same numbers on all machines, from 0 to 1.
class Numbers {
 public:
  double Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 40) / (1 << 24);
  }

 private:
  uint64_t state_ = 7;
};

Column Text(std::string name) { return {.name = std::move(name), .kind = ColumnKind::kText}; }
Column Whole(std::string name, std::string unit = {}) {
  return {.name = std::move(name), .kind = ColumnKind::kInteger, .unit = std::move(unit)};
}
Column Real(std::string name, std::string unit, std::string help = {}) {
  return {.name = std::move(name), .unit = std::move(unit), .help = std::move(help)};
}
Column Share(std::string name, std::string base) {
  return {.name = std::move(name), .kind = ColumnKind::kShare, .base = std::move(base)};
}

struct Layer {
  std::string name, type, shape;
  double ms, flops, bytes, memory;
};

std::vector<Layer> Layers() {
  Numbers numbers;
  std::vector<Layer> layers;
  for (int i = 0; i < 106; ++i) {
    const int stage = i * 4 / 106, channels = 64 << stage, side = 56 >> stage;
    const char* type = i % 3 == 0 ? "Conv" : i % 3 == 1 ? "Relu" : i % 9 == 2 ? "Add" : "Conv";
    if (i == 2) type = "MaxPool";
    if (i == 103) type = "GlobalAveragePool";
    if (i == 104) type = "Flatten";
    if (i == 105) type = "Gemm";
    const double elements = 1.0 * channels * side * side;
    const bool is_conv = std::string(type) == "Conv";
    const double flops = is_conv ? 2 * elements * channels * (1 + 8 * numbers.Next()) : elements;
    const double bytes = elements * (is_conv ? 12 : 8);
    const double ms = std::max(flops / 1.9e11, bytes / 1.4e10) * (0.8 + 0.9 * numbers.Next()) * 1e3;
    layers.push_back(
        {StrCat("/layer", stage + 1, "/layer", stage + 1, ".", i % 7, "/", type, "_", i), type,
         StrCat("1x", channels, "x", side, "x", side), ms, flops, bytes, elements * 4});
  }
  return layers;
}

Section ModelSection() {
  Section section{.id = "model", .title = "Throughput and latency over batches"};
  section.text =
      "The model as a whole, measured without records of its layers. Latencies are trimmed means: "
      "a "
      "fifth of the runs is left out at either end.";
  section.facts = {{"throughput at batch 64", "812 items/s"},
                   {"latency at batch 1", "5.91 ms"},
                   {"smallest batch whose double gains at most 5 %", "64"},
                   {"batch of the highest throughput", "256"}};
  Table table{.id = "batches",
              .title = "Latency and throughput by batch",
              .source = "8 runs at level model"};
  table.columns = {Whole("batch"),
                   Real("latency", "ms", "Trimmed mean of the runs."),
                   Real("latency per item", "ms"),
                   Real("throughput", "items/s"),
                   {.name = "gain",
                    .kind = ColumnKind::kShare,
                    .base = "the throughput at half the batch",
                    .help = "How much more throughput than at half the batch."},
                   Whole("runs")};
  double before = 0;
  for (int batch = 1; batch <= 256; batch *= 2) {
    const double ms = 4.8 + 1.1 * batch + 6.0 / batch;
    const double throughput = batch / ms * 1e3;
    table.rows.push_back({int64_t{batch}, ms, ms / batch, throughput,
                          before > 0 ? Cell(throughput / before - 1) : Cell(), int64_t{8}});
    before = throughput;
  }
  table.doubts = {
      "the runs at batch 256 vary by 14 %: another program may have used the processor"};
  section.tables.push_back(table);
  section.charts = {{.kind = Kind::kLines,
                     .title = "Throughput by batch",
                     .table = "batches",
                     .x = "batch",
                     .y = "throughput",
                     .x_is_log = true},
                    {.kind = Kind::kBars,
                     .title = "Latency per item by batch",
                     .table = "batches",
                     .x = "batch",
                     .y = "latency per item"}};
  return section;
}

Section OverheadSection() {
  Section section{.id = "overhead", .title = "What measuring costs"};
  section.text =
      "Each level is measured by runs of its own; a figure comes from runs at its own level only.";
  section.facts = {{"layers", "+1.8 %"}, {"kernels", "+4.6 %"}};
  Table table{
      .id = "overhead", .title = "Overhead of each level", .source = "8 runs at each level"};
  table.columns = {Text("level"), Real("latency", "ms"),
                   Share("overhead", "the latency at level model")};
  table.rows = {{"model", 5.91, 0.0}, {"layer", 6.016, 0.018}, {"kernel", 6.182, 0.046}};
  section.tables.push_back(table);
  return section;
}

Section LayerSection(const std::vector<Layer>& layers) {
  Section section{.id = "layers", .title = "Layers"};
  section.facts = {{"layers", "106"}, {"below 0.1 ms", "61"}, {"share of convolutions", "87.2 %"}};
  Table table{
      .id = "layers", .title = "Layers in order of execution", .source = "8 runs at level layer"};
  table.columns = {Whole("index"),        Text("name"),
                   Text("type"),          Text("shape"),
                   Real("latency", "ms"), Share("share", "the latency of the model without layers"),
                   Real("memory", "MB")};
  table.num_shown = 12;
  double sum = 0;
  std::map<std::string, std::pair<double, int64_t>> types;
  for (const Layer& layer : layers) sum += layer.ms;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    types[layer.type].first += layer.ms;
    ++types[layer.type].second;
    table.rows.push_back({static_cast<int64_t>(i), layer.name, layer.type, layer.shape, layer.ms,
                          layer.ms / sum, layer.memory / 1e6});
  }
  const std::vector<Chart::Band> thirds = {
      {"beginning", -0.5, 34.5}, {"middle", 34.5, 69.5}, {"end", 69.5, 105.5}};
  section.charts = {{.kind = Kind::kBars,
                     .title = "Latency per layer",
                     .table = "layers",
                     .x = "index",
                     .y = "latency",
                     .group = "type",
                     .bands = thirds},
                    {.kind = Kind::kBars,
                     .title = "Allocated memory per layer",
                     .table = "layers",
                     .x = "index",
                     .y = "memory",
                     .bands = thirds},
                    {.kind = Kind::kHistogram,
                     .title = "Layers by latency",
                     .table = "layers",
                     .x = "latency",
                     .x_is_log = true},
                    {.kind = Kind::kPoints,
                     .title = "Latency and memory",
                     .table = "layers",
                     .x = "memory",
                     .y = "latency",
                     .group = "type",
                     .x_is_log = true,
                     .y_is_log = true}};
  Table by_type{.id = "types", .title = "Layers by type", .source = "8 runs at level layer"};
  by_type.columns = {Text("type"), Whole("layers"), Real("latency", "ms"),
                     Share("share", "the sum of all layers")};
  for (const auto& [type, figures] : types) {
    by_type.rows.push_back({type, figures.second, figures.first, figures.first / sum});
  }
  std::ranges::sort(by_type.rows, std::greater<>(),
                    [](const auto& row) { return std::get<double>(row[2]); });
  section.charts.push_back({.kind = Kind::kBars,
                            .title = "Latency by type",
                            .table = "types",
                            .x = "type",
                            .y = "latency"});
  section.charts.push_back({.kind = Kind::kBars,
                            .title = "Layers by type",
                            .table = "types",
                            .x = "type",
                            .y = "layers"});
  section.tables = {std::move(table), std::move(by_type)};
  return section;
}

Section KernelSection(const std::vector<Layer>& layers) {
  Section section{.id = "kernels", .title = "Kernels and rooflines"};
  section.text =
      "Flops and bytes are computed from shapes: bytes are those that must be moved at least once.";
  Table table{.id = "kernels", .title = "Kernels by latency", .source = "8 runs at level kernel"};
  table.columns = {Text("kernel"),
                   Whole("layer"),
                   Real("latency", "ms"),
                   Real("flops", "Gflop"),
                   Real("bytes", "MB"),
                   Real("intensity", "flop/B"),
                   Real("throughput", "Gflop/s"),
                   Text("bound")};
  table.num_shown = 10;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const double intensity = layer.flops / layer.bytes;
    table.rows.push_back({StrCat("kernel.", layer.type), static_cast<int64_t>(i), layer.ms * 0.97,
                          layer.flops / 1e9, layer.bytes / 1e6, intensity,
                          layer.flops / layer.ms / 1e6, intensity < 16 ? "memory" : "compute"});
  }
  std::ranges::sort(table.rows, std::greater<>(),
                    [](const auto& row) { return std::get<double>(row[2]); });
  table.doubts = {"3 kernels are inside of no layer: left out",
                  "bytes are a lower bound: this machine has no counters"};
  section.charts = {{.kind = Kind::kRoofline,
                     .title = "Roofline of kernels",
                     .table = "kernels",
                     .x = "intensity",
                     .y = "throughput",
                     .group = "bound",
                     .size = "latency",
                     .roofs = {{"f32, computed", 463, 18.2}, {"f32, measured", 391, 14.1}}}};
  Table parts{.id = "parts",
              .title = "Kernels and the rest of each layer",
              .source = "8 runs at level kernel"};
  parts.columns = {Whole("layer"), Text("part"), Share("share", "the layer's latency")};
  parts.num_shown = 10;
  Numbers numbers;
  for (int64_t i = 0; i < 106; ++i) {
    const double kernels = 0.75 + 0.24 * numbers.Next();
    parts.rows.push_back({i, "kernels", kernels});
    parts.rows.push_back({i, "rest", 1 - kernels});
  }
  section.charts.push_back({.kind = Kind::kStack,
                            .title = "Kernels and the rest, by layer",
                            .table = "parts",
                            .x = "layer",
                            .y = "share",
                            .group = "part"});
  section.tables = {std::move(table), std::move(parts)};
  return section;
}

Section EagerSection() {
  Section section{.id = "eager", .title = "Eager execution"};
  Table table{
      .id = "phases", .title = "Where the time goes", .source = "one step after a warm-up step"};
  table.columns = {Text("run"), Text("part"), Share("share", "the step")};
  for (const char* run : {"LeNet-5, batch 1, SYNC", "LeNet-5, batch 64, SYNC",
                          "ResNet-50, batch 1, ASYNC", "ResNet-50, batch 16, ASYNC"}) {
    const double cpu = 0.25 + 0.15 * static_cast<double>(table.rows.size()) / 3;
    table.rows.push_back({run, "kernels", cpu});
    table.rows.push_back({run, "copies", 0.04});
    table.rows.push_back({run, "overhead", 1 - cpu - 0.04});
  }
  Table phases{.id = "steps",
               .title = "Time of the phases of an op",
               .source = "one step after a warm-up step"};
  phases.columns = {Text("phase"),        Text("mode"),      Real("min", "us"), Real("p25", "us"),
                    Real("median", "us"), Real("p75", "us"), Real("max", "us")};
  double base = 0.6;
  for (const char* phase : {"enqueue", "dequeue", "kernel"}) {
    for (const char* mode : {"SYNC", "ASYNC"}) {
      phases.rows.push_back({phase, mode, base, base * 1.5, base * 1.9, base * 2.6, base * 14});
      base *= 1.35;
    }
  }
  Table queue{
      .id = "queue", .title = "Length of the queue", .source = "one step after a warm-up step"};
  queue.columns = {Real("time", "ms"), Whole("ops")};
  queue.num_shown = 8;
  Numbers numbers;
  int64_t length = 0;
  for (int i = 0; i < 900; ++i) {
    length = std::max<int64_t>(0, length + (numbers.Next() < 0.52 ? 1 : -1));
    queue.rows.push_back({i * 0.011, length});
  }
  section.charts = {{.kind = Kind::kStack,
                     .title = "Shares of a step",
                     .table = "phases",
                     .x = "run",
                     .y = "share",
                     .group = "part"},
                    {.kind = Kind::kBoxes,
                     .title = "Phases of an op",
                     .table = "steps",
                     .x = "phase",
                     .y = "min",
                     .group = "mode",
                     .more = {"p25", "median", "p75", "max"},
                     .y_is_log = true},
                    {.kind = Kind::kSteps,
                     .title = "Ops that wait",
                     .table = "queue",
                     .x = "time",
                     .y = "ops",
                     .bands = {{"stalled", 2.1, 3.4}}}};
  section.tables = {std::move(table), std::move(phases), std::move(queue)};
  return section;
}

Section ComparisonSection() {
  Section section{.id = "compare", .title = "Models and systems side by side"};
  Table table{.id = "speed-up",
              .title = "Throughput against ONNX Runtime",
              .source = "8 runs at level model each"};
  table.columns = {Text("model"), Whole("batch"), Text("system"), Real("throughput", "items/s"),
                   Real("ratio", "")};
  table.num_shown = 12;
  Numbers numbers;
  for (const char* model : {"lenet", "mobilenet_v2", "resnet18", "resnet50", "squeezenet", "vgg16",
                            "bert_base_s128", "gpt2_s64"}) {
    for (int64_t batch : {1, 4, 16, 64}) {
      const double base = 4000 * numbers.Next() + 90;
      const double ratio = 0.8 + 0.5 * numbers.Next();
      table.rows.push_back({model, batch, "tfrt", base * ratio, ratio});
    }
  }
  section.charts = {{.kind = Kind::kHeatMap,
                     .title = "Throughput, tfrt over ONNX Runtime",
                     .table = "speed-up",
                     .x = "batch",
                     .y = "model",
                     .size = "ratio"},
                    {.kind = Kind::kLines,
                     .title = "Throughput by batch",
                     .table = "speed-up",
                     .x = "batch",
                     .y = "throughput",
                     .group = "model",
                     .x_is_log = true,
                     .y_is_log = true}};
  section.tables = {std::move(table)};
  return section;
}

}  // namespace

Profile SampleProfile(size_t num_runs) {
  ProfileBuilder builder;
  for (const char* text : {"resnet50", "conv_1", "relu_1", "gemm", "block"})
    builder.AddString(text);
  builder.AddType({.name = "model.run", .level = StackLevel::kModel});
  builder.AddType({.name = "layer", .level = StackLevel::kOp, .is_op = true});
  builder.AddType({.name = "graph.kernel", .level = StackLevel::kKernel});
  builder.AddType({.name = "parallel_for.block", .level = StackLevel::kKernel});
  builder.AddType({.name = "device.kernel", .level = StackLevel::kDevice});
  builder.AddTrack({.name = "main", .number = 4711});
  builder.AddTrack({.name = "worker", .number = 4712});
  builder.AddTrack({.name = "worker", .number = 4713});
  builder.AddTrack({.kind = Track::Kind::kStream, .number = 7});
  builder.AddProperty("level", "kernel");
  builder.AddProblem({Problem::Kind::kDropped, 12,
                      "12 records found no room in 64 MiB: ask for more with --buffer"});
  Numbers numbers;
  int64_t now = 1'000'000;
  auto add = [&](TypeId type, StringId name, TrackId track, int64_t begin, int64_t end) {
    builder.AddEvent(
        {.type = type, .name = name, .track = track, .begin_ns = begin, .end_ns = end});
  };
  for (size_t run = 0; run < num_runs; ++run) {
    const int64_t begin = now;
    for (StringId layer = 0; layer < 24; ++layer) {
      const auto length = static_cast<int64_t>(2000 + 90'000 * numbers.Next() * numbers.Next());
      add(2, 1 + layer % 3, 0, now + 500, now + 500 + length);
      for (TrackId worker = 1; worker <= 2; ++worker) {
        add(3, 4, worker, now + 900,
            now + 900 + static_cast<int64_t>(length * (0.5 + 0.4 * numbers.Next())));
      }
      if (layer % 3 == 0) add(4, 3, 3, now + 4000, now + 4000 + length);
      add(1, 1 + layer % 3, 0, now + 200, now + 800 + length);
      now += length + 1200;
    }
    add(0, 0, 0, begin, now);
    now += 30'000;
  }
  return builder.Build();
}

Report SampleReport() {
  const std::vector<Layer> layers = Layers();
  Report report{.title = "resnet50 on the CPU"};
  report.properties = {
      {"model", "resnet50 (ONNX, seeded weights)"},
      {"batches", "1 to 256"},
      {"mode", "sync"},
      {"processor", "made up, 2 cores"},
      {"threads", "2"},
      {"peak", "463 Gflop/s, 18.2 GB/s (computed)"},
      {"runs", "8 at each level, after 2 to warm up"},
      {"producer", "tfrt 0.1.0"},
      {"command", "tfrt_prof xsp --batches 1,2,4,8,16,32,64,128,256 resnet50.onnx -o report.html"}};
  report.doubts = {
      "the processor's frequency changed by 11 % during the runs: latencies compare less well"};
  report.sections = {ModelSection(),
                     OverheadSection(),
                     LayerSection(layers),
                     KernelSection(layers),
                     EagerSection(),
                     ComparisonSection(),
                     TimelineSection(SampleProfile(12))};
  return report;
}

Report HostileReport() {
  const std::string script = "</script><img src=x onerror=alert(1)><script>alert(2)</script>";
  const std::vector<std::string> names = {script,
                                          "\"quotes\" & 'more' \\ {{data}} {{nonce}}",
                                          "invalid \xff\xfe\xc3( utf-8",
                                          "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\xae reversed",
                                          std::string(300, 'x'),
                                          "",
                                          "<!-- --> ]]> \x01\x1b[31m\n\t",
                                          "=1+1",
                                          "__proto__",
                                          "constructor"};
  Report report{.title = script};
  report.properties = {{script, script}, {"name \xff", std::string(300, 'y')}};
  report.doubts = {script, names[2]};
  Section section{.id = "hostile\"><b>", .title = script, .text = script};
  section.facts = {{script, script}, {"n", names[3]}};
  Table table{.id = script, .title = script, .source = script};
  table.columns = {Text("name.with[brackets]"),
                   Real(script, script, script),
                   Share("__proto__", script),
                   Whole("size"),
                   Text(""),
                   Whole("until")};
  table.doubts = {script};
  double number = 1;
  for (const std::string& name : names) {
    table.rows.push_back({name, number, 0.1 * number / names.size(), static_cast<int64_t>(number),
                          name, static_cast<int64_t>(number * 3)});
    number *= 2.5;
  }
  table.rows.push_back({Cell(), std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        std::numeric_limits<int64_t>::max(), 5.5, Cell()});
  table.rows.push_back({"a row that is too short"});
  table.rows.push_back({int64_t{3}, "text where a number should be", "text", "text", 1.0, "text"});
  for (Kind kind :
       {Kind::kBars, Kind::kStack, Kind::kLines, Kind::kSteps, Kind::kPoints, Kind::kRoofline,
        Kind::kBoxes, Kind::kHeatMap, Kind::kIntervals, Kind::kHistogram}) {
    section.charts.push_back({.kind = kind,
                              .title = script,
                              .table = script,
                              .x = "size",
                              .y = script,
                              .group = "name.with[brackets]",
                              .size = "size",
                              .until = "until",
                              .more = {"size", "size", "size", "until"},
                              .roofs = {{script, 100, 10}, {"none", 0, 0}},
                              .bands = {{script, 1, 2}}});
    section.charts.push_back({.kind = kind,
                              .title = "of a column of names",
                              .table = script,
                              .x = "name.with[brackets]",
                              .y = "size",
                              .group = "",
                              .size = "size",
                              .until = "until",
                              .more = {"size", "size", "size", "until"}});
    section.charts.push_back({.kind = kind,
                              .title = "of columns that are not there",
                              .table = script,
                              .x = "nothing",
                              .y = "none"});
    section.charts.push_back(
        {.kind = kind, .title = "of no rows", .table = "empty", .x = "a", .y = "a"});
    section.charts.push_back(
        {.kind = kind, .title = "of no table", .table = "missing", .x = "a", .y = "a"});
    section.charts.push_back({.kind = kind,
                              .title = "of nothing but nothing",
                              .table = "nothings",
                              .x = "a",
                              .y = "a",
                              .group = "a",
                              .size = "a",
                              .until = "a",
                              .more = {"a", "a", "a", "a"}});
  }
  Table nothings{.id = "nothings",
                 .title = "Nothing",
                 .columns = {Real("a", "")},
                 .rows = {{Cell()}, {Cell()}}};
  section.tables = {std::move(table),
                    {.id = "empty", .title = "Empty", .columns = {Real("a", "")}},
                    std::move(nothings),
                    {.id = "none"}};
  report.sections = {std::move(section), {}};
  return report;
}

Report LargeReport(size_t num_rows) {
  Report report{.title = "a large report"};
  Section section{.id = "large", .title = "Many rows"};
  Table table{.id = "large", .title = "Ops", .num_shown = 20};
  table.columns = {Whole("index"), Text("name"), Real("latency", "us"), Real("time", "ms")};
  Numbers numbers;
  for (size_t i = 0; i < num_rows; ++i) {
    table.rows.push_back({static_cast<int64_t>(i), StrCat("op.", i % 977), 1 + 20 * numbers.Next(),
                          static_cast<double>(i) * 0.01});
  }
  section.tables = {std::move(table)};
  section.charts = {
      {.kind = Kind::kSteps,
       .title = "Latency over time",
       .table = "large",
       .x = "time",
       .y = "latency"},
      {.kind = Kind::kHistogram, .title = "Ops by latency", .table = "large", .x = "latency"}};
  report.sections = {std::move(section), TimelineSection(SampleProfile(num_rows / 106))};
  return report;
}

}  // namespace tfrt::profiler
