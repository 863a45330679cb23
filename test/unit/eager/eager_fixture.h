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

#include "test/unit/eager/test_ops.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager {

// A context with the test ops.
inline std::unique_ptr<Context> MakeContext(ContextOptions options = {.num_cpu_devices = 2}) {
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

// Tests that run in both modes, each with both orders.
struct ModeAndOrder {
  ExecutionMode mode;
  ExecutionOrder order;
};
inline const ModeAndOrder kAllModes[] = {
    {ExecutionMode::kSync, ExecutionOrder::kDataflow},
    {ExecutionMode::kAsync, ExecutionOrder::kDataflow},
    {ExecutionMode::kAsync, ExecutionOrder::kFifo},
};
inline std::string ModeName(const testing::TestParamInfo<ModeAndOrder>& info) {
  if (info.param.mode == ExecutionMode::kSync) return "Sync";
  return info.param.order == ExecutionOrder::kFifo ? "AsyncFifo" : "AsyncDataflow";
}

class EagerModesTest : public testing::TestWithParam<ModeAndOrder> {
 protected:
  ExecutionMode mode() const { return GetParam().mode; }
  bool is_sync() const { return mode() == ExecutionMode::kSync; }
  ScopeOptions On(std::string_view device) const { return {.mode = mode(), .device = device}; }
  std::unique_ptr<Context> context_ =
      MakeContext({.num_cpu_devices = 2, .order = GetParam().order});
};

}  // namespace tfrt::eager

#endif  // TFRT_TEST_UNIT_EAGER_EAGER_FIXTURE_H_
