// Which counters are chosen, on chips made up for it and on those that the vendor's library knows.
#include "gpu/profiler/metric_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/wrapper/cupti.h"

namespace tfrt::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Chips with what they can count; two metrics a pass.
class FakeLister : public MetricLister {
 public:
  StatusOr<std::vector<std::string>> Chips() override {
    std::vector<std::string> names;
    for (const auto& [name, counters] : chips) names.push_back(name);
    return names;
  }
  StatusOr<std::vector<std::string>> BaseMetrics(const std::string& chip, Kind kind) override {
    if (fails) return InternalError("the lister fails");
    return kind == Kind::kCounter ? chips[chip] : std::vector<std::string>();
  }
  StatusOr<size_t> NumPasses(const std::string&, std::span<const std::string> metrics) override {
    return (metrics.size() + 1) / 2;
  }
  std::map<std::string, std::vector<std::string>> chips;
  bool fails = false;
};

std::vector<std::string> Threads(std::vector<std::string> more) {
  for (const char* prefix : {"f", "h", "d"}) {
    for (const char* op : {"add", "mul", "fma"}) {
      more.push_back(std::string("sm__sass_thread_inst_executed_op_") + prefix + op + "_pred_on");
    }
  }
  return more;
}

const PlannedQuantity* Find(const MetricPlan& plan, std::string_view name) {
  auto found = std::ranges::find(plan.quantities, name, &PlannedQuantity::name);
  return found == plan.quantities.end() ? nullptr : &*found;
}

TEST(MetricPlanTest, TheFirstWayThatAChipHasWins) {
  FakeLister lister;
  lister.chips["OLD"] = Threads({"dram__bytes_read", "dram__bytes_op_read", "dram__bytes_write",
                                 "sm__warps_active", "gpu__time_duration"});
  lister.chips["NEW"] =
      Threads({"dram__bytes_op_read", "dram__bytes_op_write", "sm__warps_active"});
  StatusOr<MetricPlan> old_plan = PlanMetrics(lister, "OLD");
  ASSERT_TRUE(old_plan.ok());
  EXPECT_THAT(Find(*old_plan, "dram_read")->terms,
              ElementsAre(PlannedQuantity::Term{"dram__bytes_read.sum", 1}));
  EXPECT_THAT(
      Find(*old_plan, "flops_f32")->terms,
      ElementsAre(PlannedQuantity::Term{"sm__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
                  PlannedQuantity::Term{"sm__sass_thread_inst_executed_op_fmul_pred_on.sum", 1},
                  PlannedQuantity::Term{"sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 2}));
  EXPECT_TRUE(old_plan->missing.empty());
  EXPECT_EQ(old_plan->metrics.size(), 13u);
  EXPECT_EQ(old_plan->num_passes, 7u);
  StatusOr<MetricPlan> new_plan = PlanMetrics(lister, "NEW");
  ASSERT_TRUE(new_plan.ok());
  EXPECT_THAT(Find(*new_plan, "dram_write")->terms,
              ElementsAre(PlannedQuantity::Term{"dram__bytes_op_write.sum", 1}));
  EXPECT_THAT(new_plan->missing, ElementsAre("duration: there is no gpu__time_duration"));
}

TEST(MetricPlanTest, TensorCoresByPrecision) {
  FakeLister lister;
  lister.chips["SUMS"] = {"sm__ops_path_tensor_src_bf16_dst_fp32", "sm__ops_path_tensor_src_fp16"};
  lister.chips["KINDS"] = {"sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32",
                           "sm__ops_path_tensor_op_utchmma_src_bf16_dst_fp32"};
  lister.chips["ONE"] = {"sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32"};
  const MetricOptions options = {.tensor_precisions = {"bf16", "i8"}};
  StatusOr<MetricPlan> sums = PlanMetrics(lister, "SUMS", options);
  ASSERT_TRUE(sums.ok());
  EXPECT_EQ(Find(*sums, "tensor_bf16")->terms.size(), 1u);
  EXPECT_TRUE(Find(*sums, "tensor_bf16")->is_uncalibrated);
  EXPECT_EQ(Find(*sums, "tensor_f16"), nullptr);  // was not asked for
  EXPECT_EQ(sums->missing.back(),
            "tensor_i8: there is no sm__ops_path_tensor_src_int8, "
            "sm__ops_path_tensor_op_utcimma_src_int8, sm__ops_path_tensor_op_imma_src_int8");
  StatusOr<MetricPlan> kinds = PlanMetrics(lister, "KINDS", options);
  ASSERT_TRUE(kinds.ok());
  EXPECT_EQ(Find(*kinds, "tensor_bf16")->terms.size(), 2u);
  StatusOr<MetricPlan> one = PlanMetrics(lister, "ONE", options);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(Find(*one, "tensor_bf16")->terms.size(), 1u);
}

TEST(MetricPlanTest, SaysWhatIsWrong) {
  FakeLister lister;
  lister.chips["A"] = {};
  lister.chips["B"] = {};
  EXPECT_EQ(PlanMetrics(lister, "C").status().message(), "there is no chip 'C': known are A, B");
  EXPECT_EQ(PlanMetrics(lister, "A", {.tensor_precisions = {"f4"}}).status().message(),
            "there is no precision 'f4': it is f64, tf32, bf16, f16, f8 or i8");
  StatusOr<MetricPlan> nothing = PlanMetrics(lister, "A");
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(nothing->num_passes, 0u);
  EXPECT_EQ(nothing->missing.size(), 7u);
  lister.fails = true;
  EXPECT_EQ(PlanMetrics(lister, "A").status().message(), "the lister fails");
}

TEST(MetricPlanTest, ATableForPeople) {
  FakeLister lister;
  lister.chips["OLD"] = Threads({"dram__bytes_read", "sm__ops_path_tensor_src_fp16"});
  StatusOr<profiler::Table> table = MetricTable(lister, "OLD");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->title, "Counters of OLD: 5 passes, 6 with tensor cores");
  ASSERT_EQ(table->rows.size(), 5u);
  EXPECT_EQ(std::get<std::string>(table->rows[0][0]), "flops_f32");
  EXPECT_THAT(std::get<std::string>(table->rows[0][2]),
              HasSubstr(" + 2 * sm__sass_thread_inst_executed_op_ffma_pred_on.sum"));
  EXPECT_EQ(std::get<int64_t>(table->rows[0][3]), 2);
  EXPECT_THAT(table->doubts.back(), HasSubstr("has not been compared with a known product"));
}

TEST(MetricPlanTest, LibrariesMayNotKnowChips) {
  const cupti::Library old_library(cupti::Table(), 22, "/x/libcupti.so.12");
  EXPECT_EQ(MakeHostMetricLister(old_library).status().message(),
            "/x/libcupti.so.12 of CUDA 12.4 does not tell what chips can count: CUDA 13 does");
}

// The vendor's library plans for chips that are not there, without a driver.
class HostMetricsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = TFRT_TEST_CUPTI_LIBRARY;
    if (path.empty()) GTEST_SKIP() << "no libcupti.so.13 was found";
    StatusOr<const cupti::Library*> library = cupti::Library::Open(
        {.before_loader = {{path.substr(0, path.rfind('/')), "the test"}}, .loader = false});
    ASSERT_TRUE(library.ok()) << library.status().ToString();
    EXPECT_TRUE((*library)->missing_range_functions().empty());
    StatusOr<std::unique_ptr<MetricLister>> lister = MakeHostMetricLister(**library);
    ASSERT_TRUE(lister.ok()) << lister.status().ToString();
    lister_ = *std::move(lister);
  }
  std::unique_ptr<MetricLister> lister_;
};

TEST_F(HostMetricsTest, ChipsOfDatacentres) {
  for (const char* chip : {"GH100", "GA100", "GV100", "AD102", "GB100", "GB202"}) {
    StatusOr<MetricPlan> plan = PlanMetrics(*lister_, chip);
    ASSERT_TRUE(plan.ok()) << plan.status().ToString();
    EXPECT_TRUE(plan->missing.empty()) << chip << ": " << plan->missing.front();
    EXPECT_GE(plan->num_passes, 1u);
    EXPECT_LE(plan->num_passes, 2u) << chip;
    const bool is_consumer = std::string_view(chip) == "GB202";
    EXPECT_EQ(Find(*plan, "dram_read")->terms[0].metric,
              is_consumer ? "dram__bytes_op_read.sum" : "dram__bytes_read.sum");
  }
  StatusOr<size_t> passes = lister_->NumPasses(
      "GH100", std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum",
                                        "sm__warps_active.avg.pct_of_peak_sustained_active"});
  ASSERT_TRUE(passes.ok());
  EXPECT_EQ(*passes, 1u);
}

TEST_F(HostMetricsTest, TensorCores) {
  MetricOptions options = {.tensor_precisions = {"f64", "tf32", "bf16", "f16", "f8", "i8"}};
  StatusOr<MetricPlan> hopper = PlanMetrics(*lister_, "GH100", options);
  ASSERT_TRUE(hopper.ok()) << hopper.status().ToString();
  EXPECT_TRUE(hopper->missing.empty());
  EXPECT_EQ(hopper->num_passes, 7u);
  StatusOr<MetricPlan> blackwell =
      PlanMetrics(*lister_, "GB100", {.tensor_precisions = {"bf16", "f16", "tf32", "i8"}});
  ASSERT_TRUE(blackwell.ok()) << blackwell.status().ToString();
  EXPECT_TRUE(blackwell->missing.empty());
  StatusOr<MetricPlan> volta =
      PlanMetrics(*lister_, "GV100", {.tensor_precisions = {"bf16", "f16"}});
  ASSERT_TRUE(volta.ok()) << volta.status().ToString();
  EXPECT_EQ(Find(*volta, "tensor_f16")->terms.size(), 2u);
  EXPECT_EQ(volta->missing.size(), 1u);
}

TEST_F(HostMetricsTest, WhatIsNotThere) {
  EXPECT_THAT(std::string(PlanMetrics(*lister_, "GP100").status().message()),
              HasSubstr("there is no chip 'GP100': known are GV100, "));
  StatusOr<size_t> passes =
      lister_->NumPasses("GH100", std::vector<std::string>{"no__such_metric.sum"});
  EXPECT_EQ(passes.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(passes.status().message()),
              HasSubstr("of 1 metrics for GH100: CUPTI_ERROR_INVALID_PARAMETER"));
  EXPECT_THAT(
      std::string(lister_->BaseMetrics("GP100", MetricLister::Kind::kCounter).status().message()),
      HasSubstr("'GP100': CUPTI_ERROR_INVALID_CHIP_NAME"));
}

}  // namespace
}  // namespace tfrt::gpu
