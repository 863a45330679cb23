// The analyses against the printed tables of a published study of ResNet-50 on five GPUs. Its
// "MB" are 2^20 bytes: its intensities follow from no other reading; ours are 10^6.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/profiler/analyses/experiment.h"
#include "lib/profiler/analyses/roofline.h"
#include "lib/profiler/analyses/stack_analyses.h"
#include "test/unit/profiler/analyses/section_cells.h"

namespace tfrt::profiler {
namespace {

constexpr double kMebibyte = 1 << 20;
constexpr double kNsPerMs = 1e6;
const Chart::Roof kV100 = {.name = "V100, f32", .peak = 15700, .bandwidth = 900};

Work CountedWork(double gflop, double read_mib, double written_mib) {
  return {.flops = gflop * 1e9,
          .bytes_read = read_mib * kMebibyte,
          .bytes_written = written_mib * kMebibyte,
          .source = Work::Source::kCounter};
}

KernelRun Kernel(std::string name, double latency_ms, Work work, double occupancy = 0.2) {
  return {.name = std::move(name),
          .is_device = true,
          .latency_ns = latency_ms * kNsPerMs,
          .work = work,
          .occupancy = occupancy};
}

// One layer with these kernels, as runs at level model, layer and kernel.
Experiment ExperimentOf(double model_ms, std::vector<KernelRun> kernels) {
  ExperimentBuilder builder;
  ModelRun run{.system = "tf",
               .model = "resnet50",
               .batch = 256,
               .level = Level::kModel,
               .latency_ns = model_ms * kNsPerMs};
  builder.AddRun(run);
  LayerRun layer{.name = "conv", .op = "Conv2D"};
  for (const KernelRun& kernel : kernels) layer.latency_ns += kernel.latency_ns;
  run.layers = {layer};
  run.level = Level::kLayer;
  builder.AddRun(run);
  run.level = Level::kKernel;
  run.layers[0].kernels = std::move(kernels);
  builder.AddRun(run);
  return builder.Build();
}

AnalysisOptions V100() { return {.roofs = {kV100}}; }

void ExpectClose(double value, double expected, double relative) {
  EXPECT_NEAR(value, expected, expected * relative);
}

TEST(GoldenTest, KernelTable) {
  const Experiment experiment = ExperimentOf(
      275.05, {Kernel("cgemm", 6.04, CountedWork(77.42, 40.33, 43.86), 0.1218),
               Kernel("cgemm", 6.03, CountedWork(77.42, 43.93, 43.81), 0.1219),
               Kernel("scudnn_128x128", 5.48, CountedWork(59.20, 20.71, 15.41), 0.1549),
               Kernel("scudnn_128x64", 4.91, CountedWork(62.89, 69.36, 225.22), 0.2),
               Kernel("scudnn_128x128", 4.56, CountedWork(59.24, 30.14, 42.33), 0.15)});
  const Section section = RunAnalysis("kernels", experiment, V100());
  ExpectSound(section);
  const Table& table = section.tables.at(0);
  const std::vector<double> intensities = {876.97, 841.59, 1563.30, 203.58, 779.55};
  const std::vector<double> teraflops = {12.82, 12.83, 10.80, 12.81, 12.99};
  for (size_t i = 0; i < 5; ++i) {
    ExpectClose(Real(table, i, "intensity"), intensities[i], 0.0005);
    ExpectClose(Real(table, i, "throughput") / 1000, teraflops[i], 0.001);
    EXPECT_EQ(Text(table, i, "bound"), "compute");
    EXPECT_EQ(Text(table, i, "known by"), "counters");
  }
  EXPECT_EQ(Fact(section, "kernels"), "5 kernels, 0 below 1 ms");
  // Read as 10^6 bytes they would be 4.9 % off.
  ExpectClose(ArithmeticIntensity(77.42e9, 40.33e6, 43.86e6), 876.97 * 1.0486, 0.0005);
}

TEST(GoldenTest, KernelsByNameAndLayer) {
  // All calls of the most expensive kernel: 84.95 ms of the model's 275.05. What they compute and
  // move is what the printed throughput and intensity say of them.
  const double gflop = 12.40 * 84.95, mebibytes = gflop * 1e9 / 101.25 / kMebibyte;
  std::vector<KernelRun> kernels;
  for (int i = 1; i <= 34; ++i) {
    // Unequal parts whose sum is the whole: means of intensities would be wrong.
    const double part = i / 595.0, other = (35 - i) / 595.0;
    kernels.push_back(Kernel("scudnn_128x64", 84.95 * part,
                             CountedWork(gflop * other, mebibytes * part, 0), i == 1 ? 1.0 : 0.5));
  }
  const Section by_name = RunAnalysis("kernels-by-name", ExperimentOf(275.05, kernels), V100());
  const Table& table = by_name.tables.at(0);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(Real(table, 0, "calls"), 34);
  EXPECT_NEAR(Real(table, 0, "latency"), 84.95, 1e-9);
  EXPECT_NEAR(Real(table, 0, "share"), 0.309, 0.0005);
  ExpectClose(Real(table, 0, "intensity"), 101.25, 0.0005);
  ExpectClose(Real(table, 0, "throughput") / 1000, 12.40, 0.0005);
  EXPECT_NEAR(Real(table, 0, "occupancy"), 0.5 + 0.5 / 595, 1e-12);
  EXPECT_EQ(Fact(by_name, "different kernels"), "1 unique");

  // Layer 208: its kernels ran for 79.74 / 10.70 ms.
  const Section by_layer = RunAnalysis(
      "kernels-by-layer",
      ExperimentOf(275.05, {Kernel("cgemm", 6.03, CountedWork(77.42, 43.93, 43.81)),
                            Kernel("others", 79.74 / 10.70 - 6.03,
                                   CountedWork(79.74 - 77.42, 362.67 - 43.93, 548.50 - 43.81))}),
      V100());
  ASSERT_EQ(by_layer.tables.at(0).rows.size(), 1u);
  ExpectClose(Real(by_layer.tables[0], 0, "intensity"), 83.46, 0.0005);
  ExpectClose(Real(by_layer.tables[0], 0, "throughput") / 1000, 10.70, 0.0005);
}

TEST(GoldenTest, ModelByBatch) {
  // From batch 64 to 128 throughput grows by 3.62 %, to 256 by 3.90 %; below it more than 5 %. Only
  // at 16 and 32 the intensity is below the ridge of 17.44.
  const double at_256 = 275.05, at_128 = at_256 / 2 * 1.0390, at_64 = at_128 / 2 * 1.0362;
  const std::vector<std::pair<int64_t, double>> latencies = {
      {1, at_64 / 64 * 6},  {2, at_64 / 32 * 3.4}, {4, at_64 / 16 * 2.1},
      {8, at_64 / 8 * 1.6}, {16, at_64 / 4 * 1.3}, {32, at_64 / 2 * 1.1},
      {64, at_64},          {128, at_128},         {256, at_256}};
  ExperimentBuilder builder;
  for (const auto& [batch, latency] : latencies) {
    const double intensity = batch == 16 ? 16.2 : batch == 32 ? 17.3 : 17.6;
    ModelRun run{.system = "tf",
                 .model = "resnet50",
                 .batch = batch,
                 .level = Level::kModel,
                 .latency_ns = latency * kNsPerMs};
    builder.AddRun(run);
    const double gflop = 7.6 * static_cast<double>(batch);
    run.level = Level::kKernel;
    run.latency_ns *= 1.5;
    run.layers = {{.name = "all", .op = "Conv2D", .latency_ns = run.latency_ns}};
    run.layers[0].kernels = {
        Kernel("k", 0.9244 * latency, CountedWork(gflop, gflop * 1e9 / intensity / kMebibyte, 0))};
    builder.AddRun(run);
  }
  const Experiment experiment = builder.Build();
  AnalysisOptions options = V100();
  options.latency_target_ms = 100;
  const Section batches = RunAnalysis("batches", experiment, options);
  ExpectSound(batches);
  // The rule "doubling adds at most 5 %" gives 64; the highest throughput is at 256.
  EXPECT_EQ(Fact(batches, "batch from which doubling adds at most 5 %"), "64");
  EXPECT_EQ(Fact(batches, "batch with the highest throughput"), "256");
  EXPECT_EQ(Fact(batches, "largest batch within 100"), "64");
  EXPECT_NEAR(Real(batches.tables.at(0), 7, "gain"), 0.0362, 1e-6);
  EXPECT_NEAR(Real(batches.tables.at(0), 8, "gain"), 0.0390, 1e-6);

  const Section models = RunAnalysis("models", experiment, options);
  ExpectSound(models);
  EXPECT_EQ(Fact(models, "batches bound by memory"), "16, 32");
  EXPECT_NEAR(Real(models.tables.at(0), 8, "kernels' share"), 0.9244, 1e-9);
  EXPECT_NEAR(Real(models.tables.at(0), 8, "latency"), 275.05, 1e-9);
}

TEST(GoldenTest, Ridges) {
  auto ridge = [](double teraflops, double gigabytes) {
    return RidgeOf({.peak = teraflops * 1000, .bandwidth = gigabytes});
  };
  EXPECT_NEAR(ridge(16.3, 624), 26.12, 0.005);
  EXPECT_NEAR(ridge(15.7, 900), 17.44, 0.005);
  EXPECT_NEAR(ridge(9.3, 732), 12.70, 0.006);
  // Printed as 28.34 and 30.12, of peaks that were not rounded.
  EXPECT_NEAR(ridge(5.5, 192), 28.65, 0.005);
  EXPECT_NEAR(ridge(4.8, 160), 30.0, 1e-9);
}

TEST(RooflineTest, BoundsByIntensity) {
  EXPECT_EQ(BoundOf(17.4, kV100), Bound::kMemory);
  EXPECT_EQ(BoundOf(17.5, kV100), Bound::kCompute);
  EXPECT_EQ(BoundOf(0, kV100), Bound::kUnknown);
  EXPECT_EQ(BoundOf(5, {}), Bound::kUnknown);
  EXPECT_EQ(ArithmeticIntensity(5, 0, 0), 0);
  EXPECT_EQ(ArithmeticThroughput(5, 0), 0);
  EXPECT_EQ(BoundName(Bound::kMemory), "memory");
}

}  // namespace
}  // namespace tfrt::profiler
