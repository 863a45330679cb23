// Results of a few elements: one block for the tensor, its value and its elements, each of which
// somebody may keep longer than the others.

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "lib/api/eager/dlpack.h"
#include "test/unit/eager/eager_fixture.h"
#include "tfrt/support/small_blocks.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;

class ResultBlockTest : public testing::Test {
 protected:
  ResultBlockTest() : context_(MakeContext({.devices = {"cpu:0", "cpu:1"}})), scope_(*context_) {
    // The first call of a kind goes the long way.
    Tensor x = Make({1}, {1.0f});
    (void)AddV2(x, x);
    (void)Sub(x, x);
    (void)Mul(x, x);
  }

  static const DenseHostTensor& DenseOf(const AsyncValue& value) {
    return value.get<DenseHostTensor>();
  }
  static std::vector<float> ElementsOf(const HostBuffer& buffer) {
    auto* elements = static_cast<const float*>(buffer.data());
    return {elements, elements + buffer.size() / sizeof(float)};
  }
  // A tensor of rank 1 with elements of one value.
  static Tensor Of(std::initializer_list<int64_t> dims, float value) {
    std::vector<float> elements(static_cast<size_t>(*dims.begin()), value);
    return Tensor::FromArray(HostArray(dims, elements));
  }
  // Whether the three parts lie side by side.
  static bool LiesInOneBlock(const Tensor& tensor) {
    auto* state = reinterpret_cast<const char*>(tensor.state());
    auto* value = reinterpret_cast<const char*>(tensor.state()->value());
    auto* data = static_cast<const char*>(DenseOf(*tensor.state()->value()).data());
    return std::abs(state - value) < 256 && std::abs(state - data) < 256;
  }

  std::unique_ptr<Context> context_;
  Scope scope_;
};

TEST_F(ResultBlockTest, HoldsWhatAQuickOpMakes) {
  Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  Tensor sum = AddV2(x, x);
  EXPECT_TRUE(LiesInOneBlock(sum));
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(sum.shape().value(), (TensorShape{2, 2}));
  EXPECT_TRUE(LiesInOneBlock(CallOp("tf.AddV2", {x, x})));
  const AsyncValue& value = *sum.state()->value();
  EXPECT_TRUE(value.IsType<DenseHostTensor>());
  EXPECT_TRUE(value.IsType<tfrt::Tensor>());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(DenseOf(value).data()) % DenseHostTensor::kAlignment, 0u);
  // Results of results.
  EXPECT_THAT(ValuesOf<float>(Mul(sum, sum)), ElementsAre(4, 16, 36, 64));
  EXPECT_THAT(ValuesOf<float>(Relu(Sub(x, sum))), ElementsAre(0, 0, 0, 0));
  // The largest, and one that has no elements.
  Tensor eight = Of({8}, 3);
  EXPECT_EQ(ValuesOf<float>(AddV2(eight, eight)), std::vector<float>(8, 6));
  Tensor none = Of({0}, 3);
  EXPECT_THAT(ValuesOf<float>(AddV2(none, none)), ElementsAre());
}

TEST_F(ResultBlockTest, OtherResultsLieApart) {
  Tensor nine = Of({9}, 3);
  EXPECT_EQ(ValuesOf<float>(AddV2(nine, nine)), std::vector<float>(9, 6));
  Tensor integer = Make({1}, {1});
  EXPECT_THAT(ValuesOf<int32_t>(AddV2(integer, integer)), ElementsAre(2));
  EXPECT_THAT(ValuesOf<float>(AddV2(nine, Make({1}, {1.0f}))), testing::Each(4));
}

TEST_F(ResultBlockTest, ShapesOnTheHeapAreCopiedAndFreed) {
  const std::vector<int64_t> dims(9, 1);
  Tensor x = Tensor::FromArray(HostArray(std::span(dims), std::vector<float>{5}));
  for (int i = 0; i < 3; ++i) {
    Tensor sum = AddV2(x, x);
    EXPECT_TRUE(LiesInOneBlock(sum));
    EXPECT_EQ(sum.shape().value().rank(), 9u);
    EXPECT_EQ(sum.Item<float>().value(), 10);
  }
}

TEST_F(ResultBlockTest, ValuesOutliveTheirTensors) {
  Tensor x = Make({2}, {1.0f, 2.0f});
  RCReference<AsyncValue> value;
  {
    Tensor sum = AddV2(x, x);
    value = FormRef(sum.state()->value());
  }
  // New tensors do not take the memory.
  std::vector<Tensor> more;
  for (int i = 0; i < 100; ++i) more.push_back(AddV2(x, Make({2}, {5.0f, 5.0f})));
  EXPECT_THAT(ElementsOf(*DenseOf(*value).buffer()), ElementsAre(2, 4));
}

TEST_F(ResultBlockTest, BuffersOutliveTheirValues) {
  Tensor x = Make({2}, {1.0f, 2.0f});
  RCReference<HostBuffer> buffer, slice;
  {
    Tensor sum = AddV2(x, x);
    buffer = DenseOf(*sum.state()->value()).buffer();
  }
  {
    Tensor sum = Mul(x, x);
    slice = HostBuffer::CreateSlice(DenseOf(*sum.state()->value()).buffer(), 4, 4);
  }
  std::vector<Tensor> more;
  for (int i = 0; i < 100; ++i) more.push_back(AddV2(x, Make({2}, {5.0f, 5.0f})));
  EXPECT_THAT(ElementsOf(*buffer), ElementsAre(2, 4));
  EXPECT_THAT(ElementsOf(*slice), ElementsAre(4));
}

TEST_F(ResultBlockTest, ElementsMayMoveOutOfTheValue) {
  Tensor x = Make({2}, {1.0f, 2.0f});
  Tensor sum = AddV2(x, x);
  auto& dense = sum.state()->value()->get<DenseHostTensor>();
  DenseHostTensor taken = std::move(dense);
  sum = Tensor();
  std::vector<Tensor> more;
  for (int i = 0; i < 100; ++i) more.push_back(AddV2(x, x));
  EXPECT_THAT(ElementsOf(*taken.buffer()), ElementsAre(2, 4));
}

TEST_F(ResultBlockTest, ExportedArraysOutliveAll) {
  DLManagedTensor* array = nullptr;
  {
    auto context = MakeContext({});
    Scope scope(*context);
    Tensor x = Make({2}, {1.0f, 2.0f});
    (void)AddV2(x, x);
    array = AddV2(x, x).ToDlpack().value();
  }
  dlpack::ManagedArray& layout = dlpack::LayoutOf(array);
  auto* elements = static_cast<const float*>(layout.array.data);
  EXPECT_THAT(std::vector<float>(elements, elements + 2), ElementsAre(2, 4));
  layout.deleter(&layout);
}

TEST_F(ResultBlockTest, AMovedTensorIsTheResult) {
  Tensor x = Make({2}, {1.0f, 2.0f});
  Tensor sum = AddV2(x, x);
  const TensorState* state = sum.state();
  for (int i = 0; i < 3; ++i) sum = AddV2(std::move(sum), x);
  EXPECT_EQ(sum.state(), state);
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(5, 10));
  sum = Sub(x, std::move(sum));
  EXPECT_EQ(sum.state(), state);
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(-4, -8));
  // Not if somebody has it still, nor with its copies, which are of other elements.
  Tensor kept = sum;
  EXPECT_NE(AddV2(std::move(sum), x).state(), state);
  EXPECT_THAT(ValuesOf<float>(kept), ElementsAre(-4, -8));
  (void)kept.CopyTo("cpu:1");
  Tensor next = AddV2(std::move(kept), x);
  EXPECT_THAT(ValuesOf<float>(next), ElementsAre(-3, -6));
  EXPECT_THAT(ValuesOf<float>(next.CopyTo("cpu:1")), ElementsAre(-3, -6));
}

TEST(QuickCallTest, IsOverAtOnceButInFifoOrder) {
  for (ExecutionOrder order : {ExecutionOrder::kDataflow, ExecutionOrder::kFifo}) {
    // Tasks of this queue run when somebody waits.
    auto context = MakeContext({.work_queue = "s", .order = order});
    Scope scope(*context, {.mode = ExecutionMode::kAsync});
    Tensor x = Make({2}, {1.0f, 2.0f});
    EXPECT_THAT(ValuesOf<float>(AddV2(x, x)), ElementsAre(2, 4));
    ASSERT_TRUE(x.IsAvailable());
    Tensor sum = AddV2(x, x);
    const bool is_scheduled = sum.state()->value()->IsIndirect();
    EXPECT_EQ(is_scheduled, order == ExecutionOrder::kFifo);
    if (!is_scheduled) EXPECT_TRUE(sum.IsAvailable());
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(2, 4));
    sum = AddV2(std::move(sum), x);
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(3, 6));
    // What is not there yet is waited for.
    Tensor later = Make({2}, {5.0f, 6.0f});
    EXPECT_THAT(ValuesOf<float>(Sub(later, x)), ElementsAre(4, 4));
    // After a cancellation it is an error, too.
    context->Cancel();
    EXPECT_EQ(AddV2(x, x).status().code(), StatusCode::kCancelled);
    context->Restart();
    EXPECT_THAT(ValuesOf<float>(AddV2(x, x)), ElementsAre(2, 4));
  }
}

TEST_F(ResultBlockTest, MemoryIsUsedAgain) {
  if (!tfrt::internal::SmallBlockPoolIsOn()) GTEST_SKIP() << "each block is new here";
  Tensor x = Make({1}, {1.0f});
  {
    Tensor warm = AddV2(x, x);
  }
  const void* first = AddV2(x, x).state();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(AddV2(x, x).state(), first);
}

// Tensors are made by one thread and dropped by another, and so are their parts.
TEST_F(ResultBlockTest, PartsEndOnAnyThread) {
  Tensor x = Make({2}, {1.0f, 2.0f});
  for (int round = 0; round < 20; ++round) {
    std::vector<Tensor> tensors, shared;
    std::vector<RCReference<AsyncValue>> values;
    std::vector<RCReference<HostBuffer>> buffers;
    for (int i = 0; i < 50; ++i) {
      tensors.push_back(AddV2(x, x));
      shared.push_back(tensors.back());
      values.push_back(FormRef(tensors.back().state()->value()));
      buffers.push_back(DenseOf(*values.back()).buffer());
    }
    std::vector<std::thread> threads;
    threads.emplace_back([tensors = std::move(tensors)]() mutable { tensors.clear(); });
    threads.emplace_back([values = std::move(values)]() mutable { values.clear(); });
    threads.emplace_back([buffers = std::move(buffers)]() mutable {
      for (auto& buffer : buffers) {
        EXPECT_THAT(ElementsOf(*buffer), ElementsAre(2, 4));
        buffer.reset();
      }
    });
    shared.clear();
    for (std::thread& thread : threads) thread.join();
  }
}

// What a block keeps for its next tensor is not that of another kind, or of another context.
TEST_F(ResultBlockTest, KeptPartsAreUsedForTheSameKindAlone) {
  Tensor one = Make({1}, {1.0f}), two = Make({2}, {2.0f, 3.0f}), row = Make({1, 1}, {4.0f});
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(ValuesOf<float>(AddV2(one, one)), ElementsAre(2));
    EXPECT_THAT(ValuesOf<float>(AddV2(two, two)), ElementsAre(4, 6));
    EXPECT_EQ(AddV2(row, row).shape().value(), (TensorShape{1, 1}));
    auto context = MakeContext({});
    Scope scope(*context);
    Tensor x = Make({1}, {5.0f});
    (void)AddV2(x, x);
    Tensor sum = AddV2(x, x);
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(10));
    EXPECT_EQ(sum.state()->core(), x.state()->core());
  }
}

// Threads that drop a tensor at the same time leave its count at 0; the block is good all the same.
TEST_F(ResultBlockTest, TensorsDroppedByTwoThreadsAtOnce) {
  Tensor x = Make({1}, {1.0f});
  for (int round = 0; round < 200; ++round) {
    Tensor sum = AddV2(x, x);
    std::atomic<bool> go = false;
    std::thread other([&, copy = sum]() mutable {
      while (!go) {
      }
      copy = Tensor();
    });
    go = true;
    sum = Tensor();
    other.join();
    Tensor a = AddV2(x, x), b = AddV2(x, x), c = a;
    EXPECT_THAT(ValuesOf<float>(c), ElementsAre(2));
    EXPECT_NE(a.state(), b.state());
  }
}

// The lists of a thread that ends are emptied, and what is dropped after that is freed.
TEST_F(ResultBlockTest, ThreadsMayEndBeforeTheirResults) {
  std::vector<Tensor> kept;
  std::thread([&] {
    Scope scope(*context_);
    Tensor x = Make({1}, {1.0f});
    for (int i = 0; i < 600; ++i) kept.push_back(AddV2(x, x));
    for (int i = 0; i < 5; ++i) (void)AddV2(x, x);
  }).join();
  for (const Tensor& tensor : kept) EXPECT_EQ(tensor.Item<float>().value(), 2);
}

}  // namespace
}  // namespace tfrt::eager
