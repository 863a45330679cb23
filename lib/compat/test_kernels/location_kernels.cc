#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "kernel_groups.h"
#include "print_debug_info.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Records the name with which each location was seen.
class LocationNames : public SharedContext {
 public:
  explicit LocationNames(HostContext*) {}

  // False if the location has another name.
  bool Add(Location location, std::string_view name) {
    std::lock_guard lock(mutex_);
    auto [entry, added] =
        names_.try_emplace({location.handler(), location.data()}, std::string(name));
    return added || entry->second == name;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<const LocationHandler*, uint64_t>, std::string> names_;
};

StatusOr<Chain> UniqueLoc(StringAttribute name, const ExecutionContext& exec_ctx) {
  auto& names = exec_ctx.host()->GetOrCreateSharedContext<LocationNames>();
  if (!names.Add(exec_ctx.location(), *name)) {
    return InternalError(StrCat("duplicate locations ", exec_ctx.location().data()));
  }
  return Chain();
}

Chain PrintDebugInfoKernel(const ExecutionContext& exec_ctx) {
  PrintDebugInfo(exec_ctx.location());
  return {};
}

}  // namespace

void PrintDebugInfo(Location location) {
  std::printf("%s\n", location.DebugInfo().value_or("Kernel has no debug info").c_str());
  std::fflush(stdout);
}

void RegisterLocationTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.unique_loc", TFRT_KERNEL(UniqueLoc));
  registry->AddKernel("tfrt_test.print_debug_info", TFRT_KERNEL(PrintDebugInfoKernel));
}

}  // namespace tfrt
