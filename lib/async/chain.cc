#include "tfrt/async/chain.h"

namespace tfrt::internal {

constinit std::atomic<AsyncValue*> ready_chain{nullptr};

AsyncValue* MakeReadyChain() {
  static AsyncValue* const ready = [] {
    static AsyncValueStorage<Chain>* storage = new AsyncValueStorage<Chain>;
    storage->AsPtr().emplace();
    storage->MakeImmortal();
    ready_chain.store(storage, std::memory_order_release);
    return storage;
  }();
  return ready;
}

}  // namespace tfrt::internal
