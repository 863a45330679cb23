#include <atomic>
#include <memory>
#include <string_view>
#include <utility>

#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

// The producer's end of a value that some later kernel makes available. Programs use it to say that
// a value depends on a kernel which does not depend on it by data, so that a strict kernel between
// the two would wait for ever.
class Promise {
 public:
  static constexpr std::string_view kProgramTypeName = "promise";
  explicit Promise(AsyncValueRef<int32_t> value) : value_(std::move(value)) {}
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() {
    if (Claim()) value_.SetError(InternalError("promise dropped without a value"));
  }

  // True for the one caller that may set the value. Relaxed: the flag only picks a winner, and the
  // value's own state publishes the payload.
  bool Claim() { return !claimed_.exchange(true, std::memory_order_relaxed); }
  const AsyncValueRef<int32_t>& value() const { return value_; }

 private:
  AsyncValueRef<int32_t> value_;
  std::atomic<bool> claimed_ = false;
};

std::tuple<std::unique_ptr<Promise>, AsyncValueRef<int32_t>> MakePromise() {
  auto value = MakeUnconstructedAsyncValueRef<int32_t>();
  auto promise = std::make_unique<Promise>(value.CopyRef());
  return {std::move(promise), std::move(value)};
}

StatusOr<Chain> SetPromise(std::unique_ptr<Promise>& promise, int32_t value) {
  if (!promise->Claim()) return FailedPreconditionError("the promise has a value already");
  promise->value().emplace(value);
  return Chain();
}

}  // namespace

void RegisterPromiseTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.promise.i32", TFRT_KERNEL(MakePromise));
  registry->AddKernel("tfrt_test.promise.set.i32", TFRT_KERNEL(SetPromise));
}

}  // namespace tfrt
