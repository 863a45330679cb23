// The implementation that a Model is a handle of.
#ifndef TFRT_LIB_API_MODEL_MODEL_IMPL_H_
#define TFRT_LIB_API_MODEL_MODEL_IMPL_H_

#include <mutex>
#include <vector>

#include "tfrt/async/async_value.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/function.h"
#include "tfrt/model/model.h"

namespace tfrt {

struct Model::Impl {
  RCReference<BefFile> file;  // first: what was loaded may lie in its bytes
  HostContext* host = nullptr;
  const Function* function = nullptr;
  const Function* load = nullptr;  // null: there is none
  std::vector<ModelValue> inputs, outputs;
  std::string producer;
  std::string name;
  bool locate_errors = false;
  std::vector<std::pair<std::string, std::string>> metadata;
  size_t num_kernels = 0;  // of the program
  bool time_depends_on_values = true;

  std::mutex load_mutex;  // guards the flag
  bool is_load_started = false;
  // The arguments behind the inputs, perhaps not there yet. Made when the load starts, and never
  // changed again.
  std::vector<RCReference<AsyncValue>> loaded;
};

}  // namespace tfrt

#endif  // TFRT_LIB_API_MODEL_MODEL_IMPL_H_
