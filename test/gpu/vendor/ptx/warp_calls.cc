// Calls and returns: lanes that call together stay a group, in frames of their own behind the
// caller's.
#include <algorithm>
#include <cstring>

#include "warp.h"

namespace tfrt::gpu::ptx {
namespace {

constexpr uint32_t kMaxDepth = 2048;
constexpr size_t kMaxRegisterWords = size_t{16} << 20;  // of a warp
// Frames begin at multiples of it, so that what lies in them may be aligned as much.
constexpr uint32_t kFrameAlignment = 128;

}  // namespace

bool Warp::Reserve(const Instruction& instruction, uint32_t lane, const Context& context) {
  const Function& function = launch_.program().functions[context.function];
  size_t words = (size_t{context.registers} + function.num_registers) * kWarpLanes;
  size_t local = size_t{context.local} + function.frame_bytes;
  if (context.depth > kMaxDepth || words > kMaxRegisterWords ||
      local > launch_.limits().local_bytes_per_thread) {
    Raise(FaultKind::kStackOverflow, instruction, lane,
          "the stack is full: " + std::to_string(context.depth) + " calls, " +
              std::to_string(local) + " bytes of local memory");
    return false;
  }
  if (words > register_file_.size()) register_file_.resize(words);
  size_t predicates = size_t{context.predicates} + function.num_predicates;
  if (predicates > predicate_file_.size()) predicate_file_.resize(predicates);
  return true;
}

void Warp::Call(const Instruction& instruction, const CallSite& site, uint32_t function,
                LaneMask lanes) {
  uint32_t first_lane = static_cast<uint32_t>(std::countr_zero(lanes));
  const Function& callee = launch_.program().functions[function];
  auto same_size = [](const CallSite::Value& value, const FormalParameter& formal) {
    return value.in_frame != formal.in_register &&
           (formal.in_register || value.size == formal.size);
  };
  bool fits = std::equal(site.arguments.begin(), site.arguments.end(), callee.parameters.begin(),
                         callee.parameters.end(), same_size) &&
              std::equal(site.results.begin(), site.results.end(), callee.results.begin(),
                         callee.results.end(), same_size);
  if (callee.kind == Function::Kind::kAssertFail || !callee.defined || !fits) {
    bool assertion = callee.kind == Function::Kind::kAssertFail;
    Raise(assertion ? FaultKind::kAssert : FaultKind::kIllegalInstruction, instruction, first_lane,
          assertion ? "an assertion failed"
                    : "function '" + callee.name + "' does not take what the call passes");
    return;
  }
  Save(pc_ + 1);
  Context caller = contexts_[first_lane];
  const Function& outer = launch_.program().functions[caller.function];
  Context inner;
  inner.pc = callee.begin;
  inner.depth = caller.depth + 1;
  inner.registers = caller.registers + outer.num_registers;
  inner.predicates = caller.predicates + outer.num_predicates;
  inner.local =
      (caller.local + outer.frame_bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
  inner.function = function;
  if (!Reserve(instruction, first_lane, inner)) return;
  for (uint32_t lane : LanesOf(lanes)) {
    stacks_[lane].push_back({caller, &site});
    contexts_[lane] = inner;
    size_t local = size_t{inner.local} + callee.frame_bytes;
    if (local > local_[lane].size()) local_[lane].resize(local);
  }
  predicate_file_[inner.predicates] &= ~lanes;  // slot 0 is false
  CopyArguments(site, callee, caller, inner, lanes);
  Schedule();
}

void Warp::CopyArguments(const CallSite& site, const Function& callee, const Context& caller,
                         const Context& inner, LaneMask lanes) {
  // Operands are read in the caller's frame, which a longer file may have moved.
  registers_ = register_file_.data() + size_t{caller.registers} * kWarpLanes;
  predicates_ = predicate_file_.data() + caller.predicates;
  for (size_t i = 0; i < site.arguments.size(); ++i) {
    const CallSite::Value& value = site.arguments[i];
    const FormalParameter& formal = callee.parameters[i];
    if (value.in_frame) {
      for (uint32_t lane : LanesOf(lanes)) {
        std::memcpy(local_bytes(lane, inner.local + formal.offset),
                    local_bytes(lane, caller.local + value.offset), formal.size);
      }
    } else if (formal.type == Type::kPred) {
      LaneMask bits = Read(value.predicate);
      LaneMask& target = predicate_file_[inner.predicates + formal.slot];
      target = (target & ~lanes) | (bits & lanes);
    } else {
      const uint64_t* source = Read(value.operand);
      uint64_t* target = register_file_.data() + size_t{inner.registers + formal.slot} * kWarpLanes;
      for (uint32_t lane : LanesOf(lanes)) target[lane] = source[lane];
    }
  }
}

void Warp::CopyResults(const CallSite& site, const Function& callee, const Context& caller,
                       const Context& inner, LaneMask lanes) {
  for (size_t i = 0; i < site.results.size(); ++i) {
    const CallSite::Value& value = site.results[i];
    const FormalParameter& formal = callee.results[i];
    if (value.in_frame) {
      for (uint32_t lane : LanesOf(lanes)) {
        std::memcpy(local_bytes(lane, caller.local + value.offset),
                    local_bytes(lane, inner.local + formal.offset), formal.size);
      }
    } else if (formal.type == Type::kPred) {
      LaneMask bits = predicate_file_[inner.predicates + formal.slot];
      LaneMask& target = predicate_file_[caller.predicates + value.predicate.slot()];
      target = (target & ~lanes) | (bits & lanes);
    } else {
      const uint64_t* source =
          register_file_.data() + size_t{inner.registers + formal.slot} * kWarpLanes;
      uint64_t* target =
          register_file_.data() + size_t{caller.registers + value.operand.index()} * kWarpLanes;
      for (uint32_t lane : LanesOf(lanes)) target[lane] = source[lane];
    }
  }
}

void Warp::Return(LaneMask lanes) {
  Context inner = contexts_[std::countr_zero(lanes)];
  if (inner.depth == 0) {
    Exit(lanes);
    return;
  }
  Save(pc_ + 1);
  const Function& callee = launch_.program().functions[inner.function];
  for (uint32_t lane : LanesOf(lanes)) {
    Frame frame = stacks_[lane].back();
    stacks_[lane].pop_back();
    contexts_[lane] = frame.caller;
    CopyResults(*frame.site, callee, frame.caller, inner, LaneMask{1} << lane);
  }
  Schedule();
}

}  // namespace tfrt::gpu::ptx
