// cudnn_cases: builds good and bad descriptors with the cuDNN that is found, and prints what it
// says.
//
// usage: cudnn_cases SHIM DEVICE.json
//
// Prints one line a case: its name, and "taken", or the call that fails, with the kind of its
// status. check_cases.py runs it with the test double and with the vendor's library: both must say
// the same. SHIM stands for the driver, see tools/tfrt_gpu_plans; "-": it is not opened. Ends with
// 77 without the library.
#include <dlfcn.h>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/libraries/dnn/planner.h"
#include "gpu/wrapper/cudnn.h"
#include "graph_cases.h"
#include "lib/base/support/read_file.h"

namespace tfrt::gpu::dnn {
namespace {

// "cudnnBackendFinalize of a tensor: BAD_PARAM" of the library's error.
std::string Kind(const Status& status) {
  if (status.ok()) return "taken";
  const std::string text(status.message());
  const size_t at = text.find("CUDNN_STATUS_");
  if (at == std::string::npos) return text;
  std::string kind = text.substr(at + 13);
  for (const char* name : {"BAD_PARAM", "NOT_SUPPORTED", "INTERNAL_ERROR", "NOT_INITIALIZED"}) {
    if (kind.starts_with(name)) kind = name;
  }
  return text.substr(0, at) + kind;
}

Status Try(const cudnn::Table& table, const Graph& graph, const DeviceDescription& device,
           bool with_engines) {
  TFRT_ASSIGN_OR_RETURN(GraphDescriptors descriptors, MakeDescriptors(table, graph));
  if (!with_engines) return OkStatus();
  return ListEngines(table, descriptors, device, PlanChoice(), HasF32(graph)).status();
}

GraphTensor* Find(Graph* graph, int64_t id) {
  for (GraphTensor& tensor : graph->tensors) {
    if (tensor.id == id) return &tensor;
  }
  return nullptr;
}

// A mistake. Returns false for graphs that cannot have it.
struct Mistake {
  std::string name;
  std::function<bool(Graph*)> make;
};

std::vector<Mistake> Mistakes() {
  std::vector<Mistake> mistakes;
  auto of_tensor = [&](const char* name, int64_t id, void (*change)(GraphTensor*)) {
    mistakes.push_back({name, [=](Graph* graph) {
                          GraphTensor* tensor = Find(graph, id);
                          if (tensor) change(tensor);
                          return tensor != nullptr;
                        }});
  };
  of_tensor("x without elements", kInputId, [](GraphTensor* x) { x->dims[1] = 0; });
  of_tensor("x of negative size", kInputId, [](GraphTensor* x) { x->dims[0] = -1; });
  of_tensor("x with a stride less", kInputId, [](GraphTensor* x) { x->strides.pop_back(); });
  of_tensor("x of nine dimensions", kInputId, [](GraphTensor* x) {
    x->dims.assign(9, 2);
    x->strides.assign(9, 1);
  });
  of_tensor("x without dimensions", kInputId, [](GraphTensor* x) {
    x->dims.clear();
    x->strides.clear();
  });
  of_tensor("x aligned by 0", kInputId, [](GraphTensor* x) { x->alignment_bytes = 0; });
  of_tensor("x aligned by 3", kInputId, [](GraphTensor* x) { x->alignment_bytes = 3; });
  for (size_t i = 0; i < 5; ++i) {
    mistakes.push_back({"without tensor " + std::to_string(i), [=](Graph* graph) {
                          std::vector<GraphPlace>& places = graph->nodes[0].tensors;
                          if (i >= places.size()) return false;
                          places.erase(places.begin() + static_cast<std::ptrdiff_t>(i));
                          return true;
                        }});
  }
  mistakes.push_back({"without parameters", [](Graph* graph) {
                        const bool had_some = graph->nodes[0].has_parameters;
                        graph->nodes[0].has_parameters = false;
                        return had_some;
                      }});
  for (size_t i = 0; i < 8; ++i) {
    mistakes.push_back({"without parameter " + std::to_string(i), [=](Graph* graph) {
                          std::vector<GraphAttribute>& list = graph->nodes[0].parameters;
                          if (i >= list.size()) return false;
                          list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
                          return true;
                        }});
    mistakes.push_back({"negative parameter " + std::to_string(i), [=](Graph* graph) {
                          std::vector<GraphAttribute>& list = graph->nodes[0].parameters;
                          if (i >= list.size() || list[i].type != cudnn::CUDNN_TYPE_INT64) {
                            return false;
                          }
                          list[i].integers[0] = -1;
                          return true;
                        }});
    mistakes.push_back({"parameter of another type " + std::to_string(i), [=](Graph* graph) {
                          std::vector<GraphAttribute>& list = graph->nodes[0].parameters;
                          if (i >= list.size()) return false;
                          list[i].type = cudnn::CUDNN_TYPE_HEUR_MODE;
                          return true;
                        }});
    mistakes.push_back({"no values of parameter " + std::to_string(i), [=](Graph* graph) {
                          std::vector<GraphAttribute>& list = graph->nodes[0].parameters;
                          if (i >= list.size()) return false;
                          list[i].integers.clear();
                          return true;
                        }});
  }
  mistakes.push_back({"an attribute of another descriptor", [](Graph* graph) {
                        graph->nodes[0].parameters.push_back(
                            {cudnn::CUDNN_ATTR_TENSOR_UNIQUE_ID, cudnn::CUDNN_TYPE_INT64, {1}, {}});
                        return graph->nodes[0].has_parameters;
                      }});
  of_tensor("y one larger", kOutputId, [](GraphTensor* y) { ++y->dims.back(); });
  of_tensor("y of another batch", kOutputId, [](GraphTensor* y) { y->dims[0] = 3; });
  of_tensor("w of other channels", kFilterId, [](GraphTensor* w) { w->dims[1] = 7; });
  of_tensor("bias too long", kBiasId, [](GraphTensor* bias) {
    for (int64_t& dim : bias->dims) {
      if (dim != 1) dim += 3;
    }
  });
  of_tensor("addend too small", kAddendId, [](GraphTensor* addend) { addend->dims[1] = 5; });
  mistakes.push_back({"no operations", [](Graph* graph) {
                        graph->nodes.clear();
                        return true;
                      }});
  return mistakes;
}

int Run(char** argv) {
  if (std::string_view(argv[1]) != "-" && !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) {
    std::fprintf(stderr, "cudnn_cases: %s\n", dlerror());
    return 1;
  }
  StatusOr<const cudnn::Library*> library = cudnn::Library::Get();
  if (!library.ok() || (*library)->version() < kMinPlanVersion) {
    std::fprintf(stderr, "cudnn_cases: skipped: no cuDNN 9.8 or newer\n");
    return 77;
  }
  const cudnn::Table& table = (*library)->table();
  StatusOr<std::string> json = ReadFile(argv[2]);
  StatusOr<DeviceDescription> device =
      json.ok() ? DeviceDescription::OfText(table, json->substr(0, json->find('\n')))
                : json.status();
  StatusOr<std::vector<GraphCase>> cases = AllCases(1);
  if (!device.ok() || !cases.ok()) {
    std::fprintf(
        stderr, "cudnn_cases: %s\n",
        std::string(device.ok() ? cases.status().message() : device.status().message()).c_str());
    return 1;
  }
  const std::vector<Mistake> mistakes = Mistakes();
  for (const GraphCase& graph_case : *cases) {
    // Engines are listed, and mistakes are made, in one type and layout; cudnn_oracle lists all.
    const bool is_first = graph_case.form.types == cudnn::kGraphF16;
    std::printf("%s: %s\n", graph_case.name.c_str(),
                Kind(Try(table, graph_case.graph, *device, is_first)).c_str());
    if (graph_case.form.types != cudnn::kGraphF16 || graph_case.form.layouts == cudnn::kGraphNchw) {
      continue;
    }
    for (const Mistake& mistake : mistakes) {
      Graph graph = graph_case.graph;
      if (!mistake.make(&graph)) continue;
      std::printf("%s, %s: %s\n", graph_case.name.c_str(), mistake.name.c_str(),
                  Kind(Try(table, graph, *device, false)).c_str());
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace tfrt::gpu::dnn

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cudnn_cases SHIM DEVICE.json\n");
    return 2;
  }
  return tfrt::gpu::dnn::Run(argv);
}
