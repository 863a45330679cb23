// The operation graphs that the runtime gives to cuDNN, as a list for the preprocessor.
//
// The list is data. The runtime builds no other graphs for its ops (gpu/libraries/dnn/graphs.h).
// The test double accepts no others (test/gpu/vendor/dnn). The real library is shown to accept
// these (test/gpu/oracle). A row that it refuses for some GPU stands in
// test/gpu/oracle/refused.txt.
//
// A graph is one operation and the steps after it, always in this order: the addend, the bias, the
// activation. With the bias before the addend the library has no precompiled engines, and compiles
// for a second for each shape.
#ifndef TFRT_GPU_ABI_CUDNN_GRAPH_FORMS_H_
#define TFRT_GPU_ABI_CUDNN_GRAPH_FORMS_H_

#include <cstdint>

namespace tfrt::gpu::cudnn {

enum class GraphOperation : uint8_t {
  kConvolution,                // x, w -> y
  kGroupedConvolution,         // the same with fewer channels of w than of x
  kDataGradient,               // dy, w -> dx
  kFilterGradient,             // x, dy -> dw
  kMaxPool,                    // x -> y
  kAveragePool,                // x -> y, counts the padding
  kAveragePoolInside,          // x -> y, does not
  kAveragePoolGradient,        // dy -> dx
  kAveragePoolInsideGradient,  // dy -> dx
  kMatmul,                     // a, b -> y of [batch, rows, columns]
  kAttention,                  // q, k, v, scale -> o
  kAttentionStatistics,        // the same, and the logarithms of the sums
};

enum class GraphActivation : uint8_t {
  kNone,
  kRelu,
  kClippedRelu,
  kSigmoid,
  kTanh,
  kSwish,
  kGelu,
  kGeluTanh,
  kElu,
  kSoftplus,
};

// The types of a form, as bits. Sums are f32, or f64 for f64.
inline constexpr uint8_t kGraphF16 = 1;
inline constexpr uint8_t kGraphBf16 = 2;
inline constexpr uint8_t kGraphF32 = 4;
inline constexpr uint8_t kGraphF64 = 8;
inline constexpr uint8_t kGraph16Bits = kGraphF16 | kGraphBf16;
inline constexpr uint8_t kGraphFloats = kGraph16Bits | kGraphF32;
inline constexpr uint8_t kGraphAll = kGraphFloats | kGraphF64;

// The layouts of a form, as bits. Matrices are row-major.
inline constexpr uint8_t kGraphNhwc = 1;
inline constexpr uint8_t kGraphNchw = 2;
inline constexpr uint8_t kGraphAnyImage = kGraphNhwc | kGraphNchw;
inline constexpr uint8_t kGraphRows = 4;

}  // namespace tfrt::gpu::cudnn

// Each entry is X(operation, addend, bias, activation, types, layouts): the names of enumerators
// and constants above without their `k` and `kGraph`. The operation and the steps after it are
// graphs of each of the types in each of the layouts.
//
// Three kinds of graphs are missing (version 9.19):
//   - The gradient of maximum pooling from x and y crashes the library while it lists its engines.
//   - A reduction alone has no engine.
//   - Without TF32 there is no product of f32.
// clang-format off
#define TFRT_CUDNN_PRECOMPILED_FORMS(X, operation, addend) \
  X(operation, addend, true, None, Floats, AnyImage) \
  X(operation, addend, true, Relu, Floats, AnyImage) \
  X(operation, addend, true, ClippedRelu, Floats, AnyImage) \
  X(operation, addend, true, Sigmoid, Floats, AnyImage) \
  X(operation, addend, true, Tanh, Floats, AnyImage) \
  X(operation, addend, true, Elu, Floats, AnyImage)

#define TFRT_CUDNN_COMPILED_FORMS(X, addend) \
  X(Convolution, addend, true, Swish, Floats, Nhwc) \
  X(Convolution, addend, true, Gelu, Floats, Nhwc) \
  X(Convolution, addend, true, GeluTanh, Floats, Nhwc) \
  X(Convolution, addend, true, Softplus, Floats, Nhwc)

#define TFRT_CUDNN_MATMUL_FORMS(X, bias) \
  X(Matmul, false, bias, None, 16Bits, Rows) \
  X(Matmul, false, bias, Relu, 16Bits, Rows) \
  X(Matmul, false, bias, Sigmoid, 16Bits, Rows) \
  X(Matmul, false, bias, Tanh, 16Bits, Rows) \
  X(Matmul, false, bias, Swish, 16Bits, Rows) \
  X(Matmul, false, bias, Gelu, 16Bits, Rows) \
  X(Matmul, false, bias, GeluTanh, 16Bits, Rows)

#define TFRT_CUDNN_GRAPH_FORMS(X) \
  X(Convolution, false, false, None, All, AnyImage) \
  X(GroupedConvolution, false, false, None, Floats, AnyImage) \
  TFRT_CUDNN_PRECOMPILED_FORMS(X, Convolution, false) \
  TFRT_CUDNN_PRECOMPILED_FORMS(X, Convolution, true) \
  TFRT_CUDNN_PRECOMPILED_FORMS(X, GroupedConvolution, false) \
  TFRT_CUDNN_PRECOMPILED_FORMS(X, GroupedConvolution, true) \
  TFRT_CUDNN_COMPILED_FORMS(X, false) \
  TFRT_CUDNN_COMPILED_FORMS(X, true) \
  X(Convolution, false, false, Relu, Floats, Nhwc) \
  X(Convolution, true, false, None, Floats, Nhwc) \
  X(Convolution, true, false, Relu, Floats, Nhwc) \
  X(DataGradient, false, false, None, All, AnyImage) \
  X(FilterGradient, false, false, None, All, AnyImage) \
  X(MaxPool, false, false, None, Floats, AnyImage) \
  X(AveragePool, false, false, None, Floats, AnyImage) \
  X(AveragePoolInside, false, false, None, Floats, AnyImage) \
  X(AveragePoolGradient, false, false, None, 16Bits, Nhwc) \
  X(AveragePoolGradient, false, false, None, Floats, Nchw) \
  X(AveragePoolInsideGradient, false, false, None, 16Bits, Nhwc) \
  X(AveragePoolInsideGradient, false, false, None, Floats, Nchw) \
  TFRT_CUDNN_MATMUL_FORMS(X, false) \
  TFRT_CUDNN_MATMUL_FORMS(X, true) \
  X(Attention, false, false, None, 16Bits, Rows) \
  X(AttentionStatistics, false, false, None, 16Bits, Rows)
// clang-format on

#endif  // TFRT_GPU_ABI_CUDNN_GRAPH_FORMS_H_
