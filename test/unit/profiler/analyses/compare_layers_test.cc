#include "lib/profiler/analyses/compare_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "lib/profiler/analyses/stack_analyses.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Each layer takes a millisecond.
Subject Make(std::string system, std::vector<std::string> names) {
  Subject subject;
  subject.system = std::move(system);
  subject.model = "net";
  for (std::string& name : names) {
    LayerSummary& layer = subject.layers.emplace_back();
    layer.index = subject.layers.size() - 1;
    layer.name = std::move(name);
    layer.latency_ns = Measurement(std::vector<double>{1e6});
  }
  return subject;
}

using Line = std::tuple<std::string, int64_t, int64_t>;

// Name, number of layers, number of the other's layers.
std::vector<Line> Compare(const Subject& subject, const Subject& base, Table* table) {
  AddLayerComparison(subject, base, table);
  std::vector<Line> lines;
  for (const auto& row : table->rows) {
    EXPECT_EQ(row.size(), LayerComparisonColumns().size());
    lines.emplace_back(std::get<std::string>(row[2]), std::get<int64_t>(row[4]),
                       std::get<int64_t>(row[7]));
    EXPECT_DOUBLE_EQ(std::get<double>(row[5]), static_cast<double>(std::get<int64_t>(row[4])));
  }
  return lines;
}
std::vector<Line> Compare(std::vector<std::string> ours, std::vector<std::string> theirs) {
  Table table;
  return Compare(Make("ours", std::move(ours)), Make("theirs", std::move(theirs)), &table);
}

TEST(CompareLayersTest, NamesOfResultsAreThoseOfNodes) {
  EXPECT_EQ(NodeName("/conv1/Relu"), "/conv1/Relu");
  EXPECT_EQ(NodeName("/conv1/Relu_output_0"), "/conv1/Relu");
  EXPECT_EQ(NodeName("/conv1/Relu_1_output_0_nchwc"), "/conv1/Relu_1");
  EXPECT_EQ(NodeName("node_relu_3"), "relu_3");
  EXPECT_EQ(NodeName("relu_3_nchwc"), "relu_3");
  EXPECT_EQ(NodeName("an_output_name"), "an_output_name");
  EXPECT_EQ(NodeName("_output_0"), "_output_0");
  EXPECT_EQ(NodeName("x_output_"), "x_output_");
  EXPECT_EQ(NodeName("node_"), "node_");
  EXPECT_EQ(NodeName(""), "");
}

TEST(CompareLayersTest, WhatIsFusedIsComparedUpToTheNextLayerOfOneName) {
  EXPECT_THAT(Compare({"relu1", "relu2", "sum"}, {"conv1", "relu1", "conv2", "relu2", "sum"}),
              ElementsAre(Line("relu1", 1, 2), Line("relu2", 1, 2), Line("sum", 1, 1)));
}

TEST(CompareLayersTest, WhatIsBehindTheLastOneIsARow) {
  EXPECT_THAT(Compare({"a", "x"}, {"a"}), ElementsAre(Line("a", 1, 1), Line("(the end)", 1, 0)));
  EXPECT_THAT(Compare({"a"}, {"a", "x", "y"}),
              ElementsAre(Line("a", 1, 1), Line("(the end)", 0, 2)));
}

TEST(CompareLayersTest, BranchesMayComeInAnyOrder) {
  // "b" comes in another order: of the rest three lie in one.
  EXPECT_THAT(Compare({"a", "b", "c", "d"}, {"a", "c", "b", "d"}),
              testing::AnyOf(ElementsAre(Line("a", 1, 1), Line("b", 1, 2), Line("d", 2, 1)),
                             ElementsAre(Line("a", 1, 1), Line("c", 2, 1), Line("d", 1, 2))));
}

TEST(CompareLayersTest, OfSeveralOfANameTheLastOneCounts) {
  EXPECT_THAT(Compare({"a", "a", "b"}, {"a", "b"}), ElementsAre(Line("a", 2, 1), Line("b", 1, 1)));
}

TEST(CompareLayersTest, WithoutANameInCommonItSaysSo) {
  Table table;
  EXPECT_THAT(Compare(Make("ours", {"a"}), Make("theirs", {"b"}), &table), IsEmpty());
  ASSERT_EQ(table.doubts.size(), 1u);
  EXPECT_THAT(table.doubts[0], HasSubstr("no layer has the same name in both: not compared"));
}

TEST(CompareLayersTest, WithoutTimedLayersThereIsNothing) {
  Table table;
  EXPECT_THAT(Compare(Make("ours", {"a"}), Make("theirs", {}), &table), IsEmpty());
  EXPECT_THAT(table.doubts, IsEmpty());
}

TEST(CompareLayersTest, IsPartOfTheComparisonOfSystems) {
  ExperimentBuilder builder;
  for (std::string system : {"a", "b"}) {
    for (Level level : {Level::kModel, Level::kLayer}) {
      ModelRun run{.system = system, .model = "net", .level = level, .latency_ns = 2e6};
      if (level == Level::kLayer) {
        run.layers = {{.id = 0, .name = "x", .op = "Relu", .latency_ns = 1e6},
                      {.id = 1, .name = "y", .op = "Relu", .latency_ns = 1e6}};
      }
      builder.AddRun(std::move(run));
    }
  }
  const Section section = RunAnalysis("systems", builder.Build());
  ASSERT_EQ(section.tables.size(), 2u);
  EXPECT_EQ(section.tables[1].id, "systems-layers");
  EXPECT_EQ(section.tables[1].rows.size(), 2u);
}

// A profile that does not say what it computes has the operations of one that does.
TEST(CompareLayersTest, OperationsAreThoseOfTheSameModelElsewhere) {
  ExperimentBuilder builder;
  for (std::string system : {"knows", "knows not"}) {
    ModelRun run{.system = system, .model = "net", .level = Level::kLayer, .latency_ns = 2e6};
    run.layers = {{.id = 0, .name = "x", .op = "Relu", .latency_ns = 1e6}};
    run.layers[0].work = {.flops = system == "knows" ? 5e6 : 0,
                          .bytes_read = 10,
                          .bytes_written = 20,
                          .source = Work::Source::kFormula};
    builder.AddRun(std::move(run));
  }
  const Experiment experiment = builder.Build();
  ASSERT_EQ(experiment.subjects().size(), 2u);
  const Subject& subject = experiment.subjects()[1];
  EXPECT_EQ(subject.system, "knows not");
  EXPECT_EQ(subject.work.flops, 5e6);
  EXPECT_EQ(subject.work.bytes_read, 10);
  ASSERT_FALSE(subject.doubts.empty());
  EXPECT_THAT(subject.doubts.back(), HasSubstr("operations as knows counts them by formula"));
  EXPECT_EQ(subject.layers[0].work.flops, 0);
}

}  // namespace
}  // namespace tfrt::profiler
