// Experiments of profiles: runs, layers, kernels, and how they find each other.
#include "lib/profiler/analyses/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "test/unit/profiler/analyses/test_profile.h"

namespace tfrt::profiler {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// One run with two layers: a convolution whose kernel has blocks on two threads, and a relu.
TestProfile TwoLayers() {
  TestProfile profile;
  profile.Property("level", "kernel").Property("producer", "tfrt").Property("num_threads", "2");
  profile.Property("model", "small");
  profile.Add({"model.run", "main", 0, 1000, 1, 0, {int64_t{4}}});
  profile.Add({"layer", "conv1", 100, 500, 2, 1, {"Conv", int64_t{0}}});
  profile.Add(
      {"graph.call", "Conv", 110, 110, 3, 2, {4000.0, int64_t{300}, int64_t{100}, "f32 [4]"}});
  profile.Add({"memory.allocate", "host", 50, 50, 0, 1, {int64_t{1000}}});
  profile.Add({"memory.allocate", "host", 120, 120, 4, 2, {int64_t{256}}});
  profile.Add({"memory.free", "host", 125, 125, 0, 2, {int64_t{1000}}});
  profile.Add({"memory.allocate", "host", 130, 130, 5, 2, {int64_t{64}}});
  profile.Add({"graph.kernel", "conv", 200, 400, 6, 2});
  profile.Add({"parallel_for.block", "b", 200, 300, 7, 6, {}, 0});
  profile.Add({"parallel_for.block", "b", 250, 450, 8, 6, {}, 1});
  profile.Add({"layer", "relu1", 500, 900, 9, 1, {"Relu", int64_t{1}}});
  profile.Add({"graph.kernel", "relu", 600, 700, 10, 9, {}, 0, 0, 0, 850});
  return profile;
}

std::vector<ModelRun> RunsOf(const Profile& profile) {
  ExperimentBuilder builder;
  builder.AddProfile(profile);
  return {builder.runs().begin(), builder.runs().end()};
}

Experiment ExperimentOf(const std::vector<const TestProfile*>& profiles) {
  ExperimentBuilder builder;
  for (const TestProfile* profile : profiles) builder.AddProfile(profile->Build());
  return builder.Build();
}

TEST(ExperimentTest, ReadsLayersAndKernels) {
  std::vector<ModelRun> runs = RunsOf(TwoLayers().Build());
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].system, "tfrt");
  EXPECT_EQ(runs[0].model, "small");
  EXPECT_EQ(runs[0].batch, 4);
  EXPECT_EQ(runs[0].latency_ns, 1000);
  EXPECT_THAT(runs[0].doubts, IsEmpty());
  ASSERT_EQ(runs[0].layers.size(), 2u);
  const LayerRun& conv = runs[0].layers[0];
  EXPECT_EQ(conv.op, "Conv");
  EXPECT_EQ(conv.shape, "f32 [4]");
  EXPECT_EQ(conv.latency_ns, 400);
  EXPECT_EQ(conv.allocated_bytes, 320);
  EXPECT_EQ(conv.peak_bytes, 1256);  // with what was there before
  EXPECT_EQ(conv.work.flops, 4000);
  ASSERT_EQ(conv.kernels.size(), 1u);
  // The union of [200, 400) and the blocks, the last of which ends at 450; not their sum.
  EXPECT_EQ(conv.kernels[0].latency_ns, 250);
  EXPECT_EQ(conv.kernels[0].work, conv.work);
  // Thread 0 was busy for 200, thread 1 for 200, of two threads in 250.
  EXPECT_DOUBLE_EQ(*conv.kernels[0].occupancy, 400.0 / 500);
  // A graph's kernel lasts until its results are there.
  EXPECT_EQ(runs[0].layers[1].kernels[0].latency_ns, 250);
}

// All that a subject says, as text.
std::string Dump(const Experiment& experiment) {
  std::string text;
  auto number = [&](double value) { text += std::to_string(value) + " "; };
  for (const Subject& subject : experiment.subjects()) {
    text += subject.Title() + "\n";
    number(subject.latency_ns.value());
    for (const LayerSummary& layer : subject.layers) {
      text += "\n" + layer.name + " " + layer.op + " " + layer.shape + " ";
      for (double value : {layer.latency_ns.value(), layer.allocated_bytes.value(),
                           layer.kernels.latency_ns.value(), layer.covered_ns.value(),
                           layer.spill_ns.value(), layer.work.flops}) {
        number(value);
      }
    }
    for (const KernelSummary& kernel : subject.kernels) {
      text += "\n" + kernel.name + " " + std::to_string(kernel.layer) + " ";
      number(kernel.latency_ns.value());
      number(kernel.occupancy.value_or(-1));
    }
    for (const std::string& doubt : subject.doubts) text += "\n" + doubt;
  }
  for (const std::string& doubt : experiment.doubts()) text += "\n" + doubt;
  return text;
}

TEST(ExperimentTest, OrderIdsAndTheZeroOfTimeDoNotMatter) {
  TestProfile profile = TwoLayers();
  profile.Add({"graph.kernel", "lost", 150, 160, 20, 0, {}, 2});
  profile.Add({"graph.kernel", "nowhere", 950, 960, 21, 0, {}, 2});
  ExperimentBuilder builder;
  builder.AddProfile(profile.Build());
  const std::string expected = Dump(builder.Build());
  EXPECT_THAT(expected, HasSubstr("conv 0 250"));
  for (uint32_t seed = 1; seed < 50; ++seed) {
    builder.AddProfile(
        profile.Build({.seed = seed, .shift = int64_t{seed} * 1'000'003 - 5'000'000}));
    ASSERT_EQ(Dump(builder.Build()), expected) << seed;
  }
}

TEST(ExperimentTest, DeviceActivityBelongsToTheLayerOfItsLaunch) {
  TestProfile profile;
  profile.Property("level", "kernel");
  profile.Add({"model.run", "main", 0, 1000, 1, 0, {int64_t{1}}});
  profile.Add({"layer", "a", 0, 100, 2, 1, {"A", int64_t{0}}});
  profile.Add({"graph.kernel", "host a", 10, 90, 3, 2});
  profile.Add({"device.launch", "launch", 20, 30, 4, 3, {}, 0, 77});
  profile.Add({"layer", "b", 100, 400, 5, 1, {"B", int64_t{1}}});
  // It runs while b does.
  profile.Add({"device.kernel", "gemm", 150, 350, 6, 0, {}, TestProfile::kStream, 77});
  std::vector<ModelRun> runs = RunsOf(profile.Build());
  ASSERT_EQ(runs[0].layers.size(), 2u);
  // What launched it is no kernel beside it.
  ASSERT_EQ(runs[0].layers[0].kernels.size(), 1u);
  EXPECT_EQ(runs[0].layers[0].kernels[0].name, "gemm");
  EXPECT_TRUE(runs[0].layers[0].kernels[0].is_device);
  EXPECT_THAT(runs[0].layers[1].kernels, IsEmpty());

  // All of it was outside of its layer's time: nothing is negative.
  const Experiment experiment = ExperimentOf({&profile});
  const LayerSummary& a = experiment.subjects()[0].layers[0];
  EXPECT_EQ(a.covered_ns.value(), 0);
  EXPECT_EQ(a.spill_ns.value(), 200);
}

TEST(ExperimentTest, PlacesWhatHasNoParentByTime) {
  TestProfile profile;
  profile.Property("level", "kernel");
  profile.Add({"model.run", "main", 0, 1000, 1, 0, {int64_t{1}}});
  profile.Add({"layer", "a", 0, 100, 0, 0, {"A", int64_t{0}}});
  profile.Add({"layer", "b", 100, 200, 0, 0, {"B", int64_t{1}}});
  profile.Add({"layer", "c", 150, 300, 0, 0, {"C", int64_t{2}}, 1});
  // Ends and begins in common with its layer are inside of it.
  profile.Add({"graph.kernel", "whole a", 0, 100});
  profile.Add({"graph.kernel", "at the end of b", 180, 200});
  profile.Add({"graph.kernel", "at the begin of c", 150, 160, 0, 0, {}, 1});
  // Of other threads there is only one, or there are two.
  profile.Add({"graph.kernel", "in b alone", 110, 140, 0, 0, {}, 2});
  profile.Add({"graph.kernel", "in b or c", 160, 190, 0, 0, {}, 2});
  profile.Add({"graph.kernel", "in none", 290, 310, 0, 0, {}, 2});
  std::vector<ModelRun> runs = RunsOf(profile.Build());
  std::vector<std::pair<std::string, std::string>> placed;
  for (const LayerRun& layer : runs[0].layers) {
    for (const KernelRun& kernel : layer.kernels) placed.emplace_back(layer.name, kernel.name);
  }
  using Pair = std::pair<std::string, std::string>;
  EXPECT_THAT(placed, ElementsAre(Pair("a", "whole a"), Pair("b", "in b alone"),
                                  Pair("b", "at the end of b"), Pair("c", "at the begin of c")));
  EXPECT_EQ(runs[0].loose_kernels.size(), 2u);
  EXPECT_THAT(
      runs[0].doubts,
      ElementsAre("1 kernels lie in the time of several layers: in the sums of none of them; "
                  "record with launches one after the other",
                  "1 kernels are inside of no layer: left out of its sums"));
  const Experiment experiment = ExperimentOf({&profile});
  EXPECT_THAT(experiment.doubts(),
              ElementsAre("4 kernels have no parent: their layers are known by time alone"));
  // They count for the model.
  EXPECT_EQ(experiment.subjects()[0].all_kernels.count, 6u);
}

TEST(ExperimentTest, OverlappingLayersOfOneThreadAreAmbiguous) {
  TestProfile profile;
  profile.Property("level", "kernel");
  profile.Add({"layer", "a", 0, 100, 0, 0, {"A", int64_t{0}}});
  profile.Add({"layer", "b", 50, 200, 0, 0, {"B", int64_t{1}}});
  profile.Add({"graph.kernel", "in both", 60, 80});
  profile.Add({"graph.kernel", "in both, too", 60, 100});
  profile.Add({"graph.kernel", "in b", 60, 101});
  std::vector<ModelRun> runs = RunsOf(profile.Build());
  ASSERT_EQ(runs[0].layers.size(), 2u);
  EXPECT_THAT(runs[0].layers[0].kernels, IsEmpty());
  ASSERT_EQ(runs[0].layers[1].kernels.size(), 1u);
  EXPECT_EQ(runs[0].layers[1].kernels[0].name, "in b");
  EXPECT_EQ(runs[0].loose_kernels.size(), 2u);
}

TEST(ExperimentTest, LayersInsideOfLayersCountWithThem) {
  TestProfile profile;
  profile.Property("level", "layer");
  profile.Add({"model.run", "main", 0, 1000, 1, 0, {int64_t{1}}});
  profile.Add({"layer", "loop", 0, 500, 2, 1, {"Loop", int64_t{0}}});
  profile.Add({"layer", "body", 10, 400, 3, 2, {"Add", int64_t{1}}});
  profile.Add({"layer", "outer", 500, 900, 0, 0, {"aten::linear", int64_t{2}}});
  profile.Add({"layer", "inner", 600, 900, 0, 0, {"aten::addmm", int64_t{3}}});
  // Of a clock of microseconds.
  profile.Add({"layer", "empty", 900, 900, 0, 0, {"Reshape", int64_t{4}}});
  const Experiment experiment = ExperimentOf({&profile});
  std::vector<std::string> names;
  for (const LayerSummary& layer : experiment.subjects()[0].layers) names.push_back(layer.name);
  EXPECT_THAT(names, ElementsAre("loop", "outer", "empty"));
  EXPECT_THAT(experiment.doubts(),
              Contains("2 layers are inside of other layers and count with these"));
}

TEST(ExperimentTest, ProgramsWithoutLayersHaveOpsOrKernels) {
  TestProfile ops;
  ops.Add({"function", "main", 0, 100, 1});
  ops.Add({"op", "tf.MatMul", 10, 50, 2, 1});
  ops.Add({"kernel", "corert.executeop", 5, 60, 3, 1, {int64_t{0}}});
  std::vector<ModelRun> runs = RunsOf(ops.Build());
  ASSERT_EQ(runs[0].layers.size(), 1u);
  EXPECT_EQ(runs[0].layers[0].op, "tf.MatMul");
  EXPECT_THAT(runs[0].doubts, Contains(HasSubstr("taken as 'kernel' from what it holds")));

  TestProfile kernels;
  kernels.Property("level", "kernel");
  kernels.Add({"function", "main", 0, 100, 1});
  kernels.Add({"function", "callee", 5, 60, 2, 1});
  kernels.Add({"kernel", "tfrt.add", 10, 20, 3, 2, {int64_t{0}}});
  kernels.Add({"kernel", "tfrt.add", 20, 50, 4, 1, {int64_t{1}}});
  runs = RunsOf(kernels.Build());
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].model, "main");
  ASSERT_EQ(runs[0].layers.size(), 2u);
  EXPECT_EQ(runs[0].layers[1].kernels[0].latency_ns, 30);
}

TEST(ExperimentTest, EagerOpsFindTheirKernelsByNumber) {
  TestProfile profile;
  profile.Property("level", "kernel").Property("mode", "async").Property("target", "cpu");
  profile.Add({"eager.call", "tf.MatMul", 0, 10, 1, 0, {}, 0, 0, 5});
  profile.Add({"eager.call", "tf.Relu", 10, 20, 2, 0, {}, 0, 0, 6});
  profile.Add({"eager.kernel", "tf.MatMul", 15, 40, 3, 0, {}, 1, 0, 5});
  std::vector<ModelRun> runs = RunsOf(profile.Build());
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].system, "cpu, async");
  EXPECT_EQ(runs[0].latency_ns, 40);  // the whole profile
  ASSERT_EQ(runs[0].layers.size(), 2u);
  EXPECT_EQ(runs[0].layers[0].kernels[0].latency_ns, 25);
  EXPECT_THAT(runs[0].layers[1].kernels, IsEmpty());
}

TEST(ExperimentTest, EmptyProfilesHaveNoRuns) {
  EXPECT_THAT(RunsOf(TestProfile().Build()), IsEmpty());
  EXPECT_TRUE(ExperimentOf({}).subjects().empty());
  TestProfile only_a_run;
  only_a_run.Add({"model.run", "main", 5, 5, 1, 0, {int64_t{-3}}});
  const Experiment experiment = ExperimentOf({&only_a_run});
  ASSERT_EQ(experiment.subjects().size(), 1u);
  EXPECT_EQ(experiment.subjects()[0].batch, 1);
  EXPECT_EQ(experiment.subjects()[0].latency_ns.value(), 0);
}

TEST(ExperimentTest, CountsWhatBelongsToNoRun) {
  TestProfile profile;
  profile.Property("level", "kernel");
  profile.Add({"model.run", "main", 0, 100, 1, 0, {int64_t{1}}});
  profile.Add({"layer", "late", 200, 300, 0, 0, {"A", int64_t{0}}, 1});
  profile.Add({"graph.kernel", "later", 400, 500, 0, 0, {}, 1});
  profile.Add({"parallel_for.block", "b", 400, 500, 0, 0, {}, 2});
  EXPECT_THAT(ExperimentOf({&profile}).doubts(),
              ElementsAre("1 kernels are inside of no run: left out",
                          "1 layers are inside of no run: left out",
                          "1 blocks of loops are inside of no kernel: left out"));
}

// Levelled runs: a model of one layer with one kernel, each level slower than the one above.
TestProfile Levelled(std::string level, int64_t repetition, int64_t model, int64_t layer,
                     int64_t kernel) {
  TestProfile profile;
  profile.Property("level", level).Property("repetition", std::to_string(repetition));
  profile.Property("model", "m").Property("producer", "p");
  profile.Add({"model.run", "m", 0, model, 1, 0, {int64_t{1}}});
  if (layer > 0) profile.Add({"layer", "l", 0, layer, 2, 1, {"Op", int64_t{0}}});
  if (kernel > 0) {
    profile.Add({"device.counted",
                 "k",
                 0,
                 kernel,
                 3,
                 2,
                 {level == "metrics" ? 640.0 : 0.0, int64_t{40}, int64_t{24},
                  level == "metrics" ? 0.25 : 0.75},
                 TestProfile::kStream});
  }
  return profile;
}

TEST(ExperimentTest, TakesEachQuantityFromItsOwnLevel) {
  std::vector<TestProfile> profiles;
  for (int64_t i = 0; i < 5; ++i) {
    profiles.push_back(Levelled("model", i, 100 + i, 0, 0));
    profiles.push_back(Levelled("layer", i, 200 + i, 50 + i, 0));
    profiles.push_back(Levelled("kernel", i, 300 + i, 70 + i, 30 + i));
    profiles.push_back(Levelled("metrics", i, 9000, 8000, 7000));
  }
  std::vector<const TestProfile*> all;
  for (const TestProfile& profile : profiles) all.push_back(&profile);
  const Experiment experiment = ExperimentOf(all);
  const Subject& subject = experiment.subjects()[0];
  EXPECT_EQ(subject.Title(), "m, batch 1, p");
  EXPECT_EQ(subject.latency_ns.value(), 102);
  EXPECT_EQ(subject.latency_by_level[1].value(), 202);
  EXPECT_EQ(subject.latency_by_level[2].value(), 302);
  ASSERT_EQ(subject.layers.size(), 1u);
  EXPECT_EQ(subject.layers[0].latency_ns.value(), 52);
  EXPECT_EQ(subject.layers[0].kernel_level_ns.value(), 72);
  EXPECT_EQ(subject.layers[0].kernels.latency_ns.value(), 32);
  EXPECT_EQ(subject.all_kernels.latency_ns.value(), 32);
  EXPECT_EQ(subject.by_name[0].latency_ns.summary.n, 5u);
  EXPECT_EQ(subject.kernels[0].work.source, Work::Source::kCounter);
  EXPECT_EQ(subject.kernels[0].work.flops, 640);
  EXPECT_EQ(subject.kernels[0].occupancy, 0.25);
  EXPECT_EQ(subject.SourceText(subject.kernel_level), "5 runs at level kernel");
  EXPECT_THAT(subject.doubts, IsEmpty());
}

TEST(ExperimentTest, SaysWhenALevelStandsInForAnother) {
  TestProfile kernel = Levelled("kernel", 0, 300, 70, 30);
  Experiment experiment = ExperimentOf({&kernel});
  EXPECT_EQ(experiment.subjects()[0].latency_ns.value(), 300);
  EXPECT_THAT(
      experiment.subjects()[0].doubts,
      ElementsAre("no run at level model: the model's latency is from 1 run at level kernel, "
                  "with what recording that costs",
                  "no run at level layer: the layers' latency is from 1 run at level kernel, "
                  "with what recording that costs"));
  TestProfile metrics = Levelled("metrics", 0, 9000, 8000, 7000);
  experiment = ExperimentOf({&metrics});
  const Subject& subject = experiment.subjects()[0];
  EXPECT_FALSE(subject.latency_ns.is_known());
  EXPECT_FALSE(subject.layers[0].latency_ns.is_known());
  EXPECT_FALSE(subject.kernels[0].latency_ns.is_known());
  EXPECT_EQ(subject.kernels[0].work.flops, 640);
  EXPECT_EQ(subject.SourceText(subject.kernel_level), "no run");
  EXPECT_THAT(subject.doubts, Contains(HasSubstr("only runs with counters")));
}

ModelRun PlainRun(std::vector<std::pair<std::string, double>> layers) {
  ModelRun run{.system = "s", .model = "m", .level = Level::kLayer, .latency_ns = 100};
  for (auto& [name, latency] : layers) {
    const auto id = static_cast<int64_t>(run.layers.size());
    run.layers.push_back({.id = id, .name = name, .latency_ns = latency});
  }
  return run;
}

TEST(ExperimentTest, MatchesByNameWhenCountsDiffer) {
  ExperimentBuilder builder;
  builder.AddRun(PlainRun({{"a", 10}, {"relu", 20}, {"relu", 30}, {"z", 40}}));
  builder.AddRun(PlainRun({{"a", 12}, {"relu", 22}, {"z", 42}}));
  builder.AddRun(PlainRun({{"a", 14}, {"new", 7}, {"relu", 24}, {"z", 44}}));
  const Experiment experiment = builder.Build();
  const Subject& subject = experiment.subjects()[0];
  ASSERT_EQ(subject.layers.size(), 4u);
  EXPECT_EQ(subject.layers[0].latency_ns.value(), 12);
  EXPECT_THAT(subject.layers[1].latency_ns.samples, ElementsAre(20, 22, 24));
  EXPECT_THAT(subject.layers[2].latency_ns.samples, ElementsAre(30));
  EXPECT_EQ(subject.layers[3].latency_ns.value(), 42);
  EXPECT_THAT(subject.doubts, Contains("runs have 4 and 3 layers, or other ones: matched by name"));
  EXPECT_THAT(subject.doubts,
              Contains("1 layers of a run at level layer are not in the others: left out"));
}

TEST(ExperimentTest, KernelsOfOneNameInALayerStayApart) {
  ExperimentBuilder builder;
  for (double scale : {1.0, 2.0, 3.0}) {
    ModelRun run = PlainRun({{"l", 50}});
    run.level = Level::kKernel;
    run.layers[0].kernels = {{.name = "gemm", .latency_ns = 10 * scale},
                             {.name = "gemm", .latency_ns = 20 * scale}};
    if (scale == 3) run.layers[0].kernels.insert(run.layers[0].kernels.begin(), {.name = "fill"});
    builder.AddRun(run);
  }
  const Experiment experiment = builder.Build();
  const Subject& subject = experiment.subjects()[0];
  ASSERT_EQ(subject.kernels.size(), 3u);
  EXPECT_THAT(subject.kernels[1].latency_ns.samples, ElementsAre(10, 20, 30));
  EXPECT_THAT(subject.kernels[2].latency_ns.samples, ElementsAre(20, 40, 60));
  EXPECT_THAT(subject.doubts,
              Contains(HasSubstr("not the same ones in all runs: matched by name")));
}

TEST(ExperimentTest, SaysWhenProcessorsDiffer) {
  ExperimentBuilder builder;
  for (const char* processor : {"a", "", "b"}) {
    ModelRun run = PlainRun({{"l", 10}});
    run.machine.processor = processor;
    builder.AddRun(run);
  }
  EXPECT_THAT(builder.Build().subjects()[0].doubts,
              Contains("runs of different processors: 'a' and 'b'"));
}

TEST(ExperimentTest, OverlappingKernelsCountOnce) {
  ExperimentBuilder builder;
  ModelRun run = PlainRun({{"l", 100}});
  run.level = Level::kKernel;
  run.layers[0].window = {0, 100};
  run.layers[0].kernels = {{.name = "k", .latency_ns = 60, .intervals = IntervalSet({{20, 80}})},
                           {.name = "k", .latency_ns = 70, .intervals = IntervalSet({{50, 120}})}};
  builder.AddRun(run);
  const Experiment experiment = builder.Build();
  const Subject& subject = experiment.subjects()[0];
  EXPECT_EQ(subject.by_name[0].latency_ns.value(), 100);
  EXPECT_EQ(subject.layers[0].covered_ns.value(), 80);
  EXPECT_EQ(subject.layers[0].spill_ns.value(), 20);
}

TEST(ExperimentTest, WorkSumsKeepTheWeakerSource) {
  Work work;
  work += {.flops = 1, .source = Work::Source::kCounter};
  EXPECT_EQ(work.source, Work::Source::kCounter);
  work += {.flops = 2, .bytes_read = 3, .source = Work::Source::kFormula};
  work += {};
  EXPECT_EQ(work, (Work{.flops = 3, .bytes_read = 3, .source = Work::Source::kFormula}));
}

}  // namespace
}  // namespace tfrt::profiler
