// Tensors of a file in the safetensors format (https://huggingface.co/docs/safetensors): a length,
// a JSON object that says where each tensor lies, and their bytes.
#ifndef TFRT_LIB_COMPILER_ONNX_SAFETENSORS_H_
#define TFRT_LIB_COMPILER_ONNX_SAFETENSORS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"

namespace tfrt::onnx {

struct SafeTensor {
  DType dtype;
  std::vector<int64_t> dims;
  std::span<const uint8_t> bytes;  // as many as dims and dtype need
};

// A mapped file; views are valid as long as this. Immutable.
class SafeTensors {
 public:
  // Opens a file. Errors begin with the path. They are the system's, InvalidArgument for a
  // violation of the format, Unimplemented for an element type that dense tensors do not have here.
  static StatusOr<SafeTensors> FromFile(const std::string& path);
  // The same of bytes. `name` is for errors.
  static StatusOr<SafeTensors> FromBytes(FileBytes bytes, const std::string& name);

  // Null if there is none.
  const SafeTensor* Find(std::string_view name) const;
  const std::map<std::string, SafeTensor, std::less<>>& tensors() const { return tensors_; }

 private:
  explicit SafeTensors(FileBytes bytes) : bytes_(std::move(bytes)) {}

  FileBytes bytes_;
  std::map<std::string, SafeTensor, std::less<>> tensors_;
};

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_SAFETENSORS_H_
