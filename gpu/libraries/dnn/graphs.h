// Makes the operation graphs that cuDNN gets: convolutions, their gradients, pooling,
// products and attention, with the steps that follow them.
//
// Steps are always in the order addend, bias, activation: for others the library has no precompiled
// engines. The list of all forms is gpu/abi/cudnn_graph_forms.h. A test shows for each of them that
// the library accepts it.
#ifndef TFRT_GPU_LIBRARIES_DNN_GRAPHS_H_
#define TFRT_GPU_LIBRARIES_DNN_GRAPHS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/abi/cudnn_graph_forms.h"
#include "gpu/abi/cudnn_types.h"
#include "graph.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

using cudnn::GraphActivation;
using cudnn::GraphOperation;

// The ids of the tensors of all graphs, by which a run names their memory.
inline constexpr int64_t kInputId = 120;   // x, q, and the gradient of x
inline constexpr int64_t kOutputId = 121;  // y, o, and the gradient of y
inline constexpr int64_t kFilterId = 119;  // w, its gradient, and the second factor of a product
inline constexpr int64_t kAddendId = 122;
inline constexpr int64_t kBiasId = 98;
inline constexpr int64_t kKeyId = 130;
inline constexpr int64_t kValueId = 131;
inline constexpr int64_t kScaleId = 132;  // one f32 of the host
inline constexpr int64_t kStatisticsId = 133;

// Metadata of a tensor: up to 8 dimensions, [N, C, spatial...] also where C is stored last.
struct TensorForm {
  cudnn::cudnnDataType_t type = cudnn::CUDNN_DATA_FLOAT;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;  // in elements
};

// Returns dense strides: of dimensions that are stored in their order, or with C last. Those that
// cannot be counted are the largest number, which no graph takes.
std::vector<int64_t> RowStrides(const std::vector<int64_t>& dims);
std::vector<int64_t> ChannelsLastStrides(const std::vector<int64_t>& dims);

// One entry for each spatial dimension.
struct WindowForm {
  std::vector<int64_t> padding_before;
  std::vector<int64_t> padding_after;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;  // of convolutions
  std::vector<int64_t> sizes;      // of pooling
};

// An activation with its parameters.
struct ActivationForm {
  GraphActivation kind = GraphActivation::kNone;
  double bound = 6;  // of kClippedRelu: above the values
  double alpha = 1;  // of kElu
  double beta = 1;   // of kSwish and kSoftplus
};

// y = activation(alpha * conv(x, w) + alpha2 * addend + bias), or one of the gradients.
struct ConvolutionForm {
  // kConvolution (of groups, too), kDataGradient or kFilterGradient.
  GraphOperation operation = GraphOperation::kConvolution;
  // The gradients have dx for x, dw for w, dy for y.
  TensorForm x;
  TensorForm w;
  TensorForm y;
  WindowForm window;
  cudnn::cudnnConvolutionMode_t mode = cudnn::CUDNN_CROSS_CORRELATION;
  // The type of the sums.
  cudnn::cudnnDataType_t compute_type = cudnn::CUDNN_DATA_FLOAT;
  // The rest is for kConvolution. The addend has the shape of y, the bias is [1, C, 1...].
  std::optional<TensorForm> addend;
  std::optional<TensorForm> bias;
  ActivationForm activation;
  double alpha = 1;
  double alpha2 = 1;
  int64_t alignment_bytes = 16;
};

// Fails with InvalidArgument where the shapes of the tensors do not fit together, and with
// Unimplemented for factors without an addend.
StatusOr<Graph> MakeConvolutionGraph(const ConvolutionForm& form);

// Pooling, and the gradients of averages, of which x is the gradient of x.
struct PoolForm {
  GraphOperation operation = GraphOperation::kMaxPool;
  TensorForm x;
  TensorForm y;
  WindowForm window;
  int64_t alignment_bytes = 16;
};
StatusOr<Graph> MakePoolGraph(const PoolForm& form);

// y = activation(a * b + bias) of [batch, rows, columns].
struct MatmulForm {
  TensorForm a;
  TensorForm b;
  TensorForm y;
  std::optional<TensorForm> bias;  // [1, 1, columns]
  ActivationForm activation;
  cudnn::cudnnDataType_t compute_type = cudnn::CUDNN_DATA_FLOAT;
  int64_t alignment_bytes = 16;
};
StatusOr<Graph> MakeMatmulGraph(const MatmulForm& form);

// o = softmax(scale * q * transpose(k)) * v of [batch, heads, length, size]. Several heads of q may
// share one of k and v.
struct AttentionForm {
  TensorForm q;
  TensorForm k;
  TensorForm v;
  TensorForm o;
  std::optional<TensorForm> statistics;  // [batch, heads, length, 1]
  int64_t alignment_bytes = 16;
};
StatusOr<Graph> MakeAttentionGraph(const AttentionForm& form);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_GRAPHS_H_
