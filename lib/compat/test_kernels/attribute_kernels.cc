// Kernels that look closely at their attributes.

#include <charconv>
#include <cstdio>
#include <string>

#include "kernel_groups.h"
#include "lib/runtime/host/resource_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/tensor_type.h"

namespace tfrt {
namespace {

StatusOr<AggregateAttribute> NestedAggregate(const AggregateAttribute& parent, size_t index) {
  if (index >= parent.size() || parent.element_code(index) != AggregateAttribute::kCode) {
    return InvalidArgumentError(StrCat("element ", index, " is not an aggregate"));
  }
  return AggregateAttribute(parent.element_data(index));
}

template <typename T>
StatusOr<T> Leaf(const AggregateAttribute& parent, size_t index, size_t position) {
  using Array = ArrayAttribute<T>;
  if (index >= parent.size() || parent.element_code(index) != Array::kCode ||
      Array(parent.element_data(index)).size() <= position) {
    return InvalidArgumentError(
        StrCat("element ", index, " is not an array with an element ", position));
  }
  return Array(parent.element_data(index))[position];
}

// The leaves of [["s", [1 : i32, 2 : i32]], [1.5 : f32]].
StatusOr<std::tuple<std::string, int32_t, int32_t, float>> Flat(AggregateAttribute root) {
  TFRT_ASSIGN_OR_RETURN(AggregateAttribute first, NestedAggregate(root, 0));
  if (first.size() == 0 || first.element_code(0) != StringAttribute::kCode) {
    return InvalidArgumentError("element 0 of element 0 is not a string");
  }
  std::string text(*StringAttribute(first.element_data(0)));
  TFRT_ASSIGN_OR_RETURN(int32_t a, Leaf<int32_t>(first, 1, 0));
  TFRT_ASSIGN_OR_RETURN(int32_t b, Leaf<int32_t>(first, 1, 1));
  TFRT_ASSIGN_OR_RETURN(float c, Leaf<float>(root, 1, 0));
  return std::tuple(std::move(text), a, b, c);
}

// Returns the data that the host program keeps for the request, under its type.
template <typename T>
StatusOr<T> RequestData(const ExecutionContext& exec_ctx) {
  T* data = exec_ctx.request_ctx()->template GetDataIfExists<T>();
  if (!data) return InternalError(StrCat("request has no data of type ", TypeName(GetTypeId<T>())));
  return *data;
}

// Initial value, elements, the request's data and the resource `val`.
template <typename T>
StatusOr<T> SumArrayAttr(StringAttribute initial_value, ArrayAttribute<T> elements,
                         const ExecutionContext& exec_ctx) {
  std::string_view text = *initial_value;
  using Unsigned = std::make_unsigned_t<T>;  // the sum wraps around
  T initial = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), initial);
  if (error != std::errc() || end != text.data() + text.size()) {
    return InternalError(StrCat("Cannot convert ", text, " to target int"));
  }
  Unsigned sum = static_cast<Unsigned>(initial);
  for (T element : elements) sum += static_cast<Unsigned>(element);
  TFRT_ASSIGN_OR_RETURN(T data, RequestData<T>(exec_ctx));
  T* resource = nullptr;
  if (exec_ctx.resource_context()) {
    TFRT_ASSIGN_OR_RETURN(resource, exec_ctx.resource_context()->template Get<T>("val"));
  }
  if (!resource) return InternalError("there is no resource 'val'");
  return static_cast<T>(sum + static_cast<Unsigned>(data) + static_cast<Unsigned>(*resource));
}

StatusOr<int32_t> GetRequestContextData(const ExecutionContext& exec_ctx) {
  return RequestData<int32_t>(exec_ctx);
}

TensorType GetStaticTensorType(StringAttribute name) { return HostTensorTypeNamed(*name); }

Chain PrintTensorType(const TensorType& type) {
  std::printf("tensor_type = %.*s\n", static_cast<int>(type.name().size()), type.name().data());
  std::fflush(stdout);
  return {};
}

}  // namespace

void RegisterAttributeTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.flat", TFRT_KERNEL(Flat));
  registry->AddKernel("tfrt_test.get_static_tensor_type", TFRT_KERNEL(GetStaticTensorType),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.print_tensor_type", TFRT_KERNEL(PrintTensorType));
  registry->AddKernel("tfrt_test.sum_array_attr.i32", TFRT_KERNEL(SumArrayAttr<int32_t>));
  registry->AddKernel("tfrt_test.sum_array_attr.i64", TFRT_KERNEL(SumArrayAttr<int64_t>));
  registry->AddKernel("tfrt_test.get_request_context_data.i32", TFRT_KERNEL(GetRequestContextData));
}

}  // namespace tfrt
