// Plans that programs ask for: the attributes of the kernels that build them, as graphs and
// choices.
#ifndef TFRT_GPU_KERNELS_DNN_PLAN_REQUESTS_H_
#define TFRT_GPU_KERNELS_DNN_PLAN_REQUESTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/libraries/dnn/graph.h"
#include "gpu/libraries/dnn/planner.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

struct DnnPlanRequest {
  dnn::Graph graph;
  dnn::PlanChoice choice;
  std::vector<int64_t> ids;  // of the buffers of a run, in their order; of tfrt_gpu.dnn.graph.build
  bool has_scale = false;    // the graph has the parameter as a tensor of the host
};

// The attributes of tfrt_gpu.dnn.build_convolution, in their order.
struct DnnConvolutionAttributes {
  int32_t backend_type = 0;
  std::span<const int64_t> dilations;
  int32_t num_spatial = 0;
  int32_t mode = 0;
  std::span<const int64_t> padding, strides;
  int32_t engine_id = 0;
  std::span<const int64_t> filter_dims, filter_strides, input_dims, input_strides;
  int32_t input_type = 0;
  std::span<const int64_t> output_dims, output_strides;
  int32_t output_type = 0;
  std::span<const int64_t> knobs, knob_values;
};

// Those that tfrt_gpu.dnn.build_fused_convolution has besides, and its operands.
struct DnnFusedAttributes {
  double alpha = 1, alpha2 = 1;
  int32_t activation_mode = 0;
  std::span<const int64_t> bias_dims, bias_strides;
  int32_t bias_type = 0;
};

// The attributes of tfrt_gpu.dnn.graph.build, in their order.
struct DnnGraphAttributes {
  bool allow_tf32 = false;
  int32_t data_type = 0;
  std::span<const int64_t> dims;
  std::string_view form;
  double parameter = 0;
  std::span<const int64_t> strides, window;
};

// Return the kernel's error for attributes that do not fit together.
StatusOr<DnnPlanRequest> RequestOf(const DnnConvolutionAttributes& attributes,
                                   const std::optional<DnnFusedAttributes>& fused);
StatusOr<DnnPlanRequest> RequestOf(const DnnGraphAttributes& attributes);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_DNN_PLAN_REQUESTS_H_
