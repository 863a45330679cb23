// CallSites remembers the calls at each place of a program from one run to the next. A run at sizes
// that were seen before infers nothing, and allocates nothing for inference.
#ifndef TFRT_LIB_OPS_OP_CALL_CALL_SITES_H_
#define TFRT_LIB_OPS_OP_CALL_CALL_SITES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tfrt/host_context/device.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/tensor/tensor.h"
#include "tfrt/tracing/name.h"

namespace tfrt {

class OpRunner;
class PreparedOp;
struct ParsedOpAttrs;

// The facts about a call that records contain beside its name.
struct CallFacts {
  OpWork work;
  tracing::Name result = {};  // "f32 [1,64,112,112]"
  bool is_known = false;
};

// The last call at one place: what the results were like, and all that this follows from.
struct CallSite {
  // Calls with more arguments are not worth remembering: comparing them takes as long as the call.
  static constexpr size_t kMaxArguments = 64;

  // Holds what the runner prepared for calls with these dtypes on the device (op_runner.h). Runs of
  // a program may differ in both.
  struct Prepared {
    RCReference<Device> device;            // destroyed after `op`
    const OpRunner* runner = nullptr;      // the host's; null: nothing is known
    std::shared_ptr<const PreparedOp> op;  // null: nothing
    std::vector<DType> dtypes;
  };

  // If the last call had arguments like these (null: left out), sets `made` to what its results
  // were like. Otherwise false, and also if the results followed from elements.
  bool Recall(std::span<const TensorMetadata* const> given, std::span<TensorMetadata> made) const;
  void Remember(std::span<const TensorMetadata* const> given, std::span<const TensorMetadata> made);

  std::vector<TensorMetadata> arguments;  // kUnsupported: left out
  std::vector<int64_t> elements;          // of the arguments that are host values
  size_t num_results = 0;                 // that the call was asked for
  std::vector<TensorMetadata> results;    // empty: they depend on more than these
  bool is_known = false;
  CallFacts facts;                                    // made when it is first recorded
  Prepared prepared;                                  // does not depend on the shapes
  std::shared_ptr<const ParsedOpAttrs> parsed_attrs;  // neither; by the op's parser, null: nothing
};

// The places of a program, as one session runs it. Thread-safe.
class CallSites {
 public:
  // For programs with at most so many kernels; further places are not remembered.
  explicit CallSites(size_t num_kernels);

  // Leases the place that `key` stands for to one call at a time. Until the lease ends, other calls
  // at the same place get none, for example in a loop whose iterations overlap. Empty if no place
  // is available.
  class Lease;
  Lease Take(const void* key);

 private:
  struct Entry {
    std::atomic<const void*> key{nullptr};
    std::atomic<bool> is_taken{false};
    CallSite site;
  };
  size_t mask_;
  std::unique_ptr<Entry[]> entries_;
};

class CallSites::Lease {
 public:
  Lease() = default;
  Lease(Lease&& other) noexcept : entry_(other.entry_) { other.entry_ = nullptr; }
  Lease& operator=(Lease&&) = delete;
  // release: the next call here sees what this one has written.
  ~Lease() {
    if (entry_) entry_->is_taken.store(false, std::memory_order_release);
  }

  CallSite* get() const { return entry_ ? &entry_->site : nullptr; }

 private:
  friend class CallSites;
  explicit Lease(Entry* entry) : entry_(entry) {}
  Entry* entry_ = nullptr;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_CALL_SITES_H_
