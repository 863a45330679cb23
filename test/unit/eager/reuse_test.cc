// Moved tensors give their memory to results, but only if nobody else holds it.

#include "lib/api/eager/dlpack.h"
#include "test/unit/eager/eager_fixture.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;

// Where the elements lie. Waits for them.
const void* DataOf(const Tensor& tensor) {
  EXPECT_TRUE(tensor.status().ok()) << tensor.status().message();
  return tensor.state()->value()->get<DenseHostTensor>().data();
}

class EagerReuseTest : public EagerModesTest {
 protected:
  // A tensor of its own memory, all of whose makers are gone.
  Tensor Fresh(float value = 1) {
    Tensor x = Make({2}, {value, value});
    Tensor y = Add(x, x);
    EXPECT_TRUE(y.status().ok());
    context_->Wait();
    return y;
  }
};

TEST_P(EagerReuseTest, AMovedTensorGivesItsMemory) {
  for (const char* device : {"cpu:0", "cpu:1"}) {
    Scope scope(*context_, On(device));
    Tensor x = Fresh(), y = Fresh();
    const void* data = DataOf(x);
    Tensor sum = Add(std::move(x), y);
    EXPECT_EQ(DataOf(sum), data);
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(4, 4));
    EXPECT_THAT(ValuesOf<float>(y), ElementsAre(2, 2));
    // The second argument, too.
    context_->Wait();
    data = DataOf(sum);
    Tensor sum2 = Add(y, std::move(sum));
    EXPECT_EQ(DataOf(sum2), data);
    EXPECT_THAT(ValuesOf<float>(sum2), ElementsAre(6, 6));
  }
}

TEST_P(EagerReuseTest, AnArrayThatIsGoneGivesItsMemory) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({2}, {1.0f, 2.0f}), y = Fresh();
  const void* data = DataOf(x);
  context_->Wait();
  EXPECT_EQ(DataOf(Add(std::move(x), y)), data);
  // One that is there does not.
  HostArray array({2}, {1.0f, 2.0f});
  x = Tensor::FromArray(array);
  data = DataOf(x);
  context_->Wait();
  EXPECT_NE(DataOf(Add(std::move(x), y)), data);
  EXPECT_THAT(ValuesOf<float>(Tensor::FromArray(array)), ElementsAre(1, 2));
}

TEST_P(EagerReuseTest, NotIfItIsNotMoved) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Fresh(), y = Fresh();
  Tensor sum = Add(x, y);
  EXPECT_NE(DataOf(sum), DataOf(x));
  EXPECT_NE(DataOf(sum), DataOf(y));
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(2, 2));
}

TEST_P(EagerReuseTest, NotIfThereIsACopyOfTheTensor) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Fresh(), y = Fresh();
  Tensor copy = x;
  Tensor sum = Add(std::move(x), y);
  EXPECT_NE(DataOf(sum), DataOf(copy));
  EXPECT_THAT(ValuesOf<float>(copy), ElementsAre(2, 2));
}

TEST_P(EagerReuseTest, NotIfTheOtherArgumentIsTheSameTensor) {
  Scope scope(*context_, {.mode = mode()});
  for (bool moved_first : {true, false}) {
    Tensor x = Fresh();
    const void* data = DataOf(x);
    TensorArgument arguments[2];
    arguments[moved_first ? 1 : 0] = TensorArgument(x);
    arguments[moved_first ? 0 : 1] = TensorArgument(std::move(x));
    Tensor sum;
    ASSERT_TRUE(Execute("test.Add", arguments, {}, {&sum, 1}).ok());
    EXPECT_NE(DataOf(sum), data);
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(4, 4));
  }
}

TEST_P(EagerReuseTest, NotIfAnotherTensorHasTheMemory) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Fresh(), y = Fresh();
  Tensor same = CallOp("test.Variadic", {x});  // the value itself
  ASSERT_EQ(DataOf(same), DataOf(x));
  context_->Wait();
  Tensor sum = Add(std::move(x), y);
  EXPECT_NE(DataOf(sum), DataOf(same));
  EXPECT_THAT(ValuesOf<float>(same), ElementsAre(2, 2));
}

TEST_P(EagerReuseTest, NotIfACopyFromAnotherDeviceIsKept) {
  Tensor x, y;
  {
    Scope scope(*context_, On("cpu:0"));
    x = Fresh();
    y = Fresh();
  }
  Scope scope(*context_, On("cpu:1"));
  Tensor copy = x.CopyTo("cpu:1");
  const void* data = DataOf(copy);
  context_->Wait();
  Tensor kept = copy;
  EXPECT_NE(DataOf(Add(std::move(copy), y)), data);
  // Nor if x remembers it.
  kept = Tensor();
  EXPECT_NE(DataOf(Add(x, y)), data);
  EXPECT_EQ(DataOf(x.CopyTo("cpu:1")), data);
  EXPECT_THAT(ValuesOf<float>(x.CopyTo("cpu:1")), ElementsAre(2, 2));
}

TEST_P(EagerReuseTest, NotBorrowedMemory) {
  Scope scope(*context_, {.mode = mode()});
  Tensor y = Fresh();
  alignas(64) float elements[] = {1, 2};
  const int64_t dims[] = {2};
  Tensor x = Tensor::FromArray(
      HostArray::Borrow(std::span<const int64_t>(dims), std::span<const float>(elements), nullptr));
  EXPECT_EQ(DataOf(x), elements);  // no copy
  context_->Wait();
  Tensor sum = Add(std::move(x), y);
  EXPECT_NE(DataOf(sum), elements);
  EXPECT_THAT(elements, ElementsAre(1, 2));
}

TEST_P(EagerReuseTest, NotIfAPendingCallNeedsIt) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor x = Fresh(), y = Fresh();
  const void* data = DataOf(x);
  // Reads x when the gate opens, whatever else has happened.
  Tensor late = Add(x, CallOp("test.Gate", {y}));
  Tensor sum = Add(std::move(x), y);
  if (GetParam().order == ExecutionOrder::kFifo) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(4, 4));
  if (GetParam().order != ExecutionOrder::kFifo) {
    EXPECT_NE(DataOf(sum), data);
    TestOps(*context_).OpenGate();
  }
  EXPECT_THAT(ValuesOf<float>(late), ElementsAre(4, 4));
}

TEST_P(EagerReuseTest, NotIfItHasBeenExported) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Fresh(), y = Fresh();
  StatusOr<DLManagedTensor*> exported = x.ToDlpack();
  ASSERT_TRUE(exported.ok());
  const auto* data = static_cast<const float*>(dlpack::LayoutOf(*exported).array.data);
  EXPECT_EQ(data, DataOf(x));
  Tensor sum = Add(std::move(x), y);
  EXPECT_NE(DataOf(sum), data);
  EXPECT_EQ(data[0], 2);
  dlpack::ManagedArray& array = dlpack::LayoutOf(*exported);
  array.deleter(&array);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerReuseTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
