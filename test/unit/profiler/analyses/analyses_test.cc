// What the analyses say of experiments made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/profiler/analyses/experiment.h"
#include "lib/profiler/analyses/stack_analyses.h"
#include "test/unit/profiler/analyses/section_cells.h"

namespace tfrt::profiler {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kMillisecond = 1e6;

Work Formula(double flops, double read, double written) {
  return {.flops = flops,
          .bytes_read = read,
          .bytes_written = written,
          .source = Work::Source::kFormula};
}

// Six layers: Conv 4 ms, Relu 0.5, Conv 2, Relu 0.5, Gemm 2, Softmax 1; with kernels of two names
// that overlap in the first layer.
ModelRun SixLayers(Level level, int64_t batch, double scale, std::string system = "ours") {
  ModelRun run{.system = std::move(system),
               .model = "net",
               .batch = batch,
               .level = level,
               .latency_ns = 12 * scale * kMillisecond,
               .machine = {"cpu", 1e9, 1e8, "measured"}};
  if (level == Level::kModel) return run;
  const std::vector<std::pair<std::string, double>> layers = {
      {"Conv", 4}, {"Relu", 0.5}, {"Conv", 2}, {"Relu", 0.5}, {"Gemm", 2}, {"Softmax", 1}};
  for (const auto& [op, latency] : layers) {
    LayerRun layer{.id = static_cast<int64_t>(run.layers.size()),
                   .name = op + "_n",
                   .op = op,
                   .latency_ns = latency * scale * kMillisecond,
                   .allocated_bytes = latency * 1e6,
                   .peak_bytes = 2e6,
                   .work = Formula(latency * 1e6, 3e5, 1e5)};
    if (level == Level::kKernel) {
      layer.window = {0, static_cast<int64_t>(layer.latency_ns)};
      const auto half = static_cast<int64_t>(layer.latency_ns / 2);
      layer.kernels = {{.name = op == "Relu" ? "relu" : "gemm",
                        .latency_ns = static_cast<double>(half),
                        .intervals = IntervalSet({{0, half}}),
                        .work = layer.work,
                        .occupancy = 0.5}};
      // Layers lie one after the other.
      const auto begin = static_cast<int64_t>(run.layers.size()) * 100'000'000;
      layer.window = {begin, begin + static_cast<int64_t>(layer.latency_ns)};
      layer.kernels[0].intervals = IntervalSet({{begin, begin + half}});
    }
    run.layers.push_back(std::move(layer));
  }
  return run;
}

Experiment Levelled() {
  ExperimentBuilder builder;
  for (int i = 0; i < 3; ++i) {
    builder.AddRun(SixLayers(Level::kModel, 1, 1));
    builder.AddRun(SixLayers(Level::kLayer, 1, 1.1));
    builder.AddRun(SixLayers(Level::kKernel, 1, 1.2));
  }
  return builder.Build();
}

TEST(AnalysesTest, AreNumberedAndHoldOnEverything) {
  std::vector<Experiment> experiments;
  experiments.push_back(Levelled());
  experiments.emplace_back();
  ExperimentBuilder builder;
  builder.AddRun({.system = "s", .model = "empty"});
  builder.AddRun(SixLayers(Level::kMetrics, 1, 1));
  builder.AddRun(SixLayers(Level::kModel, 2, 1));
  experiments.push_back(builder.Build());
  for (const Experiment& experiment : experiments) {
    int number = 0;
    for (const StackAnalysis& analysis : StackAnalyses()) {
      EXPECT_EQ(analysis.number, ++number);
      const Section section = analysis.Run(experiment);
      EXPECT_EQ(section.id, analysis.id);
      EXPECT_EQ(section.title, analysis.title);
      ExpectSound(section);
    }
  }
  EXPECT_EQ(FindStackAnalysis(15)->id, "models");
  EXPECT_EQ(FindStackAnalysis(99), nullptr);
  EXPECT_THAT(RunAnalysis("kernels", Experiment()).text,
              HasSubstr("Nothing was recorded for it: it needs runs at level kernel."));
}

TEST(AnalysesTest, LayersByLatency) {
  const Section section = RunAnalysis("layers", Levelled());
  const Table& table = section.tables.at(0);
  EXPECT_EQ(table.source, "3 runs at level layer");
  EXPECT_EQ(table.title, "Layers of net, batch 1, ours");
  EXPECT_THAT(table.doubts, IsEmpty());
  EXPECT_EQ(table.num_shown, 10u);
  EXPECT_EQ(Fact(section, "layers"), "6 layers, 2 below 1 ms");
  EXPECT_EQ(Text(table, 0, "type"), "Conv");
  EXPECT_NEAR(Real(table, 0, "latency"), 4.4, 1e-9);
  EXPECT_NEAR(Real(table, 0, "share"), 0.4, 1e-9);
  EXPECT_NEAR(Real(table, 0, "allocated"), 4, 1e-9);
  double sum = 0;
  for (size_t i = 0; i < 6; ++i) sum += Real(table, i, "share");
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(AnalysesTest, LayersInOrderWithThirds) {
  for (const Section& section :
       {RunAnalysis("layer-latency", Levelled()), RunAnalysis("layer-memory", Levelled())}) {
    EXPECT_EQ(Real(section.tables.at(0), 4, "index"), 4);
    EXPECT_EQ(Text(section.tables[0], 4, "type"), "Gemm");
    ASSERT_EQ(section.charts.at(0).bands.size(), 3u);
    EXPECT_EQ(section.charts[0].bands[1].begin, 1.5);
    EXPECT_EQ(section.charts[0].bands[1].end, 3.5);
  }
}

TEST(AnalysesTest, LayersByType) {
  const Section count = RunAnalysis("layer-types", Levelled());
  EXPECT_EQ(Text(count.tables.at(0), 0, "type"), "Conv");
  EXPECT_EQ(Real(count.tables[0], 0, "layers"), 2);
  EXPECT_NEAR(Real(count.tables[0], 0, "share"), 1.0 / 3, 1e-9);
  const Section latency = RunAnalysis("latency-by-type", Levelled());
  EXPECT_NEAR(Real(latency.tables.at(0), 0, "latency"), 6.6, 1e-9);
  EXPECT_NEAR(Real(latency.tables[0], 0, "share"), 0.6, 1e-9);
  const Section memory = RunAnalysis("memory-by-type", Levelled());
  EXPECT_NEAR(Real(memory.tables.at(0), 0, "allocated"), 6, 1e-9);
}

TEST(AnalysesTest, KernelsByNameCountTheModelsOwnRuns) {
  const Section section = RunAnalysis("kernels-by-name", Levelled());
  const Table& table = section.tables.at(0);
  EXPECT_EQ(Text(table, 0, "kernel"), "gemm");
  EXPECT_EQ(Real(table, 0, "calls"), 4);
  // 1.2 * (4 + 2 + 2 + 1) / 2 at level kernel, of 12 ms at level model.
  EXPECT_NEAR(Real(table, 0, "latency"), 5.4, 1e-6);
  EXPECT_NEAR(Real(table, 0, "share"), 5.4 / 12, 1e-6);
  EXPECT_NEAR(Real(table, 0, "occupancy"), 0.5, 1e-12);
  // Nine Mflop of 1.6 MB: 5.6 operations a byte, below the ridge of 10.
  EXPECT_EQ(Text(table, 0, "bound"), "memory");
  EXPECT_EQ(Text(table, 0, "known by"), "formulas");
}

TEST(AnalysesTest, RooflinesHaveTheMachinesRoof) {
  for (const Section& section :
       {RunAnalysis("kernel-roofline", Levelled()), RunAnalysis("layer-roofline", Levelled()),
        RunAnalysis("model-roofline", Levelled()), RunAnalysis("models", Levelled())}) {
    const Chart& chart = section.charts.at(0);
    EXPECT_EQ(chart.kind, Chart::Kind::kRoofline);
    ASSERT_EQ(chart.roofs.size(), 1u) << section.id;
    EXPECT_EQ(chart.roofs[0].name, "f32, measured");
    EXPECT_NEAR(chart.roofs[0].peak, 1, 1e-9);
    EXPECT_NEAR(chart.roofs[0].bandwidth, 0.1, 1e-9);
  }
}

TEST(AnalysesTest, KernelsPartIsNeverNegative) {
  ExperimentBuilder builder;
  ModelRun run{.system = "s", .model = "m", .level = Level::kKernel, .latency_ns = 100};
  LayerRun layer{.name = "l", .op = "Conv", .latency_ns = 50, .window = {0, 50}};
  layer.kernels = {
      {.name = "k", .is_device = true, .latency_ns = 70, .intervals = IntervalSet({{10, 80}})},
      {.name = "k", .is_device = true, .latency_ns = 10, .intervals = IntervalSet({{20, 30}})}};
  run.layers = {layer};
  builder.AddRun(run);
  const Section section = RunAnalysis("kernel-share", builder.Build());
  const Table& table = section.tables.at(0);
  EXPECT_EQ(Text(table, 0, "part"), "device");
  EXPECT_NEAR(Real(table, 0, "share"), 0.8, 1e-12);
  EXPECT_NEAR(Real(table, 1, "share"), 0.2, 1e-12);
  EXPECT_NEAR(Real(table, 0, "outside"), 30e-6, 1e-12);
  EXPECT_THAT(table.doubts, Contains("kernels ran for 0.000 ms outside of their layers' time: not "
                                     "in the shares"));
}

TEST(AnalysesTest, BestBatchesAreThree) {
  auto best = [](std::vector<BatchPoint> points, double target = 0) {
    return FindBestBatches(points, target);
  };
  // Twice the items in twice the time, from 4 on.
  const std::vector<BatchPoint> points = {{8, 80}, {1, 20}, {2, 25}, {4, 40}, {16, 200}};
  EXPECT_EQ(best(points).saturating, 4);
  EXPECT_EQ(best(points).fastest, 4);
  EXPECT_EQ(best(points).within_latency, std::nullopt);
  EXPECT_EQ(best(points, 80).within_latency, 8);
  EXPECT_EQ(best({{1, 20}, {2, 21}}).saturating, std::nullopt);
  EXPECT_EQ(best({{1, 20}, {2, 40 / 1.05}}).saturating, 1);
  EXPECT_EQ(best({}).fastest, std::nullopt);
  EXPECT_EQ(best({{1, 0}}).fastest, std::nullopt);
  ExperimentBuilder builder;
  builder.AddRun(SixLayers(Level::kModel, 1, 1));
  builder.AddRun(SixLayers(Level::kModel, 2, 1));
  const Section section = RunAnalysis("batches", builder.Build());
  EXPECT_EQ(Fact(section, "batch from which doubling"), "not saturated");
  EXPECT_EQ(Fact(section, "latency of one item alone"), "12.000 ms");
}

TEST(AnalysesTest, ConvolutionsAndStages) {
  const Section convolutions = RunAnalysis("convolutions", Levelled());
  EXPECT_EQ(Real(convolutions.tables.at(0), 0, "convolutions"), 2);
  EXPECT_NEAR(Real(convolutions.tables[0], 0, "share"), 0.6, 1e-9);
  for (const char* op : {"Conv", "tf.Conv2D", "aten::convolution", "ConvInteger", "QLinearConv"}) {
    EXPECT_TRUE(IsConvolution(op)) << op;
  }
  EXPECT_FALSE(IsConvolution("convert"));
  EXPECT_FALSE(IsConvolution("Gemm"));

  const Section stages = RunAnalysis("stages", Levelled());
  const Table& table = stages.tables.at(0);
  EXPECT_EQ(Text(table, 0, "quantity"), "latency");
  EXPECT_NEAR(Real(table, 0, "beginning"), 4.95, 1e-9);
  EXPECT_NEAR(Real(table, 0, "end"), 3.3, 1e-9);
  EXPECT_EQ(Text(table, 0, "most in"), "beginning");
  EXPECT_NEAR(Real(table, 0, "share"), 0.45, 1e-9);
  EXPECT_EQ(table.rows.size(), 4u);
}

TEST(AnalysesTest, SystemsAreCompared) {
  ExperimentBuilder builder;
  for (int64_t batch : {1, 2}) {
    builder.AddRun(SixLayers(Level::kModel, batch, 1, "a"));
    builder.AddRun(SixLayers(Level::kModel, batch, 2, "b"));
  }
  builder.AddRun(SixLayers(Level::kModel, 4, 1, "a"));
  const Experiment experiment = builder.Build();
  const Section section = RunAnalysis("systems", experiment, {.baseline = "b"});
  ASSERT_EQ(section.tables.at(0).rows.size(), 4u);
  EXPECT_EQ(Text(section.tables[0], 0, "system"), "a");
  EXPECT_EQ(Real(section.tables[0], 0, "relative latency"), 0.5);
  EXPECT_EQ(Real(section.tables[0], 0, "relative throughput"), 2);
  const Section speed_up = RunAnalysis("speed-up", experiment);
  ASSERT_EQ(speed_up.tables.size(), 2u);
  EXPECT_EQ(Real(speed_up.tables[0], 2, "speed-up"), 4);
  EXPECT_EQ(speed_up.charts[0].kind, Chart::Kind::kHeatMap);
  EXPECT_EQ(RunAnalysis("overview", experiment).tables.at(0).rows.size(), 5u);
  EXPECT_EQ(RunAnalysis("systems", experiment, {.system = "a"}).text,
            "No model was run at one batch by several systems.");
  // Of two tables of one analysis each has its own id.
  EXPECT_EQ(RunAnalysis("batches", experiment).tables.at(1).id, "batches-2");
}

TEST(AnalysesTest, RecordingHasItsCost) {
  const Section section = RunAnalysis("recording", Levelled());
  const Table& models = section.tables.at(0);
  ASSERT_EQ(models.rows.size(), 3u);
  EXPECT_EQ(Text(models, 1, "level"), "layer");
  EXPECT_NEAR(Real(models, 1, "more"), 1.2, 1e-9);
  EXPECT_NEAR(Real(models, 1, "overhead"), 0.1, 1e-9);
  EXPECT_NEAR(Real(models, 2, "more"), 1.2, 1e-9);
  EXPECT_NEAR(Real(models, 2, "overhead in all"), 0.2, 1e-9);
  const Table& layers = section.tables.at(1);
  ASSERT_EQ(layers.rows.size(), 6u);
  EXPECT_NEAR(Real(layers, 0, "more"), 0.4, 1e-9);
  ExperimentBuilder builder;
  builder.AddRun(SixLayers(Level::kModel, 1, 1));
  EXPECT_THAT(RunAnalysis("recording", builder.Build()).tables.at(0).doubts,
              ElementsAre(HasSubstr("runs of one level alone")));
}

TEST(AnalysesTest, ThirdsAndRoofsOfOptions) {
  const Experiment experiment = Levelled();
  const AnalysisOptions options = {.roofs = {{.name = "mine", .peak = 1, .bandwidth = 1}}};
  EXPECT_EQ(RoofsFor(experiment.subjects()[0], options)[0].name, "mine");
  EXPECT_EQ(Text(RunAnalysis("kernels-by-name", experiment, options).tables.at(0), 0, "bound"),
            "compute");
  EXPECT_TRUE(RunAnalysis("layers", experiment, {.model = "other"}).tables.empty());
  EXPECT_EQ(RunAnalysis("layers", experiment, {.system = "ours", .model = "net", .batch = 1})
                .tables.size(),
            1u);
}

// Each kernel is under the roof of its own precision: at 4 operations a byte f32 is bound by
// memory, f64, whose peak is half as high, by arithmetic. Numbers of 16 bits without a roof are
// computed in f32. Products of 8-bit numbers are such by name, as their results are wider.
TEST(AnalysesTest, BoundIsByTheKernelsPrecision) {
  ModelRun run{.system = "s",
               .model = "m",
               .level = Level::kKernel,
               .latency_ns = 4e6,
               .machine = {.peak_flops = 600e9,
                           .peak_bandwidth = 100e9,
                           .peak_source = "measured",
                           .peak_flops_f64 = 300e9,
                           .peak_ops_int8 = 200e9,
                           .peak_threads = 8,
                           .num_threads = 8}};
  for (const char* name : {"matmul.f32", "matmul.f64", "matmul.bf16", "matmul", "matmul.f16",
                           "graph.dynamic_quantized_matmul"}) {
    run.layers.push_back(
        {.id = static_cast<int64_t>(run.layers.size()),
         .name = name,
         .op = "MatMul",
         .shape = name == std::string("matmul") ? "f64 [2]" : "f32 [2]",
         .latency_ns = 1e6,
         .kernels = {{.name = name, .latency_ns = 1e6, .work = Formula(4e6, 6e5, 4e5)}}});
  }
  ExperimentBuilder builder;
  builder.AddRun(run);
  const Experiment experiment = builder.Build();
  const Table kernels = RunAnalysis("kernels", experiment).tables.at(0);
  ASSERT_EQ(kernels.rows.size(), 6u);
  EXPECT_EQ(Text(kernels, 0, "bound"), "memory");
  EXPECT_EQ(Text(kernels, 1, "bound"), "compute");
  EXPECT_EQ(Text(kernels, 2, "bound"), "memory");
  EXPECT_EQ(Text(kernels, 3, "bound"), "compute");
  EXPECT_EQ(Text(kernels, 4, "bound"), "memory");
  EXPECT_EQ(Text(kernels, 5, "bound"), "compute");
  const Table layers = RunAnalysis("kernels-by-layer", experiment).tables.at(0);
  EXPECT_EQ(Text(layers, 0, "bound"), "memory");
  EXPECT_EQ(Text(layers, 1, "bound"), "compute");
}

// A machine that multiplies bf16 has a roof of its own for it.
TEST(AnalysesTest, Bf16HasItsRoof) {
  Subject subject;
  subject.machine = {.peak_flops = 200e9, .peak_bandwidth = 100e9, .peak_flops_bf16 = 3200e9};
  const std::vector<Chart::Roof> roofs = RoofsFor(subject, {});
  ASSERT_EQ(roofs.size(), 2u);
  EXPECT_EQ(roofs[1].name, "bf16");
  EXPECT_EQ(roofs[1].peak, 3200);
}

TEST(AnalysesTest, RoofIsOfTheThreadsThatCompute) {
  Subject subject;
  subject.machine = {.peak_flops = 800e9,
                     .peak_bandwidth = 100e9,
                     .peak_source = "measured",
                     .peak_threads = 8,
                     .num_threads = 2};
  const std::vector<Chart::Roof> roofs = RoofsFor(subject, {});
  ASSERT_EQ(roofs.size(), 1u);
  EXPECT_EQ(roofs[0].name, "f32, measured, 2 of 8 threads");
  EXPECT_EQ(roofs[0].peak, 200);
  EXPECT_EQ(roofs[0].bandwidth, 100);
}

}  // namespace
}  // namespace tfrt::profiler
