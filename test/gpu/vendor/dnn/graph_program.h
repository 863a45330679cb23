// GraphProgram: an operation graph that the double computes.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_GRAPH_PROGRAM_H_
#define TFRT_TEST_GPU_VENDOR_DNN_GRAPH_PROGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "call.h"
#include "convolution.h"
#include "gpu/abi/cudnn_graph_forms.h"
#include "layout.h"
#include "pooling.h"

namespace tfrt::gpu::cudnn_double {

struct GraphTensor {
  int64_t id = 0;
  Layout layout;
  int64_t alignment_bytes = 1;
  bool is_by_value = false;
};

// The parts that tensors have in graphs. Gradients have dx for x, dw for w and dy for y.
enum class Role : uint8_t {
  kX,  // and q
  kW,
  kY,  // and o
  kAddend,
  kBias,
  kKey,
  kValue,
  kScale,
  kStatistics,
};
inline constexpr size_t kNumRoles = 9;

struct GraphProgram {
  GraphOperation operation = GraphOperation::kConvolution;
  std::array<std::optional<GraphTensor>, kNumRoles> tensors;
  Window window;
  bool is_flipped = false;
  cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  // The steps.
  double alpha = 1, alpha2 = 1;  // of the addend's
  GraphActivation activation = GraphActivation::kNone;
  double bound = 0, activation_alpha = 1, activation_beta = 1;

  const std::optional<GraphTensor>& Of(Role role) const {
    return tensors[static_cast<size_t>(role)];
  }
  std::optional<GraphTensor>& Of(Role role) { return tensors[static_cast<size_t>(role)]; }
  // The tensors that the operation writes; all others are read.
  bool Writes(Role role) const;
  // Checks type and layout, too.
  bool IsListed() const;
};

// Engines of the double, by their numbers. Each computes all graphs.
inline constexpr int64_t kPlainEngine = 0;
// Rounds factors of f32 to TF32, and needs a workspace.
inline constexpr int64_t kTensorCoreEngine = 1;
// Says that its results are not the same in each run, and is compiled at run time.
inline constexpr int64_t kNondeterministicEngine = 2;
inline constexpr int64_t kNumEngines = 3;

int64_t WorkspaceBytes(const GraphProgram& program, int64_t engine);

// A plan as text, and back; null for another text.
std::string PlanText(const GraphProgram& program, int64_t engine);
std::shared_ptr<const GraphProgram> ReadPlanText(std::string_view text, int64_t* engine);

// Computes the graph. `addresses` are those of the device, or of the host for tensors by value.
void RunProgram(const GraphProgram& program, int64_t engine,
                const std::array<const void*, kNumRoles>& addresses);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_GRAPH_PROGRAM_H_
