// MatMulFusion describes what tf._FusedMatMul does to a product beside computing it.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_FUSION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_FUSION_H_

#include <cstdint>

#include "tfrt/host_context/attribute_views.h"
#include "tfrt/support/status.h"

namespace tfrt {

// The operation that follows the addition of a bias.
enum class MatMulFusion { kNone, kRelu, kRelu6, kElu };

// Parses the attribute `fused_ops`: BiasAdd, and perhaps Relu, Relu6 or Elu. "FusedMatMul must
// specify fused operations" if it is empty, "Unsupported fusion type" for anything else.
StatusOr<MatMulFusion> ParseMatMulFusion(AggregateAttribute fused_ops);

// Relu6 and Elu, which contractions do not do themselves; nothing for the others.
inline bool NeedsFinishing(MatMulFusion fusion) {
  return fusion == MatMulFusion::kRelu6 || fusion == MatMulFusion::kElu;
}
void FinishMatMulFusion(MatMulFusion fusion, float* data, int64_t size);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_FUSION_H_
