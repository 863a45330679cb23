// tfrt_tutorial.*: the smallest kernels with a type of their own.

#include <cstdio>
#include <string_view>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

struct Coordinate {
  static constexpr std::string_view kProgramTypeName = "coordinate";
  int32_t x;
  int32_t y;
};

Coordinate CreateCoordinate(int32_t x, int32_t y) { return {x, y}; }

Chain PrintCoordinate(const Coordinate& coordinate) {
  std::printf("(%d, %d)\n", coordinate.x, coordinate.y);
  std::fflush(stdout);
  return {};
}

}  // namespace

void RegisterTutorialKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_tutorial.create_coordinate", TFRT_KERNEL(CreateCoordinate),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_tutorial.print_coordinate", TFRT_KERNEL(PrintCoordinate));
}

}  // namespace tfrt
