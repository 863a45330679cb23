// tfrt_gpu_times: what the host pays for a launch, a copy, a piece of memory, beside its floor.
//   tfrt_gpu_times [--allow-test-double] [--rounds=N]
// On the first device of the driver that is found (TFRT_GPU_LIBRARY_PATH). A test double is refused
// unless allowed, and then runs nothing that it is given.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/wrapper/cuda_driver.h"
#include "gpu_cases.h"
#include "paired.h"

namespace tfrt::bench {
namespace {

int Fail(std::string_view message) {
  std::fprintf(stderr, "tfrt_gpu_times: %.*s\n", static_cast<int>(message.size()), message.data());
  return 1;
}

void Print(const Case& item, double ns, const Case* floor, double floor_ns, double ratio) {
  if (!floor) {
    std::printf("%-28s %10.1f ns\n", item.name.c_str(), ns);
    return;
  }
  std::printf("%-28s %10.1f ns  floor %8.1f ns  %+8.1f ns  x %.2f\n", item.name.c_str(), ns,
              floor_ns, ns - floor_ns, ratio);
}

int Run(bool allow_test_double, int rounds) {
  StatusOr<const gpu::cuda::Driver*> driver = gpu::cuda::Driver::Get();
  if (!driver.ok()) return Fail(driver.status().message());
  StatusOr<std::string> name = (*driver)->DeviceName(0);
  if (!name.ok()) return Fail(name.status().message());
  if (name->find("test double") != std::string::npos) {
    if (!allow_test_double) {
      return Fail("'" + *name +
                  "' is a test double; --allow-test-double measures the host's part all the same");
    }
    std::printf("on a test double, which runs nothing: no figure here is one of hardware\n");
  }
  std::printf("%s\n", name->c_str());
  Cases cases = GpuCases((*driver)->table());
  for (const Case& item : cases) {
    const Case* floor = nullptr;
    for (const Case& other : cases) {
      if (other.name == item.floor) floor = &other;
    }
    std::vector<std::function<void()>> ways;
    if (floor) ways.push_back(floor->prepare());
    ways.push_back(item.prepare());
    Paired paired = MeasurePaired(ways, rounds);
    double ns = paired.seconds.back() * 1e9 / item.units;
    double floor_ns = floor ? paired.seconds.front() * 1e9 / floor->units : 0;
    Print(item, ns, floor, floor_ns, paired.over_first.back());
  }
  return 0;
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) {
  bool allow_test_double = false;
  int rounds = 25;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--allow-test-double") == 0) {
      allow_test_double = true;
    } else if (std::strncmp(argv[i], "--rounds=", 9) == 0 && std::atoi(argv[i] + 9) > 0) {
      rounds = std::atoi(argv[i] + 9);
    } else {
      std::fprintf(stderr, "usage: %s [--allow-test-double] [--rounds=N]\n", argv[0]);
      return 2;
    }
  }
  // What a double does when nobody says otherwise: calls are checked, counted and dropped.
  setenv("TFRT_GPU_DOUBLE", "mode=null", /*overwrite=*/0);
  return tfrt::bench::Run(allow_test_double, rounds);
}
