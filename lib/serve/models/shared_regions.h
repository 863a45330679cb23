// SharedRegions: memory of clients on this machine, in which their requests have tensors, by the
// system shared memory extension of Triton's protocol.
#ifndef TFRT_LIB_SERVE_MODELS_SHARED_REGIONS_H_
#define TFRT_LIB_SERVE_MODELS_SHARED_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/infer_request.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
class HostAllocator;
}

namespace tfrt::serve {

// A region as a client registers it: bytes of an object of POSIX shared memory.
struct RegionInfo {
  std::string name;
  std::string key;  // the object's name, with or without a slash in front of it
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
};

// Bytes of a registered region, as a request says.
struct RegionPart {
  std::string region;
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
};

class SharedRegion;
class SharedRegions;

// Parameters of a tensor in a request, as they are read.
struct RegionParameters {
  std::optional<std::string> region;
  std::optional<uint64_t> offset, size_bytes;

  // Returns whether the tensor is in shared memory.
  explicit operator bool() const { return region || offset || size_bytes; }
  // Fails with InvalidArgument if the region or the size is missing.
  StatusOr<RegionPart> Part() const;
};

// Returns the error for clients of a server without shared memory, which null stands for, or OK.
// Its code is that of other requests for what the server does not have: Unimplemented.
Status CheckHasRegions(const SharedRegions* regions);

// The regions that one request uses. Keeps them, also if they are unregistered meanwhile.
class RegionUse {
 public:
  // Returns where the result `index` is to be written, or null if it is returned to the client.
  const RegionPart* OutputPart(size_t index) const {
    return index < outputs_.size() && outputs_[index] ? &outputs_[index]->part : nullptr;
  }
  // Called after the run, with its results in the order of the request's outputs. Writes those that
  // have a place. Fails with InvalidArgument, and writes nothing, if an object became too short.
  // The same holds if a result is larger than its place.
  Status Finish(std::span<const InferTensor> results) const;

 private:
  friend class SharedRegions;
  struct Output {
    std::shared_ptr<const SharedRegion> region;
    RegionPart part;
  };
  std::vector<std::shared_ptr<const SharedRegion>> inputs_;  // those that are read in place
  std::vector<std::optional<Output>> outputs_;
  size_t input_bytes_ = 0;
};

// Thread-safe. Errors of these functions do not name the input or the output.
//
// Other processes may change, shorten and remove an object at any time. So sizes are looked at
// before each use. Inputs are copied by a system call, which fails where the object has ended,
// unless they are large and of floating-point numbers. These are read in place: their values may
// change meanwhile, which changes results, but they choose no address and no size. A BusGuard
// stands for an end of the object. Results are written by system calls, too.
class SharedRegions {
 public:
  // Inputs of fewer bytes are copied, which costs less than the faults of fresh pages. They may
  // also be sizes or scales, which must not change while a model runs.
  static constexpr size_t kMinBytesInPlace = 4096;

  // `max_bytes` limits the regions together, and the inputs of one request.
  explicit SharedRegions(size_t max_bytes);
  ~SharedRegions();

  // Maps the region. Fails with AlreadyExists for a name that is registered. InvalidArgument is for
  // malformed arguments, keys that are no names of POSIX shared memory, and objects without these
  // bytes. Fails with NotFound without the object, PermissionDenied where the process may not read
  // and write it, and ResourceExhausted beyond the limits.
  Status Register(RegionInfo info);
  // Requests do not find it any more; those in flight keep it. Does nothing for unknown names.
  void Unregister(std::string_view name);
  void UnregisterAll();
  // Returns the region with this name, or all, by name, if that is empty. Fails with NotFound.
  StatusOr<std::vector<RegionInfo>> List(std::string_view name) const;

  // Returns the tensor of an input. Fails with NotFound for an unknown region. InvalidArgument is
  // for parts that are not inside, are not as large as the tensor, or have bytes that are no BOOL.
  // Fails with ResourceExhausted beyond the limit, and without memory.
  StatusOr<DenseHostTensor> Input(const RegionPart& part, const TensorMetadata& metadata,
                                  HostAllocator* allocator, RegionUse* use) const;
  // Has the result `index` written to a part, which must not overlap that of another result. It may
  // overlap inputs: results are written after the run. Fails as Input.
  Status AddOutput(RegionPart part, size_t index, RegionUse* use) const;

 private:
  StatusOr<std::shared_ptr<const SharedRegion>> Find(const RegionPart& part) const;

  const size_t max_bytes_;
  mutable std::mutex mutex_;                                  // guards the members below
  std::vector<std::shared_ptr<const SharedRegion>> regions_;  // by name
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_SHARED_REGIONS_H_
