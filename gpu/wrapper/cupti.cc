#include "cupti.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "tfrt/support/str_cat.h"
#include "vendor_library.h"

namespace tfrt::gpu::cupti {
namespace {

constexpr const char* kLibraries[] = {"libcupti.so.13", "libcupti.so.12"};

LibrarySearch DefaultSearch() {
  LibrarySearch search = LibrarySearch::ForLibraries();
  if (const char* home = secure_getenv("CUDA_HOME"); home && *home) {
    search.after_loader.push_back({StrCat(home, "/extras/CUPTI/lib64"), "CUDA_HOME"});
  }
  search.after_loader.push_back({"/usr/local/cuda/extras/CUPTI/lib64", "where toolkits are"});
  return search;
}

StatusOr<int> VersionOf(const SharedLibrary& library) {
  Table table;
  void* function = library.Find("cuptiGetVersion");
  if (!function) return FailedPreconditionError(StrCat(library.path(), " lacks cuptiGetVersion"));
  std::memcpy(&table.cuptiGetVersion, &function, sizeof(function));
  uint32_t version = 0;
  TFRT_RETURN_IF_ERROR(StatusOf(table, table.cuptiGetVersion(&version),
                                StrCat("cuptiGetVersion of ", library.path())));
  if (version >= kMinCuptiVersion && version < 1'000'000) return static_cast<int>(version);
  return FailedPreconditionError(StrCat(library.path(), " has the version ", version,
                                        "; CUDA 12.0 (", kMinCuptiVersion, ") or newer is needed"));
}

}  // namespace

StatusOr<const Library*> OpenLibrary(const SharedLibrary& library) {
  static std::mutex mutex;
  static auto& libraries = *new std::vector<const Library*>;  // under mutex; leaked, as they are
  std::lock_guard lock(mutex);
  for (const Library* known : libraries) {
    if (known->path() == library.path()) return known;
  }
  TFRT_ASSIGN_OR_RETURN(int version, VersionOf(library));
  Table table;
  TFRT_RETURN_IF_ERROR(library.FindAll(kFunctions, version, &table));
  auto* opened = new Library(table, version, library.path());
  for (const char* name : kRangeFunctions) {
    if (!library.Find(name)) opened->missing_.push_back(name);
  }
  libraries.push_back(opened);
  return opened;
}

StatusOr<const Library*> Library::Get() {
  static std::mutex mutex;
  static const Library* library = nullptr;  // under mutex; leaked
  std::lock_guard lock(mutex);
  if (!library) {
    TFRT_ASSIGN_OR_RETURN(library, Open(DefaultSearch()));
  }
  return library;
}

StatusOr<const Library*> Library::Open(const LibrarySearch& search) {
  TFRT_ASSIGN_OR_RETURN(SharedLibrary library, internal::OpenFirst(kLibraries, search));
  return OpenLibrary(library);
}

std::string VersionText(int version) {
  // By version, from kMinCuptiVersion on.
  constexpr const char* kToolkits[] = {"12.0", "12.2", "12.3", "12.4", "12.5",
                                       "12.6", "12.6", "12.8", "12.9", "12.9 update 1"};
  if (version >= 10000) return StrCat("CUDA ", version / 10000, ".", version / 100 % 100);
  const int index = version - kMinCuptiVersion;
  if (index < 0 || index >= static_cast<int>(std::size(kToolkits))) return StrCat("API ", version);
  return StrCat("CUDA ", kToolkits[index]);
}

Status StatusOf(const Table& table, CUptiResult result, std::string_view what) {
  if (result == CUPTI_SUCCESS) return OkStatus();
  const std::string_view name = ResultName(result);
  std::string message = name.empty() ? StrCat(what, ": CUPTI error ", static_cast<uint32_t>(result))
                                     : StrCat(what, ": ", name);
  const char* text = nullptr;
  // The first gives a sentence, the second, that of older libraries, the name alone.
  if (table.cuptiGetErrorMessage && table.cuptiGetErrorMessage(result, &text) == CUPTI_SUCCESS &&
      text && *text) {
    message += StrCat(" (", text, ")");
  } else if (name.empty() && table.cuptiGetResultString &&
             table.cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text && *text) {
    message += StrCat(" (", text, ")");
  }
  return Status(CodeOf(result), std::move(message));
}

StatusCode CodeOf(CUptiResult result) {
  switch (result) {
    case CUPTI_SUCCESS:
      return StatusCode::kOk;
    case CUPTI_ERROR_INVALID_PARAMETER:
    case CUPTI_ERROR_INVALID_DEVICE:
    case CUPTI_ERROR_INVALID_CONTEXT:
    case CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID:
    case CUPTI_ERROR_INVALID_EVENT_ID:
    case CUPTI_ERROR_INVALID_EVENT_NAME:
    case CUPTI_ERROR_INVALID_METRIC_ID:
    case CUPTI_ERROR_INVALID_METRIC_NAME:
    case CUPTI_ERROR_INVALID_HANDLE:
    case CUPTI_ERROR_INVALID_STREAM:
    case CUPTI_ERROR_INVALID_KIND:
    case CUPTI_ERROR_INVALID_EVENT_VALUE:
    case CUPTI_ERROR_INVALID_MODULE:
    case CUPTI_ERROR_INVALID_METRIC_VALUE:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return StatusCode::kInvalidArgument;
    case CUPTI_ERROR_OUT_OF_MEMORY:
    case CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT:
    case CUPTI_ERROR_MAX_LIMIT_REACHED:
    case CUPTI_ERROR_HARDWARE_BUSY:
      return StatusCode::kResourceExhausted;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return StatusCode::kPermissionDenied;
    case CUPTI_ERROR_API_NOT_IMPLEMENTED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return StatusCode::kUnimplemented;
    case CUPTI_ERROR_INVALID_OPERATION:
    case CUPTI_ERROR_NOT_INITIALIZED:
    case CUPTI_ERROR_DISABLED:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return StatusCode::kFailedPrecondition;
    case CUPTI_ERROR_NOT_READY:
    case CUPTI_ERROR_QUEUE_EMPTY:
      return StatusCode::kUnavailable;
    case CUPTI_ERROR_HARDWARE:
      return StatusCode::kInternal;
    default:
      return StatusCode::kUnknown;
  }
}

std::string_view RemedyOf(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_UNKNOWN:
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "there is no driver that it works with: install the vendor's driver of this CUDA "
             "version or newer; in a container, give it the GPU with the capability 'utility'";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "the driver lets only the administrator profile: load it with "
             "NVreg_RestrictProfilingToAdminUsers=0, or run with the capability CAP_SYS_ADMIN";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the virtual machine may not profile: its host must allow it (enable_profiling=1)";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "end the other tool, or run without it: one at a time can profile a process";
    case CUPTI_ERROR_OUT_OF_MEMORY:
    case CUPTI_ERROR_MAX_LIMIT_REACHED:
      return "leave it more memory: it needs some of the device's and some page-locked memory";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another program profiles the device: wait until it has ended";
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
      return "use the CUPTI of the driver's CUDA version";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "devices of this kind, or in this mode, cannot be profiled: use another";
    default:
      return {};
  }
}

}  // namespace tfrt::gpu::cupti
