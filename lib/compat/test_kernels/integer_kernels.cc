#include <atomic>
#include <cinttypes>
#include <cstdio>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using AtomicI32 = std::atomic<int32_t>;

int32_t Sum(int32_t first, RepeatedArguments<int32_t> rest) {
  uint32_t sum = static_cast<uint32_t>(first);
  for (size_t i = 0; i < rest.size(); ++i) sum += static_cast<uint32_t>(rest[i]);
  return static_cast<int32_t>(sum);
}

template <typename T>
std::tuple<T, T, T> Count3(T value) {
  auto plus = [value](T n) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(value) + static_cast<U>(n));
  };
  return {plus(1), plus(2), plus(3)};
}

void AtomicCreate(Result<AtomicI32> counter) { counter.Emplace(0); }

// relaxed: chains order the accesses that a program wants ordered.
Chain AtomicInc(AtomicI32& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
  return {};
}
Chain AtomicAdd(AtomicI32& counter, int32_t n) {
  counter.fetch_add(n, std::memory_order_relaxed);
  return {};
}
std::tuple<int32_t, Chain> AtomicGet(AtomicI32& counter) {
  return {counter.load(std::memory_order_relaxed), Chain()};
}

int32_t TestCost(RemainingArguments, Attribute<int64_t> id) {
  std::printf("id: %" PRId64 "\n", *id);
  std::fflush(stdout);
  return 0;
}

}  // namespace

void RegisterIntegerTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.sum", TFRT_KERNEL(Sum), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.count3.i32", TFRT_KERNEL(Count3<int32_t>),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.count3.i64", TFRT_KERNEL(Count3<int64_t>),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.atomic.create.i32", TFRT_KERNEL(AtomicCreate));
  registry->AddKernel("tfrt_test.atomic.inc.i32", TFRT_KERNEL(AtomicInc));
  registry->AddKernel("tfrt_test.atomic.add.i32", TFRT_KERNEL(AtomicAdd));
  registry->AddKernel("tfrt_test.atomic.get.i32", TFRT_KERNEL(AtomicGet));
  registry->AddKernel("tfrt_test.test_cost", TFRT_KERNEL(TestCost));
}

}  // namespace tfrt
