// libFuzzer: arbitrary bytes as an ONNX model, with the elements of all its tensors, and as a
// safetensors file. scripts/run_fuzzer.sh builds and runs it.
//
// Beside what sanitizers find, what include/tfrt/onnx promises is looked at: views lie in the file,
// tensors have as many bytes as their shapes say, elements of other files come from the model's
// folder, and errors name what is wrong.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/compiler/onnx/elements.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/onnx/safetensors.h"
#include "onnx_changes.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tfrt {
namespace {

using Bytes = std::span<const uint8_t>;

// The model lies in this folder, with a file that has no other byte than this one; files outside
// of it, which links in it lead to, have none of them (CMakeLists.txt).
constexpr const char* kModel = TFRT_ONNX_FOLDER "/model.onnx";
constexpr uint8_t kByteInside = 'i';

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void RequireError(const Status& status, std::string_view named) {
  Require(status.message().find(named) != std::string_view::npos, "an error says what is wrong");
}

// Looks at everything that a model has.
class ModelVisit {
 public:
  explicit ModelVisit(const onnx::Model& model)
      : file_(model.bytes.bytes()), external_files_(model.folder()) {
    See(model.producer_name);
    See(model.producer_version);
    for (const onnx::KeyValue& pair : model.metadata) See(pair);
    See(model.opsets);
    See(model.graph);
    for (const onnx::ModelFunction& function : model.functions) See(function);
  }

 private:
  void See(Bytes view) {
    // Views of nothing may be anywhere.
    Require(view.empty() || IsInFile(view), "views of a model lie in its file");
  }
  void See(std::string_view text) {
    See(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  void See(const onnx::KeyValue& pair) {
    See(pair.key);
    See(pair.value);
  }
  void See(const std::vector<onnx::OpsetId>& opsets) {
    for (const onnx::OpsetId& opset : opsets) See(opset.domain);
  }
  void See(const std::vector<std::string_view>& names) {
    for (std::string_view name : names) See(name);
  }

  void See(const onnx::TensorData& tensor) {
    See(tensor.name);
    if (tensor.raw) See(*tensor.raw);
    for (const onnx::KeyValue& pair : tensor.external) See(pair);
    for (Bytes run : tensor.numbers) See(run);
    StatusOr<onnx::Elements> elements = onnx::ReadElements(tensor, external_files_);
    if (!elements.ok()) return RequireError(elements.status(), tensor.name);
    StatusOr<int64_t> count = onnx::CountElements(tensor.name, tensor.dims);
    Require(count.ok() && elements->bytes.size() ==
                              static_cast<uint64_t>(*count) * DTypeSize(onnx::DTypeOf(tensor.type)),
            "a tensor has as many bytes as its shape says");
    if (!tensor.is_external) {
      if (!elements->owner) See(elements->bytes);
      return;
    }
    for (uint8_t byte : elements->bytes) {
      Require(byte == kByteInside, "nothing outside of the model's folder is read");
    }
  }

  void See(const onnx::ValueInfo& value) {
    See(value.name);
    if (!value.dims) return;
    for (const onnx::Dim& dim : *value.dims) See(dim.symbol);
  }

  void See(const onnx::Attribute& attribute) {
    See(attribute.name);
    See(attribute.ref);
    See(attribute.s);
    if (!attribute.large) return;
    See(attribute.large->strings);
    for (const onnx::TensorData& tensor : attribute.large->tensors) See(tensor);
    for (const onnx::Graph& graph : attribute.large->graphs) See(graph);
  }

  void See(const onnx::Node& node) {
    for (std::string_view name : {node.op, node.domain, node.name, node.overload}) See(name);
    See(node.inputs);
    See(node.outputs);
    for (const onnx::Attribute& attribute : node.attributes) {
      See(attribute);
      const onnx::Attribute* found = node.Find(attribute.name);
      Require(found && found->name == attribute.name, "attributes are found by their names");
    }
  }

  void See(const onnx::Graph& graph) {
    See(graph.name);
    for (const onnx::Node& node : graph.nodes) See(node);
    for (const onnx::TensorData& tensor : graph.initializers) See(tensor);
    for (const auto* values : {&graph.inputs, &graph.outputs}) {
      for (const onnx::ValueInfo& value : *values) See(value);
    }
  }

  void See(const onnx::ModelFunction& function) {
    for (std::string_view name : {function.domain, function.name, function.overload}) See(name);
    See(function.inputs);
    See(function.outputs);
    for (const onnx::Attribute& attribute : function.default_attributes) See(attribute);
    for (const onnx::Node& node : function.nodes) See(node);
    See(function.opsets);
  }

  bool IsInFile(Bytes view) const {
    return view.data() >= file_.data() && view.data() + view.size() <= file_.data() + file_.size();
  }

  Bytes file_;
  onnx::ExternalFiles external_files_;
};

void ReadModel(Bytes bytes) {
  StatusOr<onnx::Model> model = onnx::Model::FromBytes(FileBytes::CopyOf(bytes), kModel);
  if (!model.ok()) return RequireError(model.status(), "/model.onnx: offset ");
  ModelVisit visit(*model);
}

void ReadSafeTensors(Bytes bytes) {
  auto file = onnx::SafeTensors::FromBytes(FileBytes::CopyOf(bytes), "w.safetensors");
  if (!file.ok()) return RequireError(file.status(), "w.safetensors: ");
  for (const auto& [name, tensor] : file->tensors()) {
    Require(file->Find(name) == &tensor, "tensors are found by their names");
    StatusOr<int64_t> count = onnx::CountElements(name, tensor.dims);
    Require(count.ok() &&
                tensor.bytes.size() == static_cast<uint64_t>(*count) * DTypeSize(tensor.dtype),
            "a tensor has as many bytes as its shape says");
    // Read, for the address sanitizer.
    Require(std::vector<uint8_t>(tensor.bytes.begin(), tensor.bytes.end()).size() <= bytes.size(),
            "the bytes of a tensor lie in its file");
  }
}

}  // namespace
}  // namespace tfrt

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfrt::ReadModel({data, size});
  tfrt::ReadSafeTensors({data, size});
  return 0;
}

// Half of all changes leave a model's encoding as it is, so that they get past its first message.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  tfrt::OnnxRandom random(seed);
  if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string changed =
      tfrt::WithChangedFields({reinterpret_cast<const char*>(data), size}, {}, random);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
