#include "lib/format/op_table/gpu_enums.h"

#include <gtest/gtest.h>

#include <set>

namespace tfrt {
namespace {

constexpr GpuEnum kAll[] = {
#define TFRT_GPU_ENUM_VALUE(name) GpuEnum::k##name,
    TFRT_GPU_ENUMS(TFRT_GPU_ENUM_VALUE)
#undef TFRT_GPU_ENUM_VALUE
};

TEST(GpuEnumsTest, EncodesNumberAndPlatform) {
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kPlatform, "NONE"), 0);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kPlatform, "CUDA"), 1);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kPlatform, "ROCm"), 2);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kBlasDataType, "CUDA_R_32F"), 1);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kBlasDataType, "CUDA_R_16F"), 9);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kDnnDataType, "miopenFloat"), 6);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kFftType, "CUFFT_R2C"), 169);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kDnnConvFwdAlgo, "CUDNN_CONVOLUTION_FWD_ALGO_GEMM"), 9);
  EXPECT_EQ(EncodeGpuEnum(GpuEnum::kDnnConvFwdAlgo, GpuPlatform::kRocm, 5), 22);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kCclDataType, "ncclFloat32"), 7);
}

TEST(GpuEnumsTest, EncodesNegativeNumbers) {
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kBlasGemmAlgo, "CUBLAS_GEMM_DEFAULT"), -3);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kFftDirection, "CUFFT_FORWARD"), -3);
  EXPECT_EQ(ParseGpuEnum(GpuEnum::kFftDirection, "HIPFFT_FORWARD"), -2);
  EXPECT_EQ(NumberOf(GpuEnum::kFftDirection, -2), -1);
  EXPECT_EQ(PlatformOf(GpuEnum::kFftDirection, -2), GpuPlatform::kRocm);
  EXPECT_EQ(PlatformOf(GpuEnum::kFftDirection, -3), GpuPlatform::kCuda);
}

// What is read prints again, an alias as the name that it stands for.
TEST(GpuEnumsTest, EverySpellingIsReadAndPrinted) {
  int num_aliases = 0;
  for (GpuEnum which : kAll) {
    const GpuEnumInfo& info = InfoOf(which);
    std::set<std::string_view> texts;
    for (const VendorEnum* vendor : {info.cuda, info.rocm}) {
      if (!vendor) continue;
      for (const VendorSpelling& spelling : vendor->spellings) {
        EXPECT_TRUE(texts.insert(spelling.text).second) << spelling.text;
        std::optional<int64_t> value = ParseGpuEnum(which, spelling.text);
        ASSERT_TRUE(value) << spelling.text;
        EXPECT_EQ(NumberOf(which, *value), spelling.number) << spelling.text;
        EXPECT_EQ(ScalarOf(which, *value), spelling.scalar) << spelling.text;
        const std::string printed = PrintGpuEnum(which, *value);
        num_aliases += printed != spelling.text;
        EXPECT_EQ(ParseGpuEnum(which, printed), value) << spelling.text;
      }
    }
  }
  EXPECT_EQ(num_aliases, 8);
}

TEST(GpuEnumsTest, AliasesPrintAsTheirNames) {
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kBlasOperation,
                         *ParseGpuEnum(GpuEnum::kBlasOperation, "CUBLAS_OP_HERMITAN")),
            "CUBLAS_OP_C");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kCclDataType, *ParseGpuEnum(GpuEnum::kCclDataType, "ncclHalf")),
            "ncclFloat16");
}

TEST(GpuEnumsTest, ValuesWithoutAName) {
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kBlasDataType, 99 * 4 + 1), "cudaDataType(99)");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kBlasDataType, 99 * 4 + 2), "rocblas_datatype(99)");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kBlasDataType, 99 * 4), "BlasDataType(396)");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kBlasDataType, -1), "BlasDataType(-1)");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kCclReductionOp, 9), "ncclRedOp_t(9)");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kDnnConvBwdDataAlgo, -2), "4611686018427387903");
  EXPECT_EQ(PrintGpuEnum(GpuEnum::kDnnConvBwdDataAlgo, -1),
            "DnnConvBwdDataAlgo(18446744073709551615)");
  EXPECT_EQ(PlatformOf(GpuEnum::kBlasDataType, 3), GpuPlatform::kNone);
  EXPECT_EQ(ScalarOf(GpuEnum::kBlasDataType, 3), DType::kUnsupported);
}

TEST(GpuEnumsTest, ScalarsOfComputeTypes) {
  auto scalar = [](std::string_view text) {
    return ScalarOf(GpuEnum::kBlasComputeType, *ParseGpuEnum(GpuEnum::kBlasComputeType, text));
  };
  EXPECT_EQ(scalar("CUBLAS_COMPUTE_16F_PEDANTIC"), DType::kF16);
  EXPECT_EQ(scalar("CUBLAS_COMPUTE_32F_FAST_TF32"), DType::kF32);
  EXPECT_EQ(scalar("CUBLAS_COMPUTE_64F"), DType::kF64);
  EXPECT_EQ(scalar("CUBLAS_COMPUTE_32I"), DType::kI32);
  EXPECT_EQ(scalar("rocblas_datatype_f16_r"), DType::kF16);
  EXPECT_EQ(scalar("rocblas_datatype_f16_c"), DType::kUnsupported);
}

TEST(GpuEnumsTest, UnknownTexts) {
  EXPECT_FALSE(ParseGpuEnum(GpuEnum::kPlatform, "cuda"));
  EXPECT_EQ(UnknownGpuEnum(GpuEnum::kPlatform, "cuda"), "Invalid platform: cuda");
  EXPECT_EQ(UnknownGpuEnum(GpuEnum::kDnnDataType, "x"),
            "Unknown cudnnDataType_t: x\nUnknown miopenDataType_t: x");
  EXPECT_EQ(UnknownGpuEnum(GpuEnum::kDnnConvFwdAlgo, "x"),
            "Unknown cudnnConvolutionFwdAlgo_t: x\nNot an uint64_t: x");
  EXPECT_EQ(UnknownGpuEnum(GpuEnum::kCclReductionOp, "x"), "Unknown ncclRedOp_t: x");
}

}  // namespace
}  // namespace tfrt
