// When the elements of a GPU's tensor are available, and what becomes of them after a fault.
#include <thread>
#include <utility>
#include <vector>

#include "gpu/runtime/launch_scope.h"
#include "gpu/tensor/dense_gpu_tensor.h"
#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class ElementsTest : public DoubleTest {
 protected:
  static constexpr uint32_t kCount = 16;

  // A tensor of ones, by a fill and the kernel, which is the op's.
  DenseGpuTensor MakeTensor(Stream& stream, const Function& add) {
    auto memory = stream.context().Allocate(stream, kCount * 4).value();
    const MemoryRange range = memory->bytes();
    EXPECT_TRUE(stream.Fill(range, 0).ok());
    LaunchScope scope("tf.AddV2", Location());
    const float x = 1;
    LaunchArgument arguments[] = {LaunchArgument::OfAddress(range), LaunchArgument::Of(x),
                                  LaunchArgument::Of(kCount)};
    const Point written = stream.Launch(add, {.block = {32, 1, 1}}, arguments).value();
    return DenseGpuTensor({DType::kF32, {kCount}}, range, written);
  }
  // Waits for the elements. Returns their error.
  Status Elements(const DenseGpuTensor& tensor) {
    AsyncValue* elements = tensor.elements();
    if (!elements) return OkStatus();
    queue_->Await({&elements, 1});
    return elements->IsError() ? elements->GetError() : OkStatus();
  }

  RCReference<Stream> stream_;
};

TEST_F(ElementsTest, AreMadeByWhoeverAsksFirst) {
  auto stream = context_->CreateStream().value();
  const int64_t num_values = NumLiveAsyncValues();
  {
    DenseGpuTensor unasked = MakeTensor(*stream, *add_);
    EXPECT_EQ(NumLiveAsyncValues(), num_values);
    DenseGpuTensor tensor = MakeTensor(*stream, *add_);
    std::vector<AsyncValue*> found(4);
    std::vector<std::thread> threads;
    for (AsyncValue*& value : found) threads.emplace_back([&] { value = tensor.elements(); });
    for (std::thread& thread : threads) thread.join();
    // A device that works beside the host may be done before some of them ask.
    for (AsyncValue* value : found) EXPECT_TRUE(!value || value == tensor.elements());
    EXPECT_TRUE(Elements(tensor).ok());
    EXPECT_TRUE(IsKnownDone(tensor.written()));
    DenseGpuTensor moved(std::move(tensor));
    EXPECT_TRUE(Elements(moved).ok());
    EXPECT_EQ(Elements(unasked), OkStatus());
  }
  queue_->Quiesce();
  EXPECT_EQ(NumLiveAsyncValues(), num_values);
}

// A wait for the tensor does not include what follows.
TEST_F(ElementsTest, ComeWithTheirOwnCommand) {
  auto stream = context_->CreateStream().value();
  DenseGpuTensor tensor = MakeTensor(*stream, *add_);
  ASSERT_NE(tensor.written(), Point());
  EXPECT_EQ(tensor.written(), stream->tail());
  ASSERT_TRUE(stream->Record().ok());
  DenseGpuTensor later = MakeTensor(*stream, *add_);
  EXPECT_TRUE(Elements(tensor).ok());
  EXPECT_EQ(tensor.elements() == nullptr || tensor.elements()->IsConcrete(), true);
  EXPECT_LT(tensor.written().number, later.written().number);
}

TEST_F(ElementsTest, OfABufferComeWithAllThatUsesItsMemory) {
  auto stream = context_->CreateStream().value();
  GpuBuffer buffer(context_->Allocate(*stream, kCount * 4).value());
  DenseGpuTensor unwritten =
      DenseGpuTensor::Create("my.kernel", {DType::kF32, {kCount}}, buffer).value();
  EXPECT_EQ(unwritten.elements(), nullptr);
  const Point filled = stream->Fill(*GpuBuffer::Use(buffer), 0).value();
  DenseGpuTensor tensor =
      DenseGpuTensor::Create("my.kernel", {DType::kF32, {kCount}}, buffer).value();
  EXPECT_TRUE(Elements(tensor).ok());
  EXPECT_TRUE(IsKnownDone(filled));
  GpuBuffer empty;
  EXPECT_EQ(DenseGpuTensor::Create("my.kernel", {DType::kF32, {0}}, empty).value().elements(),
            nullptr);
}

TEST_F(ElementsTest, AreAwaitedHereAfterTheEndOfTheQueue) {
  auto queue_slot = std::make_shared<QueueSlot>();
  auto other =
      Context::Create(driver().table(), 0, Context::Options{.queue_slot = queue_slot}).value();
  auto module = other->LoadModule(std::string_view(kAdd, sizeof(kAdd))).value();
  auto stream = other->CreateStream().value();
  DenseGpuTensor tensor = MakeTensor(*stream, *module->GetFunction("add").value());
  EXPECT_EQ(tensor.elements(), nullptr);
  EXPECT_TRUE(IsKnownDone(tensor.written()));
}

// The fault of an op is the error of its tensor, by the op's name, and of all that was made of it
// on another device. It is the same one for those that ask early and late.
TEST_F(ElementsTest, OfAFaultAreItsError) {
  for (const auto& [fault_setting, reads_it] :
       {std::pair("fault=add:1:700:context", false), std::pair("fault=add:1:700:context", true),
        std::pair("fault=add:1:700", true)}) {
    SCOPED_TRACE(testing::Message() << fault_setting << reads_it);
    ASSERT_EQ(0, double_.Inject(fault_setting));
    {
      Context::Options options{.queue = queue_.get()};
      auto failing = Context::Create(driver().table(), 0, options).value();
      auto good = Context::Create(driver().table(), 1, options).value();
      auto a = failing->CreateStream().value();
      auto b = good->CreateStream().value();
      auto module = failing->LoadModule(std::string_view(kAdd, sizeof(kAdd))).value();
      auto memory = good->Allocate(*b, kCount * 4).value();
      DenseGpuTensor before = [&] {
        auto memory = failing->Allocate(*a, 4).value();
        const Point filled = a->Fill(memory->bytes(), 0).value();
        EXPECT_TRUE(a->Wait().ok());
        return DenseGpuTensor({DType::kF32, {1}}, memory->bytes(), filled);
      }();
      DenseGpuTensor tensor = MakeTensor(*a, *module->GetFunction("add").value());
      // On the other device, behind it, by a stream of its own.
      Status status = b->WaitFor(tensor.written());
      StatusOr<Point> copied = status;
      if (status.ok()) {
        copied = reads_it ? b->Copy(memory->bytes(), tensor.range()) : b->Fill(memory->bytes(), 1);
      }
      const Status fault = Elements(tensor);
      EXPECT_THAT(std::string(fault.message()),
                  AllOf(HasSubstr("tf.AddV2"), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")));
      if (copied.ok()) {
        DenseGpuTensor copy({DType::kF32, {kCount}}, memory->bytes(), *copied);
        const Status of_copy = Elements(copy);
        EXPECT_FALSE(of_copy.ok());
        // A copy that meets the fault itself loses its own device, and is named.
        EXPECT_THAT(std::string(of_copy.message()),
                    AnyOf(HasSubstr("tf.AddV2"), HasSubstr("'copy between devices'")));
        if (!reads_it) EXPECT_EQ(of_copy, fault);
        EXPECT_EQ(Elements(copy), of_copy);
      }
      EXPECT_EQ(Elements(tensor), fault);
      EXPECT_TRUE(failing->is_lost());
      // A tensor that asks only now.
      EXPECT_EQ(Elements(DenseGpuTensor({DType::kF32, {kCount}}, tensor.range(), tensor.written())),
                fault);
      EXPECT_EQ(
          Elements(DenseGpuTensor({DType::kF32, {kCount}}, memory->bytes(), tensor.written())),
          fault);
      // What was done before stays good.
      EXPECT_EQ(Elements(before), OkStatus());
      queue_->Quiesce();
    }
    ASSERT_EQ(0, double_.Inject(""));
    (void)double_.TakeReports();
  }
}

}  // namespace
}  // namespace tfrt::gpu
