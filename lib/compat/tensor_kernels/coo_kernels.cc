// coo.*: kernels on sparse tensors.

#include <string>
#include <utility>

#include "is_close.h"
#include "kernel_groups.h"
#include "lib/runtime/tensor/coo_host_tensor.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

constexpr int kNumUlps = 2;  // as tfrt_dht.tensor_allclose

// The dtype and rank that the kernel's name promises.
template <typename T, size_t R>
Status CheckNamedType(const Tensor& tensor, std::string_view name) {
  TFRT_RETURN_IF_ERROR(CheckDType(tensor, DTypeOf<T>(), name));
  return CheckRank(tensor, R, name);
}

// Programs match the indices, which are those of the reversed shape.
template <typename T, size_t R>
StatusOr<std::pair<CooHostTensor, Chain>> ConvertDenseToCoo(const DenseHostTensor& tensor,
                                                            const Chain&,
                                                            const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR((CheckNamedType<T, R>(tensor, "the tensor to convert")));
  TFRT_ASSIGN_OR_RETURN(CooHostTensor result, SparseFromDense(tensor, CooIndexOrder::kReversedShape,
                                                              exec_ctx.host()->allocator()));
  return std::pair(std::move(result), Chain());
}

template <typename T, size_t R>
StatusOr<std::pair<DenseHostTensor, Chain>> ConvertCooToDense(const CooHostTensor& tensor,
                                                              const Chain&,
                                                              const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR((CheckNamedType<T, R>(tensor, "the tensor to convert")));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseFromSparse(tensor, exec_ctx.host()->allocator()));
  return std::pair(std::move(result), Chain());
}

// The same elements in the same order, with approximately the same values.
template <typename T, size_t R>
StatusOr<std::pair<bool, Chain>> TensorEqual(const CooHostTensor& a, const CooHostTensor& b,
                                             const Chain&) {
  TFRT_RETURN_IF_ERROR((CheckNamedType<T, R>(a, "the compared tensor")));
  TFRT_RETURN_IF_ERROR((CheckNamedType<T, R>(b, "the compared tensor")));
  TFRT_ASSIGN_OR_RETURN(auto a_values, DenseView<T>::Create(a.values(), "the compared tensor"));
  TFRT_ASSIGN_OR_RETURN(auto b_values, DenseView<T>::Create(b.values(), "the compared tensor"));
  bool equal = a.shape() == b.shape() && a.num_values() == b.num_values();
  for (size_t i = 0; equal && i < a.num_values(); ++i) {
    equal = a.LinearIndex(i) == b.LinearIndex(i) && IsClose<T, kNumUlps>(a_values[i], b_values[i]);
  }
  return std::pair(equal, Chain());
}

template <typename T, size_t R>
void RegisterCooRank(KernelRegistry* registry, const std::string& dtype) {
  std::string suffix = StrCat(dtype, ".", R);
  registry->AddKernel("coo.convert_dht_to_coo." + suffix, TFRT_KERNEL(ConvertDenseToCoo<T, R>));
  registry->AddKernel("coo.convert_coo_to_dht." + suffix, TFRT_KERNEL(ConvertCooToDense<T, R>));
  registry->AddKernel("coo.tensor_equal." + suffix, TFRT_KERNEL(TensorEqual<T, R>));
}

template <typename T>
void RegisterCooType(KernelRegistry* registry, const std::string& dtype) {
  RegisterCooRank<T, 0>(registry, dtype);
  RegisterCooRank<T, 1>(registry, dtype);
  RegisterCooRank<T, 2>(registry, dtype);
  RegisterCooRank<T, 3>(registry, dtype);
}

}  // namespace

void RegisterCooKernels(KernelRegistry* registry) {
  RegisterCooType<float>(registry, "f32");
  RegisterCooType<int32_t>(registry, "i32");
}

}  // namespace tfrt
