// The bef_executor tool as a library call. It loads a BEF file, runs its functions one after the
// other, prints their results, and compares the diagnostics with the source's expectations.
#ifndef TFRT_LIB_COMPAT_BEF_RUN_BEF_EXECUTOR_H_
#define TFRT_LIB_COMPAT_BEF_RUN_BEF_EXECUTOR_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lib/base/tracing/tracing.h"

namespace tfrt {

class HostContext;
class KernelRegistry;

enum class HostAllocatorType { kLeakCheck, kMalloc, kProfiled, kFixedSize1k };

struct BefExecutorOptions {
  // The tool's name on its command line; begins its own error messages.
  std::string program_name = "bef_executor";
  std::string input_file = "-";  // "-": standard input
  // Empty: all functions in file order. Otherwise these, in this order.
  std::vector<std::string> functions;
  // Runs first and is then left out of the list. Ignored if unknown or empty.
  std::string test_init_function;
  std::string work_queue_type = "s";
  HostAllocatorType host_allocator_type = HostAllocatorType::kLeakCheck;
  // Plug-in libraries with kernels (LoadKernelLibrary).
  std::vector<std::string> shared_libs;
  // Open modules automatically for kernels and devices that a file names
  // (KernelRegistry::set_source, DeviceManager::set_source). Must be false for files from untrusted
  // sources.
  bool open_modules = true;
  bool print_error_code = false;
  // Print the kernels, one a line in the form of KernelListing, and do nothing else.
  bool list_kernels = false;
  // Depth of nested calls in one request at which a call fails; 0: the runtime's default.
  uint32_t max_call_depth = 0;

  // Called once with the new host's registry, before the plug-ins are loaded.
  void (*register_kernels)(KernelRegistry* registry) = nullptr;
  // Called once with the new host before anything runs; may be empty.
  std::function<void(HostContext* host)> configure_host;

  // Added for the duration of the run; borrowed.
  struct TracingRequest {
    tracing::Sink* sink;
    tracing::Level level;
  };
  std::vector<TracingRequest> tracing;
};

// Runs the program of `options` and returns the process's exit code. It is 0 if the program could
// be run, every diagnostic was expected and every expectation was met. Errors in results alone do
// not count. Results are written to standard output, complaints to standard error (docs/tools.md).
//
// Aborts if a function leaks AsyncValues in a build with TFRT_TRACK_LIVE_OBJECTS. Makes no other
// call that ends the process.
int RunBefExecutor(const BefExecutorOptions& options);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_BEF_RUN_BEF_EXECUTOR_H_
