// tf.Print, tf.Assert, tf.CheckNumerics and tf.EnsureShape.

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <vector>

#include "test/unit/host_ops/host_op_runner.h"
#include "tfrt/support/half.h"

namespace tfrt {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct WithMessage : OpAttrs {
  explicit WithMessage(std::string_view message) { SetString("message", message); }
};

TEST(CheckOpsTest, PrintWritesAndHandsOn) {
  HostOpRunner runner;
  TensorHandle x = runner.Dense<float>({2, 2}, {1, 0.5f, -3, 1e10f});
  OpAttrs attrs;
  attrs.SetString("message", "x is ");
  attrs.Set<int64_t>("summarize", 3);
  testing::internal::CaptureStderr();
  TensorHandle same = runner.Run1(
      "tf.Print", {x, x, runner.Strings({1}, {"text"}), runner.Scalar<int32_t>({2, 2}, 7)}, attrs);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "x is [[1 0.5][-3...]...][text][[7 7][7...]...]\n");
  EXPECT_EQ(DenseOf(same).data(), DenseOf(x).data());
  // Of any kind, without attributes, without data.
  testing::internal::CaptureStderr();
  EXPECT_EQ(runner.Text("tf.Print", {runner.Strings({1}, {"a"}), runner.Ints({1, 2, 3, 4})}),
            "StringHostTensor shape = [1], values = [\"a\"]");
  EXPECT_EQ(runner.Text("tf.Print", {runner.Ints({5})}),
            "DenseHostTensor dtype = i32, shape = [1], values = [5]");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[1 2 3...]\n\n");
}

TEST(CheckOpsTest, PrintsKeepTheOrderOfTheirChain) {
  HostOpRunner runner("mstd:2");
  // Each waits for a tensor; what orders them is the chain alone.
  testing::internal::CaptureStderr();
  AsyncValueRef<Chain> chain = GetReadyChain();
  std::string expected;
  for (int32_t i = 0; i < 50; ++i) {
    TensorHandle later = runner.Start("tfrt_test.async.noop_no_md", {runner.Ints({i})})[0];
    runner.Start("tf.Print", {later, later}, {}, 1, &chain);
    expected += "[" + std::to_string(i) + "]\n";
  }
  AsyncValue* last[] = {chain.GetAsyncValue()};
  runner.host().Await(last);
  runner.host().Quiesce();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), expected);
}

TEST(CheckOpsTest, Assert) {
  HostOpRunner runner;
  auto error = [&](Handles arguments, const OpAttrs& attrs = {}) {
    const int before = runner.num_diagnostics();
    AsyncValueRef<Chain> chain = GetReadyChain();
    runner.Start("tf.Assert", std::move(arguments), attrs, 0, &chain);
    if (!chain.IsError()) return std::string("(no error)");
    EXPECT_EQ(runner.num_diagnostics(), before + 1);
    return std::string(chain.GetAsyncValue()->GetError().message());
  };
  TensorHandle data = runner.Ints({1, 2, 3, 4}), text = runner.Strings({}, {"of x"});
  EXPECT_EQ(error({runner.Dense<bool>({}, {true}), data}), "(no error)");
  EXPECT_EQ(error({runner.Scalar<bool>({}, true)}), "(no error)");
  EXPECT_EQ(error({runner.Dense<bool>({}, {false}), text, data}),
            "assertion failed: [of x] [1 2 3...]");
  EXPECT_EQ(error({runner.Scalar<bool>({}, false)}), "assertion failed");
  const WithMessage message("no loss");
  EXPECT_EQ(error({runner.Scalar<bool>({}, false)}, message), "assertion failed: no loss");
  EXPECT_EQ(error({runner.Scalar<bool>({}, false), data}, message),
            "assertion failed: no loss [1 2 3...]");
  EXPECT_EQ(error({runner.Floats({2})}), "tf.Assert: condition is f32 [2], expected i1 []");
  EXPECT_EQ(error({runner.Dense<bool>({1}, {true})}),
            "tf.Assert: condition is i1 [1], expected i1 []");
  EXPECT_EQ(error({runner.Strings({}, {"true"})}),
            "tf.Assert: condition is str [], expected i1 []");
}

TEST(CheckOpsTest, NumericsOfAllFloats) {
  HostOpRunner runner;
  const WithMessage attrs("loss");
  auto check = [&]<typename T>(T, std::vector<float> values, bool signs) {
    std::vector<T> elements;
    for (float value : values) elements.push_back(T(value));
    Handles arguments = {runner.Dense<T>({static_cast<int64_t>(values.size())}, elements)};
    const void* memory = DenseOf(arguments[0]).data();
    TensorHandle result =
        runner.Run1(signs ? "tf.CheckNumericsV2" : "tf.CheckNumerics", arguments, attrs);
    if (result.IsError()) return std::string(result.async_tensor()->GetError().message());
    EXPECT_EQ(DenseOf(result).data(), memory);
    return std::string("(no error)");
  };
  auto check_all = [&]<typename T>(T zero) {
    const float largest = 60000;
    EXPECT_EQ(check(zero, {0, -1, largest}, false), "(no error)");
    EXPECT_EQ(check(zero, {}, true), "(no error)");
    EXPECT_EQ(check(zero, {0, kNaN}, false), "loss : Tensor had NaN values");
    EXPECT_EQ(check(zero, {-kNaN, 0}, true), "loss : Tensor had NaN values");
    EXPECT_EQ(check(zero, {0, -kInf}, false), "loss : Tensor had Inf values");
    EXPECT_EQ(check(zero, {0, kInf, kNaN}, false), "loss : Tensor had Inf and NaN values");
    EXPECT_EQ(check(zero, {0, kInf}, true), "loss : Tensor had +Inf values");
    EXPECT_EQ(check(zero, {0, -kInf, kNaN}, true), "loss : Tensor had -Inf and NaN values");
    EXPECT_EQ(check(zero, {kInf, kNaN, -kInf}, true),
              "loss : Tensor had -Inf, +Inf, and NaN values");
  };
  check_all(0.0f);
  check_all(0.0);
  check_all(Fp16(0.0f));
  check_all(Bf16(0.0f));
  EXPECT_EQ(runner.Error("tf.CheckNumerics", {runner.Ints({1, 2})}, attrs),
            "tf.CheckNumerics: tensor is i32 [2], expected f16, bf16, f32 or f64");
}

TEST(CheckOpsTest, NumericsInBlocks) {
  for (const char* queue : {"s", "mstd:2"}) {
    HostOpRunner runner(queue);
    std::vector<float> many(200000, 1);
    EXPECT_FALSE(
        runner.Run1("tf.CheckNumerics", {runner.Dense<float>({200000}, many)}, WithMessage("x"))
            .IsError());
    many[7] = kInf;
    many[199999] = kNaN;
    EXPECT_EQ(
        runner.Error("tf.CheckNumericsV2", {runner.Dense<float>({200000}, many)}, WithMessage("x")),
        "x : Tensor had +Inf and NaN values");
  }
}

TEST(CheckOpsTest, EnsureShape) {
  HostOpRunner runner;
  auto ensure = [&](TensorHandle in, std::vector<int64_t> dims) {
    OpAttrs attrs;
    attrs.SetShape("shape", dims);
    return runner.Text("tf.EnsureShape", {std::move(in)}, attrs);
  };
  EXPECT_THAT(ensure(runner.Ints({1, 2}), {2}), testing::HasSubstr("values = [1, 2]"));
  EXPECT_THAT(ensure(runner.Ints({1, 2}), {-1}), testing::HasSubstr("values = [1, 2]"));
  EXPECT_THAT(ensure(runner.Scalar<float>({2, 3}, 1), {2, -1}),
              testing::StartsWith("ScalarHostTensor"));
  EXPECT_THAT(ensure(runner.Strings({1}, {"a"}), {1}), testing::StartsWith("StringHostTensor"));
  EXPECT_EQ(ensure(runner.Ints({1, 2}), {3}),
            "tf.EnsureShape: shape of tensor input [2] is not compatible with expected shape [3]");
  EXPECT_EQ(ensure(runner.Ints({1, 2}), {2, -1}),
            "tf.EnsureShape: shape of tensor input [2] is not compatible with expected shape "
            "[2, -1]");
  EXPECT_THAT(ensure(runner.Ints({1, 2}), {-2}), testing::HasSubstr("-2"));
  EXPECT_EQ(runner.Text("tf.EnsureShape", {runner.Ints({1})}),
            "tf.EnsureShape needs the attribute 'shape'");
  OpAttrs any;
  any.SetUnrankedShape("shape");
  EXPECT_THAT(runner.Text("tf.EnsureShape", {runner.Ints({1, 2})}, any),
              testing::HasSubstr("values = [1, 2]"));
}

}  // namespace
}  // namespace tfrt
