#include "tfrt/async/chain.h"

namespace tfrt::internal {

constinit std::atomic<AsyncValue*> ready_chain{nullptr};

AsyncValue* MakeReadyChain() {
  static AsyncValue* const ready = [] {
    AsyncValue* value = MakeAvailableAsyncValueRef<Chain>().release();
    value->MakeImmortal();
    ready_chain.store(value, std::memory_order_release);
    return value;
  }();
  return ready;
}

}  // namespace tfrt::internal
