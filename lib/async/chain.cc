#include "tfrt/async/chain.h"

namespace tfrt {

AsyncValueRef<Chain> GetReadyChain() {
  static AsyncValue* const ready = [] {
    static AsyncValueStorage<Chain>* storage = new AsyncValueStorage<Chain>;
    storage->AsPtr().emplace();
    storage->MakeImmortal();
    return storage;
  }();
  return AsyncValueRef<Chain>(TakeRef(ready));
}

}  // namespace tfrt
