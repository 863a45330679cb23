// Kernels that print and compare dense host tensors.

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "dense_types.h"
#include "is_close.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

Chain PrintTensor(const Tensor& tensor) {
  std::printf("%s\n", tensor.ToString().c_str());
  std::fflush(stdout);
  return {};
}

Chain PrintTensorShape(const DenseHostTensor& tensor) {
  std::printf("%s\n", tensor.shape().ToString().c_str());
  std::fflush(stdout);
  return {};
}

TensorShape GetTensorShape(const DenseHostTensor& tensor) { return tensor.shape(); }

void PrintTensorSync(const Tensor& tensor) { PrintTensor(tensor); }

Chain NoOp(const DenseHostTensor&) { return {}; }

// Compares the elements of two tensors of one dtype (which must be T) and one shape.
template <typename T, typename Same>
StatusOr<std::pair<bool, Chain>> Compare(const DenseHostTensor& a, const DenseHostTensor& b,
                                         Same same) {
  if (a.metadata() != b.metadata()) return std::pair(false, Chain());
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<T>::Create(a, "the compared tensor"));
  TFRT_ASSIGN_OR_RETURN(auto b_view, DenseView<T>::Create(b, "the compared tensor"));
  if constexpr (std::is_same_v<T, bool>) {
    // Elements that have not been set may be other bytes than 0 and 1.
    auto* a_bytes = reinterpret_cast<const uint8_t*>(a_view.data());
    auto* b_bytes = reinterpret_cast<const uint8_t*>(b_view.data());
    bool equal = std::equal(a_bytes, a_bytes + a_view.size(), b_bytes,
                            [](uint8_t x, uint8_t y) { return (x != 0) == (y != 0); });
    return std::pair(equal, Chain());
  } else {
    return std::pair(std::ranges::equal(a_view.elements(), b_view.elements(), same), Chain());
  }
}

template <typename T>
StatusOr<std::pair<bool, Chain>> TensorEqual(const DenseHostTensor& a, const DenseHostTensor& b,
                                             const Chain&) {
  return Compare<T>(a, b, std::equal_to<T>());
}

template <typename T, int num_ulps>
StatusOr<std::pair<bool, Chain>> TensorAllClose(const DenseHostTensor& a, const DenseHostTensor& b,
                                                const Chain&) {
  return Compare<T>(a, b, IsClose<T, num_ulps>);
}

template <typename T, int num_ulps>
void RegisterAllClose(KernelRegistry* registry, const std::string& name) {
  registry->AddKernel("tfrt_dht.tensor_allclose." + name, TFRT_KERNEL(TensorAllClose<T, num_ulps>));
}

template <typename T>
void RegisterComparisons(KernelRegistry* registry, const std::string& dtype) {
  registry->AddKernel("tfrt_dht.tensor_equal." + dtype, TFRT_KERNEL(TensorEqual<T>));
  RegisterAllClose<T, 2>(registry, dtype);
  RegisterAllClose<T, 3>(registry, "3ulp." + dtype);
  RegisterAllClose<T, 1000>(registry, "1000ulp." + dtype);
  RegisterAllClose<T, 2000>(registry, "2000ulp." + dtype);
  RegisterAllClose<T, 100000>(registry, "100000ulp." + dtype);
}

}  // namespace

void RegisterDenseInspectionKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_dht.print_tensor", TFRT_KERNEL(PrintTensor));
  registry->AddKernel("tfrt_dht.print_tensor_shape", TFRT_KERNEL(PrintTensorShape));
  registry->AddKernel("tfrt_dht.get_tensor_shape", TFRT_KERNEL(GetTensorShape),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_dht.no_op_ht", TFRT_KERNEL(NoOp), KernelFlags::kOrderFree);
  registry->AddSyncKernel("tfrt_dht_sync.print_tensor", TFRT_SYNC_KERNEL(PrintTensorSync));
  registry->AddSyncKernel("tfrt_dht_sync.get_tensor_shape", TFRT_SYNC_KERNEL(GetTensorShape));
  ForEachDenseType([&]<typename T>(std::type_identity<T>, const std::string& dtype) {
    if constexpr (!std::is_same_v<T, Fp16> && !std::is_same_v<T, Bf16>) {
      RegisterComparisons<T>(registry, dtype);
    }
  });
}

}  // namespace tfrt
