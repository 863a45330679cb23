// Kernels that several families use, with the launches that go with them.
#ifndef TFRT_GPU_OPS_KERNELS_H_
#define TFRT_GPU_OPS_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "copy_kernel.h"
#include "gpu_op.h"
#include "lib/base/support/inline_vector.h"

namespace tfrt::gpu {

using Dims = InlineVector<int64_t, 8>;

// Computes each element from one of each of two operands, where dimensions of 1 repeat.
class BroadcastKernel {
 public:
  static StatusOr<BroadcastKernel> Make(GpuOpSetup& setup, std::string_view name, DType dtype);

  // Enqueues: out = f(a, b), with the shape that NumPy's rule makes of both.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& a, const TensorShape& a_shape,
             const OpBytes& b, const TensorShape& b_shape) const;

 private:
  BroadcastKernel(const Function* flat, const Function* broadcast, CopyKernel copy)
      : flat_(flat), broadcast_(broadcast), copy_(std::move(copy)) {}

  const Function* flat_;
  const Function* broadcast_;
  CopyKernel copy_;  // where there are more dimensions than the kernel has
};

// Permutes the dimensions of a tensor of elements of one size, whatever they are.
class PermuteKernel {
 public:
  // For elements of `dtype`. InvalidArgument for others than of 1, 2, 4, 8 and 16 bytes.
  static StatusOr<PermuteKernel> Make(GpuOpSetup& setup, DType dtype);

  // Enqueues: dimension i of `out` is dimension permutation[i] of `in`, which has the dimensions
  // `dims`. Both are dense.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, std::span<const int64_t> dims,
             std::span<const int64_t> permutation) const;

 private:
  PermuteKernel(const Function* transpose, CopyKernel copy)
      : transpose_(transpose), copy_(std::move(copy)) {}

  const Function* transpose_;  // null: there is none for such elements
  CopyKernel copy_;
};

// Reduces one of three dimensions.
class ReduceKernel {
 public:
  // `name`: "sum"; `suffix`: "f32", or "f32_i64" of places.
  static StatusOr<ReduceKernel> Make(GpuOpSetup& setup, std::string_view name, DType dtype,
                                     std::string_view suffix = {});

  // Enqueues: in [outer,size,inner] -> out [outer,inner]. Not for extremes of nothing.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t outer, int64_t size,
             int64_t inner) const;

 private:
  ReduceKernel(const Function* first, const Function* parts) : first_(first), parts_(parts) {}

  const Function* first_;
  const Function* parts_;
};

// Makes numbers those of another dtype, for kernels that take no others.
class CastKernel {
 public:
  CastKernel() = default;  // leaves them as they are
  // InvalidArgument for dtypes that have no casts.
  static StatusOr<CastKernel> Make(GpuOpSetup& setup, DType from, DType to);

  // Whether the dtypes differ.
  explicit operator bool() const { return cast_ != nullptr; }
  // Enqueues the casts of so many numbers, and returns them, which are those of this call alone.
  // Returns `in` if the dtypes are the same.
  StatusOr<OpBytes> Run(GpuOpCall& call, const OpBytes& in, int64_t size) const;
  // The same into `out`, of dtypes that differ.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t size) const {
    return call.Launch(*cast_, ElementwiseLaunch(size), out, in, size);
  }

 private:
  CastKernel(const Function* cast, size_t result_bytes)
      : cast_(cast), result_bytes_(result_bytes) {}

  const Function* cast_ = nullptr;
  size_t result_bytes_ = 0;
};

// Sets elements to one value.
class FillValue {
 public:
  // The value that is larger than all others of a real dtype, or smaller: an infinity, if there is
  // one.
  static StatusOr<FillValue> OfLimit(GpuOpSetup& setup, DType dtype, bool largest);
  // The number of a real dtype that a cast makes of this one.
  static StatusOr<FillValue> OfNumber(GpuOpSetup& setup, DType dtype, float number);

  // Enqueues `size` elements.
  Status Run(GpuOpCall& call, const OpBytes& out, int64_t size) const;

 private:
  template <typename F>
  static StatusOr<FillValue> Make(GpuOpSetup& setup, DType dtype, F value_of_type);
  FillValue(const Function* fill, size_t element_bytes, uint64_t bits)
      : fill_(fill), element_bytes_(element_bytes), bits_(bits) {}

  const Function* fill_;
  size_t element_bytes_;
  uint64_t bits_;
};

// Returns an op whose result is its first argument: the same bytes, without a command.
// InvalidArgument for texts and resources, which are no bytes of a device.
MadeOp MakeView(GpuOpSetup& setup);

// Calls fn with the lowest `num_bytes` of a number, as an unsigned integer of 1, 2, 4 or 8 bytes.
template <typename F>
auto WithBits(uint64_t bits, size_t num_bytes, F&& fn) {
  switch (num_bytes) {
    case 1:
      return fn(static_cast<uint8_t>(bits));
    case 2:
      return fn(static_cast<uint16_t>(bits));
    case 4:
      return fn(static_cast<uint32_t>(bits));
    default:
      return fn(bits);
  }
}

// Returns "b32" for elements of 32 bits. InvalidArgument if no kernel moves elements of that size.
StatusOr<std::string> WidthOf(const GpuOpSetup& setup, DType dtype);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_KERNELS_H_
