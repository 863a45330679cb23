// Chain: a control dependency as a value without data.
#ifndef TFRT_ASYNC_CHAIN_H_
#define TFRT_ASYNC_CHAIN_H_

#include <atomic>
#include <string_view>

#include "tfrt/async/async_value_ref.h"

namespace tfrt {

struct Chain {
  static constexpr std::string_view kProgramTypeName = "chain";
};

namespace internal {
extern constinit std::atomic<AsyncValue*> ready_chain;
AsyncValue* MakeReadyChain();
}  // namespace internal

// The one immortal, available chain of the process: costs neither memory nor reference counts.
inline AsyncValueRef<Chain> GetReadyChain() {
  // acquire: a thread that reads the pointer may read the value it points to.
  AsyncValue* chain = internal::ready_chain.load(std::memory_order_acquire);
  if (!chain) [[unlikely]]
    chain = internal::MakeReadyChain();
  return AsyncValueRef<Chain>(TakeRef(chain));
}

}  // namespace tfrt

#endif  // TFRT_ASYNC_CHAIN_H_
