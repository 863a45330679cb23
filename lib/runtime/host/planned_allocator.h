// PlannedAllocator: memory for work that is repeated with the same sizes, such as the runs of a
// model. The first run of a kind records when blocks are allocated and freed. Later runs take their
// blocks from one arena, where blocks that are never needed at the same time share bytes.
#ifndef TFRT_LIB_RUNTIME_HOST_PLANNED_ALLOCATOR_H_
#define TFRT_LIB_RUNTIME_HOST_PLANNED_ALLOCATOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

// A plan is a guess, never a promise. A block is taken from the arena only if no live block lies
// there, otherwise from `upstream`. So runs may differ in the order of requests, if several threads
// make them, or in sizes that depend on data. Thread-safe, except for runs: only one is open at a
// time. Blocks may outlive their run, and the owner: the allocator is destroyed with the last of
// them.
class PlannedAllocator final : public HostAllocator {
 public:
  struct Drop {
    void operator()(PlannedAllocator* allocator) const { allocator->DropUser(); }
  };
  using Owner = std::unique_ptr<PlannedAllocator, Drop>;
  // `upstream` must outlive the allocator and its blocks.
  static Owner Create(HostAllocator* upstream) { return Owner(new PlannedAllocator(upstream)); }

  // Begins a run of the kind `key`, which must determine the sizes of its blocks. Keeps the plans
  // of the latest kMaxPlans kinds.
  void BeginRun(std::span<const int64_t> key);
  // Ends the run. Blocks that still live are its results. Those of a first run are not planned,
  // because they may stay.
  void EndRun();
  // Ends a run that failed. The requests of an incomplete first run make no plan.
  void AbandonRun();
  static constexpr size_t kMaxPlans = 16;
  // The largest number of planned blocks of a run, counted from its first. A loop may request any
  // number, and planning takes time quadratic in it.
  static constexpr size_t kMaxPlanned = 4096;

  void* AllocateBytes(size_t size_bytes, size_t alignment) override;
  void DeallocateBytes(void* block, size_t size_bytes) override;

  struct Statistics {
    // Sizes of the arena and of the last run's plan, which may be the one that this run made. The
    // lower bound is the most bytes needed at once when the plan was recorded.
    size_t arena_bytes = 0;
    size_t plan_bytes = 0;
    size_t lower_bound_bytes = 0;
    // Blocks of the last run, by origin.
    size_t from_arena = 0;
    size_t from_upstream = 0;
  };
  Statistics statistics() const;

 private:
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kNotPlanned = SIZE_MAX;

  // One request of a recorded run. Times count requests and returns.
  struct Request {
    size_t size;  // not 0
    size_t begin;
    size_t end = SIZE_MAX;        // SIZE_MAX: it lived when the run ended
    size_t offset = kNotPlanned;  // in the arena
  };
  struct Plan {
    std::vector<int64_t> key;
    std::vector<Request> requests;
    size_t size = 0;
    size_t lower_bound = 0;
  };
  struct LiveBlock {
    size_t begin, end;  // in the arena
  };

  explicit PlannedAllocator(HostAllocator* upstream) : upstream_(upstream) {}
  ~PlannedAllocator() override;

  void* TakePlanned(size_t size);
  void RecordRequest(const void* block, size_t size);
  void RecordReturn(const void* block);
  bool IsFree(size_t begin, size_t end) const;
  void MakePlan();
  static void Place(Plan* plan);
  // Sets the requests' offsets and returns the size that they need.
  static size_t PlaceInOrder(std::span<const size_t> order, std::vector<Request>& requests);
  void GrowArena(size_t size);
  bool IsInArena(const void* block) const {
    auto address = reinterpret_cast<uintptr_t>(block), base = reinterpret_cast<uintptr_t>(arena_);
    return address >= base && address - base < arena_size_;
  }
  void DropUser() {
    // acq_rel: the thread that deletes sees what all others have done with the allocator.
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  HostAllocator* const upstream_;
  std::atomic<size_t> users_{1};  // the owner and each block

  mutable std::mutex mutex_;  // guards the members below
  std::deque<Plan> plans_;    // the latest last
  Plan* plan_ = nullptr;      // of the run, if it has one
  std::vector<char> taken_;   // by request of the plan: whether this run has taken it
  size_t next_ = 0;           // all requests before it have been taken
  bool is_recording_ = false;
  Plan recorded_;
  std::unordered_map<const void*, size_t> recorded_blocks_;  // live blocks, by request number
  size_t now_ = 0;
  std::vector<LiveBlock> live_;
  char* arena_ = nullptr;
  size_t arena_size_ = 0;
  Statistics statistics_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_PLANNED_ALLOCATOR_H_
