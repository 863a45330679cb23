#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "op_record.h"
#include "tfrt/core_runtime/op_handler.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/logging.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/conversion.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Status OpenError(const std::string& name) {
  return InvalidArgumentError(StrCat("error opening file ", name, ": ", std::strerror(errno)));
}

// The tensor as a dense one, or one of strings: how it is written down. Null if there is no
// conversion.
AsyncValueRef<Tensor> ConvertToPlain(const AsyncValueRef<Tensor>& tensor,
                                     const ExecutionContext& exec_ctx) {
  TensorType type = tensor->tensor_type();
  if (type == kDenseHostTensorType || type == kStringHostTensorType) return tensor.CopyRef();
  AsyncValueRef<Tensor> dense =
      exec_ctx.host()->GetOrCreateSharedContext<ConversionRegistry>().Convert(
          *tensor, kDenseHostTensorType, exec_ctx);
  return dense.IsConcrete() ? std::move(dense) : nullptr;
}

std::string CommaSeparated(const Tensor& tensor) {
  std::string text;
  auto separate = [&] {
    if (!text.empty()) text += ',';
  };
  if (tensor.tensor_type() == kStringHostTensorType) {
    for (const std::string& value : static_cast<const StringHostTensor&>(tensor).strings()) {
      separate();
      text += value;
    }
  } else {
    auto* data = static_cast<const char*>(static_cast<const DenseHostTensor&>(tensor).data());
    size_t size = DTypeSize(tensor.dtype());
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      separate();
      AppendElement(tensor.dtype(), data + static_cast<size_t>(i) * size, &text);
    }
  }
  text += '\n';
  return text;
}

// Where one handler's calls are written down. Thread-safe. Lives as long as results may still come.
class OpLog {
 public:
  OpLog(File file, std::string tensor_prefix)
      : file_(std::move(file)), tensor_prefix_(std::move(tensor_prefix)) {}

  uint64_t NextCall() { return next_call_.fetch_add(1, std::memory_order_relaxed); }

  void Write(const std::string& text) {
    std::FILE* out = file_ ? file_.get() : stderr;
    std::lock_guard lock(mutex_);
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
  }

  bool keeps_tensors() const { return !tensor_prefix_.empty(); }
  void WriteTensor(const std::string& name, const Tensor& tensor) const {
    std::string path = tensor_prefix_ + name;
    File file(std::fopen(path.c_str(), "w"));
    if (!file) {
      TFRT_LOG(ERROR) << OpenError(path).message();
      return;
    }
    std::string text = CommaSeparated(tensor);
    std::fwrite(text.data(), 1, text.size(), file.get());
  }

 private:
  const File file_;  // null: standard error
  const std::string tensor_prefix_;
  std::mutex mutex_;  // keeps what is written together in one piece
  std::atomic<uint64_t> next_call_ = 0;
};

// The inputs or the outputs of one call.
struct TensorsOfCall {
  std::shared_ptr<OpLog> log;
  uint64_t call;
  std::string op_name;
  bool are_inputs;

  // Writes them down; each is available, an error, or missing.
  void Write(std::span<const TensorHandle> handles, const ExecutionContext& exec_ctx) const {
    std::string_view noun = are_inputs ? "Input" : "Output";
    std::string text = StrCat(noun, "s for [", call, "]: '", op_name, "':\n");
    for (size_t i = 0; i < handles.size(); ++i) {
      text += StrCat("  ", noun, " for [", call, "] tensor ", i, ": ");
      AsyncValueRef<Tensor> plain;
      if (handles[i].valid() && !handles[i].IsError()) {
        plain = ConvertToPlain(handles[i].tensor(), exec_ctx);
      }
      text += StrCat(plain ? plain->ToString() : handles[i].ToString(), "\n");
      if (plain && log->keeps_tensors()) log->WriteTensor(FileName(i), *plain);
    }
    log->Write(text + "\n");
  }

  // The same when they have come.
  void WriteWhenReady(std::span<const TensorHandle> handles,
                      const ExecutionContext& exec_ctx) const {
    std::vector<AsyncValue*> awaited;
    for (const TensorHandle& handle : handles) {
      if (handle.valid() && !handle.tensor().IsAvailable())
        awaited.push_back(handle.async_tensor());
    }
    // Without copies of the handles, so that the op may reuse the arguments' memory.
    if (awaited.empty()) return Write(handles, exec_ctx);
    RunWhenReady(awaited, [self = *this, exec_ctx,
                           copies = std::vector<TensorHandle>(handles.begin(), handles.end())] {
      self.Write(copies, exec_ctx);
    });
  }

 private:
  std::string FileName(size_t index) const {
    std::string name =
        StrCat("op_", call, "_", op_name, are_inputs ? "_input_" : "_output_", index);
    for (char& c : name) {
      if (c == '/') c = '_';  // stays in its folder, whatever the op is called
    }
    return name;
  }
};

std::string DispatchText(uint64_t call, std::string_view op_name, const OpInvocation& invocation) {
  auto count = [](size_t n, std::string_view noun) {
    return StrCat(n, " ", noun, n == 1 ? "" : "s");
  };
  return StrCat("[", call, "] dispatch '", op_name, "' ",
                count(invocation.arguments.size(), "argument"), ", ",
                count(invocation.results.size(), "result"), ", ",
                invocation.attrs.empty() ? "no attributes\n" : invocation.attrs.ToString());
}

class LoggingOp final : public CoreRuntimeOp::Impl {
 public:
  LoggingOp(std::string_view name, CoreRuntimeOp op, std::shared_ptr<OpLog> log, bool log_results)
      : name_(name), op_(std::move(op)), log_(std::move(log)), log_results_(log_results) {}

  void Execute(const OpInvocation& invocation) const override {
    tracing::RecordScope record(internal::kOpRecord, name_, {}, "logging");
    uint64_t call = log_->NextCall();
    log_->Write(DispatchText(call, name_, invocation));
    TensorsOfCall{log_, call, name_, true}.WriteWhenReady(invocation.arguments,
                                                          invocation.exec_ctx);
    op_(invocation);
    if (!log_results_ || invocation.results.empty()) return;
    TensorsOfCall{log_, call, name_, false}.WriteWhenReady(invocation.results, invocation.exec_ctx);
  }

 private:
  const std::string name_;
  const CoreRuntimeOp op_;
  const std::shared_ptr<OpLog> log_;
  const bool log_results_;
};

class LoggingOpHandler final : public OpHandler {
 public:
  LoggingOpHandler(OpHandler* fallback, std::shared_ptr<OpLog> log, bool log_results)
      : OpHandler("logging", fallback), log_(std::move(log)), log_results_(log_results) {}

  StatusOr<CoreRuntimeOp> MakeOp(std::string_view op_name) override {
    TFRT_ASSIGN_OR_RETURN(CoreRuntimeOp op, fallback()->MakeOp(op_name));
    return CoreRuntimeOp(RCReference<const CoreRuntimeOp::Impl>(
        MakeRef<LoggingOp>(op_name, std::move(op), log_, log_results_)));
  }

 private:
  const std::shared_ptr<OpLog> log_;
  const bool log_results_;
};

}  // namespace

StatusOr<std::unique_ptr<OpHandler>> CreateLoggingOpHandler(
    HostContext*, OpHandler* fallback, const LoggingOpHandlerOptions& options) {
  File file;
  if (!options.metadata_prefix.empty()) {
    std::string name = options.metadata_prefix + "metadata.log";
    file.reset(std::fopen(name.c_str(), "w"));
    if (!file) return OpenError(name);
  }
  auto log = std::make_shared<OpLog>(std::move(file), options.tensor_prefix);
  return std::unique_ptr<OpHandler>(
      std::make_unique<LoggingOpHandler>(fallback, std::move(log), options.log_results));
}

}  // namespace tfrt
