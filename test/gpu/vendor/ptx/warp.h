#ifndef TFRT_TEST_GPU_VENDOR_PTX_WARP_H_
#define TFRT_TEST_GPU_VENDOR_PTX_WARP_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "launch_state.h"
#include "program.h"
#include "shared_memory.h"
#include "special.h"

namespace tfrt::gpu::ptx {

class Block;

// The 32 lanes of a warp, each with its own program counter and stack of calls. Lanes that are at
// the same instruction of the same frame execute it together, as a group. The group with the
// deepest call runs first, then the one with the lowest program counter. This brings lanes together
// again after branches and loops. A group that others wait for too long gives way, so that lanes
// can wait for each other.
class Warp {
 public:
  Warp(LaunchState& launch, Block& block, uint32_t index);

  // Threads [32 * index, ...) of the block begin.
  void Begin();
  // Runs until no lane can go on, or for so many steps. True if a lane could still go on.
  bool Run(uint64_t steps);

  LaunchState& launch() { return launch_; }
  Block& block() { return block_; }
  uint32_t index() const { return index_; }
  LaneMask live() const { return live_; }
  // Lanes that wait for others: at a barrier of the block, or for lanes of the warp.
  LaneMask at_barrier() const { return at_barrier_; }
  LaneMask at_collective() const { return at_collective_; }
  uint32_t pc_of(uint32_t lane) const { return contexts_[lane].pc; }

  // --- For handlers: operands of the current group. ---

  // The operand's 32 values, until the next calls of Read.
  const uint64_t* Read(Operand operand);
  uint64_t* Write(Operand operand) { return registers_ + operand.index() * kWarpLanes; }
  LaneMask Read(PredicateOperand predicate) const {
    return predicates_[predicate.slot()] ^ (predicate.negated() ? kAllLanes : 0);
  }
  // Sets the predicate of `lanes` to their bits of `value`.
  void Write(PredicateOperand predicate, LaneMask lanes, LaneMask value) {
    LaneMask& bits = predicates_[predicate.slot()];
    bits = (bits & ~lanes) | (value & lanes);
  }
  // The carry of each lane, which add.cc and its like leave.
  LaneMask carry = 0;

  // --- For handlers: memory. ---

  // The bytes of an access of `lane`, null if there was a fault; what is only reported has been.
  // For a write, `value` is what will be written. Addresses in space kGeneric are resolved.
  std::byte* Access(const Instruction& instruction, uint32_t lane, uint64_t address, uint32_t size,
                    ptx::Access access, const void* value = nullptr);
  std::byte* local_bytes(uint32_t lane, uint32_t offset) { return local_[lane].data() + offset; }

  // --- For handlers: faults. ---
  void Raise(FaultKind kind, const Instruction& instruction, uint32_t lane, std::string message,
             uint64_t address = 0, uint32_t size = 0);
  bool stopped() const { return launch_.stopped(); }

  // --- For handlers: what comes next. `lanes` are of the current group. ---

  void Branch(LaneMask lanes, uint32_t target);
  // Each lane to its own target.
  void BranchEach(LaneMask lanes, const uint32_t* targets);
  void Exit(LaneMask lanes);
  void Call(const Instruction& instruction, const CallSite& site, uint32_t function,
            LaneMask lanes);
  void Return(LaneMask lanes);
  // The lanes leave the group, and come back to this instruction.
  void Keep(LaneMask lanes);
  // The lanes wait at this instruction for a barrier of the block, until Release.
  void WaitAtBarrier(LaneMask lanes);
  // Lanes that wait at a barrier go on behind it.
  void ReleaseFromBarrier(LaneMask lanes);
  // Delivers the result of a reduction at a barrier to lanes that wait there: the number of
  // predicates that are true, or one predicate.
  void DeliverReduction(LaneMask lanes, uint32_t count, bool predicate);
  // Handles an instruction that all lanes of a member mask execute together. It waits until all
  // have come. It returns those of `lanes`, and of lanes that waited here, that can continue now.
  // The others wait.
  LaneMask Collect(const Instruction& instruction, LaneMask lanes, const uint64_t* members);
  // As above for bar.warp.sync, which lanes may execute at different places.
  void Synchronize(const Instruction& instruction, LaneMask lanes, const uint64_t* members);

 private:
  struct Context {
    uint32_t pc = 0;
    uint32_t depth = 0;
    uint32_t registers = 0;  // where the frame's registers begin
    uint32_t predicates = 0;
    uint32_t local = 0;
    uint32_t function = 0;

    bool SameFrame(const Context& other) const {
      return depth == other.depth && registers == other.registers &&
             predicates == other.predicates && local == other.local && function == other.function;
    }
  };
  struct Frame {
    Context caller;  // at the instruction behind the call
    const CallSite* site;
  };

  const uint64_t* ReadSpecial(uint32_t index);
  // Those of `candidates` that are at the current instruction in the current frame.
  LaneMask WaitingHere(LaneMask candidates) const;
  uint64_t* Scratch() { return scratch_[scratch_index_++ % kScratch]; }
  // Notes where the lanes of the current group are.
  void Save(uint32_t pc);
  // Chooses the group that goes on.
  void Schedule();
  void SetFrame();
  LaneMask runnable() const { return live_ & ~(at_barrier_ | at_collective_); }
  bool Reserve(const Instruction& instruction, uint32_t lane, const Context& context);
  void CopyArguments(const CallSite& site, const Function& callee, const Context& caller,
                     const Context& inner, LaneMask lanes);
  void CopyResults(const CallSite& site, const Function& callee, const Context& caller,
                   const Context& inner, LaneMask lanes);
  std::byte* AccessShared(const Instruction& instruction, uint32_t lane, uint64_t offset,
                          uint32_t size, ptx::Access access, const void* value);
  void ReportShared(const Instruction& instruction, uint32_t lane, uint32_t offset, uint32_t size,
                    ptx::Access access, const SharedMemory::Result& result);
  std::byte* AccessGlobal(const Instruction& instruction, uint32_t lane, uint64_t address,
                          uint32_t size, ptx::Access access);

  static constexpr uint32_t kScratch = 8;

  LaunchState& launch_;
  Block& block_;
  const uint32_t index_;

  // The current group: `active_` are at `pc_` and share a frame.
  LaneMask active_ = 0;
  uint32_t pc_ = 0;
  uint32_t next_ = 0;  // where it goes on
  uint32_t rejoin_ =
      0;  // where the next other group waits: at or behind it, groups are chosen anew
  uint64_t* registers_ = nullptr;
  LaneMask* predicates_ = nullptr;
  uint32_t local_base_ = 0;
  bool chosen_ = false;  // the handler has had a group chosen

  LaneMask live_ = 0;
  LaneMask at_barrier_ = 0;
  LaneMask at_collective_ = 0;
  LaneMask deferred_ = 0;       // lanes that give way to others for a while
  uint64_t divided_steps_ = 0;  // since some lanes that could go on have not

  Context contexts_[kWarpLanes];
  std::vector<Frame> stacks_[kWarpLanes];
  std::vector<uint64_t> register_file_;
  std::vector<LaneMask> predicate_file_;
  std::vector<std::byte> local_[kWarpLanes];
  alignas(64) uint64_t special_[static_cast<int>(Special::kCount)][kWarpLanes];
  alignas(64) uint64_t scratch_[kScratch][kWarpLanes];
  uint32_t scratch_index_ = 0;
};

// The lanes of a mask: for (uint32_t lane : LanesOf(mask)).
class LanesOf {
 public:
  class Iterator {
   public:
    explicit Iterator(LaneMask left) : left_(left) {}
    uint32_t operator*() const { return static_cast<uint32_t>(std::countr_zero(left_)); }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    LaneMask left_;
  };
  explicit LanesOf(LaneMask lanes) : lanes_(lanes) {}
  Iterator begin() const { return Iterator(lanes_); }
  Iterator end() const { return Iterator(0); }

 private:
  LaneMask lanes_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_WARP_H_
