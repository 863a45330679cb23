// Opens, binds and runs arbitrary bytes as a BEF file, within a budget.
#ifndef TFRT_TEST_FUZZ_RUN_BEF_H_
#define TFRT_TEST_FUZZ_RUN_BEF_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

struct RunBudget {
  uint32_t max_kernels = 10000;  // per function; then the request is cancelled
  uint32_t max_call_depth = 64;
};

// What came of it.
enum class RunOutcome { kRefused, kOpened, kRun };

// Runs many files, one after the other. They have the project's kernels, those of the core runtime
// with all ops of the host, but for kernels that sleep or measure, and parallel loops, whose number
// of tasks is the program's to choose. What logging op handlers write is dropped; for that, the
// environment of the process is changed.
class BefRunner {
 public:
  // On one host, with an allocator that refuses more than 16 MB; diagnostics are dropped. Files
  // that may use the core runtime run on other hosts, which refuse more than 256 KB and are made
  // anew after so many of them: 1 if a file is to find nothing of another; making one takes 2 ms.
  explicit BefRunner(int files_per_host = 1);
  // All files on one host.
  BefRunner(std::unique_ptr<HostAllocator> allocator, DiagnosticHandler diagnostic_handler);
  ~BefRunner();
  // Every function gets arguments of the types that the file gives, as far as they are i1, i32,
  // i64, f32, f64, chain, string, tensor handle or op handler; else an i32. Returns when no work is
  // left.
  RunOutcome Run(std::span<const uint8_t> bytes, const RunBudget& budget = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_FUZZ_RUN_BEF_H_
