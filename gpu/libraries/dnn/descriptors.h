// Descriptor: an object of cuDNN's graph interface; and those of a whole Graph.
#ifndef TFRT_GPU_LIBRARIES_DNN_DESCRIPTORS_H_
#define TFRT_GPU_LIBRARIES_DNN_DESCRIPTORS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/cudnn_table.h"
#include "graph.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// Owns one descriptor. Its errors are those of the library, "cudnnBackendFinalize of a tensor:
// CUDNN_STATUS_BAD_PARAM (what the library says of it)". Not thread-safe until it is finalised. The
// table must outlive it.
class Descriptor {
 public:
  // `what` names it in messages and must live as long: "a tensor".
  static StatusOr<Descriptor> Create(const cudnn::Table& table,
                                     cudnn::cudnnBackendDescriptorType_t type,
                                     std::string_view what);
  Descriptor() = default;
  Descriptor(Descriptor&& other) noexcept
      : table_(other.table_), handle_(std::exchange(other.handle_, nullptr)), what_(other.what_) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(handle_, other.handle_);
    std::swap(what_, other.what_);
    return *this;
  }
  ~Descriptor();

  cudnn::cudnnBackendDescriptor_t get() const { return handle_; }

  Status Set(cudnn::cudnnBackendAttributeName_t name, cudnn::cudnnBackendAttributeType_t type,
             int64_t count, const void* values);
  Status SetDescriptor(cudnn::cudnnBackendAttributeName_t name, const Descriptor& value) {
    return Set(name, cudnn::CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.handle_);
  }
  // As Set, in the type that the attribute has.
  Status Set(const GraphAttribute& attribute);
  Status SetText(cudnn::cudnnBackendAttributeName_t name, std::string_view text);
  Status Finalize();

  // Reads up to `max_count` values. Returns how many there are, which may be more.
  StatusOr<int64_t> Get(cudnn::cudnnBackendAttributeName_t name,
                        cudnn::cudnnBackendAttributeType_t type, int64_t max_count,
                        void* values) const;
  StatusOr<int64_t> GetInteger(cudnn::cudnnBackendAttributeName_t name) const;
  StatusOr<std::string> GetText(cudnn::cudnnBackendAttributeName_t name) const;

 private:
  const cudnn::Table* table_ = nullptr;
  cudnn::cudnnBackendDescriptor_t handle_ = nullptr;
  std::string_view what_;
};

// The descriptors of a graph. The last one is the graph itself; those before it belong to it.
struct GraphDescriptors {
  std::vector<Descriptor> parts;
  const Descriptor& graph() const { return parts.back(); }
};

// Fails with the library's error. InvalidArgument "node 1 uses the tensor 7, which the graph
// lacks".
StatusOr<GraphDescriptors> MakeDescriptors(const cudnn::Table& table, const Graph& graph);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_DESCRIPTORS_H_
