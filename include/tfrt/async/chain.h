// Chain: a control dependency as a value without data.
#ifndef TFRT_ASYNC_CHAIN_H_
#define TFRT_ASYNC_CHAIN_H_

#include "tfrt/async/async_value_ref.h"

namespace tfrt {

struct Chain {};

// The one immortal, available chain of the process: costs neither memory nor reference counts.
AsyncValueRef<Chain> GetReadyChain();

}  // namespace tfrt

#endif  // TFRT_ASYNC_CHAIN_H_
