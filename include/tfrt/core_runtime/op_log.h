// OpLog writes calls of ops, their arguments and results as text. The logging op handler uses it,
// as do contexts of the C++ API with ContextOptions::log. docs/compatibility.md has the format.
#ifndef TFRT_CORE_RUNTIME_OP_LOG_H_
#define TFRT_CORE_RUNTIME_OP_LOG_H_

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class Device;
class Tensor;

struct OpLogOptions {
  bool log_results = false;
  // The log is written to PREFIXmetadata.log; empty: to standard error.
  std::string metadata_prefix;
  // Not empty: each tensor is also written to a file PREFIXop_K_OP_input_I or
  // PREFIXop_K_OP_output_I.
  std::string tensor_prefix;
};

// A tensor of a call, which may still come. A value: copies share the tensor.
struct LoggedTensor {
  RCReference<Device> device;    // where it lies; null: on the host, or as `late_device` says
  AsyncValueRef<Tensor> tensor;  // null: an argument that is left out
  // Not null: the device of a tensor that comes later, available once the tensor is.
  AsyncValueRef<RCReference<Device>> late_device;
};

// Thread-safe: what is written together stays in one piece. Lives as long as tensors of calls may
// still come.
class OpLog : public ReferenceCounted<OpLog> {
 public:
  // InvalidArgument "error opening file NAME".
  static StatusOr<RCReference<OpLog>> Create(const OpLogOptions& options);

  // Writes a call down, and its arguments when all have come. Returns the number of the call. Keeps
  // no reference to tensors that are available, so that the op may reuse their memory.
  uint64_t WriteCall(std::string_view op_name, std::vector<LoggedTensor> arguments,
                     size_t num_results, const OpAttrsRef& attrs, const ExecutionContext& exec_ctx);
  // Writes its results when all have come, if the options say so. The chain is available when they
  // have been written, or need not be.
  AsyncValueRef<Chain> WriteResults(uint64_t call, std::string_view op_name,
                                    std::vector<LoggedTensor> results,
                                    const ExecutionContext& exec_ctx);
  // Available when what has begun before the call has been written.
  AsyncValueRef<Chain> Written();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;
  struct Tensors;

  OpLog(File file, const OpLogOptions& options);
  void Write(const std::string& text);
  void WriteFile(const std::string& name, const Tensor& tensor) const;
  uint64_t BeginWrite();  // its number
  void EndWrite(uint64_t write);

  const File file_;                  // null: standard error
  const std::string tensor_prefix_;  // empty: no files of tensors
  const bool log_results_;
  std::atomic<uint64_t> next_call_ = 0;
  std::mutex mutex_;  // of what follows, and of the file
  uint64_t next_write_ = 0;
  std::set<uint64_t> writes_;  // that have begun and not ended
  // There when all writes before this number have ended.
  std::multimap<uint64_t, AsyncValueRef<Chain>> waiters_;
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_LOG_H_
