// Arrays of the program: without copies where that can be, and errors for
// those that contradict themselves.

#include <atomic>
#include <cstring>

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

// What is borrowed of a temporary would be gone.
template <typename T>
concept LendsTensor = requires(T array) { std::forward<T>(array).tensor(); };
static_assert(LendsTensor<HostArray&> && LendsTensor<const HostArray&>);
static_assert(!LendsTensor<HostArray> && !LendsTensor<const HostArray>);
template <typename T>
concept LendsElements = requires(T tensor) { std::forward<T>(tensor).HostElements(Location()); };
static_assert(LendsElements<Tensor&> && LendsElements<const Tensor&>);
static_assert(!LendsElements<Tensor> && !LendsElements<const Tensor>);
template <typename T>
concept LendsValues = requires(T tensor) { std::forward<T>(tensor).template Values<float>(); };
static_assert(LendsValues<const Tensor&> && !LendsValues<Tensor>);

using testing::ElementsAre;
using EagerArraysTest = EagerModesTest;

const int64_t kTwo[] = {2};

TEST_P(EagerArraysTest, SpansAreCopied) {
  Scope scope(*context_, {.mode = mode()});
  float elements[] = {1, 2};
  Tensor x = Tensor::FromSpan<float>({2}, elements);
  elements[0] = 5;
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(1, 2));
  EXPECT_EQ(Tensor::Scalar<int64_t>(7).Item<int64_t>().value(), 7);
  EXPECT_EQ(Tensor::Scalar(true).Item<bool>().value(), true);
}

TEST_P(EagerArraysTest, BorrowedMemoryIsUsedWhereItIs) {
  std::atomic<int> released = 0;
  alignas(16) double elements[] = {1, 2};
  {
    Scope scope(*context_, {.mode = mode()});
    Tensor x = Tensor::FromArray(HostArray::Borrow(
        std::span<const int64_t>(kTwo), std::span<const double>(elements), [&] { ++released; }));
    EXPECT_EQ(x.Values<double>()->data(), elements);
    context_->Wait();
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST_P(EagerArraysTest, UnalignedMemoryIsCopied) {
  std::atomic<int> released = 0;
  alignas(16) std::byte bytes[20] = {};
  const int32_t elements[] = {1, 2};
  std::memcpy(bytes + 1, elements, 8);
  Scope scope(*context_, {.mode = mode()});
  HostArray array =
      HostArray::Borrow(DType::kI32, kTwo, std::span(bytes).subspan(1, 8), [&] { ++released; });
  EXPECT_EQ(released, 1);
  EXPECT_THAT(ValuesOf<int32_t>(Tensor::FromArray(array)), ElementsAre(1, 2));
}

TEST_P(EagerArraysTest, VectorsAreTakenOver) {
  std::vector<float> elements = {1, 2};
  const float* data = elements.data();
  Scope scope(*context_, {.mode = mode()});
  Tensor x =
      Tensor::FromArray(HostArray::Take(std::span<const int64_t>(kTwo), std::move(elements)));
  EXPECT_EQ(x.Values<float>()->data(), data);
}

TEST_P(EagerArraysTest, BadArraysAreErrorsOfTheCall) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  HostArray count({2}, {1.0f}), negative({-1}, {1.0f});
  const char* message = "a tensor of f32 with the shape [2] needs 8 bytes, but the buffer has 4";
  EXPECT_EQ(TFRT_MESSAGE_AT(Tensor::FromArray(count).status(), __LINE__),
            std::string("Const: ") + message);
  EXPECT_EQ(TFRT_MESSAGE_AT(Add(x, count).status(), __LINE__),
            std::string("test.Add: argument b is no array: ") + message);
  EXPECT_FALSE(Add(x, negative).status().ok());
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  HostArray bools(DType::kI1, kTwo, bytes);
  EXPECT_EQ(TFRT_MESSAGE_AT(Tensor::FromArray(bools).status(), __LINE__),
            "Const: element 1 of an i1 array is 2");
  std::atomic<int> released = 0;
  float element = 1;
  HostArray::Borrow(std::span<const int64_t>(kTwo), std::span<const float>(&element, 1),
                    [&] { ++released; });
  EXPECT_EQ(released, 1);
}

TEST_P(EagerArraysTest, EmptyTensors) {
  for (const char* device : {"cpu:0", "cpu:1"}) {
    Scope scope(*context_, On(device));
    Tensor x = Tensor::FromSpan<float>({0, 3}, {});
    Tensor y = Relu(std::move(x));
    EXPECT_THAT(ValuesOf<float>(y), testing::IsEmpty());
    EXPECT_EQ(y.shape().value(), (TensorShape{0, 3}));
  }
}

template <typename T>
concept HasValues = requires(T&& tensor) { std::forward<T>(tensor).template Values<float>(); };
static_assert(HasValues<Tensor&> && HasValues<const Tensor&>);
static_assert(!HasValues<Tensor> && !HasValues<const Tensor>, "their elements would be gone");

TEST_P(EagerArraysTest, ArgumentsOwnTemporaries) {
  Scope scope(*context_, {.mode = mode()});
  std::vector<TensorArgument> arguments;
  arguments.emplace_back(HostArray({2}, {1.0f, 2.0f}));
  {
    HostArray scoped({2}, {3.0f, 4.0f});
    arguments.emplace_back(scoped);
  }
  Tensor sum = CallOp("test.Add", std::move(arguments));
  EXPECT_EQ(ValuesOf<float>(sum), (std::vector<float>{4, 6}));
  TensorArgument temporaries[] = {HostArray({1}, {5.0f}), HostArray({1}, {6.0f})};
  TensorArgument copies[] = {temporaries[0], temporaries[1]};
  ASSERT_TRUE(Execute("test.Add", temporaries, {}, {&sum, 1}).ok());
  EXPECT_EQ(sum.Item<float>().value(), 11);
  ASSERT_TRUE(Execute("test.Add", copies, {}, {&sum, 1}).ok());
  EXPECT_EQ(sum.Item<float>().value(), 11);
  // What `const` functions return are temporaries, too.
  auto constant = []() -> const Tensor { return Make({1}, {7.0f}); };
  TensorArgument of_constant[] = {constant(), constant()};
  ASSERT_TRUE(Execute("test.Add", of_constant, {}, {&sum, 1}).ok());
  EXPECT_EQ(sum.Item<float>().value(), 14);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerArraysTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
