// One kernel, called again and again with the same arguments, as the executor calls it.
#ifndef TFRT_BENCHMARKS_KERNEL_CALL_H_
#define TFRT_BENCHMARKS_KERNEL_CALL_H_

#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_frame.h"

namespace tfrt::bench {

// Attributes encoded as in a BEF file.
class Attributes {
 public:
  template <typename T>
  Attributes& Scalar(T value) {
    std::memcpy(Add(sizeof(T)), &value, sizeof(T));
    return *this;
  }
  template <typename T>
  Attributes& Array(const std::vector<T>& elements) {
    uint8_t* to = Add(4 + elements.size() * sizeof(T));
    uint32_t count = static_cast<uint32_t>(elements.size());
    std::memcpy(to, &count, 4);
    std::memcpy(to + 4, elements.data(), elements.size() * sizeof(T));
    return *this;
  }
  Attributes& String(std::string_view text) {
    return Array(std::vector<char>(text.begin(), text.end()));
  }
  const std::vector<const uint8_t*>& bytes() const { return bytes_; }

 private:
  // Elements behind a count of four bytes are aligned to eight.
  uint8_t* Add(size_t size) {
    storage_.push_back(std::make_unique<uint64_t[]>(size / 8 + 2));
    uint8_t* data = reinterpret_cast<uint8_t*>(storage_.back().get()) + (size > 8 ? 4 : 0);
    bytes_.push_back(data);
    return data;
  }
  std::vector<std::unique_ptr<uint64_t[]>> storage_;
  std::vector<const uint8_t*> bytes_;
};

class KernelCall {
 public:
  KernelCall(HostContext* host, std::string_view name,
             std::vector<RCReference<AsyncValue>> arguments, Attributes attributes)
      : host_(host),
        kernel_(host->kernel_registry().FindKernel(name)),
        arguments_(std::move(arguments)),
        attributes_(std::move(attributes)),
        exec_ctx_(RequestContextBuilder(host, nullptr).Build()) {
    if (!kernel_) Fail(name, "is not registered");
    for (const auto& argument : arguments_) registers_.push_back(argument.get());
    indices_.resize(registers_.size());
    std::iota(indices_.begin(), indices_.end(), 0);
    site_.arguments = indices_.data();
    site_.num_arguments = static_cast<uint32_t>(registers_.size());
    site_.num_attributes = static_cast<uint32_t>(attributes_.bytes().size());
    site_.num_results = 1;
    RCReference<AsyncValue> first = Run();
    if (first->IsError()) Fail(name, first->GetError().message());
  }

  // The result, when it is available.
  RCReference<AsyncValue> Run() {
    AsyncValue* result = nullptr;
    AsyncKernelFrame::Tables tables{.attributes = attributes_.bytes().data()};
    internal::BorrowedContext kernel_ctx(exec_ctx_);
    AsyncKernelFrame::Parts parts;
    parts.site = &site_;
    parts.registers = registers_.data();
    parts.results = &result;
    parts.exec_ctx = &kernel_ctx;
    parts.tables = &tables;
    AsyncKernelFrame frame(parts);
    kernel_->async_function(&frame);
    if (!result->IsAvailable()) host_->Await({&result, 1});
    return TakeRef(result);
  }

 private:
  [[noreturn]] static void Fail(std::string_view name, std::string_view message) {
    std::fprintf(stderr, "kernel %.*s: %.*s\n", static_cast<int>(name.size()), name.data(),
                 static_cast<int>(message.size()), message.data());
    std::abort();
  }

  HostContext* host_;
  const KernelEntry* kernel_;
  std::vector<RCReference<AsyncValue>> arguments_;
  Attributes attributes_;
  ExecutionContext exec_ctx_;
  std::vector<AsyncValue*> registers_;
  std::vector<uint32_t> indices_;
  KernelCallSite site_;
};

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_KERNEL_CALL_H_
