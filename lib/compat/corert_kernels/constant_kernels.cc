// Kernels that make tensor handles of attributes.

#include <algorithm>
#include <complex>
#include <string>

#include "handle_value.h"
#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<TensorHandle> ConstDenseTensor(DenseAttribute value, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, DenseHostTensor::CreateFromConstant(value));
  return HostHandle(exec_ctx, std::move(tensor));
}

Status CheckNumValues(const TensorShape& shape, size_t num_values) {
  if (num_values == 1 || num_values == static_cast<uint64_t>(shape.num_elements())) {
    return OkStatus();
  }
  return InvalidArgumentError(StrCat("a tensor of shape ", shape.ToString(), " needs ",
                                     shape.num_elements(),
                                     " values, or one for all, but there are ", num_values));
}

StatusOr<TensorHandle> ConstStringTensor(ArrayAttribute<int64_t> dims, AggregateAttribute values,
                                         const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  TFRT_RETURN_IF_ERROR(CheckNumValues(shape, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (values.element_code(i) == StringAttribute::kCode) continue;
    return InvalidArgumentError(StrCat("value ", i, " of the string tensor is no string"));
  }
  TFRT_ASSIGN_OR_RETURN(StringHostTensor tensor,
                        StringHostTensor::CreateEmpty(shape, exec_ctx.host()->allocator()));
  std::span<std::string> strings = tensor.MutableStrings();
  for (size_t i = 0; i < strings.size(); ++i) {
    strings[i] = *StringAttribute(values.element_data(values.size() == 1 ? 0 : i));
  }
  return HostHandle(exec_ctx, std::move(tensor));
}

// The numbers that elements are encoded as: complex ones are two.
template <typename T>
struct NumberOf {
  using Type = T;
};
template <typename T>
struct NumberOf<std::complex<T>> {
  using Type = T;
};

template <typename T>
StatusOr<TensorHandle> CreateDenseTensor(ArrayAttribute<int64_t> dims,
                                         ArrayAttribute<typename NumberOf<T>::Type> values,
                                         const ExecutionContext& exec_ctx) {
  constexpr size_t kWidth = sizeof(T) / sizeof(typename NumberOf<T>::Type);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  if (values.size() % kWidth != 0) {
    return InvalidArgumentError(
        StrCat("complex values come as real and imaginary parts, but there are ", values.size(),
               " numbers"));
  }
  size_t num_values = values.size() / kWidth;
  TFRT_RETURN_IF_ERROR(CheckNumValues(shape, num_values));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)},
                                                             exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(void* data, tensor.MutableData());
  // Bytes, because those of a file that are to be bools may be other numbers.
  using Element = std::conditional_t<std::is_same_v<T, bool>, uint8_t, typename NumberOf<T>::Type>;
  auto* from = reinterpret_cast<const Element*>(values.span().data());
  auto* to = static_cast<Element*>(data);
  auto num_elements = static_cast<size_t>(tensor.num_elements());
  for (size_t i = 0; i < num_elements; ++i) {
    const Element* value = from + (num_values == 1 ? 0 : i * kWidth);
    for (size_t part = 0; part < kWidth; ++part) {
      if constexpr (std::is_same_v<T, bool>) {
        to[i] = value[part] != 0;
      } else {
        to[i * kWidth + part] = value[part];
      }
    }
  }
  return HostHandle(exec_ctx, std::move(tensor));
}

// Both are kernels of async functions, whatever the second one's name says.
void Register(KernelRegistry* registry, const std::string& dtype, AsyncKernelDefinition kernel) {
  registry->AddKernel("corert.create_dense_tensor." + dtype, kernel);
  registry->AddKernel("corert_sync.create_dense_tensor." + dtype, kernel);
}

StatusOr<TensorHandle> ErrorTensorHandle() { return InternalError("invalid tensorhandle"); }

}  // namespace

void RegisterTensorConstantKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.const_dense_tensor", TFRT_KERNEL(ConstDenseTensor));
  registry->AddSyncKernel("corert_sync.const_dense_tensor", TFRT_SYNC_KERNEL(ConstDenseTensor));
  registry->AddKernel("corert.const_string_tensor", TFRT_KERNEL(ConstStringTensor));
#define TFRT_REGISTER(dtype, type)                                  \
  Register(registry, ElementTypeOf(DType::dtype).program_name.text, \
           TFRT_KERNEL(CreateDenseTensor<type>));
  TFRT_CPP_ELEMENT_TYPES(TFRT_REGISTER)
#undef TFRT_REGISTER
  registry->AddKernel("tfrt_test.error_tensorhandle", TFRT_KERNEL(ErrorTensorHandle));
}

}  // namespace tfrt
