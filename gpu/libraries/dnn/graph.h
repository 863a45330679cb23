// Graph: an operation graph of cuDNN as plain data, before any call of the library.
#ifndef TFRT_GPU_LIBRARIES_DNN_GRAPH_H_
#define TFRT_GPU_LIBRARIES_DNN_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/abi/cudnn_types.h"

namespace tfrt::gpu::dnn {

struct GraphTensor {
  // Unique in the graph. A run names its memory by it; virtual tensors have none.
  int64_t id = 0;
  cudnn::cudnnDataType_t type = cudnn::CUDNN_DATA_FLOAT;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;  // in elements, as many as dims
  int64_t alignment_bytes = 16;
  bool is_virtual = false;   // from one node to the next, without memory
  bool is_by_value = false;  // a number of the host

  friend bool operator==(const GraphTensor&, const GraphTensor&) = default;
};

// An attribute of a descriptor. Numbers of all its types fit into one of the two lists.
struct GraphAttribute {
  cudnn::cudnnBackendAttributeName_t name = {};
  cudnn::cudnnBackendAttributeType_t type = cudnn::CUDNN_TYPE_INT64;
  std::vector<int64_t> integers;
  std::vector<double> numbers;  // of the types FLOAT and DOUBLE

  friend bool operator==(const GraphAttribute&, const GraphAttribute&) = default;
};

// A tensor in the place of an operation that the attribute names.
struct GraphPlace {
  cudnn::cudnnBackendAttributeName_t name = {};
  int64_t id = 0;

  friend bool operator==(const GraphPlace&, const GraphPlace&) = default;
};

// An operation. Its parameters, for example those of a window, are a descriptor of their own, which
// the attribute `parameters_name` holds. Attention has no parameters.
struct GraphNode {
  cudnn::cudnnBackendDescriptorType_t operation = {};
  std::vector<GraphPlace> tensors;
  std::vector<GraphAttribute> attributes;
  bool has_parameters = false;
  cudnn::cudnnBackendDescriptorType_t parameters_type = {};
  cudnn::cudnnBackendAttributeName_t parameters_name = {};
  std::vector<GraphAttribute> parameters;

  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

struct Graph {
  std::vector<GraphTensor> tensors;
  std::vector<GraphNode> nodes;  // in the order of the data

  friend bool operator==(const Graph&, const Graph&) = default;

  // Returns null if there is no such tensor.
  const GraphTensor* Find(int64_t id) const;
};

// Returns the graph as text. Equal graphs have equal texts, and others have others: plans are kept
// by it.
std::string GraphText(const Graph& graph);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_GRAPH_H_
