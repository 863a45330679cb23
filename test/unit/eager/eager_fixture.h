// What the tests of the eager context have in common.
#ifndef TFRT_TEST_UNIT_EAGER_EAGER_FIXTURE_H_
#define TFRT_TEST_UNIT_EAGER_EAGER_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "lib/devices/sim/device/sim_device.h"
#include "lib/devices/sim/device/sim_tensor.h"
#include "test/support/order_checker/order_checker.h"
#include "test/unit/eager/test_ops.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::eager {

// A context with the test ops.
inline std::unique_ptr<Context> MakeContext(ContextOptions options = {
                                                .devices = {"cpu:0", "cpu:1"}}) {
  StatusOr<std::unique_ptr<Context>> context = Context::Create(std::move(options));
  EXPECT_TRUE(context.ok()) << context.status().message();
  RegisterTestOps(**context);
  return *std::move(context);
}

// Calls an op of one result.
inline Tensor CallOp(std::string_view name, std::vector<TensorArgument> arguments,
                     const OpAttrsRef& attrs = {},
                     std::source_location where = std::source_location::current()) {
  Tensor result;
  (void)Execute(name, arguments, attrs, {&result, 1}, where);
  return result;
}
// Calls an op without results.
inline Status CallEffect(std::string_view name, TensorArgument argument,
                         std::source_location where = std::source_location::current()) {
  return Execute(name, {&argument, 1}, {}, {}, where);
}
inline Tensor Add(TensorArgument a, TensorArgument b,
                  std::source_location where = std::source_location::current()) {
  std::vector<TensorArgument> arguments;
  arguments.push_back(std::move(a));
  arguments.push_back(std::move(b));
  return CallOp("test.Add", std::move(arguments), {}, where);
}

template <typename T>
Tensor Make(std::initializer_list<int64_t> dims, std::initializer_list<T> values,
            std::source_location where = std::source_location::current()) {
  return Tensor::FromArray(HostArray(dims, values), where);
}

// The elements; none, and a failure, for an error.
template <typename T>
std::vector<T> ValuesOf(const Tensor& tensor) {
  auto values = tensor.Values<T>();
  EXPECT_TRUE(values.ok()) << values.status().message();
  if (!values.ok()) return {};
  return {values->begin(), values->end()};
}

// What follows "FILE:LINE: " in the message of an error, if LINE is one of the statement that
// begins or ends in `line`: compilers differ in which line of it a macro is in.
inline std::string MessageAt(const Status& status, uint32_t line, const char* file) {
  constexpr uint32_t kMaxStatementLines = 4;
  std::string message(status.message());
  for (uint32_t l = line - (kMaxStatementLines - 1); l < line + kMaxStatementLines; ++l) {
    std::string prefix = std::string(file) + ":" + std::to_string(l) + ": ";
    if (message.starts_with(prefix)) return message.substr(prefix.size());
  }
  return "not of line " + std::to_string(line) + ": " + message;
}
#define TFRT_MESSAGE_AT(status, line) ::tfrt::eager::MessageAt(status, line, __FILE__)

// Where the elements of a tensor lie, in whatever memory. Waits for them.
inline const void* AddressOf(const Tensor& tensor) {
  EXPECT_TRUE(tensor.status().ok()) << tensor.status().message();
  const auto& value = tensor.state()->value()->get<tfrt::Tensor>();
  if (value.tensor_type() == sim::kDenseSimTensorType) {
    return static_cast<const sim::DenseSimTensor&>(value).buffer()->address();
  }
  return static_cast<const DenseHostTensor&>(value).data();
}

// Tests that run in both modes, each with both orders; and, if they use a second device, on another
// CPU and on an accelerator.
struct ModeAndOrder {
  ExecutionMode mode;
  ExecutionOrder order;
  const char* device = "cpu:1";  // the second one
};
inline const ModeAndOrder kAllModes[] = {
    {ExecutionMode::kSync, ExecutionOrder::kDataflow},
    {ExecutionMode::kAsync, ExecutionOrder::kDataflow},
    {ExecutionMode::kAsync, ExecutionOrder::kFifo},
};
inline const ModeAndOrder kAllModesOnDevices[] = {
    {ExecutionMode::kSync, ExecutionOrder::kDataflow, "cpu:1"},
    {ExecutionMode::kAsync, ExecutionOrder::kDataflow, "cpu:1"},
    {ExecutionMode::kAsync, ExecutionOrder::kFifo, "cpu:1"},
    {ExecutionMode::kSync, ExecutionOrder::kDataflow, "sim:0"},
    {ExecutionMode::kAsync, ExecutionOrder::kDataflow, "sim:0"},
    {ExecutionMode::kAsync, ExecutionOrder::kFifo, "sim:0"},
};
inline std::string ModeName(const testing::TestParamInfo<ModeAndOrder>& info) {
  std::string device = std::string_view(info.param.device) == "sim:0" ? "OnSim" : "";
  if (info.param.mode == ExecutionMode::kSync) return "Sync" + device;
  return (info.param.order == ExecutionOrder::kFifo ? "AsyncFifo" : "AsyncDataflow") + device;
}

// Sees to it that all use of the memory of sim devices is ordered.
class CheckedDevices {
 public:
  ~CheckedDevices() { Check(); }
  void Check() {
    for (const OrderReport& report : checker_.TakeReports()) ADD_FAILURE() << report.ToString();
  }
  OrderChecker& checker() { return checker_; }

  // For a context of its own host.
  ContextOptions Options(std::vector<std::string> devices, ContextOptions options = {}) {
    options.devices = std::move(devices);
    options.register_devices = [this](HostContext& host) { return Register(host); };
    return options;
  }
  Status Register(HostContext& host) {
    return sim::RegisterSimDevices(host, {.memory_bytes = 16 << 20, .observer = &checker_});
  }

 private:
  OrderChecker checker_;
};

class EagerModesTest : public testing::TestWithParam<ModeAndOrder> {
 protected:
  ExecutionMode mode() const { return GetParam().mode; }
  bool is_sync() const { return mode() == ExecutionMode::kSync; }
  // The second device, and a text about it that names cpu:1.
  const char* device() const { return GetParam().device; }
  bool is_sim() const { return std::string_view(device()) == "sim:0"; }
  std::string OnDevice(std::string text) const {
    for (size_t at = text.find("cpu:1"); at != text.npos; at = text.find("cpu:1", at + 1)) {
      text.replace(at, 5, device());
    }
    return text;
  }
  ScopeOptions On(std::string_view device) const { return {.mode = mode(), .device = device}; }
  // cpu:0, that device, and perhaps more.
  ContextOptions Options(ContextOptions options = {}, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"cpu:0", device()});
    options.order = GetParam().order;
    return devices_.Options(std::move(more), std::move(options));
  }
  CheckedDevices devices_;  // goes after the tensors of the test
  std::unique_ptr<Context> context_ = MakeContext(Options());
};

}  // namespace tfrt::eager

#endif  // TFRT_TEST_UNIT_EAGER_EAGER_FIXTURE_H_
