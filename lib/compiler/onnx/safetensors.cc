#include "safetensors.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "elements.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

using Json = nlohmann::json;

// The format's own reader has the same limit.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;
// Limits the nesting of arrays and objects: three levels are needed.
constexpr int kMaxDepth = 8;

DType DTypeNamed(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    DType dtype;
  } kNames[] = {{"BOOL", DType::kI1},  {"U8", DType::kUI8},    {"I8", DType::kI8},
                {"U16", DType::kUI16}, {"I16", DType::kI16},   {"U32", DType::kUI32},
                {"I32", DType::kI32},  {"U64", DType::kUI64},  {"I64", DType::kI64},
                {"F16", DType::kF16},  {"BF16", DType::kBF16}, {"F32", DType::kF32},
                {"F64", DType::kF64}};
  for (const auto& row : kNames) {
    if (row.name == name) return row.dtype;
  }
  return DType::kUnsupported;
}

// The number in `json`, which may be anything.
std::optional<uint64_t> NumberOf(const Json& json) {
  if (!json.is_number_unsigned()) return std::nullopt;
  return json.get<uint64_t>();
}

StatusOr<SafeTensor> ReadEntry(const std::string& name, const Json& entry,
                               std::span<const uint8_t> data) {
  auto wrong = [&](std::string_view what) {
    return InvalidArgumentError(StrCat("tensor '", name, "': ", what));
  };
  if (!entry.is_object()) return wrong("its entry is no object");
  auto dtype = entry.find("dtype"), shape = entry.find("shape"), place = entry.find("data_offsets");
  if (dtype == entry.end() || !dtype->is_string()) return wrong("there is no dtype");
  if (shape == entry.end() || !shape->is_array()) return wrong("there is no shape");
  if (place == entry.end() || !place->is_array() || place->size() != 2) {
    return wrong("there are no data_offsets");
  }
  SafeTensor tensor;
  const auto& dtype_name = dtype->get_ref<const std::string&>();
  tensor.dtype = DTypeNamed(dtype_name);
  if (tensor.dtype == DType::kUnsupported) {
    return UnimplementedError(
        StrCat("tensor '", name, "' is of ", dtype_name, ", which is not supported"));
  }
  for (const Json& dim : *shape) {
    std::optional<uint64_t> size = NumberOf(dim);
    if (!size || *size > INT64_MAX) return wrong("a size in its shape is no number of elements");
    tensor.dims.push_back(static_cast<int64_t>(*size));
  }
  TFRT_ASSIGN_OR_RETURN(int64_t count, CountElements(name, tensor.dims));
  std::optional<uint64_t> begin = NumberOf((*place)[0]), end = NumberOf((*place)[1]);
  if (!begin || !end || *begin > *end || *end > data.size()) {
    return wrong(StrCat("its data_offsets are outside of the ", data.size(), " bytes of data"));
  }
  tensor.bytes = data.subspan(*begin, *end - *begin);
  const size_t size = DTypeSize(tensor.dtype);
  if (tensor.bytes.size() % size != 0 ||
      tensor.bytes.size() / size != static_cast<uint64_t>(count)) {
    return wrong(StrCat("it has ", tensor.bytes.size(), " bytes of data, but needs ", count,
                        " elements of ", size));
  }
  return tensor;
}

}  // namespace

StatusOr<SafeTensors> SafeTensors::FromFile(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(path));
  return FromBytes(std::move(bytes), path);
}

StatusOr<SafeTensors> SafeTensors::FromBytes(FileBytes file, const std::string& name) {
  SafeTensors result(std::move(file));
  std::span<const uint8_t> bytes = result.bytes_.bytes();
  auto wrong = [&](std::string_view what) {
    return InvalidArgumentError(StrCat(name, ": ", what));
  };
  uint64_t header_size = 0;
  if (bytes.size() < sizeof(header_size)) return wrong("the file is shorter than its first number");
  std::memcpy(&header_size, bytes.data(), sizeof(header_size));
  bytes = bytes.subspan(sizeof(header_size));
  if (header_size > bytes.size() || header_size > kMaxHeaderBytes) {
    return wrong(
        StrCat("the header is said to have ", header_size, " bytes, but there are ", bytes.size()));
  }
  std::span<const uint8_t> header = bytes.first(header_size), data = bytes.subspan(header_size);
  bool too_deep = false;
  auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kMaxDepth;
    return !too_deep;
  };
  Json json = Json::parse(header.begin(), header.end(), check_depth, /*allow_exceptions=*/false);
  if (json.is_discarded() || too_deep || !json.is_object()) {
    return wrong("the header is no JSON object");
  }
  for (const auto& [key, entry] : json.items()) {
    if (key == "__metadata__") continue;
    StatusOr<SafeTensor> tensor = ReadEntry(key, entry, data);
    if (!tensor.ok()) {
      return Status(tensor.status().code(), StrCat(name, ": ", tensor.status().message()));
    }
    result.tensors_.emplace(key, *std::move(tensor));
  }
  return result;
}

const SafeTensor* SafeTensors::Find(std::string_view name) const {
  auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace tfrt::onnx
