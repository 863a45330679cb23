// tfrt_run --bench: how long runs take.
#ifndef TFRT_TOOLS_TFRT_RUN_BENCH_H_
#define TFRT_TOOLS_TFRT_RUN_BENCH_H_

#include <atomic>
#include <memory>
#include <vector>

#include "command_line.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/model/model.h"

namespace tfrt {

// Milliseconds of a steady clock.
double Now();

// The host's allocator of a tfrt_run, which counts what it is asked for.
class CountingAllocator final : public HostAllocator {
 public:
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    // relaxed: read between runs.
    num_requests_.fetch_add(1, std::memory_order_relaxed);
    return malloc_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    malloc_->DeallocateBytes(block, size_bytes);
  }
  size_t num_requests() const { return num_requests_.load(std::memory_order_relaxed); }

 private:
  const std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
  std::atomic<size_t> num_requests_{0};
};

struct LoadTimes {
  double open = 0;
  double load = 0;
  double first_run = 0;
};

// Runs as often as the command line says: the time of each run. `session` has run these inputs.
StatusOr<std::vector<double>> TimeRuns(Session& session,
                                       std::span<const DenseHostTensor* const> inputs,
                                       const CommandLine& line);

// Runs, and prints times, memory, and the work of a run by the op table's formulas.
// `allocator` is that of the session's host.
Status Bench(Session& session, std::span<const DenseHostTensor* const> inputs,
             const CommandLine& line, const LoadTimes& load, const CountingAllocator& allocator);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_BENCH_H_
