// The elements of an ONNX tensor as bytes: row-major, little-endian, as tensors of the runtime have
// them.
#ifndef TFRT_LIB_COMPILER_ONNX_ELEMENTS_H_
#define TFRT_LIB_COMPILER_ONNX_ELEMENTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"

namespace tfrt::onnx {

// As messages and ONNX's own documents call it: "FLOAT", "INT64", ...; "type 77" for others.
std::string DataTypeName(DataType type);
// Returns the dtype in which elements of a type are stored. For most it is the same type, for
// narrow ones a wider one (narrow_types.h). It is kUnsupported for types that have no elements in
// dense tensors here, texts among them.
DType DTypeOf(DataType type);

// Bytes, and what keeps them alive: nothing if they lie in the model's file.
struct Elements {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
};

// Files beside a model that hold elements of its tensors. Mapped once each, for as long as this or
// what it gave lives. Not thread-safe.
class ExternalFiles {
 public:
  // Opens only files in `folder`, the folder of the model, wherever paths and links lead. With
  // `follow_cache_links` it also opens files outside that a link in the folder leads to. For that
  // the folder must be in a cache of downloads, CACHE/snapshots/..., and the files in CACHE/blobs.
  // Paths of the model still may not leave the folder: only links in it are trusted.
  explicit ExternalFiles(std::string folder, bool follow_cache_links = false)
      : folder_(std::move(folder)), follow_cache_links_(follow_cache_links) {}

  // Bytes of a file. InvalidArgument for a path that leaves the folder and for bytes that the file
  // does not have; the system's errors.
  StatusOr<Elements> Read(std::string_view path, uint64_t offset, std::optional<uint64_t> length);

 private:
  std::string folder_;
  bool follow_cache_links_;
  std::map<std::string, std::shared_ptr<const FileBytes>, std::less<>> files_;
};

// Returns the tensor's elements, wherever they are stored; as many as its dims say. They are views
// where the file has them in the needed form. InvalidArgument, with the tensor's name, for negative
// dims and products that overflow, and for a number of elements other than that of the dims.
// InvalidArgument also for numbers that do not fit the type, and for the errors of `files`.
// Unimplemented for types without a DType.
StatusOr<Elements> ReadElements(const TensorData& tensor, ExternalFiles& files);

// The product of the dims. InvalidArgument for a negative one, and if it does not fit.
StatusOr<int64_t> CountElements(std::string_view tensor_name, std::span<const int64_t> dims);

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_ELEMENTS_H_
