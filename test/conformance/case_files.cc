#include "case_files.h"

#include <sys/stat.h>

#include <cstring>
#include <utility>

#include "lib/compiler/onnx/elements.h"
#include "lib/compiler/onnx/model.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::conformance {
namespace {

bool Exists(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0;
}

void AppendVarint(uint64_t value, std::vector<uint8_t>& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
  bytes.push_back(static_cast<uint8_t>(value));
}

// A field of a message that is a message itself.
std::vector<uint8_t> Field(uint32_t number, std::span<const uint8_t> message) {
  std::vector<uint8_t> bytes;
  AppendVarint(number << 3 | 2, bytes);
  AppendVarint(message.size(), bytes);
  bytes.insert(bytes.end(), message.begin(), message.end());
  return bytes;
}

// Long as the program, as tensors may be.
HostAllocator* Allocator() {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  return allocator;
}

}  // namespace

StatusOr<DataTensor> ReadTensor(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(FileBytes file, FileBytes::FromFile(path));
  if (file.bytes().empty()) return UnimplementedError("a value of the data is no tensor");
  // The reader knows models: one with a graph that has the tensor as its initialiser.
  std::vector<uint8_t> model_bytes = Field(7, Field(5, file.bytes()));
  TFRT_ASSIGN_OR_RETURN(onnx::Model model,
                        onnx::Model::FromBytes(FileBytes::CopyOf(model_bytes), path));
  const onnx::TensorData& data = model.graph.initializers[0];
  onnx::ExternalFiles no_files(".");
  TFRT_ASSIGN_OR_RETURN(onnx::Elements elements, onnx::ReadElements(data, no_files));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(data.dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized(
                            {onnx::DTypeOf(data.type), std::move(shape)}, Allocator()));
  TFRT_ASSIGN_OR_RETURN(void* to, tensor.MutableData());
  if (!elements.bytes.empty()) std::memcpy(to, elements.bytes.data(), elements.bytes.size());
  return DataTensor{std::string(data.name), std::move(tensor)};
}

std::vector<std::string> DataSetsOf(const std::string& case_folder) {
  std::vector<std::string> folders;
  for (int i = 0;; ++i) {
    std::string folder = StrCat(case_folder, "/test_data_set_", i);
    if (!Exists(folder)) return folders;
    folders.push_back(std::move(folder));
  }
}

StatusOr<DataSet> ReadDataSet(const std::string& folder) {
  DataSet set;
  for (auto [kind, tensors] :
       {std::pair("input", &set.inputs), std::pair("output", &set.outputs)}) {
    for (int i = 0;; ++i) {
      std::string path = StrCat(folder, "/", kind, "_", i, ".pb");
      if (!Exists(path)) break;
      TFRT_ASSIGN_OR_RETURN(DataTensor tensor, ReadTensor(path));
      tensors->push_back(std::move(tensor));
    }
  }
  return set;
}

}  // namespace tfrt::conformance
