#include "tfrt/tensor/dense_host_tensor.h"

#include <cstring>
#include <numeric>

#include "gtest/gtest.h"
#include "test/unit/tensor/test_constant.h"
#include "test/unit/tensor/test_tensors.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

class DenseHostTensorTest : public testing::Test {
 protected:
  DenseHostTensor Create(DType dtype, TensorShape shape) {
    auto tensor = DenseHostTensor::CreateUninitialized({dtype, std::move(shape)}, allocator_.get());
    EXPECT_TRUE(tensor.ok());
    return *std::move(tensor);
  }
  DenseHostTensor Iota(TensorShape shape) {
    DenseHostTensor tensor = Create(DType::kI32, std::move(shape));
    auto view = MutableDenseView<int32_t>::Create(tensor, "it");
    std::iota(view->data(), view->data() + view->size(), 1);
    return tensor;
  }
  std::unique_ptr<HostAllocator> allocator_ = CreateMallocAllocator();
};

TEST_F(DenseHostTensorTest, HasMetadataAndAlignedMemory) {
  DenseHostTensor tensor = Create(DType::kF64, {3, 5});
  EXPECT_EQ(tensor.dtype(), DType::kF64);
  EXPECT_EQ(tensor.shape(), (TensorShape{3, 5}));
  EXPECT_EQ(tensor.num_elements(), 15);
  EXPECT_EQ(tensor.size_bytes(), 120u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % DenseHostTensor::kAlignment, 0u);
  EXPECT_FALSE(tensor.is_read_only());
}

TEST_F(DenseHostTensorTest, PrintsUpToSixteenElements) {
  EXPECT_EQ(Iota({2, 3}).ToString(),
            "DenseHostTensor dtype = i32, shape = [2, 3], values = [1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(Iota({}).ToString(), "DenseHostTensor dtype = i32, shape = [], values = [1]");
  EXPECT_EQ(Iota({0}).ToString(), "DenseHostTensor dtype = i32, shape = [0], values = []");
  std::string sixteen = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16";
  EXPECT_EQ(Iota({16}).ToString(),
            "DenseHostTensor dtype = i32, shape = [16], values = " + sixteen + "]");
  EXPECT_EQ(Iota({17}).ToString(),
            "DenseHostTensor dtype = i32, shape = [17], values = " + sixteen + ", ... ]");
}

TEST_F(DenseHostTensorTest, IsReadThroughItsBase) {
  auto value = MakeAvailableAsyncValueRef<DenseHostTensor>(Iota({1}));
  AsyncValue* untyped = value.GetAsyncValue();
  ASSERT_TRUE(untyped->IsType<Tensor>());
  EXPECT_EQ(untyped->get<Tensor>().ToString(), value->ToString());
}

TEST_F(DenseHostTensorTest, SharesItsBuffer) {
  DenseHostTensor tensor = Iota({4});
  DenseHostTensor other = tensor.ShareBuffer();
  EXPECT_EQ(other.data(), tensor.data());
  auto view = MutableDenseView<int32_t>::Create(other, "it");
  (*view)[0] = 42;
  EXPECT_EQ(*static_cast<const int32_t*>(tensor.data()), 42);
}

TEST_F(DenseHostTensorTest, WrapsABufferOfTheRightSizeAndAlignment) {
  auto buffer = HostBuffer::CreateUninitialized(16, 64, allocator_.get());
  EXPECT_TRUE(DenseHostTensor::CreateFromBuffer({DType::kI32, {4}}, buffer).ok());
  EXPECT_EQ(DenseHostTensor::CreateFromBuffer({DType::kI32, {2, 3}}, buffer).status().message(),
            "a tensor of i32 with the shape [2, 3] needs 24 bytes, but the buffer has 16");
  auto slice = HostBuffer::CreateSlice(buffer, 2, 4);
  EXPECT_EQ(DenseHostTensor::CreateFromBuffer({DType::kI32, {1}}, slice).status().message(),
            "the buffer of a tensor of i32 is not aligned to 4 bytes");
}

TEST_F(DenseHostTensorTest, FailingAllocationsAreErrors) {
  auto small = CreateFixedSizeAllocator(100);
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kI8, {101}}, small.get());
  EXPECT_EQ(tensor.status(), ResourceExhaustedError("Cannot allocate tensor"));
  // The number of elements fits an int64_t, the number of bytes does not.
  tensor = DenseHostTensor::CreateUninitialized(
      {DType::kComplex128, {int64_t{1} << 31, int64_t{1} << 31}}, allocator_.get());
  EXPECT_EQ(tensor.status(), ResourceExhaustedError("Cannot allocate tensor"));
  tensor = DenseHostTensor::CreateUninitialized({DType::kString, {1}}, allocator_.get());
  EXPECT_EQ(tensor.status(),
            InvalidArgumentError("a dense tensor cannot hold elements of type str"));
}

TEST_F(DenseHostTensorTest, ConstantsAreUsedInPlaceAndReadOnly) {
  TestConstant constant(10, {2, 2}, std::vector<float>{1, 2, 3, 4});
  auto tensor = DenseHostTensor::CreateFromConstant(constant.attribute());
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->data(), constant.attribute().bytes().data());
  EXPECT_EQ(tensor->ToString(),
            "DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 2.000000e+00, "
            "3.000000e+00, 4.000000e+00]");
  EXPECT_TRUE(tensor->is_read_only());
  DenseHostTensor shared = tensor->ShareBuffer();
  EXPECT_EQ(shared.MutableData().status(),
            FailedPreconditionError("cannot write to the constant tensor of shape [2, 2]"));
}

TEST_F(DenseHostTensorTest, ConstantsThatContradictThemselvesAreErrors) {
  auto error = [](const TestConstant& constant) {
    return DenseHostTensor::CreateFromConstant(constant.attribute()).status().ToString();
  };
  EXPECT_EQ(error(TestConstant(10, {3}, std::vector<float>{1, 2})),
            "INVALID_ARGUMENT: a tensor of f32 with the shape [3] needs 12 bytes, but the buffer "
            "has 8");
  EXPECT_EQ(error(TestConstant(10, {-3}, std::vector<float>{1})),
            "INVALID_ARGUMENT: shape [-3] has the negative dimension -3");
  EXPECT_EQ(error(TestConstant(5, {3}, std::vector<uint8_t>{1, 0, 2})),
            "INVALID_ARGUMENT: element 2 of an i1 constant is 2");
  EXPECT_EQ(error(TestConstant(99, {1}, std::vector<uint8_t>{1})),
            "INVALID_ARGUMENT: a dense tensor cannot hold elements of type unsupported");
}

TEST_F(DenseHostTensorTest, FlattensWithoutACopy) {
  auto tensor = MakeDense<float>(TensorShape{2, 2}, {1, 2, 3, 4});
  DenseHostTensor flat = tensor.Flatten();
  EXPECT_EQ(flat.shape(), (TensorShape{4}));
  EXPECT_EQ(flat.data(), tensor.data());
  EXPECT_EQ(tensor.tensor_type(), kDenseHostTensorType);
}

TEST_F(DenseHostTensorTest, CopiesItsElements) {
  auto tensor = MakeDense<float>(TensorShape{2, 2}, {1, 2, 3, 4});
  auto target = MakeDense<float>(TensorShape{4}, {0, 0, 0, 0});
  EXPECT_TRUE(tensor.CopyTo(target).ok());
  EXPECT_EQ(ElementsOf<float>(target), (std::vector<float>{1, 2, 3, 4}));
  DenseHostTensor flat = tensor.Flatten();
  EXPECT_TRUE(tensor.CopyTo(flat).ok());  // onto itself

  auto ints = MakeDense<int32_t>(TensorShape{4}, {0, 0, 0, 0});
  EXPECT_EQ(tensor.CopyTo(ints).message(), "cannot copy a tensor of f32 [2, 2] to one of i32 [4]");
  auto small = MakeDense<float>(TensorShape{3}, {0, 0, 0});
  EXPECT_EQ(tensor.CopyTo(small).message(), "cannot copy a tensor of f32 [2, 2] to one of f32 [3]");
  TestConstant constant(8, {1}, std::vector<int32_t>{1});
  auto read_only = DenseHostTensor::CreateFromConstant(constant.attribute());
  EXPECT_EQ(MakeDense<int32_t>(TensorShape{}, {1}).CopyTo(*read_only).message(),
            "cannot write to the constant tensor of shape [1]");
}

}  // namespace
}  // namespace tfrt
