#include "metric_plan.h"

#include <algorithm>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using Term = PlannedQuantity::Term;

struct Quantity {
  std::string name;
  std::string unit;
  std::vector<std::vector<Term>> ways;  // the first whose terms the chip all has
  std::string precision = {};           // of tensor cores; empty: not theirs
};

// Instructions that a thread executes under a true predicate; a fused one is two operations.
std::vector<Term> ThreadOperations(std::string_view prefix) {
  auto metric = [&](std::string_view op) {
    return StrCat("sm__sass_thread_inst_executed_op_", prefix, op, "_pred_on.sum");
  };
  return {{metric("add"), 1}, {metric("mul"), 1}, {metric("fma"), 2}};
}

std::vector<Term> TensorPaths(const std::vector<std::string_view>& paths) {
  std::vector<Term> terms;
  for (std::string_view path : paths) {
    terms.push_back({StrCat("sm__ops_path_tensor_", path, ".sum"), 1});
  }
  return terms;
}

std::vector<Quantity> BaseQuantities() {
  return {{"flops_f32", "flop", {ThreadOperations("f")}},
          {"flops_f16", "flop", {ThreadOperations("h")}},
          {"flops_f64", "flop", {ThreadOperations("d")}},
          // Consumer chips of the newest kind have the second names.
          {"dram_read", "B", {{{"dram__bytes_read.sum", 1}}, {{"dram__bytes_op_read.sum", 1}}}},
          {"dram_write", "B", {{{"dram__bytes_write.sum", 1}}, {{"dram__bytes_op_write.sum", 1}}}},
          {"occupancy", "%", {{{"sm__warps_active.avg.pct_of_peak_sustained_active", 1}}}},
          {"duration", "ns", {{{"gpu__time_duration.sum", 1}}}}};
}

// Chips sum up all instructions of a precision, or count those of each kind by themselves.
std::vector<Quantity> TensorQuantities() {
  auto both_kinds = [](std::string_view source) {
    return TensorPaths({StrCat("op_hmma_", source), StrCat("op_utchmma_", source)});
  };
  std::vector<Term> f16_of_two = both_kinds("src_fp16_dst_fp16");
  for (Term& term : both_kinds("src_fp16_dst_fp32")) f16_of_two.push_back(std::move(term));
  return {
      {"tensor_f64", "op", {TensorPaths({"src_fp64"}), TensorPaths({"op_dmma_src_fp64"})}, "f64"},
      {"tensor_tf32",
       "op",
       {TensorPaths({"src_tf32_dst_fp32"}), both_kinds("src_tf32_dst_fp32"),
        TensorPaths({"op_hmma_src_tf32_dst_fp32"})},
       "tf32"},
      {"tensor_bf16",
       "op",
       {TensorPaths({"src_bf16_dst_fp32"}), both_kinds("src_bf16_dst_fp32"),
        TensorPaths({"op_hmma_src_bf16_dst_fp32"})},
       "bf16"},
      {"tensor_f16",
       "op",
       {TensorPaths({"src_fp16"}), TensorPaths({"src_fp16_dst_fp16", "src_fp16_dst_fp32"}),
        f16_of_two},
       "f16"},
      {"tensor_f8",
       "op",
       {TensorPaths({"src_fp8"}), TensorPaths({"src_fp8_dst_fp16", "src_fp8_dst_fp32"})},
       "f8"},
      {"tensor_i8",
       "op",
       {TensorPaths({"src_int8"}), TensorPaths({"op_imma_src_int8", "op_utcimma_src_int8"}),
        TensorPaths({"op_imma_src_int8"})},
       "i8"}};
}

std::string BaseName(std::string_view metric) {
  return std::string(metric.substr(0, metric.find('.')));
}

// All that can be counted, sorted.
StatusOr<std::vector<std::string>> AllBaseMetrics(MetricLister& lister, const std::string& chip) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> chips, lister.Chips());
  if (std::ranges::find(chips, chip) == chips.end()) {
    std::string known;
    for (const std::string& name : chips) known += StrCat(known.empty() ? "" : ", ", name);
    return InvalidArgumentError(StrCat("there is no chip '", chip, "': known are ", known));
  }
  std::vector<std::string> all;
  for (auto kind : {MetricLister::Kind::kCounter, MetricLister::Kind::kRatio,
                    MetricLister::Kind::kThroughput}) {
    TFRT_ASSIGN_OR_RETURN(std::vector<std::string> some, lister.BaseMetrics(chip, kind));
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all);
  return all;
}

// Adds the quantity to the plan, or to what is missing.
void Choose(const Quantity& quantity, const std::vector<std::string>& names, MetricPlan* plan) {
  std::string tried;
  for (const std::vector<Term>& way : quantity.ways) {
    const Term* lacks = nullptr;
    for (const Term& term : way) {
      if (!std::ranges::binary_search(names, BaseName(term.metric))) lacks = &term;
    }
    if (lacks) {
      tried += StrCat(tried.empty() ? "" : ", ", BaseName(lacks->metric));
      continue;
    }
    plan->quantities.push_back({.name = quantity.name,
                                .unit = quantity.unit,
                                .terms = way,
                                .is_uncalibrated = !quantity.precision.empty()});
    for (const Term& term : way) {
      if (std::ranges::find(plan->metrics, term.metric) == plan->metrics.end()) {
        plan->metrics.push_back(term.metric);
      }
    }
    return;
  }
  plan->missing.push_back(StrCat(quantity.name, ": there is no ", tried));
}

}  // namespace

StatusOr<MetricPlan> PlanMetrics(MetricLister& lister, const std::string& chip,
                                 const MetricOptions& options) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> names, AllBaseMetrics(lister, chip));
  MetricPlan plan = {.chip = chip};
  for (const Quantity& quantity : BaseQuantities()) Choose(quantity, names, &plan);
  const std::vector<Quantity> tensor = TensorQuantities();
  for (const std::string& precision : options.tensor_precisions) {
    auto found = std::ranges::find(tensor, precision, &Quantity::precision);
    if (found == tensor.end()) {
      return InvalidArgumentError(
          StrCat("there is no precision '", precision, "': it is f64, tf32, bf16, f16, f8 or i8"));
    }
    Choose(*found, names, &plan);
  }
  if (!plan.metrics.empty()) {
    TFRT_ASSIGN_OR_RETURN(plan.num_passes, lister.NumPasses(chip, plan.metrics));
  }
  return plan;
}

StatusOr<profiler::Table> MetricTable(MetricLister& lister, const std::string& chip) {
  using profiler::Column;
  MetricOptions all;
  for (const Quantity& quantity : TensorQuantities()) {
    all.tensor_precisions.push_back(quantity.precision);
  }
  TFRT_ASSIGN_OR_RETURN(MetricPlan plain, PlanMetrics(lister, chip));
  TFRT_ASSIGN_OR_RETURN(MetricPlan plan, PlanMetrics(lister, chip, all));
  profiler::Table table = {.id = "metrics",
                           .title = StrCat("Counters of ", chip, ": ", plain.num_passes,
                                           " passes, ", plan.num_passes, " with tensor cores"),
                           .columns = {{"quantity", Column::Kind::kText},
                                       {"unit", Column::Kind::kText},
                                       {"metrics", Column::Kind::kText},
                                       {"passes", Column::Kind::kInteger, "", "",
                                        "how often a program must run for this quantity alone"}}};
  for (const PlannedQuantity& quantity : plan.quantities) {
    std::string sum;
    std::vector<std::string> metrics;
    for (const Term& term : quantity.terms) {
      metrics.push_back(term.metric);
      sum += StrCat(sum.empty() ? "" : " + ", term.factor == 1 ? "" : "2 * ", term.metric);
    }
    TFRT_ASSIGN_OR_RETURN(size_t passes, lister.NumPasses(chip, metrics));
    table.rows.push_back({quantity.name, quantity.unit, sum, static_cast<int64_t>(passes)});
  }
  table.doubts = plan.missing;
  table.doubts.push_back(
      "operations of tensor cores are in the chip's own unit, which has not been compared with a "
      "known product yet");
  return table;
}

}  // namespace tfrt::gpu
