#include "block.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tfrt::gpu::ptx {
namespace {

// Waiting and arriving go together. PTX forbids a reduction at a barrier where others do something
// else.
bool CanMix(Block::BarrierKind a, Block::BarrierKind b) {
  return a == b || (a < Block::BarrierKind::kPopc && b < Block::BarrierKind::kPopc);
}

std::string NameOf(Block::BarrierKind kind) {
  constexpr const char* kNames[] = {"sync", "arrive", "red.popc", "red.and", "red.or"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace

Block::Block(LaunchState& launch) : launch_(launch) {
  uint32_t num_warps = (launch.threads() + kWarpLanes - 1) / kWarpLanes;
  for (uint32_t i = 0; i < num_warps; ++i)
    warps_.push_back(std::make_unique<Warp>(launch, *this, i));
}

void Block::Begin(const uint32_t index[3]) {
  std::copy_n(index, 3, index_);
  for (Barrier& barrier : barriers_) {
    barrier = Barrier();
    barrier.waiting.resize(warps_.size());
  }
  shared_.Begin(launch_.shared_bytes(), static_cast<uint32_t>(warps_.size()));
  for (const auto& warp : warps_) warp->Begin();
}

bool Block::Run(uint64_t steps) {
  // A warp that waits in a loop for what another one does lets it go on after so many steps.
  constexpr uint64_t kTurn = 20000;
  for (uint64_t taken = 0; taken < steps; taken += kTurn) {
    bool any_ready = false;
    bool any_live = false;
    for (const auto& warp : warps_) {
      any_ready |= warp->Run(kTurn);
      if (launch_.stopped()) return false;
    }
    for (const auto& warp : warps_) {
      LaneMask waiting = warp->at_barrier() | warp->at_collective();
      any_live |= warp->live() != 0;
      any_ready |= (warp->live() & ~waiting) != 0;
    }
    if (!any_live) return false;
    if (!any_ready) {
      ReportDeadlock();
      return false;
    }
  }
  return true;
}

void Block::Arrive(Warp& warp, const Instruction& instruction, LaneMask lanes,
                   const Arrival& arrival) {
  uint32_t lane = static_cast<uint32_t>(std::countr_zero(lanes));
  auto refuse = [&](std::string message) {
    warp.Raise(FaultKind::kIllegalInstruction, instruction, lane, std::move(message));
  };
  if (arrival.barrier >= kBarriers) {
    return refuse("barrier " + std::to_string(arrival.barrier) + ", where there are " +
                  std::to_string(kBarriers));
  }
  uint32_t rounded = static_cast<uint32_t>(warps_.size()) * kWarpLanes;
  if (arrival.threads % kWarpLanes != 0 || arrival.threads > rounded) {
    return refuse("a barrier for " + std::to_string(arrival.threads) + " threads in a block of " +
                  std::to_string(launch_.threads()));
  }
  Barrier& barrier = barriers_[arrival.barrier];
  if (!barrier.active) {
    barrier.active = true;
    barrier.threads = arrival.threads;
    barrier.kind = arrival.kind;
  } else if (barrier.threads != arrival.threads) {
    return refuse("barrier " + std::to_string(arrival.barrier) + " for " +
                  std::to_string(arrival.threads) + " threads, while others wait there for " +
                  std::to_string(barrier.threads));
  } else if (!CanMix(barrier.kind, arrival.kind)) {
    // The result of a reduction is written to the destination of each instruction that waits.
    return refuse("barrier " + std::to_string(arrival.barrier) + " for " + NameOf(arrival.kind) +
                  ", while others are there for " + NameOf(barrier.kind));
  }
  barrier.aligned = arrival.aligned;
  barrier.popc += static_cast<uint32_t>(std::popcount(arrival.predicate & lanes));
  shared_.Release(warp.index(), barrier.clock);
  if (arrival.kind == BarrierKind::kArrive) {
    barrier.arrived += arrival.aligned ? kWarpLanes : static_cast<uint32_t>(std::popcount(lanes));
  } else {
    barrier.kind = arrival.kind;
    barrier.instruction = &instruction;
    barrier.waiting[warp.index()] |= lanes;
    warp.WaitAtBarrier(lanes);
  }
  Check(arrival.barrier);
}

void Block::LanesExited() {
  for (uint32_t i = 0; i < kBarriers; ++i) {
    if (barriers_[i].active) Check(i);
  }
}

// All threads that have not ended wait here.
bool Block::EveryoneWaits(const Barrier& barrier) const {
  for (size_t i = 0; i < warps_.size(); ++i) {
    if ((warps_[i]->live() & ~barrier.waiting[i]) != 0) return false;
  }
  return true;
}

// Threads that have come to a barrier for a number of them: whole warps where they come together.
uint32_t Block::NumArrived(const Barrier& barrier) const {
  uint32_t arrived = barrier.arrived;
  for (size_t i = 0; i < warps_.size(); ++i) {
    LaneMask waiting = barrier.waiting[i];
    if (waiting == 0) continue;
    if (!barrier.aligned) {
      arrived += static_cast<uint32_t>(std::popcount(waiting));
    } else if ((warps_[i]->live() & ~waiting) == 0) {
      arrived += kWarpLanes;
    }
  }
  return arrived;
}

void Block::Check(uint32_t number) {
  Barrier& barrier = barriers_[number];
  if (!barrier.active) return;
  bool anyone = std::any_of(barrier.waiting.begin(), barrier.waiting.end(),
                            [](LaneMask m) { return m != 0; });
  if (barrier.threads == 0 ? anyone && EveryoneWaits(barrier)
                           : NumArrived(barrier) >= barrier.threads) {
    Complete(barrier);
  }
}

void Block::Complete(Barrier& barrier) {
  uint32_t num_waiting = 0;
  for (LaneMask waiting : barrier.waiting)
    num_waiting += static_cast<uint32_t>(std::popcount(waiting));
  bool predicate =
      barrier.kind == BarrierKind::kAnd ? barrier.popc == num_waiting : barrier.popc != 0;
  for (size_t i = 0; i < warps_.size(); ++i) {
    LaneMask waiting = barrier.waiting[i];
    if (waiting == 0) continue;
    Warp& warp = *warps_[i];
    // Lanes of a warp must execute one instruction together.
    uint32_t first = static_cast<uint32_t>(std::countr_zero(waiting));
    const Instruction& instruction = launch_.program().code[warp.pc_of(first)];
    for (uint32_t lane : LanesOf(waiting)) {
      if (!barrier.aligned || warp.pc_of(lane) == warp.pc_of(first)) continue;
      warp.Raise(FaultKind::kBarrierDivergence, instruction, lane,
                 "lanes " + std::to_string(first) + " and " + std::to_string(lane) +
                     " of a warp come to a barrier by different instructions, in lines " +
                     std::to_string(instruction.line) + " and " +
                     std::to_string(launch_.program().code[warp.pc_of(lane)].line));
      return;
    }
    if (barrier.kind >= BarrierKind::kPopc) {
      warp.DeliverReduction(waiting, barrier.popc, predicate);
    }
    warp.ReleaseFromBarrier(waiting);
    shared_.Acquire(static_cast<uint32_t>(i), barrier.clock);
  }
  std::vector<LaneMask> waiting = std::move(barrier.waiting);
  std::fill(waiting.begin(), waiting.end(), 0);
  barrier = Barrier();
  barrier.waiting = std::move(waiting);
}

// Nobody can go on: says who waits where, at the instruction of the first lane that waits.
void Block::ReportDeadlock() {
  std::string text;
  Warp* blamed = nullptr;
  uint32_t blamed_lane = 0;
  bool divided = false;
  uint32_t num_named = 0;
  for (const auto& warp : warps_) {
    LaneMask left = warp->live();
    for (bool first = true; left != 0; first = false) {
      uint32_t lane = static_cast<uint32_t>(std::countr_zero(left));
      LaneMask same = 0;
      for (uint32_t other : LanesOf(left)) {
        if (warp->pc_of(other) == warp->pc_of(lane)) same |= LaneMask{1} << other;
      }
      left &= ~same;
      divided |= !first;
      if (blamed == nullptr || (divided && !first && blamed_lane == 0)) {
        blamed = warp.get();
        blamed_lane = lane;
      }
      if (++num_named > 8) continue;
      const Instruction& instruction = launch_.program().code[warp->pc_of(lane)];
      text += (text.empty() ? "" : "; ") + std::to_string(std::popcount(same)) + " lanes of warp " +
              std::to_string(warp->index()) + " wait in line " + std::to_string(instruction.line) +
              " (" + FormOf(launch_.program(), instruction) + ")";
    }
  }
  if (num_named > 8) text += "; ...";
  const Instruction& instruction = launch_.program().code[blamed->pc_of(blamed_lane)];
  bool at_barrier = blamed->at_barrier() != 0;
  blamed->Raise(at_barrier && divided ? FaultKind::kBarrierDivergence : FaultKind::kDeadlock,
                instruction, blamed_lane, "no thread of the block can go on: " + text);
}

}  // namespace tfrt::gpu::ptx
