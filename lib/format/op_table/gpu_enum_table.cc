// The vendors' spellings and numbers, from the public interfaces of CUDA, cuBLAS, cuDNN, cuFFT,
// NCCL and their ROCm counterparts.

#include "gpu_enum_table.h"

#include <iterator>

namespace tfrt {
namespace {

using enum DType;
constexpr VendorSpelling kPlatformSpellings[] = {
    {"NONE", 0},
    {"CUDA", 1},
    {"ROCm", 2},
};
constexpr VendorEnum kPlatform = {"Platform", kPlatformSpellings};

constexpr VendorSpelling kCudaDataTypeSpellings[] = {
    {"CUDA_R_32F", 0, kF32},
    {"CUDA_R_64F", 1, kF64},
    {"CUDA_R_16F", 2, kF16},
    {"CUDA_R_8I", 3},
    {"CUDA_C_32F", 4, kComplex64},
    {"CUDA_C_64F", 5},
    {"CUDA_C_16F", 6},
    {"CUDA_C_8I", 7},
    {"CUDA_R_8U", 8},
    {"CUDA_C_8U", 9},
    {"CUDA_R_32I", 10},
    {"CUDA_C_32I", 11},
    {"CUDA_R_32U", 12},
    {"CUDA_C_32U", 13},
    {"CUDA_R_16BF", 14},
    {"CUDA_C_16BF", 15},
    {"CUDA_R_4I", 16},
    {"CUDA_C_4I", 17},
    {"CUDA_R_4U", 18},
    {"CUDA_C_4U", 19},
    {"CUDA_R_16I", 20},
    {"CUDA_C_16I", 21},
    {"CUDA_R_16U", 22},
    {"CUDA_C_16U", 23},
    {"CUDA_R_64I", 24},
    {"CUDA_C_64I", 25},
    {"CUDA_R_64U", 26},
    {"CUDA_C_64U", 27},
};
constexpr VendorEnum kCudaDataType = {"cudaDataType", kCudaDataTypeSpellings};

constexpr VendorSpelling kRocblasDataTypeSpellings[] = {
    {"rocblas_datatype_f16_r", 150, kF16}, {"rocblas_datatype_f32_r", 151, kF32},
    {"rocblas_datatype_f64_r", 152, kF64}, {"rocblas_datatype_f16_c", 153},
    {"rocblas_datatype_f32_c", 154},       {"rocblas_datatype_f64_c", 155},
    {"rocblas_datatype_i8_r", 160},        {"rocblas_datatype_u8_r", 161},
    {"rocblas_datatype_i32_r", 162},       {"rocblas_datatype_u32_r", 163},
    {"rocblas_datatype_i8_c", 164},        {"rocblas_datatype_u8_c", 165},
    {"rocblas_datatype_i32_c", 166},       {"rocblas_datatype_u32_c", 167},
    {"rocblas_datatype_bf16_r", 168},      {"rocblas_datatype_bf16_c", 169},
};
constexpr VendorEnum kRocblasDataType = {"rocblas_datatype", kRocblasDataTypeSpellings};

constexpr VendorSpelling kCublasComputeTypeSpellings[] = {
    {"CUBLAS_COMPUTE_16F", 64, kF16},           {"CUBLAS_COMPUTE_16F_PEDANTIC", 65, kF16},
    {"CUBLAS_COMPUTE_32F", 68, kF32},           {"CUBLAS_COMPUTE_32F_PEDANTIC", 69, kF32},
    {"CUBLAS_COMPUTE_64F", 70, kF64},           {"CUBLAS_COMPUTE_64F_PEDANTIC", 71, kF64},
    {"CUBLAS_COMPUTE_32I", 72, kI32},           {"CUBLAS_COMPUTE_32I_PEDANTIC", 73, kI32},
    {"CUBLAS_COMPUTE_32F_FAST_16F", 74, kF32},  {"CUBLAS_COMPUTE_32F_FAST_16BF", 75, kF32},
    {"CUBLAS_COMPUTE_32F_FAST_TF32", 77, kF32},
};
constexpr VendorEnum kCublasComputeType = {"cublasComputeType_t", kCublasComputeTypeSpellings};

constexpr VendorSpelling kCublasOperationSpellings[] = {
    {"CUBLAS_OP_N", 0},        {"CUBLAS_OP_T", 1},     {"CUBLAS_OP_C", 2},
    {"CUBLAS_OP_HERMITAN", 2}, {"CUBLAS_OP_CONJG", 3},
};
constexpr VendorEnum kCublasOperation = {"cublasOperation_t", kCublasOperationSpellings};

constexpr VendorSpelling kRocblasOperationSpellings[] = {
    {"rocblas_operation_none", 111},
    {"rocblas_operation_transpose", 112},
    {"rocblas_operation_conjugate_transpose", 113},
};
constexpr VendorEnum kRocblasOperation = {"rocblas_operation", kRocblasOperationSpellings};

constexpr VendorSpelling kCublasDiagTypeSpellings[] = {
    {"CUBLAS_DIAG_NON_UNIT", 0},
    {"CUBLAS_DIAG_UNIT", 1},
};
constexpr VendorEnum kCublasDiagType = {"cublasDiagType_t", kCublasDiagTypeSpellings};

constexpr VendorSpelling kRocblasDiagonalSpellings[] = {
    {"rocblas_diagonal_non_unit", 131},
    {"rocblas_diagonal_unit", 132},
};
constexpr VendorEnum kRocblasDiagonal = {"rocblas_diagonal", kRocblasDiagonalSpellings};

constexpr VendorSpelling kCublasFillModeSpellings[] = {
    {"CUBLAS_FILL_MODE_LOWER", 0},
    {"CUBLAS_FILL_MODE_UPPER", 1},
    {"CUBLAS_FILL_MODE_FULL", 2},
};
constexpr VendorEnum kCublasFillMode = {"cublasFillMode_t", kCublasFillModeSpellings};

constexpr VendorSpelling kRocblasFillSpellings[] = {
    {"rocblas_fill_upper", 121},
    {"rocblas_fill_lower", 122},
    {"rocblas_fill_full", 123},
};
constexpr VendorEnum kRocblasFill = {"rocblas_fill", kRocblasFillSpellings};

constexpr VendorSpelling kCublasSideModeSpellings[] = {
    {"CUBLAS_SIDE_LEFT", 0},
    {"CUBLAS_SIDE_RIGHT", 1},
};
constexpr VendorEnum kCublasSideMode = {"cublasSideMode_t", kCublasSideModeSpellings};

constexpr VendorSpelling kRocblasSideSpellings[] = {
    {"rocblas_side_left", 141},
    {"rocblas_side_right", 142},
    {"rocblas_side_both", 143},
};
constexpr VendorEnum kRocblasSide = {"rocblas_side", kRocblasSideSpellings};

constexpr VendorSpelling kCublasGemmAlgoSpellings[] = {
    {"CUBLAS_GEMM_DEFAULT", -1},
    {"CUBLAS_GEMM_DFALT", -1},
    {"CUBLAS_GEMM_ALGO0", 0},
    {"CUBLAS_GEMM_ALGO1", 1},
    {"CUBLAS_GEMM_ALGO2", 2},
    {"CUBLAS_GEMM_ALGO3", 3},
    {"CUBLAS_GEMM_ALGO4", 4},
    {"CUBLAS_GEMM_ALGO5", 5},
    {"CUBLAS_GEMM_ALGO6", 6},
    {"CUBLAS_GEMM_ALGO7", 7},
    {"CUBLAS_GEMM_ALGO8", 8},
    {"CUBLAS_GEMM_ALGO9", 9},
    {"CUBLAS_GEMM_ALGO10", 10},
    {"CUBLAS_GEMM_ALGO11", 11},
    {"CUBLAS_GEMM_ALGO12", 12},
    {"CUBLAS_GEMM_ALGO13", 13},
    {"CUBLAS_GEMM_ALGO14", 14},
    {"CUBLAS_GEMM_ALGO15", 15},
    {"CUBLAS_GEMM_ALGO16", 16},
    {"CUBLAS_GEMM_ALGO17", 17},
    {"CUBLAS_GEMM_ALGO18", 18},
    {"CUBLAS_GEMM_ALGO19", 19},
    {"CUBLAS_GEMM_ALGO20", 20},
    {"CUBLAS_GEMM_ALGO21", 21},
    {"CUBLAS_GEMM_ALGO22", 22},
    {"CUBLAS_GEMM_ALGO23", 23},
    {"CUBLAS_GEMM_DEFAULT_TENSOR_OP", 99},
    {"CUBLAS_GEMM_DFALT_TENSOR_OP", 99},
    {"CUBLAS_GEMM_ALGO0_TENSOR_OP", 100},
    {"CUBLAS_GEMM_ALGO1_TENSOR_OP", 101},
    {"CUBLAS_GEMM_ALGO2_TENSOR_OP", 102},
    {"CUBLAS_GEMM_ALGO3_TENSOR_OP", 103},
    {"CUBLAS_GEMM_ALGO4_TENSOR_OP", 104},
    {"CUBLAS_GEMM_ALGO5_TENSOR_OP", 105},
    {"CUBLAS_GEMM_ALGO6_TENSOR_OP", 106},
    {"CUBLAS_GEMM_ALGO7_TENSOR_OP", 107},
    {"CUBLAS_GEMM_ALGO8_TENSOR_OP", 108},
    {"CUBLAS_GEMM_ALGO9_TENSOR_OP", 109},
    {"CUBLAS_GEMM_ALGO10_TENSOR_OP", 110},
    {"CUBLAS_GEMM_ALGO11_TENSOR_OP", 111},
    {"CUBLAS_GEMM_ALGO12_TENSOR_OP", 112},
    {"CUBLAS_GEMM_ALGO13_TENSOR_OP", 113},
    {"CUBLAS_GEMM_ALGO14_TENSOR_OP", 114},
    {"CUBLAS_GEMM_ALGO15_TENSOR_OP", 115},
};
constexpr VendorEnum kCublasGemmAlgo = {"cublasGemmAlgo_t", kCublasGemmAlgoSpellings};

constexpr VendorSpelling kRocblasGemmAlgoSpellings[] = {
    {"rocblas_gemm_algo_standard", 0},
};
constexpr VendorEnum kRocblasGemmAlgo = {"rocblas_gemm_algo", kRocblasGemmAlgoSpellings};

constexpr VendorSpelling kCudnnDataTypeSpellings[] = {
    {"CUDNN_DATA_FLOAT", 0, kF32}, {"CUDNN_DATA_DOUBLE", 1, kF64}, {"CUDNN_DATA_HALF", 2, kF16},
    {"CUDNN_DATA_INT8", 3},        {"CUDNN_DATA_INT32", 4},        {"CUDNN_DATA_INT8x4", 5},
    {"CUDNN_DATA_UINT8", 6},       {"CUDNN_DATA_UINT8x4", 7},      {"CUDNN_DATA_INT8x32", 8},
};
constexpr VendorEnum kCudnnDataType = {"cudnnDataType_t", kCudnnDataTypeSpellings};

constexpr VendorSpelling kMiopenDataTypeSpellings[] = {
    {"miopenHalf", 0, kF16}, {"miopenFloat", 1, kF32}, {"miopenInt32", 2},
    {"miopenInt8", 3},       {"miopenInt8x4", 4},      {"miopenBFloat16", 5},
};
constexpr VendorEnum kMiopenDataType = {"miopenDataType_t", kMiopenDataTypeSpellings};

constexpr VendorSpelling kCudnnConvolutionModeSpellings[] = {
    {"CUDNN_CONVOLUTION", 0},
    {"CUDNN_CROSS_CORRELATION", 1},
};
constexpr VendorEnum kCudnnConvolutionMode = {"cudnnConvolutionMode_t",
                                              kCudnnConvolutionModeSpellings};

constexpr VendorSpelling kMiopenConvolutionModeSpellings[] = {
    {"miopenConvolution", 0},
    {"miopenTranspose", 1},
    {"miopenGroupConv", 2},
    {"miopenDepthwise", 3},
};
constexpr VendorEnum kMiopenConvolutionMode = {"miopenConvolutionMode_t",
                                               kMiopenConvolutionModeSpellings};

constexpr VendorSpelling kCudnnActivationModeSpellings[] = {
    {"CUDNN_ACTIVATION_SIGMOID", 0}, {"CUDNN_ACTIVATION_RELU", 1},
    {"CUDNN_ACTIVATION_TANH", 2},    {"CUDNN_ACTIVATION_CLIPPED_RELU", 3},
    {"CUDNN_ACTIVATION_ELU", 4},     {"CUDNN_ACTIVATION_IDENTITY", 5},
    {"CUDNN_ACTIVATION_SWISH", 6},
};
constexpr VendorEnum kCudnnActivationMode = {"cudnnActivationMode_t",
                                             kCudnnActivationModeSpellings};

constexpr VendorSpelling kMiopenActivationModeSpellings[] = {
    {"miopenActivationPASTHRU", 0},   {"miopenActivationLOGISTIC", 1},
    {"miopenActivationTANH", 2},      {"miopenActivationRELU", 3},
    {"miopenActivationSOFTRELU", 4},  {"miopenActivationABS", 5},
    {"miopenActivationPOWER", 6},     {"miopenActivationCLIPPEDRELU", 7},
    {"miopenActivationLEAKYRELU", 8}, {"miopenActivationELU", 9},
};
constexpr VendorEnum kMiopenActivationMode = {"miopenActivationMode_t",
                                              kMiopenActivationModeSpellings};

constexpr VendorSpelling kCudnnMathTypeSpellings[] = {
    {"CUDNN_DEFAULT_MATH", 0},
    {"CUDNN_TENSOR_OP_MATH", 1},
    {"CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION", 2},
    {"CUDNN_FMA_MATH", 3},
};
constexpr VendorEnum kCudnnMathType = {"cudnnMathType_t", kCudnnMathTypeSpellings};

constexpr VendorSpelling kRocmMathTypeSpellings[] = {
    {"ROCM_DEFAULT_MATH", 0},
};
constexpr VendorEnum kRocmMathType = {"DnnMathType", kRocmMathTypeSpellings};

constexpr VendorSpelling kCudnnFwdAlgoSpellings[] = {
    {"CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM", 0},
    {"CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM", 1},
    {"CUDNN_CONVOLUTION_FWD_ALGO_GEMM", 2},
    {"CUDNN_CONVOLUTION_FWD_ALGO_DIRECT", 3},
    {"CUDNN_CONVOLUTION_FWD_ALGO_FFT", 4},
    {"CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING", 5},
    {"CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD", 6},
    {"CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED", 7},
    {"CUDNN_CONVOLUTION_FWD_ALGO_COUNT", 8},
};
constexpr VendorEnum kCudnnFwdAlgo = {"cudnnConvolutionFwdAlgo_t", kCudnnFwdAlgoSpellings};

constexpr VendorSpelling kCudnnBwdDataAlgoSpellings[] = {
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_0", 0},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_1", 1},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT", 2},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING", 3},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD", 4},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED", 5},
    {"CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT", 6},
};
constexpr VendorEnum kCudnnBwdDataAlgo = {"cudnnConvolutionBwdDataAlgo_t",
                                          kCudnnBwdDataAlgoSpellings};

constexpr VendorSpelling kCudnnBwdFilterAlgoSpellings[] = {
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0", 0},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1", 1},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT", 2},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3", 3},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD", 4},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED", 5},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING", 6},
    {"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT", 7},
};
constexpr VendorEnum kCudnnBwdFilterAlgo = {"cudnnConvolutionBwdFilterAlgo_t",
                                            kCudnnBwdFilterAlgoSpellings};

constexpr VendorSpelling kCufftTypeSpellings[] = {
    {"CUFFT_C2C", 41},  {"CUFFT_R2C", 42},  {"CUFFT_C2R", 44},
    {"CUFFT_Z2Z", 105}, {"CUFFT_D2Z", 106}, {"CUFFT_Z2D", 108},
};
constexpr VendorEnum kCufftType = {"cufftType", kCufftTypeSpellings};

constexpr VendorSpelling kHipfftTypeSpellings[] = {
    {"HIPFFT_C2C", 41},  {"HIPFFT_R2C", 42},  {"HIPFFT_C2R", 44},
    {"HIPFFT_Z2Z", 105}, {"HIPFFT_D2Z", 106}, {"HIPFFT_Z2D", 108},
};
constexpr VendorEnum kHipfftType = {"hipfftType", kHipfftTypeSpellings};

constexpr VendorSpelling kCufftDirectionSpellings[] = {
    {"CUFFT_FORWARD", -1},
    {"CUFFT_INVERSE", 1},
};
constexpr VendorEnum kCufftDirection = {"cufftDirection", kCufftDirectionSpellings};

constexpr VendorSpelling kHipfftDirectionSpellings[] = {
    {"HIPFFT_FORWARD", -1},
    {"HIPFFT_INVERSE", 1},
};
constexpr VendorEnum kHipfftDirection = {"hipfftDirection", kHipfftDirectionSpellings};

constexpr VendorSpelling kNcclDataTypeSpellings[] = {
    {"ncclInt8", 0},    {"ncclChar", 0},  {"ncclUint8", 1},   {"ncclInt32", 2},   {"ncclInt", 2},
    {"ncclUint32", 3},  {"ncclInt64", 4}, {"ncclUint64", 5},  {"ncclFloat16", 6}, {"ncclHalf", 6},
    {"ncclFloat32", 7}, {"ncclFloat", 7}, {"ncclFloat64", 8}, {"ncclDouble", 8},
};
constexpr VendorEnum kNcclDataType = {"ncclDataType_t", kNcclDataTypeSpellings};

// The last one counts the others; it has grown with the library.
constexpr VendorSpelling kNcclRedOpSpellings[] = {
    {"ncclSum", 0}, {"ncclProd", 1}, {"ncclMax", 2}, {"ncclMin", 3}, {"ncclNumOps", 5},
};
constexpr VendorEnum kNcclRedOp = {"ncclRedOp_t", kNcclRedOpSpellings};

using enum GpuEnumEncoding;

constexpr GpuEnumInfo kTable[] = {
    {"Platform", kNumber, &kPlatform, nullptr},
    {"BlasDataType", kTagged32, &kCudaDataType, &kRocblasDataType},
    {"BlasComputeType", kTagged32, &kCublasComputeType, &kRocblasDataType},
    {"BlasOperation", kTagged32, &kCublasOperation, &kRocblasOperation},
    {"BlasDiagType", kTagged32, &kCublasDiagType, &kRocblasDiagonal},
    {"BlasFillMode", kTagged32, &kCublasFillMode, &kRocblasFill},
    {"BlasSideMode", kTagged32, &kCublasSideMode, &kRocblasSide},
    {"BlasGemmAlgo", kTagged32, &kCublasGemmAlgo, &kRocblasGemmAlgo},
    {"DnnDataType", kTagged32, &kCudnnDataType, &kMiopenDataType},
    {"DnnConvolutionMode", kTagged32, &kCudnnConvolutionMode, &kMiopenConvolutionMode},
    {"DnnActivationMode", kTagged32, &kCudnnActivationMode, &kMiopenActivationMode},
    {"DnnMathType", kTagged32, &kCudnnMathType, &kRocmMathType},
    {"DnnConvFwdAlgo", kTagged64, &kCudnnFwdAlgo, nullptr},
    {"DnnConvBwdDataAlgo", kTagged64, &kCudnnBwdDataAlgo, nullptr},
    {"DnnConvBwdFilterAlgo", kTagged64, &kCudnnBwdFilterAlgo, nullptr},
    {"FftType", kTagged32, &kCufftType, &kHipfftType},
    {"FftDirection", kTagged32, &kCufftDirection, &kHipfftDirection},
    {"CclDataType", kNumber, &kNcclDataType, nullptr},
    {"CclReductionOp", kNumber, &kNcclRedOp, nullptr},
};

// The rows are in the order of GpuEnum.
constexpr std::string_view kNames[] = {
#define TFRT_GPU_ENUM_NAME(name) #name,
    TFRT_GPU_ENUMS(TFRT_GPU_ENUM_NAME)
#undef TFRT_GPU_ENUM_NAME
};
static_assert([] {
  if (std::size(kNames) != std::size(kTable)) return false;
  for (size_t i = 0; i < std::size(kTable); ++i) {
    if (kNames[i] != kTable[i].name) return false;
  }
  return true;
}());

}  // namespace

std::span<const GpuEnumInfo> GpuEnumTable() { return kTable; }

}  // namespace tfrt
