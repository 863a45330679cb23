// ts.*: kernels on shapes.

#include <cstdio>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {
namespace {

StatusOr<TensorShape> BuildShape(ArrayAttribute<int64_t> dims) {
  return TensorShape::Create(dims.span());
}

Chain PrintShape(const TensorShape& shape) {
  std::printf("shape = %s\n", shape.ToString().c_str());
  std::fflush(stdout);
  return {};
}

bool EqualShape(const TensorShape& a, const TensorShape& b) { return a == b; }

StatusOr<int64_t> GetDimension(const TensorShape& shape, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= shape.rank()) {
    return InvalidArgumentError(
        StrCat("dimension ", index, " is out of range for the shape ", shape.ToString()));
  }
  return shape.dim(index);
}

int64_t GetNumElements(const TensorShape& shape) { return shape.num_elements(); }

}  // namespace

void RegisterShapeKernels(KernelRegistry* registry) {
  constexpr KernelFlags kPure = KernelFlags::kOrderFree;
  registry->AddKernel("ts.build_shape", TFRT_KERNEL(BuildShape), kPure);
  registry->AddKernel("ts.print_shape", TFRT_KERNEL(PrintShape));
  registry->AddKernel("ts.equal_shape", TFRT_KERNEL(EqualShape), kPure);
  registry->AddKernel("ts.get_dimension", TFRT_KERNEL(GetDimension), kPure);
  registry->AddKernel("ts.get_num_elements", TFRT_KERNEL(GetNumElements), kPure);
}

}  // namespace tfrt
