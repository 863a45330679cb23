// Runs single kernels by name, on a host of their own, with C++ functions as bodies.
#ifndef TFRT_TEST_UNIT_KERNELS_KERNEL_RUNNER_H_
#define TFRT_TEST_UNIT_KERNELS_KERNEL_RUNNER_H_

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "lib/runtime/host/resource_context.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/test_kernels.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

using Values = std::vector<RCReference<AsyncValue>>;
using Bytes = std::vector<uint8_t>;

template <typename T>
RCReference<AsyncValue> MakeValue(T value) {
  return MakeAvailableAsyncValueRef<T>(std::move(value)).ReleaseRCRef();
}
inline RCReference<AsyncValue> I32(int32_t value) { return MakeValue<int32_t>(value); }
inline RCReference<AsyncValue> I1(bool value) { return MakeValue<bool>(value); }
inline RCReference<AsyncValue> ReadyChain() { return GetReadyChain().ReleaseRCRef(); }

// Attributes as they lie in a BEF file.
template <typename T>
Bytes ScalarBytes(T value) {
  Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}
inline Bytes StringBytes(std::string_view text) {
  Bytes bytes = ScalarBytes<uint32_t>(text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}
template <typename T>
Bytes ArrayBytes(const std::vector<T>& elements) {
  Bytes bytes = ScalarBytes<uint32_t>(elements.size());
  for (T element : elements) {
    Bytes more = ScalarBytes(element);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

struct TestFunctionTypes {
  std::vector<std::string_view> arguments, results;
};

// A C++ function as the body of a control flow kernel. Its types are a base so that they exist
// first.
class TestFunction : private TestFunctionTypes, public Function {
 public:
  using Body = std::function<Values(const ExecutionContext&, std::span<AsyncValue* const>)>;
  TestFunction(std::string_view name, std::vector<std::string_view> argument_types,
               std::vector<std::string_view> result_types, Body body)
      : TestFunctionTypes{std::move(argument_types), std::move(result_types)},
        Function(name, FunctionKind::kAsync, TestFunctionTypes::arguments,
                 TestFunctionTypes::results),
        body_(std::move(body)) {}
  TestFunction(TestFunction&&) = delete;
  void Execute(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
               std::span<RCReference<AsyncValue>> results) const override {
    if (!CheckArity(arguments.size(), results)) return;
    Values values = body_(exec_ctx, arguments);
    ASSERT_EQ(values.size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) results[i] = std::move(values[i]);
  }
  void AddRef() const override {}
  void DropRef() const override {}

 private:
  Body body_;
};

// One call of a kernel. Attributes in positional order.
struct KernelCall {
  Values arguments = {};
  size_t num_results = 1;
  std::vector<Bytes> attributes = {};
  std::vector<const Function*> functions = {};
};

class KernelRunner {
 public:
  explicit KernelRunner(const std::string& queue = "s") {
    auto work_queue = CreateWorkQueue(queue);
    EXPECT_TRUE(work_queue.ok());
    host_ = std::make_unique<HostContext>(
        [this](const DecodedDiagnostic& diagnostic) {
          std::lock_guard lock(mutex_);
          diagnostics_.emplace_back(diagnostic.status.message());
        },
        CreateMallocAllocator(), *std::move(work_queue));
    KernelRegistry* registry = &host_->kernel_registry();
    RegisterBasicKernels(registry);
    RegisterControlFlowKernels(registry);
    RegisterTestKernels(registry);
    RegisterValueTrackingKernels(registry);
    RegisterNativeTestFunctions(registry);
    EXPECT_TRUE(registry->first_error().ok()) << registry->first_error().ToString();
    RequestContextBuilder builder(host_.get(), &resources_);
    builder.AddData<int32_t>(100);
    request_ = std::move(builder).Build();
  }

  HostContext& host() { return *host_; }
  ResourceContext& resources() { return resources_; }
  RequestContext& request() { return *request_; }
  void set_request(RCReference<RequestContext> request) { request_ = std::move(request); }
  std::vector<std::string> diagnostics() {
    std::lock_guard lock(mutex_);
    return diagnostics_;
  }

  // Runs the kernel and returns its results as they are when it returns.
  Values Start(std::string_view name, const KernelCall& call) {
    const KernelEntry* kernel = host_->kernel_registry().FindKernel(name);
    if (!kernel || kernel->is_sync()) {
      ADD_FAILURE() << "no async kernel " << name;
      return Values(call.num_results, MakeErrorAsyncValue(InternalError("no kernel")));
    }
    std::vector<AsyncValue*> registers;
    for (const auto& argument : call.arguments) registers.push_back(argument.get());
    std::vector<uint32_t> indices(registers.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::vector<const uint8_t*> attributes;
    for (const Bytes& bytes : call.attributes) attributes.push_back(bytes.data());
    std::vector<AsyncValue*> results(call.num_results);
    ExecutionContext exec_ctx(request_);
    KernelCallSite site;
    site.arguments = indices.data();
    site.num_arguments = registers.size();
    site.num_attributes = attributes.size();
    site.num_functions = call.functions.size();
    site.num_results = results.size();
    AsyncKernelFrame::Tables tables{
        .attributes = attributes.data(),
        .functions = call.functions.data(),
        .is_last_use = [](const AsyncKernelFrame&, uint32_t) { return true; }};
    internal::BorrowedContext kernel_ctx(exec_ctx);
    AsyncKernelFrame::Parts parts;
    parts.site = &site;
    parts.registers = registers.data();
    parts.results = results.data();
    parts.exec_ctx = &kernel_ctx;
    parts.tables = &tables;
    AsyncKernelFrame frame(parts);
    kernel->async_function(&frame);
    Values owned;
    for (AsyncValue* result : results) owned.push_back(TakeRef(result));
    return owned;
  }
  // The same, then waits for the results and for all queued work.
  Values Run(std::string_view name, const KernelCall& call) {
    Values results = Start(name, call);
    std::vector<AsyncValue*> raw;
    for (const auto& result : results) raw.push_back(result.get());
    host_->Await(raw);
    host_->Quiesce();
    return results;
  }
  // Runs a kernel with one result and returns that.
  template <typename T>
  T Get(std::string_view name, const KernelCall& call) {
    Values results = Run(name, call);
    if (!results[0]->IsConcrete()) {
      ADD_FAILURE() << name << ": " << results[0]->GetError().ToString();
      return T();
    }
    return results[0]->get<T>();
  }
  // Runs a kernel whose first result must be an error and returns the message.
  std::string Error(std::string_view name, const KernelCall& call) {
    Values results = Run(name, call);
    return results[0]->IsError() ? std::string(results[0]->GetError().message()) : "(no error)";
  }
  // Runs a kernel and returns what it printed.
  std::string Output(std::string_view name, const KernelCall& call) {
    testing::internal::CaptureStdout();
    Run(name, call);
    return testing::internal::GetCapturedStdout();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> diagnostics_;
  ResourceContext resources_;
  std::unique_ptr<HostContext> host_;
  RCReference<RequestContext> request_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_KERNELS_KERNEL_RUNNER_H_
