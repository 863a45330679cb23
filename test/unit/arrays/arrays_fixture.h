// Helpers that the tests of functions of arrays share.
#ifndef TFRT_TEST_UNIT_ARRAYS_ARRAYS_FIXTURE_H_
#define TFRT_TEST_UNIT_ARRAYS_ARRAYS_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/eager/arrays.h"
#include "tfrt/eager/ops.h"
#include "tfrt/function/function.h"

namespace tfrt::eager {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Makes a tensor of elements in a shape.
template <typename T>
Tensor Make(std::initializer_list<int64_t> dims, std::vector<T> elements) {
  return Tensor::FromArray(HostArray::Take(dims, std::move(elements)));
}

// "f32 [2, 2]: 1 2 3 4", or "error: MESSAGE".
inline std::string TextOf(const Tensor& tensor) {
  if (Status status = tensor.status(); !status.ok()) return StrCat("error: ", status.message());
  std::string text = StrCat(DTypeName(*tensor.dtype()), " ", tensor.shape()->ToString(), ":");
  Tensor numbers = Cast(tensor, DType::kF64);
  auto values = numbers.Values<double>();
  for (double value : *values) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), " %g", value);
    text += digits;
  }
  return text;
}

// The texts of several, separated by " | ".
inline std::string TextOf(std::span<const Tensor> tensors) {
  std::string text;
  for (const Tensor& tensor : tensors) text += (text.empty() ? "" : " | ") + TextOf(tensor);
  return text;
}

// The numbers to thousandths, and no -0.
inline Tensor Rounded(const Tensor& x) {
  Tensor rounded = arrays::Round(x * 1000) / 1000;
  return arrays::Where(rounded == 0, 0, rounded);
}

class ArraysTest : public testing::Test {
 protected:
  ArraysTest() : context_(*Context::Create({.devices = {"cpu:0", "cpu:1"}})), scope_(*context_) {}

  // Whether the compiler is there, without which nothing is traced.
  static bool CanTrace() {
    setenv("TFRT_MODULE_PATH", TFRT_COMPILER_FOLDER, 1);
    return std::filesystem::exists(TFRT_COMPILER_FOLDER "/libtfrt_compiler.so");
  }

  // The result of a function of a tensor: eagerly, traced for the shape of the argument, and traced
  // for any sizes. All three have to be the same, and so has the result as text.
  using Body = std::function<Tensor(const Tensor&)>;
  static void ExpectEverywhere(const Body& body, const Tensor& x, std::string_view expected) {
    EXPECT_EQ(TextOf(body(x)), expected);
    ExpectTraced(body, x, expected);
    ExpectOpen(body, x, expected);
  }
  static void ExpectTraced(const Body& body, const Tensor& x, std::string_view expected) {
    if (CanTrace()) ExpectProgram(body, x, {}, expected);
  }
  static void ExpectOpen(const Body& body, const Tensor& x, std::string_view expected) {
    if (!CanTrace()) return;
    const std::vector<int64_t> dims(x.shape()->rank(), function::kUnknown);
    ExpectProgram(body, x, {.input_signature = {function::TensorSpec(*x.dtype(), dims)}}, expected);
  }

  // The text of the result for any sizes.
  static std::string OpenError(const Body& body, const Tensor& x) {
    const std::vector<int64_t> dims(x.shape()->rank(), function::kUnknown);
    return ResultOf(body, x, {.input_signature = {function::TensorSpec(*x.dtype(), dims)}});
  }

  std::unique_ptr<Context> context_;
  Scope scope_;

 private:
  static void ExpectProgram(const Body& body, const Tensor& x, function::FunctionOptions options,
                            std::string_view expected) {
    const bool is_open = !options.input_signature.empty();
    EXPECT_EQ(ResultOf(body, x, std::move(options)), expected)
        << (is_open ? "for open sizes" : "for known sizes");
  }
  static std::string ResultOf(const Body& body, const Tensor& x,
                              function::FunctionOptions options) {
    function::AnyFunction traced(
        "traced",
        [&](std::span<const function::Argument> arguments) -> StatusOr<std::vector<Tensor>> {
          return std::vector<Tensor>{body(Tensor(FormRef(arguments[0].tensor.state())))};
        },
        std::move(options));
    function::Argument arguments[] = {function::Argument::Of(x)};
    Tensor result;
    (void)traced.Call(arguments, {&result, 1});
    return TextOf(result);
  }
};

}  // namespace tfrt::eager

#endif  // TFRT_TEST_UNIT_ARRAYS_ARRAYS_FIXTURE_H_
