// Kernels that make dense host tensors and fill them with constants or scalars.

#include <algorithm>
#include <complex>
#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

constexpr int kMaxRankInName = 5;

template <typename T>
StatusOr<DenseHostTensor> CreateUninitializedTensor(ArrayAttribute<int64_t> dims,
                                                    const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  return DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)},
                                              exec_ctx.host()->allocator());
}

// The rank in the name says nothing: the shape decides, as it always did.
template <typename T>
void RegisterCreate(KernelRegistry* registry, const std::string& dtype) {
  for (int rank = 0; rank <= kMaxRankInName; ++rank) {
    registry->AddKernel(StrCat("tfrt_dht.create_uninitialized_tensor.", dtype, ".", rank),
                        TFRT_KERNEL(CreateUninitializedTensor<T>), KernelFlags::kOrderFree);
  }
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

template <typename T>
StatusOr<Chain> SetTensorWithConstantValues(DenseHostTensor& tensor, const Chain&,
                                            ArrayAttribute<T> values) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, "the tensor to set"));
  if (values.size() != view.size()) return ValueCountError(tensor, values.size());
  if constexpr (std::is_same_v<T, bool>) {
    // Bytes of a file: only 0 and 1 are values of a bool.
    auto* bytes = reinterpret_cast<const uint8_t*>(values.span().data());
    std::transform(bytes, bytes + values.size(), view.data(), [](uint8_t b) { return b != 0; });
  } else {
    std::ranges::copy(values, view.data());
  }
  return Chain();
}

// The values are real, imaginary, real, imaginary, ...
template <typename T>
StatusOr<Chain> SetComplexTensorWithConstantValues(DenseHostTensor& tensor, const Chain&,
                                                   ArrayAttribute<T> values) {
  TFRT_ASSIGN_OR_RETURN(auto view,
                        MutableDenseView<std::complex<T>>::Create(tensor, "the tensor to set"));
  if (values.size() % 2 != 0 || values.size() / 2 != view.size()) {
    return InvalidArgumentError(
        StrCat("Incorrect number of real and imaginary values for the complex tensor: ",
               values.size(), ", but expected ", 2 * view.size()));
  }
  for (size_t i = 0; i < view.size(); ++i) view[i] = {values[2 * i], values[2 * i + 1]};
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

template <typename T>
void RegisterScalarType(KernelRegistry* registry, const std::string& dtype) {
  RegisterCreate<T>(registry, dtype);
  registry->AddKernel("tfrt_dht.fill_tensor_with_constant." + dtype,
                      TFRT_KERNEL(FillTensorWithConstant<T>));
  registry->AddKernel("tfrt_dht.set_tensor_with_constant_values." + dtype,
                      TFRT_KERNEL(SetTensorWithConstantValues<T>));
  registry->AddKernel("tfrt_dht.set_tensor_with_values." + dtype,
                      TFRT_KERNEL(SetTensorWithValues<T>));
}

template <typename T>
void RegisterComplexType(KernelRegistry* registry, const std::string& dtype) {
  RegisterCreate<std::complex<T>>(registry, dtype);
  registry->AddKernel("tfrt_dht.set_tensor_with_constant_values." + dtype,
                      TFRT_KERNEL(SetComplexTensorWithConstantValues<T>));
  registry->AddKernel("tfrt_dht.set_tensor_with_values." + dtype,
                      TFRT_KERNEL(SetTensorWithValues<std::complex<T>>));
}

StatusOr<DenseHostTensor> ConstDenseAttr(DenseAttribute value) {
  return DenseHostTensor::CreateFromConstant(value);
}

}  // namespace

void RegisterDenseCreationKernels(KernelRegistry* registry) {
  RegisterScalarType<uint8_t>(registry, "ui8");
  RegisterScalarType<uint32_t>(registry, "ui32");
  RegisterScalarType<uint64_t>(registry, "ui64");
  RegisterScalarType<int8_t>(registry, "i8");
  RegisterScalarType<int32_t>(registry, "i32");
  RegisterScalarType<int64_t>(registry, "i64");
  RegisterScalarType<float>(registry, "f32");
  RegisterScalarType<double>(registry, "f64");
  RegisterScalarType<bool>(registry, "bool");
  RegisterScalarType<Fp16>(registry, "f16");
  RegisterScalarType<Bf16>(registry, "bf16");
  RegisterComplexType<float>(registry, "complex64");
  RegisterComplexType<double>(registry, "complex128");
  registry->AddKernel("tfrt_test.const_dense_attr", TFRT_KERNEL(ConstDenseAttr),
                      KernelFlags::kOrderFree);
}

}  // namespace tfrt
