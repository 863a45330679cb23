// Fake kernels and a host for executor tests: no kernel library is linked.
#ifndef TFRT_TEST_UNIT_EXECUTOR_TEST_KERNELS_H_
#define TFRT_TEST_UNIT_EXECUTOR_TEST_KERNELS_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lib/runtime/host/resource_context.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

// What the kernels t.log and t.visit saw, in order. Thread-safe; cleared by each TestHost.
struct TestLog {
  static TestLog& Get();
  void Add(int32_t entry);
  std::vector<int32_t> entries();
  void Clear();

 private:
  std::mutex mutex_;
  std::vector<int32_t> entries_;
};

// A host with the queue `queue` ("s", "mstd:2") and these kernels:
//   t.const.i32 {value} -> i32     t.add (i32, i32) -> i32      t.log (i32) -> chain: logs it
//   t.fail () -> i32: error "failed"                            t.inc (i32) -> i32
//   t.later (i32) -> i32: the same value, set in a task         t.never () -> i32: never set
//   t.unique (any...) -> i1...                                  t.forget () -> i32: sets nothing
//   t.forget_by_hand (any...) -> any...: sets nothing; its signature does not promise to clear
//   t.call @f (any...) -> any...                                t.cancel (i32) -> i32: cancels
//   t.first (any...) -> any, non-strict: its first operand      t.sync_add (i32, i32) -> i32, sync
//   t.copy_text (string) -> string
//   t.alias (i32) -> i32: the same AsyncValue
//   t.visit {id} (any...) -> i32...: logs the id, gives zeros
//   t.quiet (any...) -> i32...: gives zeros, order-free
//   t.visit_late {id} (any...) -> i32...: the same, zeros set in a task
//   t.visit_any {id} (any...) -> i32...: as t.visit, non-strict
//   t.sync_text (i32) -> string: so many x; t.sync_join (string, string) -> string;
//   t.sync_size (string) -> i32: all sync
//   t.sync_fail () -> i32, sync: error "sync failed"            t.strings {string, array} -> i32
class TestHost {
 public:
  explicit TestHost(const std::string& queue = "s");
  ~TestHost();

  HostContext& host() { return *host_; }
  ExecutionContext MakeContext(uint32_t max_call_depth = 100000);
  // Builds the file and opens it; fails the test if that fails.
  RCReference<BefFile> Load(const bef::BefBuilder& builder);
  StatusOr<RCReference<BefFile>> TryLoad(const bef::BefBuilder& builder);
  // Runs the function until its results are available and the queue is empty.
  std::vector<RCReference<AsyncValue>> Run(const BefFile& file, std::string_view function,
                                           std::vector<RCReference<AsyncValue>> arguments = {});
  const std::vector<std::string>& diagnostics() const { return diagnostics_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> diagnostics_;
  std::unique_ptr<HostContext> host_;
};

inline RCReference<AsyncValue> MakeInt(int32_t value) {
  return MakeAvailableAsyncValueRef<int32_t>(value).ReleaseRCRef();
}

// Shorthands for hand-built programs.
bef::KernelSpec Const(int32_t value, uint32_t stream = 0);
bef::KernelSpec Op(std::string name, std::vector<uint32_t> operands,
                   std::vector<std::string> result_types, uint32_t stream = 0);

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_EXECUTOR_TEST_KERNELS_H_
