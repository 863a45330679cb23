#include "warp.h"

#include <algorithm>
#include <cstring>

#include "block.h"

namespace tfrt::gpu::ptx {
namespace {

constexpr uint32_t kNever = ~uint32_t{0};
// Steps after which a group lets others go on: those that spin until another lane does something
// must not spin for ever.
constexpr uint64_t kPatience = 10000;

}  // namespace

Warp::Warp(LaunchState& launch, Block& block, uint32_t index)
    : launch_(launch), block_(block), index_(index) {
  const Function& function = launch.function();
  register_file_.resize(size_t{std::max(function.num_registers, 1u)} * kWarpLanes);
  predicate_file_.resize(function.num_predicates);
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) local_[lane].resize(function.frame_bytes);
  auto fill = [this](Special special, uint64_t value) {
    std::fill_n(special_[static_cast<int>(special)], kWarpLanes, value);
  };
  auto fill_dim3 = [&](Special first, const Dim3& value) {
    fill(first, value.x);
    fill(static_cast<Special>(static_cast<int>(first) + 1), value.y);
    fill(static_cast<Special>(static_cast<int>(first) + 2), value.z);
  };
  const LaunchRequest& request = launch.request();
  fill_dim3(Special::kNtidX, request.block);
  fill_dim3(Special::kNctaidX, request.grid);
  fill(Special::kWarpid, index);
  fill(Special::kNwarpid, (launch.threads() + kWarpLanes - 1) / kWarpLanes);
  fill(Special::kWarpSize, kWarpLanes);
  fill(Special::kSmid, 0);
  fill(Special::kNsmid, request.device_multiprocessors);
  fill(Special::kGridid, 1);
  fill(Special::kDynamicSharedSize, request.dynamic_shared_bytes);
  fill(Special::kTotalSharedSize, launch.shared_bytes());
  fill(Special::kZero, 0);
  fill(Special::kOne, 1);
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    uint32_t thread = index * kWarpLanes + lane;
    LaneMask bit = LaneMask{1} << lane;
    auto set = [&](Special special, uint64_t value) {
      special_[static_cast<int>(special)][lane] = value;
    };
    set(Special::kTidX, thread % request.block.x);
    set(Special::kTidY, thread / request.block.x % request.block.y);
    set(Special::kTidZ, thread / request.block.x / request.block.y);
    set(Special::kLaneid, lane);
    set(Special::kLanemaskEq, bit);
    set(Special::kLanemaskLt, bit - 1);
    set(Special::kLanemaskLe, bit | (bit - 1));
    set(Special::kLanemaskGe, ~(bit - 1));
    set(Special::kLanemaskGt, ~(bit | (bit - 1)));
  }
}

void Warp::Begin() {
  uint32_t threads = launch_.threads() - index_ * kWarpLanes;
  live_ = threads >= kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
  at_barrier_ = at_collective_ = deferred_ = active_ = carry = 0;
  divided_steps_ = 0;
  Context context;
  context.pc = launch_.function().begin;
  context.function = launch_.function_index();
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    contexts_[lane] = context;
    stacks_[lane].clear();
  }
  predicate_file_[0] = 0;
  const uint32_t* block = block_.index();
  for (int i = 0; i < 3; ++i) {
    std::fill_n(special_[static_cast<int>(Special::kCtaidX) + i], kWarpLanes, block[i]);
  }
  Schedule();
}

bool Warp::Run(uint64_t steps) {
  const Instruction* code = launch_.program().code.data();
  Schedule();
  while (active_ != 0) {
    if (steps-- == 0) {
      Save(pc_);
      return true;
    }
    const Instruction& instruction = code[pc_];
    if (!launch_.CountStep()) {
      Raise(FaultKind::kStepBudget, instruction, static_cast<uint32_t>(std::countr_zero(active_)),
            "more than " + std::to_string(launch_.limits().steps) + " instructions of warps");
      return false;
    }
    LaneMask lanes = active_ & Read(instruction.guard);
    next_ = pc_ + 1;
    chosen_ = false;
    if (lanes != 0) {
      launch_.result().lane_instructions += static_cast<uint64_t>(std::popcount(lanes));
      instruction.run(*this, instruction, lanes);
      if (stopped()) return false;
    }
    if (chosen_) continue;
    pc_ = next_;
    if (pc_ >= rejoin_) {
      Save(pc_);
      Schedule();
    } else if (active_ != runnable() && ++divided_steps_ > kPatience) {
      divided_steps_ = 0;
      deferred_ |= active_;
      Save(pc_);
      Schedule();
    }
  }
  return runnable() != 0;  // a barrier may have let go of lanes
}

void Warp::Save(uint32_t pc) {
  for (uint32_t lane : LanesOf(active_)) contexts_[lane].pc = pc;
}

void Warp::Schedule() {
  chosen_ = true;
  active_ = 0;
  LaneMask ready = runnable();
  if (ready == 0) return;
  LaneMask candidates = ready & ~deferred_;
  if (candidates == 0) {
    deferred_ = 0;
    candidates = ready;
  }
  const Context* first = nullptr;
  for (uint32_t lane : LanesOf(candidates)) {
    const Context& context = contexts_[lane];
    if (first == nullptr || context.depth > first->depth ||
        (context.depth == first->depth && context.pc < first->pc)) {
      first = &context;
    }
  }
  rejoin_ = kNever;
  pc_ = first->pc;
  for (uint32_t lane : LanesOf(candidates)) {
    const Context& context = contexts_[lane];
    if (context.depth != first->depth) continue;
    if (context.pc == pc_ && context.SameFrame(*first)) {
      active_ |= LaneMask{1} << lane;
    } else if (context.pc > pc_) {
      rejoin_ = std::min(rejoin_, context.pc);
    }
  }
  if (active_ == ready) divided_steps_ = 0;
  SetFrame();
}

void Warp::SetFrame() {
  const Context& context = contexts_[std::countr_zero(active_)];
  registers_ = register_file_.data() + size_t{context.registers} * kWarpLanes;
  predicates_ = predicate_file_.data() + context.predicates;
  local_base_ = context.local;
}

const uint64_t* Warp::Read(Operand operand) {
  switch (operand.kind()) {
    case Operand::Kind::kRegister:
      return registers_ + size_t{operand.index()} * kWarpLanes;
    case Operand::Kind::kConstant:
      return launch_.constant(operand.index());
    case Operand::Kind::kSpecial:
      return ReadSpecial(operand.index());
    case Operand::Kind::kFrame:
      break;
  }
  uint64_t* values = Scratch();
  std::fill_n(values, kWarpLanes, uint64_t{local_base_} + operand.index());
  return values;
}

const uint64_t* Warp::ReadSpecial(uint32_t index) {
  uint64_t* values = special_[index];
  if (index <= static_cast<uint32_t>(Special::kLastFixed)) return values;
  uint64_t now = launch_.steps();
  switch (static_cast<Special>(index)) {
    case Special::kClock:
    case Special::kGlobaltimerLow:
      now &= 0xffffffff;
      break;
    case Special::kClockHigh:
    case Special::kGlobaltimerHigh:
      now >>= 32;
      break;
    default:
      break;
  }
  std::fill_n(values, kWarpLanes, now);
  return values;
}

void Warp::Raise(FaultKind kind, const Instruction& instruction, uint32_t lane, std::string message,
                 uint64_t address, uint32_t size) {
  Fault fault;
  fault.kind = kind;
  for (int i = 0; i < 3; ++i) {
    fault.block[i] = block_.index()[i];
    fault.thread[i] = static_cast<uint32_t>(special_[static_cast<int>(Special::kTidX) + i][lane]);
  }
  fault.line = instruction.line;
  fault.instruction = FormOf(launch_.program(), instruction);
  fault.address = address;
  fault.size = size;
  fault.message = std::move(message);
  launch_.Report(std::move(fault));
}

void Warp::Branch(LaneMask lanes, uint32_t target) {
  if (lanes == active_) {
    next_ = target;
    return;
  }
  for (uint32_t lane : LanesOf(active_)) {
    contexts_[lane].pc = (lanes >> lane & 1) != 0 ? target : pc_ + 1;
  }
  Schedule();
}

void Warp::BranchEach(LaneMask lanes, const uint32_t* targets) {
  for (uint32_t lane : LanesOf(active_)) {
    contexts_[lane].pc = (lanes >> lane & 1) != 0 ? targets[lane] : pc_ + 1;
  }
  Schedule();
}

void Warp::Exit(LaneMask lanes) {
  Save(pc_ + 1);
  live_ &= ~lanes;
  active_ &= ~lanes;
  at_collective_ = 0;  // who waits for these lanes looks again
  block_.LanesExited();
  Schedule();
}

void Warp::Keep(LaneMask lanes) {
  for (uint32_t lane : LanesOf(lanes)) contexts_[lane].pc = pc_;
  active_ &= ~lanes;
  rejoin_ = 0;  // groups are chosen anew
}

}  // namespace tfrt::gpu::ptx
