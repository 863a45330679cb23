// A network of this example: a model file with one input and one output.
#ifndef TFRT_EXAMPLES_READ_TEXT_MODEL_NETWORK_H_
#define TFRT_EXAMPLES_READ_TEXT_MODEL_NETWORK_H_

#include <string>
#include <utility>

#include "page_reader.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"

namespace read_text {

class ModelNetwork {
 public:
  // Opens a BEF file that tfrt_import made, and computes what depends on its weights alone. `host`
  // must have the kernels of core_runtime and outlive the network. The errors of Model::Open;
  // InvalidArgument unless the model has one input and one output.
  static tfrt::StatusOr<ModelNetwork> Open(const std::string& path, tfrt::HostContext* host);

  // One run at a time. InvalidArgument, too, for outputs that are no f32.
  tfrt::StatusOr<Values> Run(const Values& input);

  tfrt::Model model() const { return session_.model(); }

 private:
  explicit ModelNetwork(tfrt::Session session) : session_(std::move(session)) {}

  tfrt::Session session_;
};

}  // namespace read_text

#endif  // TFRT_EXAMPLES_READ_TEXT_MODEL_NETWORK_H_
