// Convolutions and pools by cuDNN.
#ifndef TFRT_GPU_OPS_LIBRARY_WINDOWS_H_
#define TFRT_GPU_OPS_LIBRARY_WINDOWS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/device_code/launch_windows.h"
#include "gpu/libraries/dnn/graph.h"
#include "gpu/libraries/dnn/plan_store.h"
#include "gpu/libraries/library_choice.h"
#include "gpu_op.h"
#include "kernels.h"
#include "library_use.h"

namespace tfrt::gpu {

// A convolution or one of its gradients, as conv_* of the device code takes it. Filters are
// [O,C,...] or, with the channels last, [...,C,O].
struct LibraryConvolution {
  enum class Kind : uint8_t { kForward, kInputGrad, kFilterGrad };
  Kind kind = Kind::kForward;
  const DeviceWindows& windows;
  OpBytes image;   // or its gradient
  OpBytes filter;  // or its gradient
  OpBytes result;  // of the convolution, or its gradient
  OpBytes bias = {};
  OpBytes addend = {};
  MatMulActivation activation = MatMulActivation::kNone;
};

// How the calls of one op of windows use cuDNN. Immutable; thread-safe.
class WindowLibrary {
 public:
  // For numbers of this dtype. Reads the choice of the environment, and fails if that is none. The
  // library is opened by the first call that it may serve.
  static StatusOr<WindowLibrary> Make(GpuOpSetup& setup, DType dtype);

  // Adds the convolution to the call. False: the library does not serve it, and nothing was added.
  // Fails with the errors of the library, also where it is demanded and cannot be opened.
  StatusOr<bool> Add(GpuOpCall& call, const LibraryConvolution& convolution) const;

  // Adds a pool that writes the greatest element of each window, or the mean of those that lie in
  // the image. As above.
  StatusOr<bool> AddPool(GpuOpCall& call, const DeviceWindows& windows, const OpBytes& out,
                         const OpBytes& image, bool is_average) const;

 private:
  WindowLibrary(LibraryChoice choice, DType dtype) : choice_(choice), dtype_(dtype) {}

  // Returns the plan of a graph; null if there is none, or no library.
  StatusOr<std::shared_ptr<const dnn::Plan>> FindPlan(GpuOpCall& call,
                                                      const dnn::Graph& graph) const;
  // Adds a run of a plan, with these bytes for the tensors.
  Status AddPlan(GpuOpCall& call, std::shared_ptr<const dnn::Plan> plan, std::vector<int64_t> ids,
                 std::vector<OpBytes> bytes) const;

  LibraryChoice choice_;
  DType dtype_;
  std::optional<PermuteKernel> permute_ = {};  // of filters with the channels last
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_LIBRARY_WINDOWS_H_
