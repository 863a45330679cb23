#include "work.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace tfrt::gpu::cublas_double {
namespace {

// Work that has not run yet. The driver's double forgets that of a context that fails.
struct Pending {
  std::mutex mutex;
  uint64_t next = 0;
  std::unordered_map<uint64_t, std::function<void()>> work;
};

Pending& ThePending() {
  static auto& pending = *new Pending;  // never destroyed: work may run while the process exits
  return pending;
}

void RunPending(void* number) {
  Pending& pending = ThePending();
  std::function<void()> work;
  {
    std::lock_guard lock(pending.mutex);
    auto found = pending.work.find(reinterpret_cast<uintptr_t>(number));
    work = std::move(found->second);
    pending.work.erase(found);
  }
  work();
}

}  // namespace

cublasStatus_t Enqueue(cuda::CUstream stream, const char* name, std::vector<tfrtDoubleRange> ranges,
                       std::function<void()> work) {
  Pending& pending = ThePending();
  uint64_t number = 0;
  {
    std::lock_guard lock(pending.mutex);
    number = ++pending.next;
    pending.work.emplace(number, std::move(work));
  }
  const uint32_t code = tfrtDoubleEnqueue(stream, name, RunPending,
                                          reinterpret_cast<void*>(static_cast<uintptr_t>(number)),
                                          ranges.data(), ranges.size());
  if (code == 0) return CUBLAS_STATUS_SUCCESS;
  std::lock_guard lock(pending.mutex);
  pending.work.erase(number);
  return CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace tfrt::gpu::cublas_double
