#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

class ForwardingTest : public testing::Test {
 protected:
  KernelRunner runner_;
};

TEST_F(ForwardingTest, Forwards) {
  auto a = I32(1), b = MakeValue(2.f);
  Values results = runner_.Run("tfrt_test.multi_arg_result", {{a, b}, 2});
  EXPECT_EQ(results[0].get(), a.get());
  EXPECT_EQ(results[1].get(), b.get());
  results = runner_.Run("tfrt_test.identity", {{ReadyChain(), a}, 1});
  EXPECT_EQ(results[0].get(), a.get());
  results = runner_.Run("tfrt_test.share_to_two", {{a}, 2});
  EXPECT_EQ(results[1].get(), a.get());
}

TEST_F(ForwardingTest, MakeIndirect) {
  Values results = runner_.Run("tfrt_test.make_indirect", {{I32(8)}, 1});
  EXPECT_TRUE(results[0]->IsIndirect());
  EXPECT_EQ(results[0]->get<int32_t>(), 8);
}

TEST_F(ForwardingTest, CountsMustAgree) {
  for (const char* kernel : {"tfrt_test.multi_arg_result", "tfrt_test.make_indirect"}) {
    EXPECT_EQ(runner_.Error(kernel, {{I32(8), I32(9), I32(10)}, 2}),
              "cannot forward 3 values to 2 results");
  }
}

TEST_F(ForwardingTest, Uniqueness) {
  auto held = I32(2);
  KernelCall call{{I32(1), held, ReadyChain()}, 2};
  Values results = runner_.Run("tfrt_test.get_uniqueness", call);
  EXPECT_TRUE(results[0]->get<bool>());
  EXPECT_FALSE(results[1]->get<bool>());
}

TEST_F(ForwardingTest, AsChain) {
  EXPECT_TRUE(runner_.Run("tfrt_test.as_chain", {{I32(1), I32(2)}})[0]->IsType<Chain>());
}

class NativeFunctionTest : public testing::Test {
 protected:
  Values Call(const char* name, Values arguments, size_t num_results) {
    NativeFunction function = runner_.host().kernel_registry().FindNativeFunction(name);
    std::vector<AsyncValue*> borrowed;
    for (auto& argument : arguments) borrowed.push_back(argument.get());
    Values results(num_results);
    function(ExecutionContext(FormRef(&runner_.request())), borrowed, results);
    runner_.host().Quiesce();
    return results;
  }
  KernelRunner runner_;
};

TEST_F(NativeFunctionTest, Functions) {
  EXPECT_EQ(Call("native_add", {I32(30), I32(12)}, 1)[0]->get<int32_t>(), 42);
  EXPECT_EQ(Call("native_async_add", {I32(30), I32(12)}, 1)[0]->get<int32_t>(), 42);
  EXPECT_TRUE(Call("native_sink", {I32(30)}, 0).empty());
  EXPECT_TRUE(Call("native_async_sink", {I32(30)}, 1)[0]->IsType<Chain>());
  EXPECT_EQ(Call("native_error", {}, 1)[0]->GetError().message(), "something bad happened");
  EXPECT_TRUE(runner_.diagnostics().empty());
}

TEST_F(NativeFunctionTest, WrongDeclarations) {
  EXPECT_EQ(Call("native_add", {I32(30)}, 1)[0]->GetError().message(),
            "native_add takes two arguments of type i32");
  EXPECT_EQ(Call("native_async_add", {I32(1), MakeValue(1.f)}, 1)[0]->GetError().message(),
            "native_async_add takes two arguments of type i32");
  EXPECT_EQ(Call("native_sink", {}, 2)[1]->GetError().message(),
            "native_sink returns 0 results, but is declared with 2");
}

}  // namespace
}  // namespace tfrt
