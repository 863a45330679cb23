// Softmax along the last dimension.

#include <memory>

#include "gpu_ops.h"

namespace tfrt::gpu {
namespace {

class Softmax final : public GpuOp {
 public:
  explicit Softmax(const Function* function) : function_(*function) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel(kernel, setup.dtype(0)));
    return std::make_unique<Softmax>(function);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (shape.num_elements() == 0) return OkStatus();
    const int64_t columns = shape.dim(shape.rank() - 1), rows = shape.num_elements() / columns;
    return call.Launch(function_, SoftmaxLaunch(rows, columns), out, call.bytes(0), rows, columns);
  }

 private:
  const Function& function_;
};

MadeOp MakeSoftmax(GpuOpSetup& setup) { return Softmax::Make(setup, "softmax"); }
MadeOp MakeLogSoftmax(GpuOpSetup& setup) { return Softmax::Make(setup, "log_softmax"); }

constexpr GpuOpRow kSoftmaxRows[] = {{"log_softmax", MakeLogSoftmax}, {"softmax", MakeSoftmax}};

}  // namespace

std::span<const GpuOpRow> SoftmaxGpuOps() { return kSoftmaxRows; }

}  // namespace tfrt::gpu
