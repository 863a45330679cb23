#include <complex>

#include "test/unit/kernels_tensor/kernel_runner.h"
#include "test/unit/tensor/test_constant.h"

namespace tfrt {
namespace {

TEST(DenseCreationKernelsTest, CreatesTensorsOfEveryDTypeAndRank) {
  KernelRunner runner;
  auto dims = EncodedAttribute::Array<int64_t>({2, 3});
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
    for (int rank = 0; rank <= 5; ++rank) {
      Values tensor = runner.Run(
          "tfrt_dht.create_uninitialized_tensor." + std::string(name) + "." + std::to_string(rank),
          {}, 1, {dims.bytes()});
      ASSERT_EQ(tensor.size(), 1u);
      EXPECT_EQ(tensor[0]->get<DenseHostTensor>().metadata(), (TensorMetadata{dtype, {2, 3}}));
    }
  }
}

TEST(DenseCreationKernelsTest, ReportsShapesItCannotCreate) {
  KernelRunner runner(CreateFixedSizeAllocator(64));
  auto large = EncodedAttribute::Array<int64_t>({17});
  auto negative = EncodedAttribute::Array<int64_t>({-1});
  const char* create = "tfrt_dht.create_uninitialized_tensor.f32.1";
  EXPECT_EQ(runner.Error(create, {}, {large.bytes()}), "Cannot allocate tensor");
  EXPECT_EQ(runner.Error(create, {}, {negative.bytes()}),
            "shape [-1] has the negative dimension -1");
}

TEST(DenseCreationKernelsTest, AllocatesTensorsOfAComputedShape) {
  KernelRunner runner(CreateFixedSizeAllocator(1024));
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
    std::string kernel = "tfrt_dht.allocate_tensor." + std::string(name);
    Values tensor = runner.Run(kernel, {Shape({2, 3})});
    EXPECT_EQ(tensor[0]->get<DenseHostTensor>().metadata(), (TensorMetadata{dtype, {2, 3}}));
    EXPECT_EQ(runner.Error(kernel, {Shape({5000})}), "Cannot allocate tensor");
  }
  EXPECT_EQ(runner.Error("tfrt_dht.allocate_tensor.f64", {Shape({INT64_MAX})}),
            "Cannot allocate tensor");
}

TEST(DenseCreationKernelsTest, FillsTensors) {
  KernelRunner runner;
  auto tensor = runner.Tensor<float>({3}, {0, 0, 0});
  auto value = EncodedAttribute::Scalar(0.5f);
  runner.Run("tfrt_dht.fill_tensor_with_constant.f32", {tensor, ChainValue()}, 1, {value.bytes()});
  EXPECT_EQ(Elements<float>(tensor), (std::vector<float>{0.5, 0.5, 0.5}));
  EXPECT_EQ(runner.Error("tfrt_dht.fill_tensor_with_constant.i32", {tensor}, {value.bytes()}),
            "the tensor to fill is a tensor of f32, expected i32");
}

TEST(DenseCreationKernelsTest, SetsTensorsFromAttributes) {
  KernelRunner runner;
  auto ints = runner.Tensor<int32_t>({2, 2}, {0, 0, 0, 0});
  auto four = EncodedAttribute::Array<int32_t>({7, 8, 9, 10});
  const char* set = "tfrt_dht.set_tensor_with_constant_values.i32";
  runner.Run(set, {ints, ChainValue()}, 1, {four.bytes()});
  EXPECT_EQ(Elements<int32_t>(ints), (std::vector<int32_t>{7, 8, 9, 10}));
  auto three = EncodedAttribute::Array<int32_t>({7, 8, 9});
  EXPECT_EQ(runner.Error(set, {ints, ChainValue()}, {three.bytes()}),
            "Incorrect number of values for the tensor: 3, but expected 4");
  EXPECT_EQ(runner.Error("tfrt_dht.set_tensor_with_constant_values.f32", {ints, ChainValue()},
                         {three.bytes()}),
            "the tensor to set is a tensor of i32, expected f32");

  auto bools = runner.Tensor<bool>({3}, {false, false, false});
  auto bytes = EncodedAttribute::Array<uint8_t>({1, 0, 1});
  runner.Run("tfrt_dht.set_tensor_with_constant_values.bool", {bools, ChainValue()}, 1,
             {bytes.bytes()});
  EXPECT_EQ(Elements<bool>(bools), (std::vector<bool>{true, false, true}));
}

TEST(DenseCreationKernelsTest, SetsComplexTensorsFromPairs) {
  KernelRunner runner;
  using Complex = std::complex<double>;
  auto tensor = runner.Tensor<Complex>({2}, {0, 0});
  auto values = EncodedAttribute::Array<double>({1, 2, 3, 4});
  const char* set = "tfrt_dht.set_tensor_with_constant_values.complex128";
  runner.Run(set, {tensor, ChainValue()}, 1, {values.bytes()});
  EXPECT_EQ(Elements<Complex>(tensor), (std::vector<Complex>{{1, 2}, {3, 4}}));
  auto odd = EncodedAttribute::Array<double>({1, 2, 3});
  EXPECT_EQ(runner.Error(set, {tensor, ChainValue()}, {odd.bytes()}),
            "Incorrect number of real and imaginary values for the complex tensor: 3, but "
            "expected 4");
}

TEST(DenseCreationKernelsTest, SetsTensorsFromOperands) {
  KernelRunner runner;
  auto tensor = runner.Tensor<int64_t>({2}, {0, 0});
  const char* set = "tfrt_dht.set_tensor_with_values.i64";
  runner.Run(set, {tensor, ChainValue(), Scalar<int64_t>(5), Scalar<int64_t>(6)});
  EXPECT_EQ(Elements<int64_t>(tensor), (std::vector<int64_t>{5, 6}));
  EXPECT_EQ(runner.Error(set, {tensor, ChainValue(), Scalar<int64_t>(5)}),
            "Incorrect number of values for the tensor: 1, but expected 2");
}

TEST(DenseCreationKernelsTest, ConstantsStayWhereTheyAre) {
  KernelRunner runner;
  TestConstant constant(8, {2}, std::vector<int32_t>{4, 5});
  Values tensor = runner.Run("tfrt_test.const_dense_attr", {}, 1, {constant.bytes()});
  EXPECT_EQ(Elements<int32_t>(tensor[0]), (std::vector<int32_t>{4, 5}));
  EXPECT_EQ(tensor[0]->get<DenseHostTensor>().data(), constant.attribute().bytes().data());
  auto value = EncodedAttribute::Scalar<int32_t>(1);
  EXPECT_EQ(runner.Error("tfrt_dht.fill_tensor_with_constant.i32", tensor, {value.bytes()}),
            "cannot write to the constant tensor of shape [2]");
}

}  // namespace
}  // namespace tfrt
