#include "gpu/tensor/dense_gpu_tensor.h"

#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::MatchesRegex;

class DenseGpuTensorTest : public GpuTest {
 protected:
  StatusOr<DenseGpuTensor> Create(DType dtype, TensorShape shape, const GpuBuffer& buffer) {
    return DenseGpuTensor::Create("my.kernel", {dtype, std::move(shape)}, buffer);
  }

  RCReference<Stream> stream_ = MakeStream();
  GpuBuffer buffer_{Allocate(*stream_, 32)};
};

TEST_F(DenseGpuTensorTest, IsOverAllBytes) {
  DenseGpuTensor tensor = Create(DType::kF32, {2, 4}, buffer_).value();
  EXPECT_EQ(tensor.range().address, GpuBuffer::Use(buffer_)->address);
  EXPECT_EQ(tensor.tensor_type().name(), "DenseGpu");
  EXPECT_FALSE(tensor.memory_space().is_host_readable());
  EXPECT_THAT(
      tensor.ToString(),
      MatchesRegex("DenseGpuTensor<dtype=f32, shape=\\[2, 4\\], pointer=0x[0-9a-f]+ \\(CUDA\\)>"));
}

// Otherwise each argument of an op would count as misplaced, and be copied.
TEST_F(DenseGpuTensorTest, LiesInTheMemoryOfItsDevice) {
  DenseGpuTensor tensor = Create(DType::kF32, {2, 4}, buffer_).value();
  RCReference<GpuDevice> device = GpuDevice::Create("gpu:0", context_).value();
  EXPECT_EQ(&tensor.memory_space(), &device->memory_space());
  EXPECT_EQ(tensor.memory_space().name(), "gpu:0");
  RCReference<Context> other = Context::Create(gpu_.table(), 1, {.name = "gpu:1"}).value();
  RCReference<GpuDevice> other_device = GpuDevice::Create("gpu:1", other).value();
  EXPECT_NE(&tensor.memory_space(), &other_device->memory_space());
}

TEST_F(DenseGpuTensorTest, OtherSizesAreRefused) {
  EXPECT_EQ(Create(DType::kF64, {2, 4}, buffer_).status().message(),
            "my.kernel failed: buffer_size (32) is not equal to the number of elements in shape "
            "([2, 4]) times element size (8)");
  EXPECT_FALSE(Create(DType::kI64, {int64_t{1} << 61}, buffer_).ok());
}

// A kernel that reads such elements loses the device.
TEST_F(DenseGpuTensorTest, ViewsBetweenElementsAreRefused) {
  GpuBuffer odd = buffer_.View(2, 8).value();
  EXPECT_THAT(std::string(Create(DType::kF32, {2}, odd).status().message()),
              MatchesRegex("my.kernel failed: the address 0x[0-9a-f]+ \\(CUDA\\) is not a multiple "
                           "of the element size \\(4\\)"));
  EXPECT_TRUE(Create(DType::kF16, {4}, odd).ok());
  EXPECT_TRUE(Create(DType::kF32, {0}, GpuBuffer()).ok());
}

TEST_F(DenseGpuTensorTest, KeepsTheMemory) {
  DenseGpuTensor tensor = Create(DType::kI8, {32}, buffer_).value();
  buffer_.Release();
  EXPECT_NE(context_->allocator().statistics().bytes_in_use, 0u);
  EXPECT_EQ(Create(DType::kI8, {32}, buffer_).status().message(),
            "Cannot make tensor from invalid (moved from?) buffer");
}

TEST_F(DenseGpuTensorTest, MayHaveNoElements) {
  GpuBuffer empty;
  DenseGpuTensor tensor = Create(DType::kF32, {0, 3}, empty).value();
  EXPECT_EQ(tensor.range().memory, nullptr);
  EXPECT_EQ(tensor.ToString(), "DenseGpuTensor<dtype=f32, shape=[0, 3], pointer=0x0 (NONE)>");
}

}  // namespace
}  // namespace tfrt::gpu
