#ifndef TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_STATE_H_
#define TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_STATE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "global_memory.h"
#include "launch.h"
#include "program.h"

namespace tfrt::gpu::ptx {

// The state that the blocks of one launch share.
class LaunchState {
 public:
  LaunchState(const Instance& instance, const LaunchRequest& request, Memory& memory,
              const LaunchLimits& limits);

  const Program& program() const { return program_; }
  const LaunchRequest& request() const { return request_; }
  const LaunchLimits& limits() const { return limits_; }
  const SharedLayout& layout() const { return program_.layouts[function().entry]; }
  const Function& function() const { return program_.functions[function_]; }
  uint32_t function_index() const { return function_; }
  uint32_t shared_bytes() const { return layout().dynamic_offset + request_.dynamic_shared_bytes; }
  uint32_t threads() const { return static_cast<uint32_t>(request_.block.count()); }
  GlobalMemory& global() { return global_; }
  LaunchResult& result() { return result_; }

  // The 32 equal values of a constant of the kernel, or of a function that it may call.
  const uint64_t* constant(uint32_t index) const { return constants_.get() + index * kWarpLanes; }

  // Keeps a fault: the first that ends the launch, and of the others one of each kind and line.
  void Report(Fault fault);
  bool stopped() const { return result_.fault.has_value(); }

  // Counts an instruction of a warp; also the time that clocks show.
  bool CountStep() { return ++result_.steps <= limits_.steps; }
  uint64_t steps() const { return result_.steps; }

  // Counts the access of a lane to global memory.
  void CountAccess(uint64_t address, uint32_t size, Access access) {
    Traffic& traffic = result_.traffic;
    if (access != Access::kWrite) traffic.read_bytes += size;
    if (access != Access::kRead) traffic.written_bytes += size;
    const uint64_t sector = address / kSectorBytes;
    if (sector != last_sector_ || steps() != last_step_) ++traffic.sectors;
    last_sector_ = sector;
    last_step_ = steps();
  }

 private:
  static constexpr uint64_t kSectorBytes = 32;

  void FillConstants(uint32_t function, std::vector<bool>& seen,
                     std::span<const uint64_t> addresses);
  uint64_t ValueOf(const Constant& constant, std::span<const uint64_t> addresses) const;

  const Program& program_;
  const LaunchRequest& request_;
  const LaunchLimits& limits_;
  uint32_t function_;
  GlobalMemory global_;
  LaunchResult result_;
  uint64_t last_sector_ = 0;  // of the last access, and its instruction
  uint64_t last_step_ = 0;
  std::unique_ptr<uint64_t[]> constants_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_LAUNCH_STATE_H_
