// The parts of a context and of the scopes of threads.
#ifndef TFRT_LIB_API_EAGER_CONTEXT_IMPL_H_
#define TFRT_LIB_API_EAGER_CONTEXT_IMPL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "context_core.h"
#include "fifo_executor.h"
#include "kernel_cache.h"
#include "lib/base/support/call_guarded.h"
#include "lib/base/support/fork_generation.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_log.h"
#include "tfrt/eager/context.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt::eager {

class Tracer;

inline constexpr uint16_t kNoDevice = 0xFF;  // of a scope

struct Scope::State {
  State(Context::Impl& context, const ScopeOptions& options);

  ~State() { core->DropRefs(spare_refs); }

  Context::Impl& context;
  ContextCore* const core;  // the context's
  // References to it that tensors made or dropped in this scope take and give without an atomic
  // operation. Used by the scope's thread alone.
  int64_t spare_refs = 0;
  const void* const thread;  // an address that no other thread has
  State* outer;
  ExecutionMode mode;
  MisplacedInputPolicy misplaced_input;
  uint16_t device = kNoDevice;
  uint32_t generation = 0;  // of the context's request that exec_ctx has
  // Owned by the context, which lends it to one scope at a time.
  CallCache* calls = nullptr;
  ExecutionContext exec_ctx;
  // Not OK in a scope with a tracer, too, so that its calls go the way of those that cannot run.
  Status status;
  Tracer* tracer = nullptr;  // null: ops run
  // The status is OK, and calls are in no queue, in which they would be behind those before.
  bool takes_quick_calls = false;
  Status device_status;  // of Scope::status

  // Null: ops run.
  void SetTracer(Tracer* new_tracer);

  // Tells whether a quick call may run now. The scope must have no error. Its request must be the
  // context's present one and not cancelled. Calls must not have to wait for earlier ones.
  bool IsReadyForQuickCalls() const;

  const KernelCacheEntry* FindCall(const CallKey& key, uint64_t hash);

  // A reference to the core, for a tensor.
  [[gnu::always_inline]] ContextCore* ShareCore() {
    if (spare_refs == 0) [[unlikely]] {
      constexpr int64_t kStore = 1024;
      core->AddRefs(kStore);
      spare_refs = kStore;
    }
    --spare_refs;
    return core;
  }

  // Written by the scope's thread alone. relaxed: they order nothing.
  std::atomic<uint64_t> hits{0};
  std::atomic<uint64_t> misses{0};
};

// The innermost scope of this thread, or null. initial-exec: one instruction to find it.
[[gnu::tls_model("initial-exec")]] extern thread_local constinit Scope::State* current_scope;
inline Scope::State* CurrentScope() { return current_scope; }
// The same, made ready for a call at this place: with its location, and with a new request if the
// context has been restarted.
Scope::State* CurrentScopeForCall(Location where);

// Listeners that are called when a context is cancelled. Thread-safe.
class CancelListeners {
 public:
  // The result takes it away; once it has gone, the listener neither runs nor will.
  static std::shared_ptr<void> Add(const std::shared_ptr<CancelListeners>& to,
                                   std::function<void()> listener);
  // Calls all of them. Listeners may take themselves and others away; calls inside of this one do
  // nothing.
  void Call();

 private:
  std::recursive_mutex mutex_;
  std::map<uint64_t, std::shared_ptr<const std::function<void()>>> listeners_;  // by their order
  uint64_t last_ = 0;
  bool is_calling_ = false;
};

class Context::Impl {
 public:
  // `own_host` is null if the options name a host; its allocator is `own_memory`. The options are
  // valid, and `devices` and `priority` are those that they name.
  Impl(Context* context, ContextOptions options, std::vector<ContextDevice> devices,
       std::vector<uint8_t> priority, std::unique_ptr<HostAllocator> own_memory,
       std::unique_ptr<HostContext> own_host, RCReference<OpLog> log);
  ~Impl();

  Context* const context;
  const ContextOptions options;
  HostContext* const host;
  const ContextCoreRef core;  // goes after the host, which may still use its memory
  const uint64_t id;          // no other context has or had it
  const uint32_t fork_generation = ForkGeneration();
  const std::unique_ptr<HostContext> own_host;
  const std::vector<ContextDevice>& devices;  // the core's
  const std::vector<uint8_t> priority;        // devices
  OpRegistry own_ops;
  KernelCache cache;
  const RCReference<OpLog> log;  // null: calls are not written down
  const std::shared_ptr<CancelListeners> cancel_listeners = std::make_shared<CancelListeners>();

  // FailedPrecondition in a process that was forked from the one of the context.
  Status CheckProcess() const;
  // kNoDevice if there is none of this name.
  uint16_t FindDevice(std::string_view name) const;
  StatusOr<Device*> GetDevice(std::string_view name) const;
  // NotFound "there is no device cpu:7; the devices are cpu:0, cpu:1".
  Status NoDevice(std::string_view name) const;
  std::string DeviceNames() const;
  bool Supports(uint8_t device, const OpDefinition& op) const {
    if (!devices[device].Has(op)) return false;
    if (!options.supports) return true;
    bool supports = false;
    CallNoexcept([&] { supports = options.supports(devices[device].name(), op); });
    return supports;
  }

  // The request of calls from now on. The scope's execution context is brought up to date.
  void UpdateRequest(Scope::State& scope);
  RCReference<RequestContext> request();
  void Cancel();
  void Restart();

  // Side effects come one after the other: takes the end of the last one and puts in another.
  AsyncValueRef<Chain> ExchangeLastEffect(AsyncValueRef<Chain> chain);
  // In FIFO order, a node with side effects must not wait for one that is after it in the queue. A
  // thread that schedules such a node therefore holds this from the exchange until the node is in
  // the queue.
  std::mutex& effects_in_queue_mutex() { return effects_in_queue_mutex_; }

  // Counts nodes. CountBegin waits until there is room for one and sets the epoch (0 or 1) that it
  // is counted in, for CountEnd. ResourceExhausted on a thread that must not wait. The context may
  // be destroyed when CountEnd returns.
  Status CountBegin(uint8_t* epoch);
  void CountEnd(uint8_t epoch);
  // For a copy from the host to an accelerator that is scheduled: its source waits in memory until
  // the copy is enqueued, and so available. Returns when these sources have no more bytes than
  // AcceleratorOptions::max_in_flight_bytes. Does not wait on a thread that must not.
  void BoundUploads(RCReference<AsyncValue> copy, size_t size_bytes);
  // Notes the error of a call that is not reported elsewhere; TakeError returns the first since the
  // last take.
  void NoteError(const Status& error);
  Status TakeError();
  // Returns when the nodes that have been counted before are over, and what the devices' timelines
  // were told before.
  void Wait();

  FifoExecutor* fifo() { return fifo_.get(); }
  const FifoExecutor* fifo() const { return fifo_.get(); }

  void AddScope(Scope::State* scope);
  void RemoveScope(Scope::State* scope);
  CacheStatistics cache_statistics() const;

  std::atomic<uint32_t> generation{0};

 private:
  mutable std::mutex mutex_;
  RCReference<RequestContext> request_;  // under mutex_
  AsyncValueRef<Chain> last_effect_;     // under mutex_
  Status error_;                         // under mutex_
  std::atomic<bool> has_error_{false};   // changed under mutex_
  std::mutex effects_in_queue_mutex_;    // taken before mutex_
  std::vector<Scope::State*> scopes_;    // under mutex_
  // As many as there have been scopes at once; under mutex_.
  std::vector<std::unique_ptr<CallCache>> call_caches_;
  std::vector<CallCache*> free_call_caches_;    // of these; under mutex_
  uint64_t ended_hits_ = 0, ended_misses_ = 0;  // of scopes that have ended; under mutex_

  // Nodes that are not over, of even epochs in the low half and of odd ones in the high half. Only
  // the present epoch gets new ones, so that the other one ends however many calls are made.
  // Beside the counts, so that no node ends between a look at it and the change of a count.
  static constexpr uint64_t kRoomIsAwaited = uint64_t{1} << 63;
  static constexpr uint64_t OneOf(uint8_t epoch) { return epoch ? uint64_t{1} << 32 : 1; }
  static constexpr uint64_t CountOf(uint64_t pending, uint8_t epoch) {
    return epoch ? (pending & ~kRoomIsAwaited) >> 32 : pending & UINT32_MAX;
  }
  static uint64_t CountOf(uint64_t pending) { return CountOf(pending, 0) + CountOf(pending, 1); }
  Status AwaitRoom();
  void AwaitNodes();
  std::atomic<uint64_t> pending_{0};
  std::atomic<uint64_t> epoch_{0};  // changed under wait_mutex_
  std::mutex wait_mutex_;
  // Available once no node of the epoch is pending; null: no thread waits. Under wait_mutex_.
  AsyncValueRef<Chain> idle_[2];
  // Available once a node may be counted; null: no thread waits for that. Under wait_mutex_.
  AsyncValueRef<Chain> room_;

  struct Upload {
    AsyncValueRef<Chain> enqueued;
    size_t size_bytes;
  };
  const size_t max_upload_bytes_;
  std::mutex uploads_mutex_;
  std::deque<Upload> uploads_;  // oldest first; under uploads_mutex_
  size_t upload_bytes_ = 0;     // of these; under uploads_mutex_

  std::unique_ptr<FifoExecutor> fifo_;  // goes first
};

inline const KernelCacheEntry* Scope::State::FindCall(const CallKey& key, uint64_t hash) {
  return calls->Find(context.cache, key, hash);
}

inline bool Scope::State::IsReadyForQuickCalls() const {
  // relaxed: a Restart by another thread is noticed soon.
  return generation == context.generation.load(std::memory_order_relaxed) && takes_quick_calls &&
         !exec_ctx.request_ctx()->IsCancelled();
}

// Drops a reference to the core: to the thread's scope, if it is one of the same context.
[[gnu::always_inline]] inline void DropCore(ContextCore* core) {
  Scope::State* scope = current_scope;
  if (scope && scope->core == core) [[likely]] {
    ++scope->spare_refs;
  } else {
    core->DropRefs(1);
  }
}

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_CONTEXT_IMPL_H_
