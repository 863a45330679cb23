// Descriptors of cuDNN's graph interface: attributes by name, and what a finalised one stands for.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_BACKEND_H_
#define TFRT_TEST_GPU_VENDOR_DNN_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "graph_program.h"

namespace tfrt::gpu::cudnn_double {

struct Backend;

struct BackendAttribute {
  cudnnBackendAttributeType_t type = CUDNN_TYPE_INT64;
  int64_t count = 0;
  std::vector<std::byte> bytes;
  std::vector<std::shared_ptr<Backend>> descriptors;  // of the type BACKEND_DESCRIPTOR
};

struct Backend {
  cudnnBackendDescriptorType_t type;
  bool is_final = false;
  std::map<cudnnBackendAttributeName_t, BackendAttribute> attributes;

  // Of a finalised graph, engine, configuration or plan: null for a graph that is none of the list.
  std::shared_ptr<const GraphProgram> program;
  int64_t engine = -1;  // of the last three
  std::string json;     // of a device

  const BackendAttribute* Find(cudnnBackendAttributeName_t name) const {
    auto found = attributes.find(name);
    return found == attributes.end() ? nullptr : &found->second;
  }
  bool Has(cudnnBackendAttributeName_t name) const { return Find(name) != nullptr; }
  template <typename T>
  std::vector<T> Values(cudnnBackendAttributeName_t name) const {
    const BackendAttribute* found = Find(name);
    std::vector<T> values(found ? found->count : 0);
    if (found) std::memcpy(values.data(), found->bytes.data(), values.size() * sizeof(T));
    return values;
  }
  template <typename T>
  T Value(cudnnBackendAttributeName_t name, T otherwise) const {
    const std::vector<T> values = Values<T>(name);
    return values.empty() ? otherwise : values[0];
  }
  // One number of the type FLOAT or DOUBLE.
  double Number(cudnnBackendAttributeName_t name, double otherwise) const {
    const BackendAttribute* found = Find(name);
    if (!found || found->count == 0) return otherwise;
    return found->type == CUDNN_TYPE_FLOAT ? Value<float>(name, 0) : Value<double>(name, 0);
  }
  // Null if it is not set.
  std::shared_ptr<Backend> Descriptor(cudnnBackendAttributeName_t name) const {
    const BackendAttribute* found = Find(name);
    return found && !found->descriptors.empty() ? found->descriptors[0] : nullptr;
  }
};

// The bytes of one element; 0: an unknown type.
size_t AttributeBytes(cudnnBackendAttributeType_t type);
// Whether descriptors of this type have the attribute, in this type.
bool HasAttribute(cudnnBackendDescriptorType_t descriptor, cudnnBackendAttributeName_t name,
                  cudnnBackendAttributeType_t type);

// Reads a finalised graph's operations. Null for one that is not on the list of
// gpu/abi/cudnn_graph_forms.h, with the reason as the last error.
std::shared_ptr<const GraphProgram> MatchGraph(const Backend& graph);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_BACKEND_H_
