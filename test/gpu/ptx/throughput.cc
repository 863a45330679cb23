// Lane-instructions a second of the executor, with all checks, on one core: ptx_throughput FILE,
// the file being kernels/throughput_clang_O3.ptx. Takes the best of some runs.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "test/gpu/ptx/test_memory.h"

namespace tfrt::gpu::ptx {
namespace {

void Measure(TestModule& module, const char* kernel, Dim3 grid, Dim3 block,
             const TestModule::Arguments& arguments) {
  double best = 0;
  LaunchResult result;
  for (int i = 0; i < 5; ++i) {
    // The time of this thread on its core: neighbours do not count.
    std::clock_t begin = std::clock();
    result = module.Launch(kernel, grid, block, arguments);
    double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(result.lane_instructions) / seconds);
  }
  std::printf("%-8s %12llu lane-instructions  %7.0f M/s  %s\n", kernel,
              static_cast<unsigned long long>(result.lane_instructions), best / 1e6,
              Findings(result).c_str());
}

}  // namespace
}  // namespace tfrt::gpu::ptx

int main(int argc, char** argv) {
  using namespace tfrt::gpu::ptx;
  if (argc != 2) {
    std::fprintf(stderr, "usage: ptx_throughput FILE\n");
    return 2;
  }
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  TestMemory memory;
  TestModule module(text.str(), memory);
  if (!module.ok()) return 1;
  std::vector<float> values(1 << 18, 0.5f);
  std::vector<int> starts(1 << 18);
  for (size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<int>(i % 1000);
  uint64_t x = memory.Upload(std::span<const float>(values)),
           y = memory.Upload(std::span<const float>(values));
  uint64_t z = memory.Upload(std::span<const float>(values)),
           s = memory.Upload(std::span<const int>(starts));
  Measure(module, "saxpy", {64}, {256}, TestModule::Arguments(y, x, 2.0f, 1 << 18));
  Measure(module, "matmul", {8, 8}, {16, 16}, TestModule::Arguments(z, x, y, 128));
  Measure(module, "collatz", {64}, {256}, TestModule::Arguments(z, s, 1 << 14));
  return 0;
}
