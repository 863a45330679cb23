// Writes calls of ops and their tensors as text.

#include "tfrt/core_runtime/op_log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "lib/base/support/logging.h"
#include "lib/runtime/tensor/conversion.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

Status OpenError(const std::string& name) {
  return InvalidArgumentError(StrCat("error opening file ", name, ": ", std::strerror(errno)));
}

// The tensor as a dense one, or one of strings: how it is written down, perhaps later. Null if
// there is no conversion.
AsyncValueRef<Tensor> ConvertToPlain(const LoggedTensor& logged, const ExecutionContext& exec_ctx) {
  const AsyncValueRef<Tensor>& tensor = logged.tensor;
  TensorType type = tensor->tensor_type();
  if (type == kDenseHostTensorType || type == kStringHostTensorType) return tensor.CopyRef();
  HostContext* host = exec_ctx.host();
  Device& to = *host->GetHostDevice();
  Device* from = logged.device.get();
  if (logged.late_device && logged.late_device.IsConcrete()) from = logged.late_device->get();
  // In host memory tensors are alike on all devices.
  if (&tensor->memory_space() == &MemorySpace::Host()) from = &to;
  AsyncValueRef<Tensor> dense = host->GetOrCreateSharedContext<ConversionRegistry>().Convert(
      *tensor, {from ? *from : to, to, host->allocator()}, kDenseHostTensorType, exec_ctx);
  return dense.IsError() ? nullptr : std::move(dense);
}

std::string ErrorText(const Status& error) {
  return StrCat("Error TensorHandle: '", error.message(), "'");
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

std::string DispatchText(uint64_t call, std::string_view op_name, size_t num_arguments,
                         size_t num_results, const OpAttrsRef& attrs) {
  auto count = [](size_t n, std::string_view noun) {
    return StrCat(n, " ", noun, n == 1 ? "" : "s");
  };
  return StrCat("[", call, "] dispatch '", op_name, "' ", count(num_arguments, "argument"), ", ",
                count(num_results, "result"), ", ",
                attrs.empty() ? "no attributes\n" : attrs.ToString());
}

}  // namespace

// The arguments or the results of one call.
struct OpLog::Tensors {
  RCReference<OpLog> log;
  uint64_t call;
  std::string op_name;
  bool are_inputs;

  // Writes them down when all have come, and copies of those that the host cannot read. Makes no
  // references to tensors that are available, so that the op may reuse the arguments' memory.
  void Write(std::vector<LoggedTensor> tensors, const ExecutionContext& exec_ctx) const {
    std::vector<AsyncValue*> awaited;
    for (const LoggedTensor& each : tensors) {
      if (each.tensor && !each.tensor.IsAvailable()) {
        awaited.push_back(each.tensor.GetAsyncValue());
      }
    }
    const uint64_t write = log->BeginWrite();
    if (awaited.empty()) return WritePlain(LinesOf(tensors, exec_ctx), write);
    RunWhenReady(awaited, [self = *this, exec_ctx, write, tensors = std::move(tensors)]() mutable {
      std::vector<Line> lines = LinesOf(tensors, exec_ctx);
      tensors.clear();  // a caller that waits for the log may reuse their memory
      self.WritePlain(std::move(lines), write);
    });
  }

 private:
  // One that is written as it is has a text, others are `plain` tensors.
  struct Line {
    std::string text;
    AsyncValueRef<Tensor> plain;
  };

  // Each is available, an error, or missing.
  static std::vector<Line> LinesOf(std::span<const LoggedTensor> tensors,
                                   const ExecutionContext& exec_ctx) {
    std::vector<Line> lines(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      const AsyncValueRef<Tensor>& tensor = tensors[i].tensor;
      if (!tensor) {
        lines[i].text = "NULL TensorHandle!";
      } else if (tensor.IsError()) {
        lines[i].text = ErrorText(tensor.GetError());
      } else {
        lines[i].plain = ConvertToPlain(tensors[i], exec_ctx);
        if (!lines[i].plain) lines[i].text = tensor->ToString();
      }
    }
    return lines;
  }

  // When the plain tensors are there. Ends the write.
  void WritePlain(std::vector<Line> lines, uint64_t write) const {
    std::vector<AsyncValue*> awaited;
    for (const Line& line : lines) {
      if (line.plain && !line.plain.IsAvailable()) awaited.push_back(line.plain.GetAsyncValue());
    }
    RunWhenReady(awaited, [self = *this, write, lines = std::move(lines)]() mutable {
      self.WriteLines(lines);
      lines.clear();
      self.log->EndWrite(write);
    });
  }

  void WriteLines(std::span<const Line> lines) const {
    std::string_view noun = are_inputs ? "Input" : "Output";
    std::string text = StrCat(noun, "s for [", call, "]: '", op_name, "':\n");
    for (size_t i = 0; i < lines.size(); ++i) {
      const AsyncValueRef<Tensor>& plain = lines[i].plain;
      text += StrCat("  ", noun, " for [", call, "] tensor ", i, ": ");
      if (!plain) {
        text += lines[i].text;
      } else if (plain.IsError()) {
        text += ErrorText(plain.GetError());
      } else {
        text += plain->ToString();
        log->WriteFile(FileName(i), *plain);
      }
      text += '\n';
    }
    log->Write(text + "\n");
  }

  std::string FileName(size_t index) const {
    std::string name =
        StrCat("op_", call, "_", op_name, are_inputs ? "_input_" : "_output_", index);
    for (char& c : name) {
      if (c == '/') c = '_';  // stays in its folder, whatever the op is called
    }
    return name;
  }
};

OpLog::OpLog(File file, const OpLogOptions& options)
    : file_(std::move(file)),
      tensor_prefix_(options.tensor_prefix),
      log_results_(options.log_results) {}

StatusOr<RCReference<OpLog>> OpLog::Create(const OpLogOptions& options) {
  File file;
  if (!options.metadata_prefix.empty()) {
    std::string name = options.metadata_prefix + "metadata.log";
    file.reset(std::fopen(name.c_str(), "w"));
    if (!file) return OpenError(name);
  }
  return TakeRef(new OpLog(std::move(file), options));
}

uint64_t OpLog::WriteCall(std::string_view op_name, std::vector<LoggedTensor> arguments,
                          size_t num_results, const OpAttrsRef& attrs,
                          const ExecutionContext& exec_ctx) {
  // relaxed: a number.
  uint64_t call = next_call_.fetch_add(1, std::memory_order_relaxed);
  Write(DispatchText(call, op_name, arguments.size(), num_results, attrs));
  Tensors{FormRef(this), call, std::string(op_name), true}.Write(std::move(arguments), exec_ctx);
  return call;
}

AsyncValueRef<Chain> OpLog::WriteResults(uint64_t call, std::string_view op_name,
                                         std::vector<LoggedTensor> results,
                                         const ExecutionContext& exec_ctx) {
  if (!log_results_ || results.empty()) return GetReadyChain();
  Tensors{FormRef(this), call, std::string(op_name), false}.Write(std::move(results), exec_ctx);
  return Written();
}

void OpLog::Write(const std::string& text) {
  std::FILE* out = file_ ? file_.get() : stderr;
  std::lock_guard lock(mutex_);
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

void OpLog::WriteFile(const std::string& name, const Tensor& tensor) const {
  if (tensor_prefix_.empty()) return;
  std::string path = tensor_prefix_ + name;
  File file(std::fopen(path.c_str(), "w"));
  if (!file) {
    TFRT_LOG(ERROR) << OpenError(path).message();
    return;
  }
  std::string text = CommaSeparated(tensor);
  std::fwrite(text.data(), 1, text.size(), file.get());
}

uint64_t OpLog::BeginWrite() {
  std::lock_guard lock(mutex_);
  writes_.insert(next_write_);
  return next_write_++;
}

void OpLog::EndWrite(uint64_t write) {
  std::vector<AsyncValueRef<Chain>> written;
  {
    std::lock_guard lock(mutex_);
    writes_.erase(write);
    const uint64_t first = writes_.empty() ? next_write_ : *writes_.begin();
    auto end = waiters_.upper_bound(first);
    for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
      written.push_back(std::move(waiter->second));
    }
    waiters_.erase(waiters_.begin(), end);
  }
  for (AsyncValueRef<Chain>& each : written) each.emplace();
}

AsyncValueRef<Chain> OpLog::Written() {
  std::lock_guard lock(mutex_);
  if (writes_.empty()) return GetReadyChain();
  // Also if others begin meanwhile, however many.
  return waiters_.emplace(next_write_, MakeUnconstructedAsyncValueRef<Chain>())->second.CopyRef();
}

}  // namespace tfrt
