// Where lanes wait: at barriers of the block, and for other lanes of their warp.
#include "block.h"
#include "warp.h"

namespace tfrt::gpu::ptx {

void Warp::WaitAtBarrier(LaneMask lanes) {
  Save(pc_ + 1);
  for (uint32_t lane : LanesOf(lanes)) contexts_[lane].pc = pc_;
  active_ &= ~lanes;
  at_barrier_ |= lanes;
  Schedule();
}

void Warp::ReleaseFromBarrier(LaneMask lanes) {
  at_barrier_ &= ~lanes;
  for (uint32_t lane : LanesOf(lanes)) ++contexts_[lane].pc;
  rejoin_ = 0;  // groups are chosen anew
}

void Warp::DeliverReduction(LaneMask lanes, uint32_t count, bool predicate) {
  // Each lane's frame is its own.
  for (uint32_t lane : LanesOf(lanes)) {
    const Context& context = contexts_[lane];
    const Instruction& instruction = launch_.program().code[context.pc];
    if (instruction.type == Type::kU32) {
      size_t slot = size_t{context.registers} + instruction.d.index();
      register_file_[slot * kWarpLanes + lane] = count;
    } else {
      LaneMask bit = LaneMask{1} << lane;
      LaneMask& bits = predicate_file_[context.predicates + instruction.p.slot()];
      bits = (bits & ~bit) | (predicate ? bit : 0);
    }
  }
}

LaneMask Warp::WaitingHere(LaneMask candidates) const {
  const Context& here = contexts_[std::countr_zero(active_)];
  LaneMask waiting = 0;
  for (uint32_t lane : LanesOf(candidates)) {
    if (contexts_[lane].pc == pc_ && contexts_[lane].SameFrame(here))
      waiting |= LaneMask{1} << lane;
  }
  return waiting;
}

LaneMask Warp::Collect(const Instruction& instruction, LaneMask lanes, const uint64_t* members) {
  LaneMask present = lanes | WaitingHere(at_collective_);
  LaneMask ready = 0;
  for (uint32_t lane : LanesOf(present)) {
    LaneMask needed = static_cast<LaneMask>(members[lane]);
    if ((needed >> lane & 1) == 0) {
      Raise(FaultKind::kIllegalInstruction, instruction, lane,
            "lane " + std::to_string(lane) + " is not in its own member mask");
      return 0;
    }
    if ((needed & live_ & ~present) == 0) ready |= LaneMask{1} << lane;
  }
  if (ready == lanes) return ready;
  // Those that waited and are ready join the group; those of the group that are not wait.
  LaneMask others = active_ & ~lanes;  // whose guard is false
  at_collective_ = (at_collective_ | (present & ~ready)) & ~ready;
  for (uint32_t lane : LanesOf(present & ~ready)) contexts_[lane].pc = pc_;
  active_ = others | ready;
  if (active_ == 0) Schedule();
  return ready;
}

void Warp::Synchronize(const Instruction& instruction, LaneMask lanes, const uint64_t* members) {
  for (uint32_t lane : LanesOf(lanes)) {
    if ((members[lane] >> lane & 1) == 0) {
      Raise(FaultKind::kIllegalInstruction, instruction, lane,
            "lane " + std::to_string(lane) + " is not in its own member mask");
      return;
    }
  }
  LaneMask ready = 0;
  LaneMask arrived = lanes;
  for (uint32_t lane : LanesOf(at_collective_)) {
    if (launch_.program().code[contexts_[lane].pc].run == instruction.run)
      arrived |= LaneMask{1} << lane;
  }
  for (uint32_t lane : LanesOf(lanes)) {
    LaneMask needed = static_cast<LaneMask>(members[lane]) & live_;
    if ((needed & ~arrived) == 0) ready |= needed;
  }
  block_.shared().SynchronizeWarp(index_);
  if (ready == lanes && at_collective_ == 0) return;
  // All of a complete mask go on behind their instruction.
  Save(pc_ + 1);
  LaneMask waiting = lanes & ~ready;
  for (uint32_t lane : LanesOf(waiting)) contexts_[lane].pc = pc_;
  for (uint32_t lane : LanesOf(ready & at_collective_)) ++contexts_[lane].pc;
  at_collective_ = (at_collective_ | waiting) & ~ready;
  active_ &= ~waiting;
  Schedule();
}

}  // namespace tfrt::gpu::ptx
