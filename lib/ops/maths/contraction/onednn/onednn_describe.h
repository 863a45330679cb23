// How operands and what follows the sums are described to oneDNN.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_DESCRIBE_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_DESCRIBE_H_

#include <dnnl.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lib/ops/maths/contraction/backend.h"
#include "onednn_handles.h"

namespace tfrt::contraction {

// Sizes, and as many strides.
struct Layout {
  std::vector<int64_t> dims, strides;
  dnnl_data_type_t type = dnnl_f32;
  void Add(int64_t size, int64_t stride) {
    dims.push_back(size);
    strides.push_back(stride);
  }
};
// False if oneDNN does not take them. The second is of any layout that oneDNN likes.
bool Describe(dnnl_memory_desc_t* layout, const Layout& lies);
bool DescribeAny(dnnl_memory_desc_t* layout, const Layout& lies);
bool Describe(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims,
              std::initializer_list<int64_t> strides, dnnl_data_type_t type = dnnl_f32);
bool DescribeAny(dnnl_memory_desc_t* layout, std::initializer_list<int64_t> dims,
                 dnnl_data_type_t type);

// The type of factors. Whether this CPU multiplies bf16 faster than f32: oneDNN computes it on
// others, too, but slowly.
inline dnnl_data_type_t FactorType(bool in_bf16) { return in_bf16 ? dnnl_bf16 : dnnl_f32; }
bool HasFastBf16();
// Those that oneDNN uses here; empty if it has no fast ones for bf16.
std::string_view Instructions(bool in_bf16);

// oneDNN computes with sizes, strides and paddings as int in places.
bool FitsInt(std::initializer_list<int64_t> values);

// activation(alpha * sums + beta * destination); null without memory.
Attributes MakeAttributes(float alpha, float beta,
                          const maths::ActivationWithParameters& activation);

// The best implementation for an operation's descriptor; null if there is none.
PrimitiveDesc Best(const void* operation, const Attributes& attributes, dnnl_engine_t engine,
                   bool accept_reference);

// Describes a part of packed weights that are laid out as `weights`. The part begins at place
// `first` of dimension `dim` and has the sizes `dims`. Sets `weights` to its layout and
// `offset_bytes` to its position. False if the part is not contiguous, or not in the layout that
// the primitive reads.
bool TakePart(const PrimitiveDesc& desc, std::span<const int64_t> dims, size_t dim, int64_t first,
              dnnl_memory_desc_t* weights, size_t* offset_bytes);

std::unique_ptr<Plan> PrepareConvolution(const ConvolutionProblem& problem,
                                         const PackedWeights* weights, dnnl_engine_t engine,
                                         bool accept_reference);
bool UnpackFilter(const ConvolutionProblem& problem, const PackedWeights& weights,
                  dnnl_engine_t engine, float* filter);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_DESCRIBE_H_
