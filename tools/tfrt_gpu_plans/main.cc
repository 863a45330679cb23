// tfrt_gpu_plans: makes the plans of a program ahead, for a GPU that need not be there.

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gpu/libraries/dnn/plan_store.h"
#include "gpu/wrapper/cudnn.h"
#include "lib/base/support/read_file.h"
#include "program_plans.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

constexpr char kHelp[] =
    "OVERVIEW: makes the cuDNN plans of a BEF file ahead, for a GPU that need not be there\n"
    "\n"
    "Usage: tfrt_gpu_plans FILE --device=JSON [--folder=FOLDER]\n"
    "       tfrt_gpu_plans --describe\n"
    "\n"
    "  FILE             the program; its kernels that build plans name the graphs\n"
    "  --device=JSON    the file that describes the GPU\n"
    "  --folder=FOLDER  where plans are kept; otherwise that of TFRT_GPU_PLAN_FOLDER\n"
    "  --describe       print the description of the first GPU of this machine\n"
    "  --help           print this\n"
    "  --version        print the version\n"
    "\n"
    "Needs cuDNN 9.8 or newer, of the version that will run the program. Prints the numbers of\n"
    "plans; exit code 1 if one cannot be made.\n";

struct Options {
  std::string file, device, folder;
  bool describe = false;
};

// The library that stands for the driver, in the folder of the build or of the installation.
Status OpenShim() {
  char program[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", program, sizeof(program));
  std::string folder(program, size > 0 ? static_cast<size_t>(size) : 0);
  folder = folder.substr(0, folder.rfind('/'));
  std::string reason;
  for (const char* place : {"/../" PLAN_SHIM_FOLDER, "/../lib/tfrt/plans"}) {
    const std::string path = StrCat(folder, place, "/libtfrt_gpu_plan_shim.so");
    // Before cuDNN, which then finds this library under the driver's name.
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return OkStatus();
    reason = dlerror();
  }
  return NotFoundError(reason);
}

StatusOr<const cudnn::Library*> OpenCudnn() {
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, cudnn::Library::Get());
  if (library->version() >= dnn::kMinPlanVersion) return library;
  return FailedPreconditionError(StrCat(library->path(), " is cuDNN ",
                                        cudnn::VersionText(library->version()), "; plans need ",
                                        cudnn::VersionText(dnn::kMinPlanVersion)));
}

Status Describe() {
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, OpenCudnn());
  TFRT_ASSIGN_OR_RETURN(dnn::DeviceDescription device,
                        dnn::DeviceDescription::OfDevice(library->table(), 0));
  std::printf("%s\n", device.json().c_str());
  return OkStatus();
}

Status MakePlans(const Options& options) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(options.file));
  StatusOr<bef::BefView> file = bef::BefView::Open(bytes.bytes());
  if (!file.ok()) {
    return InvalidArgumentError(StrCat(options.file, ": ", file.status().message()));
  }
  TFRT_ASSIGN_OR_RETURN(std::string json, ReadFile(options.device));
  while (!json.empty() && json.back() == '\n') json.pop_back();
  const std::vector<ProgramPlan> plans = PlansOf(*file);
  TFRT_RETURN_IF_ERROR(OpenShim());
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, OpenCudnn());
  StatusOr<dnn::DeviceDescription> device = dnn::DeviceDescription::OfText(library->table(), json);
  if (!device.ok()) {
    return InvalidArgumentError(StrCat(options.device, ": ", device.status().message()));
  }
  dnn::PlanStore store(library, *std::move(device), options.folder);
  int failures = 0;
  for (const ProgramPlan& plan : plans) {
    const Status made = plan.request.ok()
                            ? store.Get(plan.request->graph, plan.request->choice).status()
                            : plan.request.status();
    if (made.ok()) continue;
    ++failures;
    std::fprintf(stderr, "%s: %s\n", plan.where.c_str(), std::string(made.message()).c_str());
  }
  const dnn::PlanCounts counts = store.counts();
  std::printf("%zu plans: %llu built, %llu read, %llu the same as others, %d failed\n",
              plans.size(), static_cast<unsigned long long>(counts.built),
              static_cast<unsigned long long>(counts.read),
              static_cast<unsigned long long>(counts.kept), failures);
  if (failures == 0) return OkStatus();
  return UnimplementedError(StrCat(failures, " of ", plans.size(), " plans cannot be made"));
}

Status ParseOptions(int argc, char** argv, Options* options) {
  const char* folder = std::getenv("TFRT_GPU_PLAN_FOLDER");
  options->folder = folder ? folder : "";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--device=")) {
      options->device = argument.substr(9);
    } else if (argument.starts_with("--folder=")) {
      options->folder = argument.substr(9);
    } else if (argument == "--describe") {
      options->describe = true;
    } else if (argument.starts_with("-") || !options->file.empty()) {
      return InvalidArgumentError(StrCat("unknown argument '", argument, "'; see --help"));
    } else {
      options->file = argument;
    }
  }
  if (options->describe) return OkStatus();
  if (options->file.empty()) return InvalidArgumentError("no file; see --help");
  if (options->device.empty()) return InvalidArgumentError("no --device; see --help");
  if (options->folder.empty()) return InvalidArgumentError("no --folder; see --help");
  return OkStatus();
}

int Main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-help") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (argument == "--version" || argument == "-version") {
      std::puts("tfrt " TFRT_VERSION);
      return 0;
    }
  }
  Options options;
  Status status = ParseOptions(argc, argv, &options);
  if (status.ok()) status = options.describe ? Describe() : MakePlans(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "tfrt_gpu_plans: %s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace
}  // namespace tfrt::gpu

int main(int argc, char** argv) { return tfrt::gpu::Main(argc, argv); }
