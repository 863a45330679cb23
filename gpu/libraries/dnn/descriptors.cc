#include "descriptors.h"

#include <map>

#include "gpu/wrapper/cudnn.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// NOLINTNEXTLINE: all names are the vendor's
using namespace tfrt::gpu::cudnn;

std::string_view OperationName(cudnnBackendDescriptorType_t operation) {
  switch (operation) {
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return "a convolution";
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return "a gradient of data";
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return "a gradient of a filter";
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return "a pointwise operation";
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return "a product";
    case CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
      return "a pooling";
    case CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR:
      return "a gradient of a pooling";
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return "a reduction";
    case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
      return "an attention";
    default:
      return "an operation";
  }
}

StatusOr<Descriptor> MakeTensor(const Table& table, const GraphTensor& tensor) {
  TFRT_ASSIGN_OR_RETURN(Descriptor made,
                        Descriptor::Create(table, CUDNN_BACKEND_TENSOR_DESCRIPTOR, "a tensor"));
  TFRT_RETURN_IF_ERROR(made.Set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &tensor.id));
  TFRT_RETURN_IF_ERROR(
      made.Set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &tensor.type));
  TFRT_RETURN_IF_ERROR(made.Set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64,
                                static_cast<int64_t>(tensor.dims.size()), tensor.dims.data()));
  TFRT_RETURN_IF_ERROR(made.Set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64,
                                static_cast<int64_t>(tensor.strides.size()),
                                tensor.strides.data()));
  TFRT_RETURN_IF_ERROR(
      made.Set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &tensor.alignment_bytes));
  const bool yes = true;
  if (tensor.is_virtual) {
    TFRT_RETURN_IF_ERROR(made.Set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &yes));
  }
  if (tensor.is_by_value) {
    TFRT_RETURN_IF_ERROR(made.Set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &yes));
  }
  TFRT_RETURN_IF_ERROR(made.Finalize());
  return made;
}

StatusOr<Descriptor> MakeParameters(const Table& table, const GraphNode& node) {
  TFRT_ASSIGN_OR_RETURN(Descriptor made, Descriptor::Create(table, node.parameters_type,
                                                            OperationName(node.operation)));
  for (const GraphAttribute& attribute : node.parameters) {
    TFRT_RETURN_IF_ERROR(made.Set(attribute));
  }
  TFRT_RETURN_IF_ERROR(made.Finalize());
  return made;
}

}  // namespace

StatusOr<Descriptor> Descriptor::Create(const Table& table, cudnnBackendDescriptorType_t type,
                                        std::string_view what) {
  Descriptor made;
  made.table_ = &table;
  made.what_ = what;
  const cudnnStatus_t result = table.cudnnBackendCreateDescriptor(type, &made.handle_);
  if (result != CUDNN_STATUS_SUCCESS) {
    return StatusOf(table, result, StrCat("cudnnBackendCreateDescriptor of ", what));
  }
  return made;
}

Descriptor::~Descriptor() {
  if (handle_) (void)table_->cudnnBackendDestroyDescriptor(handle_);
}

Status Descriptor::Set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                       int64_t count, const void* values) {
  const cudnnStatus_t result = table_->cudnnBackendSetAttribute(handle_, name, type, count, values);
  if (result == CUDNN_STATUS_SUCCESS) return OkStatus();
  return StatusOf(
      *table_, result,
      StrCat("cudnnBackendSetAttribute of ", what_, ", attribute ", static_cast<uint32_t>(name)));
}

Status Descriptor::Set(const GraphAttribute& attribute) {
  switch (attribute.type) {
    case CUDNN_TYPE_INT64:
      return Set(attribute.name, attribute.type, static_cast<int64_t>(attribute.integers.size()),
                 attribute.integers.data());
    case CUDNN_TYPE_FLOAT: {
      std::vector<float> numbers(attribute.numbers.begin(), attribute.numbers.end());
      return Set(attribute.name, attribute.type, static_cast<int64_t>(numbers.size()),
                 numbers.data());
    }
    case CUDNN_TYPE_DOUBLE:
      return Set(attribute.name, attribute.type, static_cast<int64_t>(attribute.numbers.size()),
                 attribute.numbers.data());
    default: {
      // Enumerations.
      std::vector<uint32_t> values(attribute.integers.begin(), attribute.integers.end());
      return Set(attribute.name, attribute.type, static_cast<int64_t>(values.size()),
                 values.data());
    }
  }
}

Status Descriptor::SetText(cudnnBackendAttributeName_t name, std::string_view text) {
  // The library counts the zero byte.
  std::string copy(text);
  return Set(name, CUDNN_TYPE_CHAR, static_cast<int64_t>(copy.size()) + 1, copy.c_str());
}

Status Descriptor::Finalize() {
  const cudnnStatus_t result = table_->cudnnBackendFinalize(handle_);
  if (result == CUDNN_STATUS_SUCCESS) return OkStatus();
  return StatusOf(*table_, result, StrCat("cudnnBackendFinalize of ", what_));
}

StatusOr<int64_t> Descriptor::Get(cudnnBackendAttributeName_t name,
                                  cudnnBackendAttributeType_t type, int64_t max_count,
                                  void* values) const {
  int64_t count = 0;
  const cudnnStatus_t result =
      table_->cudnnBackendGetAttribute(handle_, name, type, max_count, &count, values);
  if (result == CUDNN_STATUS_SUCCESS) return count;
  return StatusOf(
      *table_, result,
      StrCat("cudnnBackendGetAttribute of ", what_, ", attribute ", static_cast<uint32_t>(name)));
}

StatusOr<int64_t> Descriptor::GetInteger(cudnnBackendAttributeName_t name) const {
  int64_t value = 0;
  TFRT_RETURN_IF_ERROR(Get(name, CUDNN_TYPE_INT64, 1, &value).status());
  return value;
}

StatusOr<std::string> Descriptor::GetText(cudnnBackendAttributeName_t name) const {
  TFRT_ASSIGN_OR_RETURN(int64_t size, Get(name, CUDNN_TYPE_CHAR, 0, nullptr));
  std::string text(static_cast<size_t>(size), '\0');
  TFRT_RETURN_IF_ERROR(Get(name, CUDNN_TYPE_CHAR, size, text.data()).status());
  // The library counts the zero byte.
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  return text;
}

StatusOr<GraphDescriptors> MakeDescriptors(const Table& table, const Graph& graph) {
  GraphDescriptors made;
  made.parts.reserve(graph.tensors.size() + 2 * graph.nodes.size() + 1);
  std::map<int64_t, cudnnBackendDescriptor_t> tensors;
  for (const GraphTensor& tensor : graph.tensors) {
    TFRT_ASSIGN_OR_RETURN(Descriptor descriptor, MakeTensor(table, tensor));
    tensors[tensor.id] = descriptor.get();
    made.parts.push_back(std::move(descriptor));
  }
  std::vector<cudnnBackendDescriptor_t> operations;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    TFRT_ASSIGN_OR_RETURN(Descriptor operation,
                          Descriptor::Create(table, node.operation, OperationName(node.operation)));
    if (node.has_parameters) {
      TFRT_ASSIGN_OR_RETURN(Descriptor parameters, MakeParameters(table, node));
      TFRT_RETURN_IF_ERROR(operation.SetDescriptor(node.parameters_name, parameters));
      made.parts.push_back(std::move(parameters));
    }
    for (const GraphPlace& place : node.tensors) {
      auto found = tensors.find(place.id);
      if (found == tensors.end()) {
        return InvalidArgumentError(
            StrCat("node ", i, " uses the tensor ", place.id, ", which the graph lacks"));
      }
      TFRT_RETURN_IF_ERROR(
          operation.Set(place.name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &found->second));
    }
    for (const GraphAttribute& attribute : node.attributes) {
      TFRT_RETURN_IF_ERROR(operation.Set(attribute));
    }
    TFRT_RETURN_IF_ERROR(operation.Finalize());
    operations.push_back(operation.get());
    made.parts.push_back(std::move(operation));
  }
  TFRT_ASSIGN_OR_RETURN(
      Descriptor whole,
      Descriptor::Create(table, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "a graph"));
  TFRT_RETURN_IF_ERROR(whole.Set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 static_cast<int64_t>(operations.size()), operations.data()));
  TFRT_RETURN_IF_ERROR(whole.Finalize());
  made.parts.push_back(std::move(whole));
  return made;
}

}  // namespace tfrt::gpu::dnn
