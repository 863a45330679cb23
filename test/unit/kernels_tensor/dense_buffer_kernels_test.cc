#include "test/unit/kernels_tensor/kernel_runner.h"
#include "tfrt/host_context/host_buffer.h"

namespace tfrt {
namespace {

class DenseBufferKernelsTest : public testing::Test {
 protected:
  Values Allocate(int64_t size, int64_t alignment) {
    return runner_.Run("tfrt_dht.allocate_buffer", {Scalar(size), Scalar(alignment)});
  }
  std::string AllocateError(int64_t size, int64_t alignment) {
    return runner_.Error("tfrt_dht.allocate_buffer", {Scalar(size), Scalar(alignment)});
  }
  static HostBuffer& BufferOf(const Values& values) {
    return *values[0]->get<RCReference<HostBuffer>>();
  }

  KernelRunner runner_{CreateFixedSizeAllocator(4096)};
};

TEST_F(DenseBufferKernelsTest, AllocatesBuffers) {
  for (int64_t alignment : {1, 16, 64, 256}) {
    Values buffer = Allocate(100, alignment);
    EXPECT_EQ(BufferOf(buffer).size(), 100u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(BufferOf(buffer).data()) % alignment, 0u);
  }
  EXPECT_EQ(AllocateError(5000, 8), "Cannot allocate host buffer");
  EXPECT_EQ(AllocateError(INT64_MAX, 64), "Cannot allocate host buffer");
  EXPECT_EQ(AllocateError(-1, 8), "Cannot allocate host buffer: the size -1 is negative");
  EXPECT_EQ(AllocateError(8, 3), "Cannot allocate host buffer: the alignment 3 is no power of two");
  EXPECT_EQ(AllocateError(8, 0), "Cannot allocate host buffer: the alignment 0 is no power of two");
  EXPECT_EQ(AllocateError(8, INT64_MIN),
            "Cannot allocate host buffer: the alignment -9223372036854775808 is no power of two");
}

TEST_F(DenseBufferKernelsTest, SlicesKeepTheirParent) {
  Values buffer = Allocate(100, 8);
  HostBuffer* parent = &BufferOf(buffer);
  const char* kernel = "tfrt_dht.get_buffer_slice";
  Values slice = runner_.Run(kernel, {buffer[0], Scalar<int64_t>(20), Scalar<int64_t>(80)});
  auto* data = static_cast<char*>(parent->data());
  buffer.clear();
  EXPECT_EQ(BufferOf(slice).data(), data + 20);
  EXPECT_EQ(BufferOf(slice).size(), 80u);
  for (auto [offset, size] : {std::pair<int64_t, int64_t>{1, 80}, {-1, 1}, {0, -1}, {81, 0}}) {
    EXPECT_EQ(runner_.Error(kernel, {slice[0], Scalar(offset), Scalar(size)}),
              "Cannot allocate host buffer.");
  }
}

TEST_F(DenseBufferKernelsTest, TensorsShareBuffers) {
  Values buffer = Allocate(24, 8);
  Values made =
      runner_.Run("tfrt_dht.make_tensor.f32", {buffer[0], Shape({2, 3}), ChainValue()}, 2);
  auto& tensor = made[0]->get<DenseHostTensor>();
  EXPECT_EQ(tensor.metadata(), (TensorMetadata{DType::kF32, {2, 3}}));
  EXPECT_EQ(tensor.data(), BufferOf(buffer).data());
  Values back = runner_.Run("tfrt_dht.get_buffer", {made[0], ChainValue()}, 2);
  EXPECT_EQ(&BufferOf(back), &BufferOf(buffer));
}

TEST_F(DenseBufferKernelsTest, MakesTensorsOfEveryDType) {
  const std::pair<const char*, DType> dtypes[] = {{"ui8", DType::kUI8},
                                                  {"ui32", DType::kUI32},
                                                  {"ui64", DType::kUI64},
                                                  {"i8", DType::kI8},
                                                  {"i32", DType::kI32},
                                                  {"i64", DType::kI64},
                                                  {"f32", DType::kF32},
                                                  {"f64", DType::kF64},
                                                  {"bool", DType::kI1},
                                                  {"f16", DType::kF16},
                                                  {"bf16", DType::kBF16},
                                                  {"complex64", DType::kComplex64},
                                                  {"complex128", DType::kComplex128}};
  for (auto [name, dtype] : dtypes) {
    Values buffer = Allocate(2 * DTypeSize(dtype), 8);
    Values made = runner_.Run("tfrt_dht.make_tensor." + std::string(name),
                              {buffer[0], Shape({2}), ChainValue()}, 2);
    EXPECT_EQ(made[0]->get<DenseHostTensor>().metadata(), (TensorMetadata{dtype, {2}}));
  }
}

TEST_F(DenseBufferKernelsTest, RefusesBuffersThatDoNotFit) {
  auto error = [&](const Values& buffer, TensorShape shape) {
    Values made = runner_.Run("tfrt_dht.make_tensor.i32",
                              {buffer[0], Shape(std::move(shape)), ChainValue()}, 2);
    return std::string(made[0]->GetError().message());
  };
  Values buffer = Allocate(20, 8);
  EXPECT_EQ(error(buffer, {2, 3}),
            "dht.make_tensor failed: buffer_size (20) is not equal to the number of elements in "
            "shape ([2, 3]) times element size (4)");
  EXPECT_EQ(error(buffer, {int64_t{1} << 62}),
            "dht.make_tensor failed: buffer_size (20) is not equal to the number of elements in "
            "shape ([4611686018427387904]) times element size (4)");
  Values odd =
      runner_.Run("tfrt_dht.get_buffer_slice", {buffer[0], Scalar<int64_t>(1), Scalar<int64_t>(4)});
  EXPECT_EQ(error(odd, {1}), "the buffer of a tensor of i32 is not aligned to 4 bytes");
}

TEST_F(DenseBufferKernelsTest, PrintsBuffers) {
  Values buffer = Allocate(20, 8);
  testing::internal::CaptureStdout();
  runner_.Run("tfrt_dht.print_buffer", {buffer[0], ChainValue()});
  char expected[100];
  std::snprintf(expected, sizeof(expected), "HostBuffer<pointer=%p, size=20>\n",
                BufferOf(buffer).data());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

}  // namespace
}  // namespace tfrt
