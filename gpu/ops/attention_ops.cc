// Attention.

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <memory>
#include <utility>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"

namespace tfrt::gpu {
namespace {

// softmax(scale * q * k + mask) * v for each head.
class Attention final : public GpuOp {
 public:
  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(0);
    for (size_t i : {1, 2, 3}) {
      const bool is_truth = i == 3 && setup.dtype(i) == DType::kI1;
      if (setup.has(i) && setup.dtype(i) != dtype && !is_truth) {
        return setup.DifferentDTypes(dtype, setup.dtype(i));
      }
    }
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("attention", dtype));
    return std::unique_ptr<const GpuOp>(new Attention(function, setup));
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &q = call.argument(0).shape, &k = call.argument(1).shape;
    const size_t heads_at = heads_last_ ? 2 : 1, steps_at = heads_last_ ? 1 : 2;
    const int64_t sizes[] = {q.dim(0),
                             q.dim(heads_at),
                             k.dim(heads_at),
                             q.dim(steps_at),
                             k.dim(steps_at),
                             q.dim(3),
                             call.result(0).shape.dim(3)};
    const auto [batch, heads, kv_heads, queries, keys, size, value_size] = sizes;
    const bool fits = std::max({batch, queries, keys}) <= kMostSteps &&
                      heads * std::max(size, value_size) <= std::numeric_limits<int32_t>::max();
    if (!fits) {
      return InvalidArgumentError(StrCat(call.op_name(), ": ", q.ToString(), " and ", k.ToString(),
                                         " are too large for ", call.device().name()));
    }
    OpBytes added, counts;
    std::array<int64_t, 4> steps = {};
    if (call.has(3)) {
      const TensorMetadata& mask = call.argument(3);
      (mask.dtype == DType::kI1 ? counts : added) = call.bytes(3);
      steps = StepsOf(mask.shape);
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, AttentionLaunch(batch, heads, queries, value_size), out,
                       call.bytes(0), call.bytes(1), call.bytes(2), added, counts, Narrow(batch),
                       Narrow(heads), Narrow(kv_heads), Narrow(queries), Narrow(keys), Narrow(size),
                       Narrow(value_size), steps[0], steps[1], steps[2], steps[3], scale_,
                       int32_t{heads_last_}, causal_, hidden_is_zero_);
  }

 private:
  static constexpr int64_t kMostSteps = 1 << 30;

  static int32_t Narrow(int64_t number) { return static_cast<int32_t>(number); }

  Attention(const Function* function, const GpuOpSetup& setup)
      : function_(*function),
        scale_(setup.Attr<float>("scale")),
        heads_last_(setup.attrs().GetString("layout").value() == "bshd"),
        causal_(!setup.Attr<bool>("causal")         ? 0
                : setup.Attr<bool>("causal_at_end") ? 2
                                                    : 1),
        hidden_is_zero_(setup.Attr<bool>("masked_rows_are_zero")) {}

  // Steps along the dimensions of the scores, to which the mask is broadcast.
  static std::array<int64_t, 4> StepsOf(const TensorShape& mask) {
    assert(mask.rank() <= 4 && "the row's rule has looked at it");
    std::array<int64_t, 4> steps = {};
    int64_t step = 1;
    for (size_t back = 1; back <= mask.rank(); ++back) {
      const int64_t size = mask.dim(mask.rank() - back);
      steps[4 - back] = size == 1 ? 0 : step;
      step *= size;
    }
    return steps;
  }

  const Function& function_;
  const float scale_;
  const bool heads_last_;
  const int32_t causal_, hidden_is_zero_;
};

constexpr GpuOpRow kAttentionRows[] = {{"attention", Attention::Make}};

}  // namespace

std::span<const GpuOpRow> AttentionGpuOps() { return kAttentionRows; }

}  // namespace tfrt::gpu
