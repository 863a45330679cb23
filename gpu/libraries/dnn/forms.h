// GraphForm: a row of the list of graphs (gpu/abi/cudnn_graph_forms.h), with a type and a layout.
#ifndef TFRT_GPU_LIBRARIES_DNN_FORMS_H_
#define TFRT_GPU_LIBRARIES_DNN_FORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/abi/cudnn_graph_forms.h"
#include "gpu/abi/cudnn_types.h"
#include "graphs.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

struct GraphForm {
  GraphOperation operation = GraphOperation::kConvolution;
  bool has_addend = false;
  bool has_bias = false;
  GraphActivation activation = GraphActivation::kNone;
  uint8_t types = 0;    // as kGraphF16 and so on
  uint8_t layouts = 0;  // as kGraphNhwc and so on
};

// Returns all rows, with the types and layouts of each.
const std::vector<GraphForm>& AllForms();

// Returns the form of what is to be built: of `types` the one type, of `layouts` each one that the
// tensors have. No layout: tensors with gaps, or of mixed layouts.
GraphForm FormOf(const ConvolutionForm& form);
GraphForm FormOf(const PoolForm& form);
GraphForm FormOf(const MatmulForm& form);
GraphForm FormOf(const AttentionForm& form);

// Returns OK if the list has the form. Otherwise Unimplemented "conv+bias+gelu f16 nchw is not
// among the graphs that cuDNN is known to accept". Ops must not build such graphs: the library may
// refuse them, compile them for each shape, or crash.
Status CheckListed(const GraphForm& form);

// Returns, for example, "conv+addend+bias+relu f16 nhwc".
std::string FormText(const GraphForm& form);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_FORMS_H_
