// Values that a kernel holds while it waits.
#ifndef TFRT_CORE_RUNTIME_KERNELS_VALUE_REFS_H_
#define TFRT_CORE_RUNTIME_KERNELS_VALUE_REFS_H_

#include <cstddef>
#include <vector>

#include "tfrt/async/async_value_ref.h"

namespace tfrt {

using ValueRefs = std::vector<RCReference<AsyncValue>>;
using Placeholders = std::vector<RCReference<IndirectAsyncValue>>;

inline std::vector<AsyncValue*> Borrow(const ValueRefs& refs) {
  std::vector<AsyncValue*> values(refs.size());
  for (size_t i = 0; i < refs.size(); ++i) values[i] = refs[i].get();
  return values;
}

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_KERNELS_VALUE_REFS_H_
