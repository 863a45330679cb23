// HandlePool: the handles of a vendor's library in one context.
#ifndef TFRT_GPU_LIBRARIES_HANDLE_POOL_H_
#define TFRT_GPU_LIBRARIES_HANDLE_POOL_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu/runtime/context.h"
#include "gpu/runtime/context_part.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Keeps idle handles for their next users. Found with `context.Part<HandlePool<Traits>>()`.
// Thread-safe.
//
// A handle is good for one thread at a time. Making one allocates device memory and may wait for
// the device. That must not happen in a stream's call: take the lease first, then call
// Stream::Enqueue. `Traits` has:
//   using Handle = ...;                              // a pointer of the library
//   static StatusOr<Handle> Create(Context&);        // called with the context current
//   static void Destroy(Context&, Handle);           // as above; the context may be lost
template <typename Traits>
class HandlePool final : public ContextPart {
 public:
  using Handle = typename Traits::Handle;

  // A handle of one user. It goes back to the pool with the lease, which must end before the last
  // reference to the context.
  class Lease {
   public:
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), handle_(other.handle_) {}
    Lease& operator=(Lease&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(handle_, other.handle_);
      return *this;
    }
    ~Lease() {
      if (pool_) pool_->GiveBack(handle_);
    }
    Handle get() const { return handle_; }

   private:
    friend class HandlePool;
    Lease(HandlePool* pool, Handle handle) : pool_(pool), handle_(handle) {}

    HandlePool* pool_;
    Handle handle_;
  };

  explicit HandlePool(Context* context) : context_(context) {}
  ~HandlePool() override {
    for (Handle handle : idle_) Traits::Destroy(*context_, handle);
  }

  // Takes an idle handle or makes one. Must be called under no lock, and not in a stream's call.
  // Fails like Traits::Create; if memory is exhausted, what the allocator has cached is given back
  // first.
  StatusOr<Lease> Take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        const Handle handle = idle_.back();
        idle_.pop_back();
        return Lease(this, handle);
      }
    }
    StatusOr<Handle> made = Make();
    if (!made.ok() && made.status().code() == StatusCode::kResourceExhausted &&
        context_->MakeRoom()) {
      made = Make();
    }
    if (!made.ok()) return made.status();
    return Lease(this, *made);
  }

 private:
  StatusOr<Handle> Make() {
    TFRT_RETURN_IF_ERROR(context_->EnterAnew());
    StatusOr<Handle> handle = Traits::Create(*context_);
    cuda::Context::ForgetCurrent();  // a library may leave any context current
    return handle;
  }
  void GiveBack(Handle handle) {
    std::lock_guard lock(mutex_);
    idle_.push_back(handle);
  }

  Context* const context_;
  std::mutex mutex_;
  std::vector<Handle> idle_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_LIBRARIES_HANDLE_POOL_H_
