// Calls of an op at sizes that were seen before take its plan, and are right all the same. That
// they take it is what benchmarks/gpu_counts tells: without plans a call has twice the
// instructions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Scope;
using testing::ElementsAreArray;
using testing::HasSubstr;

class PlansTest : public GpuOpsTest {
 protected:
  template <typename T>
  static eager::Tensor Counting(std::vector<int64_t> dims, T first = 0) {
    int64_t size = 1;
    for (int64_t dim : dims) size *= dim;
    std::vector<T> elements(static_cast<size_t>(size));
    std::iota(elements.begin(), elements.end(), first);
    return eager::Tensor::FromArray(
               HostArray(std::span<const int64_t>(dims), std::span<const T>(elements)))
        .To("gpu:0");
  }
  template <typename T>
  static void ExpectElements(const eager::Tensor& tensor, const std::vector<T>& expected) {
    auto values = tensor.Values<T>();
    ASSERT_TRUE(values.ok()) << values.status().ToString();
    EXPECT_THAT(std::vector<T>(values->begin(), values->end()), ElementsAreArray(expected));
  }
};

// More sizes than plans are kept.
TEST_F(PlansTest, ManySizesInTurn) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  for (int round = 0; round < 3; ++round) {
    for (int64_t size = 1; size <= 100; ++size) {
      const eager::Tensor x = Counting<int32_t>({size}, 1), row = Counting<int32_t>({1}, 5);
      std::vector<int32_t> expected(static_cast<size_t>(size));
      std::iota(expected.begin(), expected.end(), 6);
      ExpectElements(eager::AddV2(x, row), expected);
    }
  }
}

// The same numbers of elements in other shapes.
TEST_F(PlansTest, ShapesOfTheSameSize) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor wide = Counting<int32_t>({2, 3}), tall = Counting<int32_t>({3, 2});
  const eager::Tensor column = Counting<int32_t>({2, 1}, 1), row = Counting<int32_t>({2}, 1);
  for (int round = 0; round < 3; ++round) {
    ExpectElements<int32_t>(eager::Mul(wide, column), {0, 1, 2, 6, 8, 10});
    ExpectElements<int32_t>(eager::Mul(tall, row), {0, 2, 2, 6, 4, 10});
    // One tensor as both operands.
    ExpectElements<int32_t>(eager::Mul(wide, wide), {0, 1, 4, 9, 16, 25});
  }
}

// What an op reads on the host is a part of what its plan is for.
TEST_F(PlansTest, HostValuesCount) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor x = Counting<int32_t>({3, 4});
  for (int round = 0; round < 2; ++round) {
    for (int32_t column = 0; column < 3; ++column) {
      for (int time = 0; time < 2; ++time) {
        const eager::Tensor part =
            eager::Slice(x, HostArray({2}, {0, column}), HostArray({2}, {3, 2}));
        ExpectElements<int32_t>(
            part, {column, column + 1, column + 4, column + 5, column + 8, column + 9});
      }
    }
    for (const std::vector<int32_t>& order : {std::vector<int32_t>{0, 1}, {1, 0}}) {
      const eager::Tensor moved = eager::Transpose(x, HostArray({2}, order));
      auto values = moved.Values<int32_t>();
      ASSERT_TRUE(values.ok()) << values.status().ToString();
      EXPECT_EQ((*values)[1], order[0] == 0 ? 1 : 4);
    }
    // The same metadata of all arguments, and results of other shapes.
    for (const std::vector<int32_t>& shape : {std::vector<int32_t>{2, 6}, {6, 2}, {12, 1}}) {
      const auto made = eager::Reshape(x, HostArray({2}, shape)).shape();
      ASSERT_TRUE(made.ok());
      EXPECT_EQ(made->dim(0), shape[0]);
    }
  }
}

// Kernels copy in units that the addresses allow, and views begin anywhere.
TEST_F(PlansTest, AddressesOfViewsCount) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor x = Counting<int8_t>({100});
  for (int round = 0; round < 2; ++round) {
    for (int32_t begin = 0; begin < 20; ++begin) {
      const eager::Tensor view =
          eager::Slice(x, HostArray({1}, {begin}), HostArray({1}, {int32_t{32}}));
      std::vector<int8_t> expected(64);
      std::iota(expected.begin(), expected.begin() + 32, static_cast<int8_t>(begin));
      std::iota(expected.begin() + 32, expected.end(), static_cast<int8_t>(begin));
      for (int time = 0; time < 2; ++time) {
        ExpectElements(eager::Tile(view, HostArray({1}, {int32_t{2}})), expected);
      }
    }
  }
}

// A call that is known fails like one that is not, and the next one has memory again.
TEST_F(PlansTest, ErrorsOfKnownCalls) {
  Init({.accelerator = {.memory_limit_bytes = 6 * kMiB}});
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor x =
      eager::ZerosLike(Counting<float>({512 << 10}), DType::kF32);  // 2 MiB each
  auto relu = [&] { return eager::Relu(x); };
  std::string messages[2];
  for (std::string& message : messages) {
    const eager::Tensor other = eager::Tanh(x), another = eager::Tanh(x);
    // The first one is not known.
    const eager::Tensor failed = relu();
    EXPECT_EQ(failed.status().code(), StatusCode::kResourceExhausted);
    message = failed.status().ToString();
  }
  EXPECT_THAT(messages[0], HasSubstr("tf.Relu"));
  EXPECT_THAT(messages[0], HasSubstr("plans_test.cc"));
  EXPECT_THAT(messages[0], HasSubstr("f32 [524288]"));
  EXPECT_EQ(messages[1], messages[0]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(relu().status(), OkStatus());
  {
    const eager::Tensor other = eager::Tanh(x), another = eager::Tanh(x);
    EXPECT_EQ(relu().status().ToString(), messages[0]);
  }
  EXPECT_EQ(relu().status(), OkStatus());
}

// Plans of constants keep their bytes on the device, as long as nobody else needs the memory.
TEST_F(PlansTest, ConstantsGiveMemoryBack) {
  Init({.accelerator = {.memory_limit_bytes = 6 * kMiB}});
  Scope scope(*context_, {.device = "gpu:0"});
  auto constant = [](int first) {
    std::vector<int32_t> elements(1000);
    std::iota(elements.begin(), elements.end(), first);
    return eager::Const(HostArray({1000}, std::span<const int32_t>(elements)));
  };
  auto bytes_in_use = [&] { return context_->memory_statistics("gpu:0").value().bytes_in_use; };
  for (int i = 0; i < 600; ++i) ASSERT_EQ(constant(i).status(), OkStatus());
  EXPECT_GT(bytes_in_use(), 2 * kMiB);
  const eager::Tensor held = constant(7);
  const eager::Tensor large = Counting<float>({1 << 20});
  EXPECT_EQ(large.status(), OkStatus());
  EXPECT_LT(bytes_in_use(), 5 * kMiB);
  for (int i : {7, 8, 599}) {
    std::vector<int32_t> expected(1000);
    std::iota(expected.begin(), expected.end(), i);
    ExpectElements(constant(i), expected);
  }
  EXPECT_EQ(ValuesOf<int32_t>(held)[999], 1006);
}

TEST_F(PlansTest, MovedArguments) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor x = Counting<int32_t>({4});
  eager::Tensor y = x;
  for (int i = 0; i < 5; ++i) {
    eager::Tensor before = std::move(y);
    y = eager::AddV2(std::move(before), x);
    EXPECT_FALSE(before.valid());
  }
  ExpectElements<int32_t>(y, {0, 6, 12, 18});
}

TEST_F(PlansTest, CancelledCalls) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor x = Counting<int32_t>({4});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(eager::AddV2(x, x).status(), OkStatus());
  context_->Cancel();
  EXPECT_EQ(eager::AddV2(x, x).status().code(), StatusCode::kCancelled);
  context_->Restart();
  ExpectElements<int32_t>(eager::AddV2(x, x), {0, 2, 4, 6});
}

TEST_F(PlansTest, NoElements) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const eager::Tensor none = Counting<int32_t>({0, 3}), row = Counting<int32_t>({3});
  for (int i = 0; i < 3; ++i) {
    ExpectElements<int32_t>(eager::AddV2(none, row), {});
    ExpectElements<int32_t>(eager::Sum(none, {0}), {0, 0, 0});
  }
}

TEST_F(PlansTest, ThreadsShareThem) {
  Init();
  constexpr int kThreads = 4, kRounds = 100;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      Scope scope(*context_, {.device = "gpu:0"});
      const eager::Tensor small = Counting<int32_t>({5}), large = Counting<int32_t>({2, 5});
      eager::Tensor a = small, b = large;
      for (int i = 0; i < kRounds; ++i) {
        a = eager::AddV2(a, small);
        b = eager::AddV2(b, small);
      }
      ExpectElements<int32_t>(a, {0, 101, 202, 303, 404});
      ExpectElements<int32_t>(b, {0, 101, 202, 303, 404, 5, 106, 207, 308, 409});
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// A call that only enqueues is over when it returns, in either mode.
TEST_F(PlansTest, AsynchronousCalls) {
  Init();
  Scope scope(*context_, {.mode = eager::ExecutionMode::kAsync, .device = "gpu:0"});
  const eager::Tensor x = Counting<int32_t>({4});
  eager::Tensor y = x;
  ASSERT_EQ(eager::AddV2(x, x).status(), OkStatus());  // now it is known
  ASSERT_EQ(x.status(), OkStatus());
  for (int i = 0; i < 50; ++i) {
    y = eager::AddV2(y, x);
    EXPECT_TRUE(y.IsAvailable());
  }
  ExpectElements<int32_t>(y, {0, 51, 102, 153});
}

}  // namespace
}  // namespace tfrt::gpu
