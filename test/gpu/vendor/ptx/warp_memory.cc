// Accesses of a lane: where an address leads, and whether it may go there.
#include <cstdio>

#include "block.h"
#include "warp.h"

namespace tfrt::gpu::ptx {
namespace {

std::string Hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

const char* AccessName(Access access) {
  return access == Access::kRead    ? "a read"
         : access == Access::kWrite ? "a write"
                                    : "an atomic operation";
}

std::string Describe(Access access, uint32_t size, Space space, uint64_t address) {
  return std::string(AccessName(access)) + " of " + std::to_string(size) + " bytes at " +
         Hex(address) + " in " + SpaceName(space) + " memory";
}

// The window of generic addresses that `address` lies in; kGlobal if in none.
Space ResolveGeneric(uint64_t& address) {
  if (address < kWindowsBegin || address >= kWindowsEnd) return Space::kGlobal;
  uint64_t window = (address - kWindowsBegin) >> 32;
  address &= 0xffffffff;
  constexpr Space kSpaces[] = {Space::kShared, Space::kLocal, Space::kParam, Space::kGeneric};
  return kSpaces[window];
}

}  // namespace

std::byte* Warp::Access(const Instruction& instruction, uint32_t lane, uint64_t address,
                        uint32_t size, ptx::Access access, const void* value) {
  Space space = instruction.space;
  uint64_t offset = address;
  if (space == Space::kGeneric) space = ResolveGeneric(offset);
  if ((offset & (size - 1)) != 0) {
    Raise(
        FaultKind::kMisalignedAddress, instruction, lane,
        Describe(access, size, space, offset) + ", which is no multiple of " + std::to_string(size),
        address, size);
    return nullptr;
  }
  uint64_t limit = 0;
  std::byte* bytes = nullptr;
  switch (space) {
    case Space::kGlobal:
    case Space::kConst:
      return AccessGlobal(instruction, lane, offset, size, access);
    case Space::kShared:
      return AccessShared(instruction, lane, offset, size, access, value);
    case Space::kLocal:
      limit = local_[lane].size();
      bytes = local_[lane].data();
      break;
    case Space::kParam:
      // Nothing is written there: what a caller passed is not the kernel's.
      limit = access == ptx::Access::kRead ? launch_.request().parameters.size() : 0;
      bytes = const_cast<std::byte*>(launch_.request().parameters.data());
      break;
    case Space::kGeneric:  // the address of a function
      break;
  }
  if (offset < limit && limit - offset >= size) return bytes + offset;
  Raise(FaultKind::kIllegalAddress, instruction, lane,
        Describe(access, size, space, offset) + ", of which " + std::to_string(limit) +
            " bytes are there",
        address, size);
  return nullptr;
}

std::byte* Warp::AccessGlobal(const Instruction& instruction, uint32_t lane, uint64_t address,
                              uint32_t size, ptx::Access access) {
  // A strong load writes nothing, however strong.
  bool is_atomic = instruction.strong && access != ptx::Access::kRead;
  launch_.CountAccess(address, size, access);
  ptx::Access noted = is_atomic ? ptx::Access::kAtomic : access;
  GlobalMemory::Result result =
      launch_.global().Use(address, size, access, noted, instruction.non_coherent);
  if (launch_.limits().allow_own_writes_after_nc) {
    const Dim3& grid = launch_.request().grid;
    const uint32_t* block = block_.index();
    const uint64_t thread =
        ((uint64_t{block[2]} * grid.y + block[1]) * grid.x + block[0]) * 1024 + index_ * 32 + lane;
    if (instruction.non_coherent) {
      launch_.global().NoteNonCoherentRead(address, size, thread);
    } else if (result.verdict == GlobalMemory::Verdict::kNonCoherent &&
               launch_.global().HasReadAlone(address, size, thread)) {
      result.verdict = GlobalMemory::Verdict::kOk;
    }
  }
  switch (result.verdict) {
    case GlobalMemory::Verdict::kOk:
      break;
    case GlobalMemory::Verdict::kUndefined:
      if (launch_.limits().check_uninitialised_global) {
        Raise(FaultKind::kUninitialisedGlobal, instruction, lane,
              Describe(access, size, Space::kGlobal, address) + ", which nothing has written",
              address, size);
      }
      break;
    case GlobalMemory::Verdict::kNonCoherent:
      Raise(FaultKind::kNonCoherentRead, instruction, lane,
            Describe(access, size, Space::kGlobal, address) +
                (instruction.non_coherent ? ", which the launch writes"
                                          : ", which the launch reads by .nc") +
                ": such a read may find it or not",
            address, size);
      break;
    case GlobalMemory::Verdict::kNoAllocation:
      Raise(FaultKind::kIllegalAddress, instruction, lane,
            Describe(access, size, Space::kGlobal, address) + ", which is in no allocation",
            address, size);
      break;
    case GlobalMemory::Verdict::kReadOnly:
      Raise(FaultKind::kIllegalAddress, instruction, lane,
            Describe(access, size, Space::kGlobal, address) + ", which is read-only", address,
            size);
      break;
  }
  return result.bytes;
}

std::byte* Warp::AccessShared(const Instruction& instruction, uint32_t lane, uint64_t offset,
                              uint32_t size, ptx::Access access, const void* value) {
  SharedMemory& shared = block_.shared();
  if (offset >= shared.size() || shared.size() - offset < size) {
    Raise(FaultKind::kIllegalAddress, instruction, lane,
          Describe(access, size, Space::kShared, offset) + ", of which " +
              std::to_string(shared.size()) + " bytes are there",
          offset, size);
    return nullptr;
  }
  // Before sm_70 the lanes of a warp go in step: their instructions are ordered.
  if (launch_.program().target < 70) shared.SynchronizeWarp(index_);
  uint32_t at = static_cast<uint32_t>(offset);
  SharedMemory::Accessor accessor{index_, lane, launch_.steps(), instruction.strong};
  std::byte* bytes = shared.bytes() + at;
  if (access == ptx::Access::kRead && size == 4 && shared.ReadWholeWord(at, accessor)) return bytes;
  if (access != ptx::Access::kWrite) {
    SharedMemory::Result result = shared.Read(at, size, accessor);
    if (result.verdict != SharedMemory::Verdict::kOk)
      ReportShared(instruction, lane, at, size, access, result);
  }
  if (access != ptx::Access::kRead) {
    SharedMemory::Result result =
        shared.Write(at, size, accessor, value != nullptr ? value : bytes);
    if (result.verdict != SharedMemory::Verdict::kOk)
      ReportShared(instruction, lane, at, size, access, result);
  }
  return bytes;
}

void Warp::ReportShared(const Instruction& instruction, uint32_t lane, uint32_t offset,
                        uint32_t size, ptx::Access access, const SharedMemory::Result& result) {
  std::string what = Describe(access, size, Space::kShared, offset);
  if (result.verdict == SharedMemory::Verdict::kUninitialised) {
    Raise(FaultKind::kUninitialisedShared, instruction, lane, what + ", which nothing has written",
          offset, size);
    return;
  }
  Raise(FaultKind::kSharedRace, instruction, lane,
        what + " races with " + (result.other_wrote ? "a write" : "a read") + " of thread " +
            std::to_string(result.other) + " of the block: no barrier lies between them",
        offset, size);
}

}  // namespace tfrt::gpu::ptx
