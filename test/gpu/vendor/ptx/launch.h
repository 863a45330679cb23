#ifndef TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_H_
#define TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory.h"
#include "module.h"

namespace tfrt::gpu::ptx {

// A module whose variables have addresses. Immutable and thread-safe; the module must outlive it.
class Instance {
 public:
  // `addresses` has one for each variable of the module, in its order.
  Instance(const Module& module, std::span<const uint64_t> addresses);

  const Module& module() const { return *module_; }
  std::span<const uint64_t> addresses() const { return addresses_; }

 private:
  const Module* module_;
  std::vector<uint64_t> addresses_;
};

enum class FaultKind : uint8_t {
  // The hardware stops as well.
  kInvalidLaunch,       // the launch does not fit the kernel or the limits; nothing has run
  kIllegalAddress,      // outside every live allocation, or a write to memory that is read-only
  kMisalignedAddress,   // not a multiple of the access's size
  kIllegalInstruction,  // a lane outside of its own member mask, a call through no function, a
                        // wrong barrier count
  kTrap,                // a trap instruction
  kAssert,              // a failed assertion of device code
  kStackOverflow,
  kDeadlock,           // no thread of the block can go on
  kStepBudget,         // the launch took more than LaunchLimits::steps
  kBarrierDivergence,  // threads of a warp wait at different barriers; what hardware does is not
                       // defined
  // Hardware goes on with whatever comes: reported, and the launch goes on.
  kUninitialisedGlobal,
  kUninitialisedShared,
  kSharedRace,       // two threads, one of which writes, and no barrier between them
  kNonCoherentRead,  // a read by .nc (or ldu) of bytes that the launch writes, before it or behind
};

// Whether the kind ends the launch.
bool EndsLaunch(FaultKind kind);
const char* FaultKindName(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::kIllegalAddress;
  uint32_t block[3] = {};   // indices in the grid, x, y, z
  uint32_t thread[3] = {};  // and of the lane in its block
  uint32_t line = 0;        // of the PTX text
  std::string instruction;  // its opcode with modifiers
  uint64_t address = 0;     // generic, or in its own state space; 0 where none is concerned
  uint32_t size = 0;        // of the access, in bytes
  std::string message;      // what is wrong, in lower case, without a full stop

  // "illegal address: line 12: ld.global.f32 in block (0,0,0), thread (3,0,0): MESSAGE".
  std::string Text() const;
};

struct LaunchLimits {
  uint64_t steps = uint64_t{1} << 40;  // instructions of warps, over all of the launch
  uint32_t shared_bytes = 48 * 1024;  // static and dynamic together; more after the driver's opt-in
  uint32_t threads_per_block = 1024;
  uint32_t local_bytes_per_thread = 512 * 1024;
  uint32_t resident_blocks = 64;  // of those that wait for others; all of a cooperative launch
  uint32_t reports = 16;          // later ones are counted only
  bool check_uninitialised_global = true;
  // A thread may write bytes that it alone has read by .nc before: no report.
  bool allow_own_writes_after_nc = false;
};

struct LaunchRequest {
  const Entry* entry = nullptr;  // of the instance's module
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks are resident at once
  std::span<const std::byte>
      parameters;  // entry->parameter_bytes of them, laid out as its parameters say
  uint32_t device_multiprocessors = 1;  // what %nsmid reads
};

// The bytes that lanes moved between registers and global memory.
struct Traffic {
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
  // Pieces of 32 bytes that instructions of warps touched, which is what hardware moves. Lanes next
  // to each other in the same piece count once.
  uint64_t sectors = 0;

  uint64_t bytes() const { return read_bytes + written_bytes; }
};

struct LaunchResult {
  std::optional<Fault> fault;  // the one that ended the launch
  std::vector<Fault> reports;  // those that did not; one for each kind and line
  uint64_t num_reports = 0;    // with those that were not kept
  uint64_t steps = 0;          // instructions of warps
  uint64_t lane_instructions = 0;
  Traffic traffic;

  bool ok() const { return !fault && num_reports == 0; }
};

// Runs a kernel to its end on the calling thread. Blocks run one after the other, the warps of a
// block in turn, always in the same order. Blocks that do not end soon run beside later ones, as
// they may be waiting for them.
LaunchResult Launch(const Instance& instance, const LaunchRequest& request, Memory& memory,
                    const LaunchLimits& limits = {});

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_H_
