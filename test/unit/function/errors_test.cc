// What goes wrong in calls of functions: the message names the line of the program, and nothing
// crashes or waits for ever.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

using namespace eager;  // NOLINT: the ops

// The line that the test is at, as messages have it.
std::string LineAt(int line) { return StrCat("errors_test.cc:", line, ":"); }

// --- Kernels that fail while a program runs: the line of the op

class KernelErrorTest : public FunctionTest, public testing::WithParamInterface<const char*> {
 protected:
  KernelErrorTest() { on_device_.emplace(*context_, ScopeOptions{.device = GetParam()}); }
  ~KernelErrorTest() override { on_device_.reset(); }
  std::optional<Scope> on_device_;
};
INSTANTIATE_TEST_SUITE_P(Devices, KernelErrorTest, testing::Values("cpu:0", "cpu:1", "sim:0"),
                         [](const auto& info) {
                           return std::string(info.param).substr(0, 3) + info.param[4];
                         });

TEST_P(KernelErrorTest, OfAKernel) {
  const int line = __LINE__ + 1;
  Function f("f", [](Tensor x, Tensor y) { return Tile(RealDiv(x, y), {2}); });
  EXPECT_THAT(ValuesOf<int32_t>(f(Tensor::Of({6, 8}), Tensor::Of({3, 2}))),
              ElementsAre(2, 4, 2, 4));
  EXPECT_THAT(std::string(f(Tensor::Of({6, 8}), Tensor::Of({3, 0})).status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("integer division by zero")));
}

TEST_P(KernelErrorTest, OfOneOfManyOpsThatAreOneKernel) {
  int line = 0;
  Function f("f", [&](Tensor x) {
    Tensor y = Tanh(x * 2.0f) + 1.0f;
    line = __LINE__ + 1;
    Tensor checked = CheckNumerics(1.0f / y, "bad");
    return Relu(checked) * 0.5f;
  });
  EXPECT_TRUE(f(Floats({2}, {1, 2})).status().ok());
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(std::string(f(Floats({2}, {-infinity, 2})).status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("bad")));
}

// Sizes that do not fit, which only the run sees, in a chain that is one kernel.
TEST_P(KernelErrorTest, InAFusedChain) {
  int line = 0;
  Function f("f",
             [&](Tensor x, Tensor y) {
               Tensor z = Tanh(x * 2.0f);
               line = __LINE__ + 1;
               Tensor sum = z + y;
               return Relu(sum) * 0.5f;
             },
             {.input_signature = {TensorSpec(DType::kF32, {kUnknown}),
                                  TensorSpec(DType::kF32, {kUnknown})}});
  EXPECT_TRUE(f(Floats({2}, {1, 2}), Floats({2}, {1, 2})).status().ok());
  EXPECT_THAT(std::string(f(Floats({2}, {1, 2}), Floats({3}, {1, 2, 3})).status().message()),
              HasSubstr(LineAt(line)));
}

TEST_P(KernelErrorTest, InABranch) {
  int line = 0;
  Function f("f", [&](Tensor x, Tensor y) {
    return Cond(
        Sum(y, {0}) == 0,
        [&] {
          line = __LINE__ + 1;
          return RealDiv(x, y);
        },
        [&] { return x; });
  });
  EXPECT_THAT(ValuesOf<int32_t>(f(Tensor::Of({6}), Tensor::Of({1}))), ElementsAre(6));
  EXPECT_THAT(std::string(f(Tensor::Of({6}), Tensor::Of({0})).status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("integer division by zero")));
}

TEST_P(KernelErrorTest, InALoopAndInAFunctionThereof) {
  int line = 0;
  Function divide("divide", [&](Tensor x, Tensor y) {
    line = __LINE__ + 1;
    return RealDiv(x, y);
  });
  Function f("f", [&](Tensor x, Tensor y) {
    return ForRange(
        int64_t{3}, [&](Tensor, Tensor x, Tensor y) { return std::array{divide(x, y), y - 1}; }, x,
        y);
  });
  EXPECT_THAT(ValuesOf<int32_t>(f(Tensor::Of({24}), Tensor::Of({4}))[0]), ElementsAre(1));
  EXPECT_THAT(std::string(f(Tensor::Of({24}), Tensor::Of({2}))[0].status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("integer division by zero")));
}

TEST_P(KernelErrorTest, OfAnIndex) {
  const int line = __LINE__ + 1;
  Function f("f", [](Tensor x, Tensor i) { return GatherV2(x, i, 0); });
  EXPECT_EQ(ItemOf<int32_t>(f(Tensor::Of({6, 7}), Tensor::Scalar(1))), 7);
  EXPECT_THAT(std::string(f(Tensor::Of({6, 7}), Tensor::Scalar(5)).status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("5")));
}

// With what the compiler makes of ops: hoisted, merged, of constants alone.
TEST_P(KernelErrorTest, OfConstants) {
  const int line = __LINE__ + 1;
  Function f("f", [](Tensor x) { return x + RealDiv(Tensor::Of({6}), Tensor::Of({0})); });
  EXPECT_THAT(std::string(f(Tensor::Of({1})).status().message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("integer division by zero")));
}

TEST_P(KernelErrorTest, OfASizeThatIsKnownLate) {
  const int line = __LINE__ + 1;
  Function f("f", [](Tensor x, Tensor y) { return MatMul(x, y); },
             {.input_signature = {TensorSpec(DType::kF32, {kUnknown, kUnknown}),
                                  TensorSpec(DType::kF32, {kUnknown, kUnknown})}});
  EXPECT_TRUE(f(Floats({1, 2}, {1, 2}), Floats({2, 1}, {1, 2})).status().ok());
  EXPECT_THAT(std::string(f(Floats({1, 2}, {1, 2}), Floats({1, 2}, {1, 2})).status().message()),
              HasSubstr(LineAt(line)));
}

TEST_P(KernelErrorTest, OfAHostCall) {
  int line = 0;
  Function f("f", [&](Tensor x) {
    line = __LINE__ + 1;
    return HostCall(
        "refuse",
        [](std::span<const Tensor>) -> StatusOr<std::vector<Tensor>> {
          return InvalidArgumentError("not today");
        },
        {x}, TensorSpec(DType::kF32, {}));
  });
  const Status status = f(1.0f).status();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(LineAt(line)), HasSubstr("not today")));
}

// --- Cancelled contexts

// A program that has begun and has much to do still.
TEST_P(KernelErrorTest, ACancelledContextEndsProgramsThatRun) {
  std::promise<void> has_begun[2], may_go_on[2];
  std::atomic<int> calls{0};
  Function f("f", [&](Tensor x) {
    Tensor gate = HostCall(
        "gate",
        [&](std::span<const Tensor> inputs) -> StatusOr<std::vector<Tensor>> {
          const int call = calls++;
          has_begun[call].set_value();
          may_go_on[call].get_future().wait();
          return std::vector<Tensor>{inputs[0]};
        },
        {x}, TensorSpec(DType::kF32, {}));
    return ForRange(
        int64_t{2000000}, [](Tensor, Tensor y) { return Tanh(MatMul(y, y)); },
        Tensor::Of({{0.5f}}) * gate);
  });
  ASSERT_TRUE(f.Concrete(1.0f).ok());
  std::vector<Status> statuses;
  std::thread caller([&] {
    for (ExecutionMode mode : {ExecutionMode::kSync, ExecutionMode::kAsync}) {
      Scope scope(*context_, {.mode = mode, .device = GetParam()});
      Tensor y = f(1.0f);
      statuses.push_back(y.status());
    }
  });
  for (int i = 0; i < 2; ++i) {
    has_begun[i].get_future().wait();
    context_->Cancel();
    context_->Restart();
    may_go_on[i].set_value();
  }
  caller.join();
  for (const Status& status : statuses) {
    EXPECT_EQ(status.code(), StatusCode::kCancelled) << status.message();
  }
}

// --- Arguments and scopes

TEST_F(FunctionTest, AnUnknownDeviceIsAnError) {
  Function f("f", [](Tensor x) { return x + x; });
  Tensor x = Floats({1}, {1});
  Scope scope(*context_, {.device = "cpu:7"});
  EXPECT_THAT(std::string(f(x).status().message()),
              AllOf(HasSubstr("errors_test.cc:"), HasSubstr("there is no device cpu:7")));
}

TEST_F(FunctionTest, WrongElementTypesAreErrorsOfTheOpsLine) {
  const int line = __LINE__ + 1;
  Function f("f", [](Tensor x, Tensor y) { return MatMul(x, y); });
  EXPECT_THAT(
      std::string(f(Floats({1, 1}, {1}), Tensor::Of({{1}})).status().message()),
      AllOf(HasSubstr(LineAt(line)), HasSubstr("tf.MatMul"), HasSubstr("f32"), HasSubstr("i32")));
}

TEST_F(FunctionTest, SizesOfAnotherDTypeAreTheSameErrorInATrace) {
  const std::string error = "tf.Reshape: shape is a tensor of f32, expected i32 or i64";
  const Tensor x = Floats({2}, {1, 2}), sizes = Floats({1}, {2});
  EXPECT_THAT(std::string(Reshape(x, sizes).status().message()), HasSubstr(error));
  Function f("f", [](Tensor x, Tensor sizes) { return Reshape(x, sizes); });
  EXPECT_THAT(std::string(f(x, sizes).status().message()), HasSubstr(error));
}
TEST_F(FunctionTest, ATensorOfAContextThatIsGoneIsAnError) {
  Tensor old;
  {
    auto other = *Context::Create();
    Scope scope(*other);
    old = Floats({1}, {1});
  }
  Function f("f", [](Tensor x) { return x + x; });
  EXPECT_THAT(std::string(f(old).status().message()),
              AllOf(HasSubstr("errors_test.cc:"), HasSubstr("context")));
  EXPECT_EQ(ItemOf<float>(f(2.0f)), 4);
}

TEST_F(FunctionTest, AThreadWithoutAScopeGetsAnError) {
  Function f("f", [](Tensor x) { return x + x; });
  Tensor x = Floats({1}, {1});
  Status of_thread, of_concrete;
  auto concrete = f.Concrete(x);
  ASSERT_TRUE(concrete.ok());
  std::thread([&] {
    of_thread = f(x).status();
    of_concrete = (*concrete)(x).status();
  }).join();
  EXPECT_THAT(std::string(of_thread.message()),
              AllOf(HasSubstr("errors_test.cc:"), HasSubstr("this thread has no")));
  EXPECT_THAT(std::string(of_concrete.message()), HasSubstr("this thread has no"));
}

TEST_F(FunctionTest, AProgramOfAnotherContextIsAnError) {
  Function f("f", [](Tensor x) { return x + x; });
  auto concrete = f.Concrete(TensorSpec(DType::kF32, {1}));
  ASSERT_TRUE(concrete.ok());
  auto other = *Context::Create();
  Scope scope(*other);
  EXPECT_THAT(std::string((*concrete)(Floats({1}, {1})).status().message()),
              AllOf(HasSubstr("errors_test.cc:"),
                    HasSubstr("the program f(arg0: f32 [1]) is one of another context than the "
                              "scope's")));
}

TEST_F(FunctionTest, BorrowedMemoryIsKeptAsLongAsAProgramHasIt) {
  std::vector<float> numbers(1024, 2.0f);
  bool released = false;
  {
    Function f("f", [&](Tensor x) {
      return x *
             HostArray::Borrow({1024}, std::span<const float>(numbers), [&] { released = true; });
    });
    EXPECT_EQ(ValuesOf<float>(f(3.0f))[1023], 6);
    EXPECT_FALSE(released);
    // Whoever changes it breaks his word: the values are some, and nothing else happens.
    std::fill(numbers.begin(), numbers.end(), 5.0f);
    const std::vector<float> values = ValuesOf<float>(f(3.0f));
    ASSERT_EQ(values.size(), 1024u);
    EXPECT_TRUE(values[7] == 6 || values[7] == 15) << values[7];
  }
  context_->Wait();
  EXPECT_TRUE(released);
}

// Errors of functions that make no tensors, as callers see them that take however many there are.
TEST_F(FunctionTest, ErrorsOfCallsWithoutResultsAreKnown) {
  Function f("f", [](Tensor x) -> std::vector<Tensor> {
    (void)eager::Assert(x > 0.0f, {x});
    return {};
  });
  EXPECT_THAT(f(1.0f), IsEmpty());
  const std::vector<Tensor> made = f(-1.0f);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_THAT(std::string(made[0].status().message()), HasSubstr("assertion failed"));
  Argument arguments[] = {Argument::Of(TensorArgument(Floats({}, {-1})))};
  const AnyFunction::CallResult result = f.CallForAll(arguments);
  EXPECT_THAT(std::string(result.status.message()), HasSubstr("assertion failed"));
  EXPECT_THAT(result.tensors, IsEmpty());
}

// The call itself returns the error or the context keeps it, however fast the call is.
TEST_F(AsyncFunctionTest, ErrorsOfCallsWithoutResultsAreToldOnce) {
  eager::Variable variable(Tensor::Scalar(1.0f));
  Function f("f", [&](Tensor x) -> std::vector<Tensor> {
    variable.AssignAdd(x);
    (void)eager::Assert(x > 0.0f, {x});
    return {};
  });
  for (int i = 0; i < 300; ++i) {
    Argument arguments[] = {Argument::Of(TensorArgument(Floats({}, {-1})))};
    const Status told = f.CallForAll(arguments).status;
    context_->Wait();
    const Status kept = context_->TakeError();
    ASSERT_NE(told.ok(), kept.ok()) << told.ToString() << kept.ToString();
    ASSERT_THAT(std::string((told.ok() ? kept : told).message()), HasSubstr("assertion failed"));
  }
  EXPECT_EQ(ItemOf<float>(variable.Read()), 1);
}

// What a process leaves to its child must not disturb the process.
TEST_F(FunctionTest, AForkLeavesTheProcessAsItIs) {
  Function f("f", [](Tensor x) { return x + x; });
  EXPECT_EQ(ItemOf<float>(f(1.0f)), 2);
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  EXPECT_EQ(ItemOf<float>(f(2.0f)), 4);
  EXPECT_EQ(ValuesOf<float>(f(Floats({2}, {1, 2})))[1], 4);
}

}  // namespace
}  // namespace tfrt::function
