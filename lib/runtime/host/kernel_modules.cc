#include "kernel_modules.h"

#include <deque>
#include <mutex>
#include <utility>

#include "lib/base/support/open_module.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

class KernelModules final : public KernelSource {
 public:
  explicit KernelModules(std::vector<KernelModule> modules) {
    for (KernelModule& module : modules) modules_.emplace_back(std::move(module));
  }

  const KernelEntry* FindKernel(const KernelRegistry& asked, std::string_view name,
                                Status* error) override {
    for (Loaded& module : modules_) {
      if (!name.starts_with(module.description.prefix)) continue;
      std::call_once(module.once, [&] { module.status = Load(asked, &module); });
      if (!module.status.ok()) {
        *error = module.status;
        return nullptr;
      }
      const KernelEntry* entry = module.kernels.FindKernel(name);
      if (!entry) {
        *error = NotFoundError(
            StrCat("the module ", module.description.file_name, " has no such kernel"));
      }
      return entry;
    }
    return nullptr;
  }

 private:
  struct Loaded {
    explicit Loaded(KernelModule description) : description(std::move(description)) {}
    const KernelModule description;
    std::once_flag once;
    // Written once.
    Status status;
    KernelRegistry kernels;
  };

  static Status Load(const KernelRegistry& asked, Loaded* module) {
    // The program's types first: a layout that disagrees with them is then the module's.
    (void)asked.CheckTypes();
    TFRT_ASSIGN_OR_RETURN(void* library, OpenModule(module->description.file_name));
    return AddKernelsOfLibrary(library, module->description.file_name, &module->kernels);
  }

  std::deque<Loaded> modules_;  // stay where they are
};

}  // namespace

std::unique_ptr<KernelSource> MakeKernelModules(std::vector<KernelModule> modules) {
  return std::make_unique<KernelModules>(std::move(modules));
}

}  // namespace tfrt
