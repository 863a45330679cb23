// A sim device whose ops are not those of the host.
#ifndef TFRT_TEST_UNIT_SIM_UNLIKE_HOST_H_
#define TFRT_TEST_UNIT_SIM_UNLIKE_HOST_H_

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/devices/sim/device/sim_device.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::sim {

struct UnlikeHostCounts {
  // `ran_elsewhere`: prepared for another device.
  std::atomic<int> prepared{0}, ran_prepared{0}, ran_elsewhere{0}, ran{0};
  std::atomic<int> alive{0};              // prepared calls
  std::atomic<bool> leaves_unset{false};  // prepared calls set no results
};

// Has test.DeviceOnly, of which the host has no function, and not what `lacks` says.
class UnlikeHostRunner final : public OpRunner {
 public:
  UnlikeHostRunner(UnlikeHostCounts* counts, std::vector<std::string_view> lacks)
      : counts_(*counts), lacks_(std::move(lacks)) {}

  // f(x) = x + x.
  static CustomOp DeviceOnly() {
    return {.name = "test.DeviceOnly",
            .arguments = {{"x"}},
            .results = {"y"},
            .metadata = TFRT_OP_METADATA(Same)};
  }

  bool Has(const OpDefinition& op) const override {
    if (op.name == "test.DeviceOnly") return true;
    return op.function && std::ranges::find(lacks_, op.name) == lacks_.end();
  }
  bool Accepts(const OpDefinition& op, const Tensor& tensor) const override {
    return sim_->Accepts(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override {
    ++counts_.ran;
    return RunOnSim(run);
  }
  std::unique_ptr<const PreparedOp> Prepare(const OpDefinition&, Device& device, const OpAttrsRef&,
                                            std::span<const DType>) const override {
    ++counts_.prepared;
    return std::make_unique<Prepared>(*this, device);
  }

 private:
  class Prepared final : public PreparedOp {
   public:
    Prepared(const UnlikeHostRunner& runner, Device& device) : runner_(runner), device_(device) {
      ++runner.counts_.alive;
    }
    ~Prepared() override { --runner_.counts_.alive; }
    OpOutcome Run(const OpRun& run) const override {
      if (&run.device != &device_) ++runner_.counts_.ran_elsewhere;
      ++runner_.counts_.ran_prepared;
      if (runner_.counts_.leaves_unset) return {};
      return runner_.RunOnSim(run);
    }

   private:
    const UnlikeHostRunner& runner_;
    const Device& device_;
  };

  static TensorMetadata Same(const TensorMetadata& x) { return x; }
  static StatusOr<DenseHostTensor> Twice(const DenseHostTensor& x, OpCall& call) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor made, call.Allocate(x.metadata()));
    auto twice = [&]<typename T>(T) {
      auto* in = static_cast<const T*>(x.data());
      std::transform(in, in + x.num_elements(), static_cast<T*>(*made.MutableData()),
                     [](T value) { return value + value; });
    };
    x.dtype() == DType::kF32 ? twice(0.0f) : twice(int32_t{0});
    return made;
  }
  OpOutcome RunOnSim(const OpRun& run) const {
    if (run.op.name != "test.DeviceOnly") return sim_->Run(run);
    static const OpDefinition& definition = *[] {
      CustomOp op = DeviceOnly();
      op.function = TFRT_OP(Twice);
      return new OpDefinition(std::move(op));
    }();
    return sim_->Run({.op = definition,
                      .device = run.device,
                      .allocator = run.allocator,
                      .exec_ctx = run.exec_ctx,
                      .arguments = run.arguments,
                      .attrs = run.attrs,
                      .result_metadata = run.result_metadata,
                      .results = run.results,
                      .explain = run.explain});
  }

  UnlikeHostCounts& counts_;
  const std::vector<std::string_view> lacks_;
  const std::unique_ptr<const OpRunner> sim_ = MakeSimOpRunner();
};

}  // namespace tfrt::sim

#endif  // TFRT_TEST_UNIT_SIM_UNLIKE_HOST_H_
