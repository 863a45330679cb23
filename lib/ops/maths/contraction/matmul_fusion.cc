#include "matmul_fusion.h"

#include <cmath>
#include <string_view>

namespace tfrt {

StatusOr<MatMulFusion> ParseMatMulFusion(AggregateAttribute fused_ops) {
  if (fused_ops.size() == 0) {
    return InvalidArgumentError("FusedMatMul must specify fused operations");
  }
  auto name = [&](size_t i) {
    return fused_ops.element_code(i) == StringAttribute::kCode
               ? StringAttribute(fused_ops.element_data(i)).get()
               : std::string_view();
  };
  if (fused_ops.size() <= 2 && name(0) == "BiasAdd") {
    if (fused_ops.size() == 1) return MatMulFusion::kNone;
    if (name(1) == "Relu") return MatMulFusion::kRelu;
    if (name(1) == "Relu6") return MatMulFusion::kRelu6;
    if (name(1) == "Elu") return MatMulFusion::kElu;
  }
  return InvalidArgumentError("Unsupported fusion type");
}

void FinishMatMulFusion(MatMulFusion fusion, float* data, int64_t size) {
  if (!NeedsFinishing(fusion)) return;
  for (int64_t i = 0; i < size; ++i) {
    const float x = data[i];
    if (fusion == MatMulFusion::kRelu6) data[i] = x < 0 ? 0 : x > 6 ? 6 : x;
    if (fusion == MatMulFusion::kElu) data[i] = x < 0 ? std::expm1(x) : x;
  }
}

}  // namespace tfrt
