#include <complex>

#include "test/unit/kernels_tensor/kernel_runner.h"
#include "tfrt/host_context/host_buffer.h"

namespace tfrt {
namespace {

using Buffer = RCReference<HostBuffer>;

class TensorInBufferKernelsTest : public testing::Test {
 protected:
  RCReference<AsyncValue> MakeBuffer(size_t size_bytes) {
    Buffer buffer = HostBuffer::CreateUninitialized(size_bytes, 64, runner_.host().allocator());
    EXPECT_TRUE(buffer);
    return MakeAvailableAsyncValueRef<Buffer>(std::move(buffer)).ReleaseRCRef();
  }
  Values Run(const std::string& dtype, const RCReference<AsyncValue>& buffer, int64_t offset,
             const std::vector<int64_t>& dims) {
    auto offset_attribute = EncodedAttribute::Scalar<int64_t>(offset);
    auto shape_attribute = EncodedAttribute::Array<int64_t>(dims);
    return runner_.Run("tfrt_dht.tensor_in_buffer." + dtype, {buffer}, 1,
                       {offset_attribute.bytes(), shape_attribute.bytes()});
  }
  std::string Error(const std::string& dtype, const RCReference<AsyncValue>& buffer, int64_t offset,
                    const std::vector<int64_t>& dims) {
    Values results = Run(dtype, buffer, offset, dims);
    return results[0]->IsError() ? std::string(results[0]->GetError().message()) : "(no error)";
  }

  KernelRunner runner_;
};

TEST_F(TensorInBufferKernelsTest, TensorsOfEveryDType) {
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
  auto buffer = MakeBuffer(256);
  for (auto [name, dtype] : dtypes) {
    Values results = Run(name, buffer, 64, {2, 3});
    ASSERT_FALSE(results[0]->IsError()) << name;
    const auto& tensor = results[0]->get<DenseHostTensor>();
    EXPECT_EQ(tensor.metadata(), (TensorMetadata{dtype, {2, 3}}));
    EXPECT_EQ(tensor.data(), static_cast<const char*>(buffer->get<Buffer>()->data()) + 64);
    EXPECT_EQ(tensor.size_bytes(), 6 * DTypeSize(dtype));
  }
}

TEST_F(TensorInBufferKernelsTest, TensorsShareBytesAndKeepTheBufferAlive) {
  auto buffer = MakeBuffer(64);
  Values a = Run("i32", buffer, 0, {4});
  Values b = Run("i32", buffer, 8, {2});
  buffer.reset();
  auto view = MutableDenseView<int32_t>::Create(a[0]->get<DenseHostTensor>(), "it");
  for (int32_t i = 0; i < 4; ++i) (*view)[i] = i;
  a.clear();
  EXPECT_EQ(Elements<int32_t>(b[0]), (std::vector<int32_t>{2, 3}));
}

TEST_F(TensorInBufferKernelsTest, WholeAndEmptyParts) {
  auto buffer = MakeBuffer(16);
  EXPECT_EQ(Run("f32", buffer, 0, {2, 2})[0]->get<DenseHostTensor>().num_elements(), 4);
  EXPECT_EQ(Run("f32", buffer, 12, {})[0]->get<DenseHostTensor>().num_elements(), 1);
  EXPECT_EQ(Run("f32", buffer, 16, {0, 7})[0]->get<DenseHostTensor>().num_elements(), 0);
}

TEST_F(TensorInBufferKernelsTest, Errors) {
  auto buffer = MakeBuffer(16);
  EXPECT_EQ(Error("f32", buffer, -4, {1}), "tensor_in_buffer: the offset -4 is negative");
  EXPECT_EQ(Error("f32", buffer, 0, {5}),
            "tensor_in_buffer: 20 bytes at offset 0 are not inside a buffer of 16 bytes");
  EXPECT_EQ(Error("f32", buffer, 16, {1}),
            "tensor_in_buffer: 4 bytes at offset 16 are not inside a buffer of 16 bytes");
  EXPECT_EQ(Error("ui8", buffer, INT64_MAX, {1}),
            "tensor_in_buffer: 1 bytes at offset 9223372036854775807 are not inside a buffer of 16 "
            "bytes");
  EXPECT_EQ(Error("f64", buffer, 4, {1}),
            "tensor_in_buffer: offset 4 of the buffer is not aligned to 8 bytes, which f64 needs");
  EXPECT_EQ(Error("complex128", buffer, 0, {int64_t{1} << 60}),
            "tensor_in_buffer: a tensor of complex128 with the shape [1152921504606846976] has too "
            "many bytes");
  EXPECT_EQ(Error("f32", buffer, 0, {-1}), "shape [-1] has the negative dimension -1");
}

TEST_F(TensorInBufferKernelsTest, PartsOfConstantsCannotBeWritten) {
  static const int32_t kConstant[4] = {1, 2, 3, 4};
  auto buffer = MakeAvailableAsyncValueRef<Buffer>(
                    HostBuffer::CreateFromConstant(kConstant, sizeof(kConstant)))
                    .ReleaseRCRef();
  Values tensor = Run("i32", buffer, 4, {2});
  EXPECT_EQ(Elements<int32_t>(tensor[0]), (std::vector<int32_t>{2, 3}));
  EXPECT_FALSE(tensor[0]->get<DenseHostTensor>().MutableData().ok());
}

}  // namespace
}  // namespace tfrt
