#include "graph_cases.h"

#include <utility>

namespace tfrt::gpu::dnn {
namespace {

// NOLINTNEXTLINE: the constants of the list
using namespace tfrt::gpu::cudnn;

struct Sizes {
  int64_t batch, channels, size, rows, inner, columns, heads, length, head_size;
};
constexpr Sizes kSizes[] = {{2, 8, 6, 8, 16, 24, 4, 8, 64},
                            {8, 64, 56, 128, 768, 3072, 8, 128, 64}};

cudnnDataType_t TypeOf(const GraphForm& form) {
  switch (form.types) {
    case kGraphF16:
      return CUDNN_DATA_HALF;
    case kGraphBf16:
      return CUDNN_DATA_BFLOAT16;
    case kGraphF64:
      return CUDNN_DATA_DOUBLE;
    default:
      return CUDNN_DATA_FLOAT;
  }
}

}  // namespace

StatusOr<Graph> CaseOf(const GraphForm& form, int scale) {
  const Sizes& sizes = kSizes[scale];
  const cudnnDataType_t type = TypeOf(form);
  const cudnnDataType_t sums = type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  auto tensor = [&](std::vector<int64_t> dims) {
    std::vector<int64_t> strides =
        form.layouts == kGraphNhwc ? ChannelsLastStrides(dims) : RowStrides(dims);
    return TensorForm{type, std::move(dims), std::move(strides)};
  };
  const int64_t n = sizes.batch, c = sizes.channels, s = sizes.size;
  switch (form.operation) {
    case GraphOperation::kConvolution:
    case GraphOperation::kGroupedConvolution:
    case GraphOperation::kDataGradient:
    case GraphOperation::kFilterGradient: {
      ConvolutionForm convolution;
      const bool is_grouped = form.operation == GraphOperation::kGroupedConvolution;
      convolution.operation = is_grouped ? GraphOperation::kConvolution : form.operation;
      convolution.x = tensor({n, c, s, s});
      convolution.w = tensor({c, is_grouped ? 1 : c, 3, 3});
      convolution.y = convolution.x;
      convolution.window = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {}};
      convolution.compute_type = sums;
      if (form.has_addend) convolution.addend = convolution.y;
      if (form.has_bias) convolution.bias = tensor({1, c, 1, 1});
      convolution.activation.kind = form.activation;
      return MakeConvolutionGraph(convolution);
    }
    case GraphOperation::kMaxPool:
    case GraphOperation::kAveragePool:
    case GraphOperation::kAveragePoolInside:
    case GraphOperation::kAveragePoolGradient:
    case GraphOperation::kAveragePoolInsideGradient: {
      PoolForm pool;
      pool.operation = form.operation;
      pool.x = tensor({n, c, s, s});
      pool.y = tensor({n, c, s / 2, s / 2});
      pool.window = {{1, 1}, {0, 0}, {2, 2}, {}, {3, 3}};
      return MakePoolGraph(pool);
    }
    case GraphOperation::kMatmul: {
      MatmulForm matmul;
      matmul.a = tensor({1, sizes.rows, sizes.inner});
      matmul.b = tensor({1, sizes.inner, sizes.columns});
      matmul.y = tensor({1, sizes.rows, sizes.columns});
      if (form.has_bias) matmul.bias = tensor({1, 1, sizes.columns});
      matmul.activation.kind = form.activation;
      return MakeMatmulGraph(matmul);
    }
    case GraphOperation::kAttention:
    case GraphOperation::kAttentionStatistics: {
      AttentionForm attention;
      attention.q = tensor({n, sizes.heads, sizes.length, sizes.head_size});
      attention.k = tensor({n, sizes.heads / 4, 2 * sizes.length, sizes.head_size});
      attention.v = attention.k;
      attention.o = attention.q;
      if (form.operation == GraphOperation::kAttentionStatistics) {
        const std::vector<int64_t> dims = {n, sizes.heads, sizes.length, 1};
        attention.statistics = TensorForm{CUDNN_DATA_FLOAT, dims, RowStrides(dims)};
      }
      return MakeAttentionGraph(attention);
    }
  }
  return InvalidArgumentError("no such operation");
}

StatusOr<std::vector<GraphCase>> AllCases(int scale) {
  std::vector<GraphCase> cases;
  for (const GraphForm& row : AllForms()) {
    for (uint8_t type : {kGraphF16, kGraphBf16, kGraphF32, kGraphF64}) {
      for (uint8_t layout : {kGraphNhwc, kGraphNchw, kGraphRows}) {
        if (!(row.types & type) || !(row.layouts & layout)) continue;
        GraphForm form = row;
        form.types = type;
        form.layouts = layout;
        TFRT_ASSIGN_OR_RETURN(Graph graph, CaseOf(form, scale));
        cases.push_back({form, FormText(form), std::move(graph)});
      }
    }
  }
  return cases;
}

}  // namespace tfrt::gpu::dnn
