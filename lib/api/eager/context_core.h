// ContextCore: what tensors need of their context, which may end before them.
#ifndef TFRT_LIB_API_EAGER_CONTEXT_CORE_H_
#define TFRT_LIB_API_EAGER_CONTEXT_CORE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device_memory.h"
#include "lib/ops/op_call/op_runner.h"
#include "lib/runtime/tensor/conversion.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/tracing/name.h"

namespace tfrt::eager {

class Context;

inline constexpr uint8_t kHostDevice = 0;
inline constexpr size_t kMaxDevices = 16;

// A device of a context. Tensors know it by its place among them.
struct ContextDevice : OpPlace {
  std::shared_ptr<DeviceMemory> memory;  // of which the place has the allocator

  tracing::LazyName lazy_name = {};

  const std::string& name() const { return device->name(); }
  tracing::Name recorded_name() const { return lazy_name.Of(name()); }
};

// The devices of these names, behind the host, which need not be among them. InvalidArgument for a
// name that is given twice and for too many; the errors of DeviceManager::GetOrCreateDevice and of
// OpPlace::On.
StatusOr<std::vector<ContextDevice>> FindDevices(HostContext* host,
                                                 std::span<const std::string> names);

// The places among `devices` of those that ops without a device try, first to last. They are the
// named devices, or all if there is no name. NotFound for a name that is none of these devices or
// of their kinds.
StatusOr<std::vector<uint8_t>> FindPriority(std::span<const ContextDevice> devices,
                                            std::span<const std::string> names);

// "cpu:0, gpu:0"
std::string NamesOf(std::span<const ContextDevice> devices);

// Counted: the context has a reference, each tensor has one, and scopes have some in store for the
// tensors that they make. Goes with the last one. Thread-safe.
class ContextCore {
 public:
  // With one reference, which is the caller's. `host_memory`: the allocator of a host that is the
  // context's own; null if the host is the program's.
  ContextCore(Context* context, uint64_t id, std::unique_ptr<HostAllocator> host_memory,
              std::vector<ContextDevice> devices, std::shared_ptr<CopyRegistry> copies,
              const ConversionRegistry& conversions)
      : context_id(id),
        devices(std::move(devices)),
        copies(std::move(copies)),
        conversions(conversions),
        host_memory_(std::move(host_memory)),
        context_(context) {}
  ContextCore(const ContextCore&) = delete;
  ContextCore& operator=(const ContextCore&) = delete;

  // relaxed: made from a reference that is held.
  void AddRefs(int64_t count) { refs_.fetch_add(count, std::memory_order_relaxed); }
  // acq_rel: who deletes sees what all others did with it.
  void DropRefs(int64_t count) {
    if (refs_.fetch_sub(count, std::memory_order_acq_rel) == count) delete this;
  }

  // Null once the context has ended. acquire: all its ops are over then.
  Context* context() const { return context_.load(std::memory_order_acquire); }
  void SetContextGone() { context_.store(nullptr, std::memory_order_release); }

  // A read of a tensor by any thread that may need the host and the context. It has them until it
  // ends, or finds that the context is ending or has ended.
  class Read {
   public:
    explicit Read(ContextCore* core) : core_(core), context_(core->BeginRead()) {}
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;
    ~Read() {
      if (context_) core_->EndRead();
    }
    // Null if there is none any more.
    Context* context() const { return context_; }

   private:
    ContextCore* const core_;
    Context* const context_;
  };
  // From now on there are no reads with a context. Available when those that there are have ended.
  // Called once.
  AsyncValueRef<Chain> EndReads() {
    reads_ended_ = MakeUnconstructedAsyncValueRef<Chain>();
    AsyncValueRef<Chain> ended = reads_ended_.CopyRef();
    // acq_rel: what follows comes after what the reads did, and they find the value.
    if (reads_.fetch_or(kNoMoreReads, std::memory_order_acq_rel) == 0) NoteReadsEnded();
    return ended;
  }

  const uint64_t context_id;                 // no other context has or had it
  const std::vector<ContextDevice> devices;  // the first is the host
  const std::shared_ptr<CopyRegistry> copies;
  const ConversionRegistry conversions;  // those that the host knew when the context was made

 private:
  static constexpr uint32_t kNoMoreReads = 1, kOneRead = 2;

  ~ContextCore() = default;

  Context* BeginRead() {
    // acquire: with the context comes what it has made.
    if ((reads_.fetch_add(kOneRead, std::memory_order_acquire) & kNoMoreReads) == 0) {
      return context();
    }
    EndRead();
    return nullptr;
  }
  void EndRead() {
    // acq_rel: the context's end comes after it; see EndReads.
    if (reads_.fetch_sub(kOneRead, std::memory_order_acq_rel) == kOneRead + kNoMoreReads) {
      NoteReadsEnded();
    }
  }
  // Also called by those that come later and go at once.
  void NoteReadsEnded() {
    // relaxed: who is first has been told of all reads before it.
    if (!have_reads_ended_.exchange(true, std::memory_order_relaxed)) reads_ended_.emplace();
  }

  const std::unique_ptr<HostAllocator> host_memory_;
  std::atomic<Context*> context_;
  std::atomic<int64_t> refs_{1};
  std::atomic<uint32_t> reads_{0};
  std::atomic<bool> have_reads_ended_{false};
  AsyncValueRef<Chain> reads_ended_;
};

struct DropContextCore {
  void operator()(ContextCore* core) const { core->DropRefs(1); }
};
using ContextCoreRef = std::unique_ptr<ContextCore, DropContextCore>;

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_CONTEXT_CORE_H_
