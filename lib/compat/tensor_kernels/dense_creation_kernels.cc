// Kernels that make dense host tensors and fill them with constants or scalars, and their forms for
// sync functions.

#include <algorithm>
#include <complex>
#include <string>

#include "dense_types.h"
#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

constexpr int kMaxRankInName = 5;

template <typename T>
StatusOr<DenseHostTensor> AllocateTensor(const TensorShape& shape,
                                         const ExecutionContext& exec_ctx) {
  return DenseHostTensor::CreateUninitialized({DTypeOf<T>(), shape}, exec_ctx.host()->allocator());
}

template <typename T>
StatusOr<DenseHostTensor> CreateUninitializedTensor(ArrayAttribute<int64_t> dims,
                                                    const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  return AllocateTensor<T>(shape, exec_ctx);
}

// The rank in the name says nothing: the shape decides, as it always did.
template <typename T>
void RegisterCreate(KernelRegistry* registry, const std::string& dtype) {
  for (int rank = 0; rank <= kMaxRankInName; ++rank) {
    std::string suffix = StrCat("create_uninitialized_tensor.", dtype, ".", rank);
    registry->AddKernel("tfrt_dht." + suffix, TFRT_KERNEL(CreateUninitializedTensor<T>));
    registry->AddSyncKernel("tfrt_dht_sync." + suffix,
                            TFRT_SYNC_KERNEL(CreateUninitializedTensor<T>));
  }
  registry->AddKernel("tfrt_dht.allocate_tensor." + dtype, TFRT_KERNEL(AllocateTensor<T>));
}

template <typename T>
StatusOr<Chain> FillTensorWithConstant(DenseHostTensor& tensor, Attribute<T> value) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, "the tensor to fill"));
  std::ranges::fill(view.elements(), value.get());
  return Chain();
}

Status ValueCountError(const DenseHostTensor& tensor, size_t num_values) {
  return InvalidArgumentError(StrCat("Incorrect number of values for the tensor: ", num_values,
                                     ", but expected ", tensor.num_elements()));
}

// Describes the attribute `values` of a tensor of T.
template <typename T>
struct ValuesOf {
  using Attribute = ArrayAttribute<T>;
};
template <typename T>
struct ValuesOf<std::complex<T>> {
  using Attribute = ArrayAttribute<T>;  // real, imaginary, real, imaginary, ...
};

template <typename T>
Status SetElements(DenseHostTensor& tensor, ArrayAttribute<T> values) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, "the tensor to set"));
  if (values.size() != view.size()) return ValueCountError(tensor, values.size());
  if constexpr (std::is_same_v<T, bool>) {
    // Bytes of a file: only 0 and 1 are values of a bool.
    auto* bytes = reinterpret_cast<const uint8_t*>(values.span().data());
    std::transform(bytes, bytes + values.size(), view.data(), [](uint8_t b) { return b != 0; });
  } else {
    std::ranges::copy(values, view.data());
  }
  return OkStatus();
}

template <typename T>
Status SetComplexElements(DenseHostTensor& tensor, ArrayAttribute<T> values) {
  TFRT_ASSIGN_OR_RETURN(auto view,
                        MutableDenseView<std::complex<T>>::Create(tensor, "the tensor to set"));
  if (values.size() % 2 != 0 || values.size() / 2 != view.size()) {
    return InvalidArgumentError(StrCat(
        "Incorrect number of real and imaginary values for the complex tensor: ", values.size(),
        ", but expected ", 2 * view.size()));
  }
  for (size_t i = 0; i < view.size(); ++i) view[i] = {values[2 * i], values[2 * i + 1]};
  return OkStatus();
}

// tfrt_dht_sync.set_tensor_with_constant_values; the async kernel has chains around it.
template <typename T>
Status SetTensorSync(DenseHostTensor& tensor, typename ValuesOf<T>::Attribute values) {
  if constexpr (std::is_same_v<typename ValuesOf<T>::Attribute, ArrayAttribute<T>>) {
    return SetElements<T>(tensor, values);
  } else {
    return SetComplexElements<typename T::value_type>(tensor, values);
  }
}

template <typename T>
StatusOr<Chain> SetTensorWithConstantValues(DenseHostTensor& tensor, const Chain&,
                                            typename ValuesOf<T>::Attribute values) {
  TFRT_RETURN_IF_ERROR(SetTensorSync<T>(tensor, values));
  return Chain();
}

template <typename T>
StatusOr<Chain> SetTensorWithValues(DenseHostTensor& tensor, const Chain&,
                                    RepeatedArguments<T> values) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, "the tensor to set"));
  if (values.size() != view.size()) return ValueCountError(tensor, values.size());
  for (size_t i = 0; i < view.size(); ++i) view[i] = values[i];
  return Chain();
}

// One value stands for all elements.
template <typename T>
StatusOr<DenseHostTensor> CreateDenseTensor(ArrayAttribute<int64_t> dims,
                                            typename ValuesOf<T>::Attribute values,
                                            const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, CreateUninitializedTensor<T>(dims, exec_ctx));
  constexpr size_t kPerElement = sizeof(T) / sizeof(values[0]);
  if (values.size() == kPerElement && tensor.num_elements() != 1) {
    TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, "the new tensor"));
    T value;
    if constexpr (kPerElement == 2) {
      value = T(values[0], values[1]);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = *reinterpret_cast<const uint8_t*>(values.span().data()) != 0;
    } else {
      value = values[0];
    }
    std::ranges::fill(view.elements(), value);
  } else {
    TFRT_RETURN_IF_ERROR(SetTensorSync<T>(tensor, values));
  }
  return tensor;
}

template <typename T>
StatusOr<ScalarHostTensor<T>> CreateFromScalar(ArrayAttribute<int64_t> dims, Attribute<T> value) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  return ScalarHostTensor<T>(std::move(shape), value.get());
}

template <typename T>
void RegisterType(KernelRegistry* registry, const std::string& dtype) {
  RegisterCreate<T>(registry, dtype);
  registry->AddKernel("tfrt_dht.set_tensor_with_constant_values." + dtype,
                      TFRT_KERNEL(SetTensorWithConstantValues<T>));
  registry->AddKernel("tfrt_dht.set_tensor_with_values." + dtype,
                      TFRT_KERNEL(SetTensorWithValues<T>));
  registry->AddSyncKernel("tfrt_dht_sync.set_tensor_with_constant_values." + dtype,
                          TFRT_SYNC_KERNEL(SetTensorSync<T>));
  registry->AddSyncKernel("tfrt_dht_sync.create_dense_tensor." + dtype,
                          TFRT_SYNC_KERNEL(CreateDenseTensor<T>));
  // An attribute of one value is not complex.
  if constexpr (std::is_same_v<typename ValuesOf<T>::Attribute, ArrayAttribute<T>>) {
    registry->AddKernel("tfrt_dht.fill_tensor_with_constant." + dtype,
                        TFRT_KERNEL(FillTensorWithConstant<T>));
    registry->AddSyncKernel("tfrt_dht_sync.create_from_scalar." + dtype,
                            TFRT_SYNC_KERNEL(CreateFromScalar<T>));
  }
}

StatusOr<DenseHostTensor> ConstDenseAttr(DenseAttribute value) {
  return DenseHostTensor::CreateFromConstant(value);
}

}  // namespace

void RegisterDenseCreationKernels(KernelRegistry* registry) {
  ForEachDenseType([&]<typename T>(std::type_identity<T>, const std::string& dtype) {
    RegisterType<T>(registry, dtype);
  });
  registry->AddKernel("tfrt_test.const_dense_attr", TFRT_KERNEL(ConstDenseAttr));
  registry->AddSyncKernel("tfrt_test.sync.const_dense_attr", TFRT_SYNC_KERNEL(ConstDenseAttr));
}

}  // namespace tfrt
