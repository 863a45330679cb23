// MetricPlan: which counters of a chip answer a question, and how often a program must run for
// them. Needs no device and no driver.
#ifndef TFRT_GPU_PROFILER_METRIC_PLAN_H_
#define TFRT_GPU_PROFILER_METRIC_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/wrapper/cupti.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Knows what chips can count. One thread at a time.
class MetricLister {
 public:
  enum class Kind : uint8_t { kCounter, kRatio, kThroughput };
  virtual ~MetricLister() = default;
  // "GH100", in the library's order.
  virtual StatusOr<std::vector<std::string>> Chips() = 0;
  // Names without their last part: "dram__bytes_read". InvalidArgument for an unknown chip.
  virtual StatusOr<std::vector<std::string>> BaseMetrics(const std::string& chip, Kind kind) = 0;
  // How often a program must run for all of these full names ("dram__bytes_read.sum") together.
  // InvalidArgument if the chip is not known or lacks one.
  virtual StatusOr<size_t> NumPasses(const std::string& chip,
                                     std::span<const std::string> metrics) = 0;
};

// That of a library, which outlives it. Unimplemented if it lacks the functions: those before CUDA
// 12.6 do.
StatusOr<std::unique_ptr<MetricLister>> MakeHostMetricLister(const cupti::Library& library);

// A figure that analyses use: the sum of its terms.
struct PlannedQuantity {
  struct Term {
    std::string metric;  // "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"
    double factor = 1;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::string name;  // "flops_f32"
  std::string unit;  // "flop"
  std::vector<Term> terms;
  // The sums of paths of tensor cores count in a unit that is not documented. Compare them once, on
  // a device, with 2*m*n*k of a known product.
  bool is_uncalibrated = false;
};

struct MetricPlan {
  std::string chip;
  std::vector<PlannedQuantity> quantities;
  std::vector<std::string> metrics;  // of all terms, each once
  size_t num_passes = 0;             // for all of them together
  // Names of quantities that the chip cannot tell, with what was tried.
  std::vector<std::string> missing;
};

struct MetricOptions {
  // The precisions whose tensor-core operations are counted, of "f64", "tf32", "bf16", "f16", "f8",
  // "i8".
  std::vector<std::string> tensor_precisions = {};
};

// Operations by precision, bytes of the device's memory, occupancy: each by the first way that the
// chip has. InvalidArgument for an unknown chip, with those that are known, and for an unknown
// precision.
StatusOr<MetricPlan> PlanMetrics(MetricLister& lister, const std::string& chip,
                                 const MetricOptions& options = {});

// Returns one row for each quantity, tensor cores included. A row lists the terms of the quantity
// and the number of passes that it takes alone. The title has the number of passes for all
// together.
StatusOr<profiler::Table> MetricTable(MetricLister& lister, const std::string& chip);

// The same with the library of the process: `tfrt_prof metrics list --chip GH100`.
StatusOr<profiler::Table> ListMetrics(std::string_view chip);
// Reports what is available on this machine for profiling GPUs, what is missing, and the remedies:
// `tfrt_prof doctor`. Opens the driver.
profiler::Table GpuStates();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_METRIC_PLAN_H_
