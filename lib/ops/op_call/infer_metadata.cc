#include "infer_metadata.h"

#include <algorithm>
#include <vector>

#include "op_attr_values.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

// Null for what is left out and for values that are no tensors, such as packed weights.
const Tensor* TensorOf(const AsyncValue* value) {
  if (!value) return nullptr;
  if (auto* dense = const_cast<AsyncValue*>(value)->GetIfPlain<DenseHostTensor>()) return dense;
  return value->IsType<Tensor>() ? &value->get<Tensor>() : nullptr;
}

// The few integers that a host value is; null for other tensors.
const DenseHostTensor* FollowedIntegers(const Tensor& tensor) {
  bool is_integer = tensor.dtype() == DType::kI64 || tensor.dtype() == DType::kI32;
  if (!is_integer || tensor.tensor_type() != kDenseHostTensorType) return nullptr;
  if (tensor.num_elements() > static_cast<int64_t>(ValueType::kMaxElements)) return nullptr;
  return static_cast<const DenseHostTensor*>(&tensor);
}

int64_t ElementOf(const DenseHostTensor& tensor, int64_t index) {
  if (tensor.dtype() == DType::kI64) return static_cast<const int64_t*>(tensor.data())[index];
  return static_cast<const int32_t*>(tensor.data())[index];
}

// Goes through what a call's results follow from, in the order of a CallSite. Stops, and returns
// false, where `metadata` or `element` does.
template <typename OnMetadata, typename OnElement>
bool ForEachFact(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                 OnMetadata&& on_metadata, OnElement&& on_element) {
  const bool has_host_values = op.description->has_host_values();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Tensor* tensor = TensorOf(arguments[i]);
    if (!on_metadata(i, tensor)) return false;
    if (!tensor || !has_host_values || !op.description->is_host_value(i, arguments.size())) {
      continue;
    }
    const DenseHostTensor* integers = FollowedIntegers(*tensor);
    for (int64_t j = 0; integers && j < integers->num_elements(); ++j) {
      if (!on_element(ElementOf(*integers, j))) return false;
    }
  }
  return true;
}

bool IsSameCall(const OpDefinition& op, std::span<AsyncValue* const> arguments, size_t num_results,
                const CallSite& site) {
  if (!site.is_known || site.arguments.size() != arguments.size() ||
      site.num_results != num_results) {
    return false;
  }
  size_t next = 0;
  const bool is_same = ForEachFact(
      op, arguments,
      [&](size_t i, const Tensor* tensor) {
        const TensorMetadata& before = site.arguments[i];
        return tensor ? tensor->metadata() == before : before.dtype == DType::kUnsupported;
      },
      [&](int64_t element) {
        return next < site.elements.size() && site.elements[next++] == element;
      });
  // A tensor whose elements are not followed may be like one whose elements were.
  return is_same && next == site.elements.size();
}

ValueType TypeOf(const TensorMetadata& metadata) {
  const ShapeDims dims = metadata.shape.dims();
  return {metadata.dtype, SymbolicShape(std::vector<Dim>(dims.begin(), dims.end()))};
}

ValueType TypeOf(const Tensor& tensor, bool is_host_value) {
  ValueType type = TypeOf(tensor.metadata());
  const DenseHostTensor* integers = is_host_value ? FollowedIntegers(tensor) : nullptr;
  if (integers) {
    type.elements.emplace();
    for (int64_t i = 0; i < integers->num_elements(); ++i) {
      type.elements->push_back(ElementOf(*integers, i));
    }
  }
  return type;
}

// Empty unless all is known.
StatusOr<std::vector<TensorMetadata>> MetadataOf(std::span<const ValueType> types) {
  std::vector<TensorMetadata> metadata;
  for (const ValueType& type : types) {
    if (!type.has_dtype() || !type.shape.is_known()) return std::vector<TensorMetadata>();
    std::vector<int64_t> dims;
    for (Dim dim : type.shape.dims()) dims.push_back(dim.value());
    TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
    metadata.push_back({type.dtype, std::move(shape)});
  }
  return metadata;
}

// As calls of this name have arguments and attributes.
StatusOr<std::vector<ValueType>> InferTypes(const OpDefinition& op,
                                            std::span<const ValueType* const> arguments,
                                            const OpAttrsRef& attrs, size_t num_results) {
  const OpAttrsReader reader(attrs);
  if (op.spelling) return InferResults(*op.spelling, arguments, reader, num_results);
  const bool is_compiled = op.name.starts_with(kGraphOpPrefix);
  return InferResults(*op.description, is_compiled ? op.description->name : op.name, arguments,
                      reader, num_results);
}

}  // namespace

Status InferMetadata(const OpDefinition& op, OpMetadataArguments arguments, const OpAttrsRef& attrs,
                     std::span<TensorMetadata> results) {
  std::vector<ValueType> types(arguments.size());
  std::vector<const ValueType*> known(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]) continue;
    types[i] = TypeOf(*arguments[i]);
    known[i] = &types[i];
  }
  TFRT_ASSIGN_OR_RETURN(auto made, InferTypes(op, known, attrs, results.size()));
  TFRT_ASSIGN_OR_RETURN(std::vector<TensorMetadata> metadata, MetadataOf(made));
  if (metadata.size() != results.size()) {
    return InternalError(StrCat(op.name, ": its shape rule leaves sizes open"));
  }
  std::ranges::move(metadata, results.begin());
  return OkStatus();
}

Status InferResultMetadata(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                           const OpAttrsRef& attrs, size_t num_results, CallSite* site) {
  if (IsSameCall(op, arguments, num_results, *site)) return OkStatus();
  *site = {.num_results = num_results,
           .prepared = std::move(site->prepared),
           .parsed_attrs = std::move(site->parsed_attrs)};
  site->arguments.resize(arguments.size());
  ForEachFact(
      op, arguments,
      [&](size_t i, const Tensor* tensor) {
        if (tensor) site->arguments[i] = tensor->metadata();
        return true;
      },
      [&](int64_t element) {
        site->elements.push_back(element);
        return true;
      });

  std::vector<ValueType> types(arguments.size());
  std::vector<const ValueType*> known(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]) continue;
    const Tensor* tensor = TensorOf(arguments[i]);
    if (tensor) types[i] = TypeOf(*tensor, op.description->is_host_value(i, arguments.size()));
    known[i] = &types[i];
  }
  TFRT_ASSIGN_OR_RETURN(auto results, InferTypes(op, known, attrs, num_results));
  TFRT_ASSIGN_OR_RETURN(site->results, MetadataOf(results));
  site->is_known = true;
  return OkStatus();
}

}  // namespace tfrt
