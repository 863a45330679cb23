// Losses, gradients of activations and of softmax, and updates.

#include <memory>
#include <string_view>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"

namespace tfrt::gpu {
namespace {

using MadeOp = StatusOr<std::unique_ptr<const GpuOp>>;

// The gradient of a softmax, from the gradient of its result and that result.
class SoftmaxGrad final : public GpuOp {
 public:
  explicit SoftmaxGrad(const Function* function) : function_(*function) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel) {
    if (setup.dtype(1) != setup.dtype(0)) {
      return setup.DifferentDTypes(setup.dtype(0), setup.dtype(1));
    }
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel(kernel, setup.dtype(0)));
    return std::make_unique<SoftmaxGrad>(function);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (shape.num_elements() == 0) return OkStatus();
    const int64_t columns = shape.dim(shape.rank() - 1), rows = shape.num_elements() / columns;
    return call.Launch(function_, TeamRowsLaunch(rows, columns), out, call.bytes(0), call.bytes(1),
                       rows, columns);
  }

 private:
  const Function& function_;
};

MadeOp MakeSoftmaxGrad(GpuOpSetup& setup) { return SoftmaxGrad::Make(setup, "softmax_grad"); }
MadeOp MakeLogSoftmaxGrad(GpuOpSetup& setup) {
  return SoftmaxGrad::Make(setup, "log_softmax_grad");
}

class Hardmax final : public GpuOp {
 public:
  explicit Hardmax(const Function* function) : function_(*function) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (shape.num_elements() == 0) return OkStatus();
    const int64_t columns = shape.dim(shape.rank() - 1), rows = shape.num_elements() / columns;
    return call.Launch(function_, TeamRowsLaunch(rows, columns), out, call.bytes(0), rows, columns);
  }

 private:
  const Function& function_;
};

MadeOp MakeHardmax(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("hardmax", setup.dtype(0)));
  return std::make_unique<Hardmax>(function);
}

class GeluGrad final : public GpuOp {
 public:
  GeluGrad(const Function* function, bool approximate)
      : function_(*function), approximate_(approximate) {}

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ThreadsLaunch(size), out, call.bytes(0), call.bytes(1), size,
                       approximate_);
  }

 private:
  const Function& function_;
  const int32_t approximate_;
};

MadeOp MakeGeluGrad(GpuOpSetup& setup) {
  if (setup.dtype(1) != setup.dtype(0)) {
    return setup.DifferentDTypes(setup.dtype(0), setup.dtype(1));
  }
  TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("gelu_grad", setup.dtype(0)));
  return std::make_unique<GeluGrad>(function, setup.Attr<bool>("approximate"));
}

// Results: the loss [N], and its gradient with respect to the features [N,C].
class CrossEntropy final : public GpuOp {
 public:
  explicit CrossEntropy(const Function* function) : function_(*function) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes loss, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(OpBytes gradient, call.Allocate(1));
    const int64_t rows = shape.dim(0), columns = shape.dim(1);
    return call.Launch(function_, TeamRowsLaunch(rows, columns), loss, gradient, call.bytes(0),
                       call.bytes(1), rows, columns);
  }

 private:
  const Function& function_;
};

MadeOp MakeCrossEntropy(GpuOpSetup& setup) {
  const DType labels = setup.dtype(1);
  if (labels != DType::kI32 && labels != DType::kI64) return setup.UnsupportedDType(labels);
  TFRT_ASSIGN_OR_RETURN(
      const Function* function,
      setup.TypedKernel(StrCat("cross_entropy_", DTypeName(labels)), setup.dtype(0)));
  return std::make_unique<CrossEntropy>(function);
}

class SgdUpdate final : public GpuOp {
 public:
  explicit SgdUpdate(const Function* function) : function_(*function) {}

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ThreadsLaunch(size), out, call.bytes(0), call.bytes(1),
                       call.bytes(2), size);
  }

 private:
  const Function& function_;
};

MadeOp MakeSgdUpdate(GpuOpSetup& setup) {
  for (size_t i = 1; i < 3; ++i) {
    if (setup.dtype(i) != setup.dtype(0)) {
      return setup.DifferentDTypes(setup.dtype(0), setup.dtype(i));
    }
  }
  TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("sgd_update", setup.dtype(0)));
  return std::make_unique<SgdUpdate>(function);
}

constexpr GpuOpRow kTrainingRows[] = {
    {"gelu_grad", MakeGeluGrad},
    {"hardmax", MakeHardmax},
    {"log_softmax_grad", MakeLogSoftmaxGrad},
    {"sgd_update", MakeSgdUpdate},
    {"softmax_cross_entropy", MakeCrossEntropy},
    {"softmax_grad", MakeSoftmaxGrad},
};

}  // namespace

std::span<const GpuOpRow> TrainingGpuOps() { return kTrainingRows; }

}  // namespace tfrt::gpu
