// ts.*: kernels on shapes, and ts_sync.*, their forms for sync functions.

#include <algorithm>
#include <cstdio>
#include <string>

#include "kernel_groups.h"
#include "lib/runtime/tensor/fixed_rank_shape.h"
#include "lib/runtime/tensor/partial_shape.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {
namespace {

Chain PrintLine(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  return {};
}

StatusOr<TensorShape> BuildShape(ArrayAttribute<int64_t> dims) {
  return TensorShape::CreateOfAnySize(dims.span());
}

Chain PrintShape(const TensorShape& shape) {
  return PrintLine(StrCat("shape = ", shape.ToString()));
}

bool EqualShape(const TensorShape& a, const TensorShape& b) { return a == b; }

StatusOr<int64_t> GetDimension(const TensorShape& shape, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= shape.rank()) {
    return InvalidArgumentError(
        StrCat("dimension ", index, " is out of range for the shape ", shape.ToString()));
  }
  return shape.dim(index);
}

StatusOr<int64_t> GetNumElements(const TensorShape& shape) {
  int64_t size = shape.num_elements();
  if (size == INT64_MAX) TFRT_RETURN_IF_ERROR(shape.CheckSize());
  return size;
}

template <size_t R>
StatusOr<FixedRankShape<R>> AsFixedRankShape(const TensorShape& shape) {
  return FixedRankShape<R>::Create(shape);
}

// A shape without elements prints as an empty list; programs match that, odd as it is.
template <size_t R>
Chain PrintFixedRankShape(const FixedRankShape<R>& shape) {
  bool is_empty = std::ranges::count(shape.dims(), 0) != 0;
  return PrintLine(StrCat("fixed_rank_shape = ", is_empty ? "[]" : shape.ToString()));
}

template <size_t R>
void RegisterFixedRank(KernelRegistry* registry) {
  registry->AddKernel(StrCat("ts.as_fixed_rank_shape.", R), TFRT_KERNEL(AsFixedRankShape<R>));
  registry->AddKernel(StrCat("ts.print_fixed_rank_shape.", R), TFRT_KERNEL(PrintFixedRankShape<R>));
}

StatusOr<PartialTensorShape> BuildPartialShape(ArrayAttribute<int64_t> dims) {
  return PartialTensorShape::Create(dims.span());
}

PartialTensorShape BuildUnrankedPartialShape() { return PartialTensorShape::Unranked(); }

Chain PrintPartialShape(const PartialTensorShape& shape) {
  return PrintLine(StrCat("partial_tensor_shape = ", shape.ToString()));
}

StatusOr<TensorShape> ToShape(const PartialTensorShape& shape) { return shape.ToShape(); }

PartialTensorShape ToPartialShape(const TensorShape& shape) { return PartialTensorShape(shape); }

}  // namespace

void RegisterShapeKernels(KernelRegistry* registry) {
  constexpr KernelFlags kPure = KernelFlags::kOrderFree;
  registry->AddKernel("ts.build_shape", TFRT_KERNEL(BuildShape));
  registry->AddKernel("ts.print_shape", TFRT_KERNEL(PrintShape));
  registry->AddKernel("ts.equal_shape", TFRT_KERNEL(EqualShape), kPure);
  registry->AddKernel("ts.get_dimension", TFRT_KERNEL(GetDimension));
  registry->AddKernel("ts.get_num_elements", TFRT_KERNEL(GetNumElements));
  RegisterFixedRank<1>(registry);
  RegisterFixedRank<2>(registry);
  RegisterFixedRank<3>(registry);
  registry->AddKernel("ts.build_partial_shape", TFRT_KERNEL(BuildPartialShape));
  registry->AddKernel("ts.build_unranked_partial_shape", TFRT_KERNEL(BuildUnrankedPartialShape),
                      kPure);
  registry->AddKernel("ts.print_partial_shape", TFRT_KERNEL(PrintPartialShape));
  registry->AddKernel("ts.to_shape", TFRT_KERNEL(ToShape));
  registry->AddKernel("ts.to_partial_shape", TFRT_KERNEL(ToPartialShape), kPure);

  registry->AddSyncKernel("ts_sync.build_shape", TFRT_SYNC_KERNEL(BuildShape));
  registry->AddSyncKernel("ts_sync.get_num_elements", TFRT_SYNC_KERNEL(GetNumElements));
  registry->AddSyncKernel("ts_sync.build_partial_shape", TFRT_SYNC_KERNEL(BuildPartialShape));
  registry->AddSyncKernel("ts_sync.to_shape", TFRT_SYNC_KERNEL(ToShape));
  registry->AddSyncKernel("ts_sync.to_partial_shape", TFRT_SYNC_KERNEL(ToPartialShape));
}

}  // namespace tfrt
