#include "launch.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "block.h"
#include "launch_state.h"

namespace tfrt::gpu::ptx {
namespace {

// Steps of a block after which a later one begins beside it.
constexpr uint64_t kBlockTurn = 2'000'000;

std::string SizeText(const Dim3& size) {
  return "(" + std::to_string(size.x) + "," + std::to_string(size.y) + "," +
         std::to_string(size.z) + ")";
}

// Why the launch does not fit; empty if it does.
std::string CheckRequest(const LaunchRequest& request, const LaunchLimits& limits,
                         const Program& program) {
  const Entry& entry = *request.entry;
  const Dim3 &grid = request.grid, &block = request.block;
  if (grid.count() == 0 || block.count() == 0) {
    return "a grid of " + SizeText(grid) + " blocks of " + SizeText(block) + " threads is empty";
  }
  if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) {
    return "a grid of " + SizeText(grid) + " blocks is too large";
  }
  if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
      block.count() > limits.threads_per_block) {
    return "a block of " + SizeText(block) + " threads has more than " +
           std::to_string(limits.threads_per_block);
  }
  if (entry.required_threads && !(*entry.required_threads == block)) {
    return "a block of " + SizeText(block) + " threads, where .reqntid asks for " +
           SizeText(*entry.required_threads);
  }
  if (entry.maximum_threads && block.count() > entry.maximum_threads->count()) {
    return "a block of " + SizeText(block) + " threads, where .maxntid allows " +
           std::to_string(entry.maximum_threads->count());
  }
  if (request.parameters.size() != entry.parameter_bytes) {
    return std::to_string(request.parameters.size()) +
           " bytes of parameters, where the kernel takes " + std::to_string(entry.parameter_bytes);
  }
  const SharedLayout& layout =
      program.layouts[static_cast<size_t>(&entry - program.entries.data())];
  uint64_t shared = uint64_t{layout.dynamic_offset} + request.dynamic_shared_bytes;
  if (shared > limits.shared_bytes) {
    return std::to_string(shared) + " bytes of shared memory, where a block may have " +
           std::to_string(limits.shared_bytes);
  }
  uint64_t blocks = grid.count();
  if (request.cooperative && blocks > limits.resident_blocks) {
    return "a cooperative launch of " + std::to_string(blocks) + " blocks, where " +
           std::to_string(limits.resident_blocks) + " fit";
  }
  return std::string();
}

// Runs all blocks of a grid: one at a time, but for those that do not end soon.
class Grid {
 public:
  explicit Grid(LaunchState& launch)
      : launch_(launch), num_blocks_(launch.request().grid.count()) {}

  void Run() {
    uint64_t most = launch_.request().cooperative ? num_blocks_ : launch_.limits().resident_blocks;
    while (!launch_.stopped() && (next_ < num_blocks_ || !running_.empty())) {
      bool more = launch_.request().cooperative || running_.empty() || waited_;
      if (more && next_ < num_blocks_ && running_.size() < most) running_.push_back(Start());
      std::unique_ptr<Block> block = std::move(running_.front());
      running_.pop_front();
      uint64_t turn = launch_.request().cooperative ? kBlockTurn / 20 : kBlockTurn;
      waited_ = block->Run(turn);
      (waited_ ? running_ : idle_).push_back(std::move(block));
    }
  }

 private:
  std::unique_ptr<Block> Start() {
    std::unique_ptr<Block> block;
    if (idle_.empty()) {
      block = std::make_unique<Block>(launch_);
    } else {
      block = std::move(idle_.back());
      idle_.pop_back();
    }
    const Dim3& grid = launch_.request().grid;
    uint32_t index[3] = {static_cast<uint32_t>(next_ % grid.x),
                         static_cast<uint32_t>(next_ / grid.x % grid.y),
                         static_cast<uint32_t>(next_ / grid.x / grid.y)};
    block->Begin(index);
    ++next_;
    return block;
  }

  LaunchState& launch_;
  const uint64_t num_blocks_;
  uint64_t next_ = 0;
  bool waited_ = false;
  std::deque<std::unique_ptr<Block>> running_;
  std::deque<std::unique_ptr<Block>> idle_;  // ended, to be used again
};

}  // namespace

Instance::Instance(const Module& module, std::span<const uint64_t> addresses)
    : module_(&module), addresses_(addresses.begin(), addresses.end()) {}

LaunchResult Launch(const Instance& instance, const LaunchRequest& request, Memory& memory,
                    const LaunchLimits& limits) {
  std::string refusal = CheckRequest(request, limits, instance.module().program());
  if (!refusal.empty()) {
    LaunchResult result;
    result.fault.emplace();
    result.fault->kind = FaultKind::kInvalidLaunch;
    result.fault->message = "kernel '" + request.entry->name + "': " + refusal;
    return result;
  }
  LaunchState launch(instance, request, memory, limits);
  Grid(launch).Run();
  launch.global().ReportTouched();
  return std::move(launch.result());
}

}  // namespace tfrt::gpu::ptx
