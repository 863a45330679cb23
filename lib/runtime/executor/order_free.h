// Finds the functions of a file that have no effect but their results.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_ORDER_FREE_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_ORDER_FREE_H_

#include <cstdint>
#include <mutex>
#include <vector>

#include "lib/format/bef/bef_reader.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::internal {

// A function is order-free if all its kernels are. A kernel with KernelFlags::kAsItsFunctions is
// order-free if its functions are. Functions that call one another are, unless one has a kernel
// that is not. Thread-safe. Both parameters must outlive this and be filled before the first Has.
class OrderFreedom {
 public:
  OrderFreedom(const bef::BefView& view, const std::vector<const KernelEntry*>& kernels)
      : view_(view), kernels_(kernels) {}

  // Reads the bodies of other functions at the first time that the answer depends on them.
  bool Has(uint32_t function, const bef::DecodedFunction& body);

 private:
  enum class Effects : uint8_t { kNone, kThoseOfFunctions, kOwn };
  Effects EffectsOf(const bef::DecodedFunction& body) const;
  std::vector<uint8_t> FindAll() const;

  const bef::BefView& view_;
  const std::vector<const KernelEntry*>& kernels_;  // by kernel id
  std::mutex mutex_;
  std::vector<uint8_t> is_order_free_;  // by function id; guarded by mutex_, empty until needed
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_ORDER_FREE_H_
