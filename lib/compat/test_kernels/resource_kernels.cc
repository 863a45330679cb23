#include <cstdio>
#include <memory>
#include <string_view>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

class TestResource {
 public:
  static constexpr std::string_view kProgramTypeName = "test resource";
  TestResource() { Print("Allocated TestResource"); }
  TestResource(const TestResource&) = delete;
  TestResource& operator=(const TestResource&) = delete;
  ~TestResource() { Print("Destroyed TestResource"); }

  static void Print(const char* line) {
    std::printf("%s\n", line);
    std::fflush(stdout);
  }
};

// Null once deallocated.
using TestResourceHolder = std::unique_ptr<TestResource>;

std::tuple<TestResourceHolder, Chain> AllocateResource(Argument<Chain>) {
  return {std::make_unique<TestResource>(), Chain()};
}

Chain DeallocateResource(TestResourceHolder& resource, Argument<Chain>) {
  resource.reset();
  TestResource::Print("tfrt_test.deallocate_resource done");
  return {};
}

}  // namespace

void RegisterResourceTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.allocate_resource", TFRT_KERNEL(AllocateResource));
  registry->AddKernel("tfrt_test.deallocate_resource", TFRT_KERNEL(DeallocateResource));
}

}  // namespace tfrt
