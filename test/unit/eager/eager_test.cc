// Eager tensors and ops, as a C++ program uses them.

#include "tfrt/eager/context.h"

#include <gtest/gtest.h>

#include "tfrt/eager/ops.h"

namespace tfrt::eager {
namespace {

class EagerTest : public testing::TestWithParam<ExecutionMode> {
 protected:
  void SetUp() override {
    auto context = Context::Create({.num_cpu_devices = 2});
    ASSERT_TRUE(context.ok()) << context.status().message();
    context_ = *std::move(context);
  }
  std::unique_ptr<Context> context_;
};

TEST_P(EagerTest, MultipliesMatrices) {
  Scope scope(*context_, {.mode = GetParam()});
  HostArray array({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  Tensor x = Tensor::FromArray(array);
  Tensor y = MatMul(x, x, {.transpose_b = true});
  Tensor z = Relu(std::move(y));
  auto values = z.Values<float>();
  ASSERT_TRUE(values.ok()) << values.status().message();
  EXPECT_EQ(std::vector<float>(values->begin(), values->end()),
            (std::vector<float>{5, 11, 11, 25}));
  EXPECT_EQ(z.ToString(),
            "DenseHostTensor dtype = f32, shape = [2, 2], values = [5.000000e+00, 1.100000e+01, "
            "1.100000e+01, 2.500000e+01]");
}

TEST_P(EagerTest, CopiesBetweenDevices) {
  Tensor x;
  {
    Scope scope(*context_, {.mode = GetParam()});
    x = Tensor::FromArray(HostArray({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}));
  }
  Scope scope(*context_, {.mode = GetParam(), .device = "cpu:1"});
  Tensor z = Relu(x);
  EXPECT_EQ(z.device(), "cpu:1");
  EXPECT_EQ(x.CopyTo("cpu:1").state(), x.CopyTo("cpu:1").state());
  auto values = z.Values<float>();
  ASSERT_TRUE(values.ok()) << values.status().message();
  EXPECT_EQ((*values)[3], 4);
}

TEST_P(EagerTest, NamesTheLine) {
  Scope scope(*context_, {.mode = GetParam()});
  Tensor x = Tensor::FromArray(HostArray({1, 2}, {1.0f, 2.0f}));
  Tensor y = MatMul(x, x);
  Tensor z = Relu(y);
  std::string message(z.status().message());
  EXPECT_TRUE(message.ends_with(
      "eager_test.cc:55: tf.MatMul: matmul arguments have incompatible shapes: In[0]: [1, 2], "
      "In[1]: [1, 2]. transpose_a: 0, transpose_b: 0"))
      << message;
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerTest,
                         testing::Values(ExecutionMode::kSync, ExecutionMode::kAsync));

}  // namespace
}  // namespace tfrt::eager
