#ifndef TFRT_TEST_GPU_VENDOR_PTX_BLOCK_H_
#define TFRT_TEST_GPU_VENDOR_PTX_BLOCK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "launch_state.h"
#include "shared_memory.h"
#include "warp.h"

namespace tfrt::gpu::ptx {

// A block of threads: its warps, its shared memory, its barriers. Used for one block after the
// other.
class Block {
 public:
  explicit Block(LaunchState& launch);

  void Begin(const uint32_t index[3]);
  // Runs its warps in turn, until all have ended or each took `steps` steps. True if it has not
  // ended; a block that can never end is a fault of the launch.
  bool Run(uint64_t steps);

  const uint32_t* index() const { return index_; }
  SharedMemory& shared() { return shared_; }

  // --- For handlers. ---

  enum class BarrierKind : uint8_t { kSync, kArrive, kPopc, kAnd, kOr };
  struct Arrival {
    BarrierKind kind = BarrierKind::kSync;
    uint32_t barrier = 0;
    uint32_t threads = 0;    // that it waits for; 0: all of the block
    bool aligned = false;    // lanes of a warp arrive together
    LaneMask predicate = 0;  // of a reduction
  };
  // `lanes` of the warp's current group come to a barrier. All but kArrive wait.
  void Arrive(Warp& warp, const Instruction& instruction, LaneMask lanes, const Arrival& arrival);
  // Lanes have ended, which others may have waited for.
  void LanesExited();

 private:
  static constexpr uint32_t kBarriers = 16;

  struct Barrier {
    bool active = false;
    bool aligned = false;
    BarrierKind kind = BarrierKind::kSync;
    uint32_t threads = 0;  // as in Arrival
    uint32_t arrived = 0;  // by kArrive
    uint32_t popc = 0;     // threads whose predicate is true
    WarpClock clock = {};
    std::vector<LaneMask> waiting;  // by warp
    const Instruction* instruction = nullptr;
  };

  // Completes the barrier if all have come.
  void Check(uint32_t number);
  uint32_t NumArrived(const Barrier& barrier) const;
  bool EveryoneWaits(const Barrier& barrier) const;
  void Complete(Barrier& barrier);
  void ReportDeadlock();

  LaunchState& launch_;
  SharedMemory shared_;
  std::vector<std::unique_ptr<Warp>> warps_;
  Barrier barriers_[kBarriers];
  uint32_t index_[3] = {};
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_BLOCK_H_
