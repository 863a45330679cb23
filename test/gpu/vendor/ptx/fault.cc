#include "launch.h"

namespace tfrt::gpu::ptx {
namespace {

std::string Triple(const uint32_t (&index)[3]) {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," +
         std::to_string(index[2]) + ")";
}

}  // namespace

bool EndsLaunch(FaultKind kind) { return kind <= FaultKind::kBarrierDivergence; }

const char* FaultKindName(FaultKind kind) {
  switch (kind) {
    case FaultKind::kInvalidLaunch:
      return "invalid launch";
    case FaultKind::kIllegalAddress:
      return "illegal address";
    case FaultKind::kMisalignedAddress:
      return "misaligned address";
    case FaultKind::kIllegalInstruction:
      return "illegal instruction";
    case FaultKind::kTrap:
      return "trap";
    case FaultKind::kAssert:
      return "assertion";
    case FaultKind::kStackOverflow:
      return "stack overflow";
    case FaultKind::kDeadlock:
      return "deadlock";
    case FaultKind::kStepBudget:
      return "step budget";
    case FaultKind::kBarrierDivergence:
      return "barrier divergence";
    case FaultKind::kUninitialisedGlobal:
      return "uninitialised global memory";
    case FaultKind::kUninitialisedShared:
      return "uninitialised shared memory";
    case FaultKind::kSharedRace:
      return "race in shared memory";
    case FaultKind::kNonCoherentRead:
      return "non-coherent read";
  }
  return "fault";
}

std::string Fault::Text() const {
  std::string text = std::string(FaultKindName(kind)) + ": ";
  if (kind != FaultKind::kInvalidLaunch) {
    text += "line " + std::to_string(line) + ": " + instruction + " in block " + Triple(block) +
            ", thread " + Triple(thread) + ": ";
  }
  return text + message;
}

}  // namespace tfrt::gpu::ptx
