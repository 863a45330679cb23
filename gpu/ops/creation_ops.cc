// Ops that make tensors of single numbers and of attributes.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "copy_kernel.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu/runtime/context.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/host_context/attribute_views.h"

namespace tfrt::gpu {
namespace {

class ZerosLike final : public GpuOp {
 public:
  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(MemoryRange out, call.Allocate(0));
    return call.Clear(out);
  }
};

MadeOp MakeZerosLike(GpuOpSetup&) { return std::make_unique<ZerosLike>(); }

// Arguments: the dimensions, and the value, whose one element is on the device.
class Fill final : public GpuOp {
 public:
  explicit Fill(CopyKernel copy) : copy_(std::move(copy)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, setup.dtype(1)));
    return std::make_unique<Fill>(std::move(copy));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(MemoryRange out, call.Allocate(0));
    const CopyDim dims[] = {{call.result(0).shape.num_elements(), 0, 1}};
    return copy_.Run(call, out, call.bytes(1), dims);
  }

 private:
  const CopyKernel copy_;
};

// The bytes of the attribute, through page-locked memory. Few bytes are copied to the device once,
// for all calls that are prepared together.
class Constant final : public GpuOp {
 public:
  explicit Constant(OpAttrsRef attrs) : attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DenseAttribute value = setup.attrs().GetDense("value").value();
    const DType dtype = DTypeFromCode(value.element_code());
    if (DTypeSize(dtype) == 0) return setup.UnsupportedDType(dtype);
    if (dtype == DType::kI1) {
      auto bad = std::ranges::find_if(value.bytes(), [](uint8_t byte) { return byte > 1; });
      if (bad != value.bytes().end()) {
        return InvalidArgumentError(StrCat(setup.op_name(), ": element ",
                                           bad - value.bytes().begin(), " of the i1 `value` is ",
                                           int{*bad}));
      }
    }
    return std::make_unique<Constant>(setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    std::lock_guard lock(mutex_);
    if (!made_) return Copy(call);
    call.SetView(0, *made_);
    return OkStatus();
  }

 private:
  static constexpr size_t kMaxKeptBytes = size_t{64} << 10;

  Status Copy(GpuOpCall& call) const {
    const DenseAttribute value = attrs_.GetDense("value").value();
    TFRT_ASSIGN_OR_RETURN(MemoryRange out, call.Allocate(0));
    if (out.size_bytes != value.bytes().size()) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the `value` attribute has ",
                                         value.bytes().size(), " bytes, but its shape needs ",
                                         out.size_bytes));
    }
    if (out.size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(RCReference<Memory> pinned,
                          call.device().context().AllocatePinned(out.size_bytes));
    std::memcpy(pinned->host_address(), value.bytes().data(), out.size_bytes);
    TFRT_RETURN_IF_ERROR(call.Copy(out, pinned->bytes()));
    if (out.size_bytes <= kMaxKeptBytes) made_.emplace(call.result(0), out, call.last_command());
    return OkStatus();
  }

  const OpAttrsRef attrs_;
  mutable std::mutex mutex_;
  mutable std::optional<DenseGpuTensor> made_;  // under mutex_
};

class EyeLike final : public GpuOp {
 public:
  EyeLike(const Function* function, size_t element_bytes, uint64_t one, int64_t diagonal)
      : function_(*function), element_bytes_(element_bytes), one_(one), diagonal_(diagonal) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.attrs().GetType("dtype").value();
    uint64_t one = 0;
    const bool has_one = DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
      const T value = CastElement<T>(1.0f);
      std::memcpy(&one, &value, std::min(sizeof(value), sizeof(one)));
    });
    if (!has_one) {
      return InvalidArgumentError(
          StrCat(setup.op_name(), ": elements of ", DTypeName(dtype), " have no 1"));
    }
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.Kernel(StrCat("eye_", width)));
    return std::make_unique<EyeLike>(function, DTypeSize(dtype), one,
                                     setup.Attr<int64_t>("diagonal"));
  }

  Status Run(GpuOpCall& call) const override {
    const int64_t rows = call.result(0).shape.dim(0), columns = call.result(0).shape.dim(1);
    // Farther away it is no diagonal of this matrix.
    const int64_t diagonal = std::clamp<int64_t>(diagonal_, -rows, columns);
    TFRT_ASSIGN_OR_RETURN(MemoryRange out, call.Allocate(0));
    return WithBits(one_, element_bytes_, [&](auto one) {
      return call.Launch(function_, ThreadsLaunch(rows * columns), out, one, rows, columns,
                         diagonal);
    });
  }

 private:
  const Function& function_;
  const size_t element_bytes_;
  const uint64_t one_;
  const int64_t diagonal_;
};

constexpr GpuOpRow kCreationRows[] = {
    {"constant", Constant::Make},
    {"eye_like", EyeLike::Make},
    {"fill", Fill::Make},
    {"zeros_like", MakeZerosLike},
};

}  // namespace

std::span<const GpuOpRow> CreationGpuOps() { return kCreationRows; }

}  // namespace tfrt::gpu
