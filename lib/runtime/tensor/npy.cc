#include "npy.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kAlignment = 64;  // of the elements in a file

// How a file spells a dtype: "<f4", "|b1".
std::string Descriptor(DType dtype) {
  const size_t size = DTypeSize(dtype);
  char kind;
  switch (ElementTypeOf(dtype).kind) {
    case NumberKind::kSigned:
      kind = 'i';
      break;
    case NumberKind::kUnsigned:
      kind = 'u';
      break;
    case NumberKind::kFloat:
      kind = 'f';
      break;
    case NumberKind::kComplex:
      kind = 'c';
      break;
    case NumberKind::kBool:
      kind = 'b';
      break;
    default:
      return "";
  }
  return StrCat(size == 1 ? "|" : "<", std::string_view(&kind, 1), size);
}

DType DTypeOfDescriptor(std::string_view text) {
  for (size_t code = 1; code < kNumElementTypes; ++code) {
    const std::string descriptor = Descriptor(static_cast<DType>(code));
    if (descriptor.empty()) continue;
    // The order of one byte may be any.
    const bool is_byte = descriptor[0] == '|';
    if (text == descriptor ||
        (is_byte && text.size() == 3 && text.substr(1) == descriptor.substr(1) &&
         std::string_view("<>=|").find(text[0]) != text.npos)) {
      return static_cast<DType>(code);
    }
  }
  return DType::kUnsupported;
}

// Reads the header, a Python dictionary of three entries.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> descriptor;
  std::optional<bool> fortran_order;
  std::optional<std::vector<int64_t>> shape;

  bool Parse() {
    if (!Take('{')) return false;
    while (!Take('}')) {
      std::string_view key;
      if (!String(&key) || !Take(':') || !Entry(key)) return false;
      if (!Take(',') && Peek() != '}') return false;
    }
    SkipSpace();
    return rest_.empty() && descriptor && fortran_order && shape;
  }

 private:
  bool Entry(std::string_view key) {
    if (key == "descr" && !descriptor) return String(&descriptor.emplace());
    if (key == "fortran_order" && !fortran_order) return Bool();
    return key == "shape" && !shape && Tuple();
  }
  bool Bool() {
    SkipSpace();
    for (bool value : {false, true}) {
      std::string_view text = value ? "True" : "False";
      if (!rest_.starts_with(text)) continue;
      rest_.remove_prefix(text.size());
      fortran_order = value;
      return true;
    }
    return false;
  }
  bool Tuple() {
    shape.emplace();
    if (!Take('(')) return false;
    while (!Take(')')) {
      int64_t dim;
      if (shape->size() >= TensorShape::kMaxRank || !Number(&dim)) return false;
      shape->push_back(dim);
      if (!Take(',') && Peek() != ')') return false;
    }
    return true;
  }
  bool Number(int64_t* number) {
    SkipSpace();
    size_t digits = 0;
    *number = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      if (__builtin_mul_overflow(*number, 10, number) ||
          __builtin_add_overflow(*number, rest_[digits] - '0', number)) {
        return false;
      }
    }
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  bool String(std::string_view* text) {
    SkipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const size_t end = rest_.find(rest_[0], 1);
    if (end == rest_.npos) return false;
    *text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }
  char Peek() {
    SkipSpace();
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void SkipSpace() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size()));
  }

  std::string_view rest_;
};

}  // namespace

StatusOr<DenseHostTensor> ReadNpy(std::span<const uint8_t> bytes, const std::string& name,
                                  HostAllocator* allocator) {
  auto error = [&](const auto&... pieces) {
    return InvalidArgumentError(StrCat("'", name, "' ", pieces...));
  };
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr size_t kPrefix = kMagic.size() + 2;
  if (text.size() < kPrefix || !text.starts_with(kMagic)) return error("is no NPY file");
  const int version = bytes[kMagic.size()];
  if (version < 1 || version > 3) return error("is an NPY file of unknown version ", version);
  const size_t length_size = version == 1 ? 2 : 4;
  if (text.size() < kPrefix + length_size) return error("is cut off in its header");
  size_t length = 0;
  for (size_t i = 0; i < length_size; ++i) length |= size_t{bytes[kPrefix + i]} << (8 * i);
  text.remove_prefix(kPrefix + length_size);
  if (length > text.size()) return error("is cut off in its header");
  HeaderParser header(text.substr(0, length));
  if (!header.Parse()) return error("has a header that cannot be read");
  text.remove_prefix(length);

  TensorMetadata metadata;
  metadata.dtype = DTypeOfDescriptor(*header.descriptor);
  if (metadata.dtype == DType::kUnsupported) {
    return error("has elements of the type '", *header.descriptor, "', which is not supported");
  }
  auto shape = TensorShape::Create(*header.shape);
  if (!shape.ok()) return error("has a shape that no tensor has: ", shape.status().message());
  metadata.shape = *std::move(shape);
  if (*header.fortran_order && metadata.shape.rank() > 1) {
    return error("is in Fortran order, which is not supported; numpy.ascontiguousarray changes it");
  }
  TFRT_ASSIGN_OR_RETURN(size_t size_bytes, DenseHostTensor::SizeBytes(metadata));
  if (size_bytes != text.size()) {
    return error("has ", text.size(), " bytes of elements, but ", DTypeName(metadata.dtype), " ",
                 metadata.shape.ToString(), " needs ", size_bytes);
  }
  if (metadata.dtype == DType::kI1) {
    auto bad = std::ranges::find_if(text, [](char c) { return static_cast<uint8_t>(c) > 1; });
    if (bad != text.end()) {
      return error("has an element of type bool that is neither 0 nor 1: number ",
                   bad - text.begin());
    }
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized(std::move(metadata), allocator));
  if (size_bytes > 0) std::memcpy(tensor.buffer()->data(), text.data(), size_bytes);
  return tensor;
}

StatusOr<DenseHostTensor> ReadNpyFile(const std::string& path, HostAllocator* allocator) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(path));
  return ReadNpy(bytes.bytes(), path, allocator);
}

Status WriteNpy(const DenseHostTensor& tensor, const ByteSink& sink) {
  const std::string descriptor = Descriptor(tensor.dtype());
  if (descriptor.empty()) {
    return InvalidArgumentError(
        StrCat("NPY files cannot hold elements of type ", DTypeName(tensor.dtype())));
  }
  std::string header = StrCat("{'descr': '", descriptor, "', 'fortran_order': False, 'shape': (");
  const ShapeDims dims = tensor.shape().dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    header += StrCat(dims[i], i + 1 < dims.size() ? ", " : dims.size() == 1 ? "," : "");
  }
  header += "), }";
  // Version 2 has room for what 255 dimensions may need.
  const char version = header.size() + kAlignment < 65536 ? 1 : 2;
  const size_t length_size = version == 1 ? 2 : 4;
  const size_t prefix = kMagic.size() + 2 + length_size;
  header.append(kAlignment - 1 - (prefix + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string start(kMagic);
  start += version;
  start += '\0';
  for (size_t i = 0; i < length_size; ++i) start += static_cast<char>(header.size() >> (8 * i));
  start += header;
  if (!sink(start.data(), start.size()) || !sink(tensor.data(), tensor.size_bytes())) {
    return DataLossError("failed to write NPY file");
  }
  return OkStatus();
}

Status WriteNpyFile(const std::string& path, const DenseHostTensor& tensor) {
  return WriteFile(path, [&](const ByteSink& sink) { return WriteNpy(tensor, sink); });
}

}  // namespace tfrt
