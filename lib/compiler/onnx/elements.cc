#include "elements.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <protozero/varint.hpp>
#include <system_error>
#include <utility>

#include "narrow_types.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

struct TypeRow {
  const char* name;
  DType dtype;
};

// By number. Types that have no dtype are stored as others (narrow_types.h).
constexpr TypeRow kTypes[] = {
    {"UNDEFINED", DType::kUnsupported},
    {"FLOAT", DType::kF32},
    {"UINT8", DType::kUI8},
    {"INT8", DType::kI8},
    {"UINT16", DType::kUI16},
    {"INT16", DType::kI16},
    {"INT32", DType::kI32},
    {"INT64", DType::kI64},
    {"STRING", DType::kUnsupported},
    {"BOOL", DType::kI1},
    {"FLOAT16", DType::kF16},
    {"DOUBLE", DType::kF64},
    {"UINT32", DType::kUI32},
    {"UINT64", DType::kUI64},
    {"COMPLEX64", DType::kComplex64},
    {"COMPLEX128", DType::kComplex128},
    {"BFLOAT16", DType::kBF16},
    {"FLOAT8E4M3FN", DType::kF16},
    {"FLOAT8E4M3FNUZ", DType::kF16},
    {"FLOAT8E5M2", DType::kF16},
    {"FLOAT8E5M2FNUZ", DType::kF16},
    {"UINT4", DType::kUI8},
    {"INT4", DType::kI8},
    {"FLOAT4E2M1", DType::kF16},
    {"FLOAT8E8M0", DType::kF32},
    {"UINT2", DType::kUI8},
    {"INT2", DType::kI8},
    {"FLOAT6E2M3", DType::kUnsupported},
    {"FLOAT6E3M2", DType::kUnsupported},
};

const TypeRow* RowOf(DataType type) {
  auto number = static_cast<size_t>(type);
  return number < std::size(kTypes) ? &kTypes[number] : nullptr;
}

// Fields of TensorProto that have numbers.
constexpr uint32_t kFloatData = 4;
constexpr uint32_t kInt32Data = 5;
constexpr uint32_t kInt64Data = 7;
constexpr uint32_t kDoubleData = 10;
constexpr uint32_t kUint64Data = 11;

// The field that numbers of a type are in when they are not raw.
uint32_t FieldOf(DType dtype) {
  switch (dtype) {
    case DType::kF32:
    case DType::kComplex64:
      return kFloatData;
    case DType::kF64:
    case DType::kComplex128:
      return kDoubleData;
    case DType::kI64:
      return kInt64Data;
    case DType::kUI32:
    case DType::kUI64:
      return kUint64Data;
    default:
      return kInt32Data;
  }
}

bool IsFixed(uint32_t field) { return field == kFloatData || field == kDoubleData; }

std::string Named(const TensorData& tensor) { return StrCat("tensor '", tensor.name, "'"); }

// Each as wide as the type: the low bytes, if the others only repeat the sign or are zero. 16-bit
// floats are given by their bits.
template <typename T>
bool AppendNarrow(uint64_t varint, std::vector<uint8_t>& out) {
  auto wide = static_cast<int64_t>(varint);
  auto narrow = static_cast<T>(varint);
  if constexpr (sizeof(T) < 8) {
    if (wide < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
        wide > static_cast<int64_t>(std::numeric_limits<T>::max())) {
      return false;
    }
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(&narrow);
  out.insert(out.end(), bytes, bytes + sizeof(T));
  return true;
}

bool Append(DType dtype, uint64_t varint, std::vector<uint8_t>& out) {
  switch (dtype) {
    case DType::kI1:
      if (varint > 1) return false;
      out.push_back(static_cast<uint8_t>(varint));
      return true;
    case DType::kUI8:
      return AppendNarrow<uint8_t>(varint, out);
    case DType::kI8:
      return AppendNarrow<int8_t>(varint, out);
    case DType::kUI16:
    case DType::kF16:
    case DType::kBF16:
      return AppendNarrow<uint16_t>(varint, out);
    case DType::kI16:
      return AppendNarrow<int16_t>(varint, out);
    case DType::kI32:
      return AppendNarrow<int32_t>(varint, out);
    case DType::kUI32:
      return AppendNarrow<uint32_t>(varint, out);
    case DType::kI64:
    case DType::kUI64:
      return AppendNarrow<uint64_t>(varint, out);
    default:
      return false;
  }
}

Elements Own(std::vector<uint8_t> bytes) {
  auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  return {*owner, owner};
}

StatusOr<Elements> DecodeVarints(const TensorData& tensor, DType dtype) {
  std::vector<uint8_t> out;
  for (std::span<const uint8_t> run : tensor.numbers) {
    const char* at = reinterpret_cast<const char*>(run.data());
    const char* const end = at + run.size();
    while (at != end) {
      uint64_t varint = 0;
      try {
        varint = protozero::decode_varint(&at, end);
      } catch (const protozero::exception& wrong) {
        return InvalidArgumentError(StrCat(Named(tensor), ": ", wrong.what()));
      }
      if (!Append(dtype, varint, out)) {
        return InvalidArgumentError(StrCat(Named(tensor), ": ", static_cast<int64_t>(varint),
                                           " is no ", DataTypeName(tensor.type)));
      }
    }
  }
  return Own(std::move(out));
}

Elements Joined(const TensorData& tensor) {
  if (tensor.numbers.size() == 1) return {tensor.numbers[0], nullptr};
  std::vector<uint8_t> out;
  for (std::span<const uint8_t> run : tensor.numbers) out.insert(out.end(), run.begin(), run.end());
  return Own(std::move(out));
}

StatusOr<std::optional<uint64_t>> NumberIn(const TensorData& tensor, std::string_view key) {
  for (const KeyValue& entry : tensor.external) {
    if (entry.key != key) continue;
    uint64_t value = 0;
    const char* end = entry.value.data() + entry.value.size();
    auto [at, error] = std::from_chars(entry.value.data(), end, value);  // NOLINT: up to `end`
    if (error != std::errc() || at != end) {
      return InvalidArgumentError(StrCat("external data of '", tensor.name, "': ", key, " is '",
                                         entry.value, "', expected a number of bytes"));
    }
    return std::optional(value);
  }
  return std::optional<uint64_t>();
}

bool LiesIn(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path inside = file.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

// Whether a path in a model's folder, CACHE/snapshots/..., leads by links to `file`, in
// CACHE/blobs: so hubs keep what they download. File and folder have no links in them.
bool IsLinkIntoCache(const std::filesystem::path& path, const std::filesystem::path& file,
                     const std::filesystem::path& folder) {
  // `link/../name` is not where it seems to be.
  if (path.is_absolute() || std::ranges::find(path, std::filesystem::path("..")) != path.end())
    return false;
  for (std::filesystem::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == "snapshots") return LiesIn(file, at.parent_path() / "blobs");
  }
  return false;
}

StatusOr<Elements> ReadExternal(const TensorData& tensor, ExternalFiles& files) {
  std::string_view location;
  for (const KeyValue& entry : tensor.external) {
    if (entry.key == "location") location = entry.value;
  }
  auto named = [&](const Status& status) {
    return Status(status.code(),
                  StrCat("external data of '", tensor.name, "': ", status.message()));
  };
  if (location.empty()) return named(InvalidArgumentError("there is no location"));
  TFRT_ASSIGN_OR_RETURN(std::optional<uint64_t> offset, NumberIn(tensor, "offset"));
  TFRT_ASSIGN_OR_RETURN(std::optional<uint64_t> length, NumberIn(tensor, "length"));
  StatusOr<Elements> elements = files.Read(location, offset.value_or(0), length);
  if (!elements.ok()) return named(elements.status());
  return elements;
}

// Elements of so many bits as a file has them in the form in which they are stored here.
StatusOr<Elements> Widened(const TensorData& tensor, const NarrowType& type, const Elements& packed,
                           size_t count) {
  const size_t in_byte = 8 / static_cast<size_t>(type.bits);
  const size_t needed = count / in_byte + (count % in_byte != 0 ? 1 : 0);
  if (packed.bytes.size() != needed) {
    return InvalidArgumentError(StrCat(Named(tensor), " has ", packed.bytes.size(),
                                       " bytes of data, but ", count, " elements of ",
                                       DataTypeName(type.type), " have ", needed));
  }
  return Own(WidenElements(type, packed.bytes, count));
}

}  // namespace

std::string DataTypeName(DataType type) {
  const TypeRow* row = RowOf(type);
  return row ? std::string(row->name) : StrCat("type ", static_cast<int32_t>(type));
}

DType DTypeOf(DataType type) {
  const TypeRow* row = RowOf(type);
  return row ? row->dtype : DType::kUnsupported;
}

StatusOr<int64_t> CountElements(std::string_view tensor_name, std::span<const int64_t> dims) {
  int64_t count = 1;
  bool overflows = false;
  for (int64_t dim : dims) {
    if (dim < 0) {
      return InvalidArgumentError(StrCat("tensor '", tensor_name, "' has the size ", dim));
    }
    overflows |= __builtin_mul_overflow(count, dim, &count);
  }
  // A size of 0 makes it empty, whatever the others are.
  for (int64_t dim : dims) {
    if (dim == 0) return 0;
  }
  if (overflows) {
    return InvalidArgumentError(
        StrCat("tensor '", tensor_name, "' has more elements than can be counted"));
  }
  return count;
}

StatusOr<Elements> ExternalFiles::Read(std::string_view path, uint64_t offset,
                                       std::optional<uint64_t> length) {
  namespace fs = std::filesystem;
  auto found = files_.find(path);
  if (found == files_.end()) {
    std::error_code error;
    fs::path folder = fs::canonical(folder_, error);
    if (error) return NotFoundError(StrCat("the model's folder ", folder_, ": ", error.message()));
    // Links are followed before it is decided where the file is. If a part of the path is missing
    // they are not, so nothing is opened then: `missing/../link` would be the link.
    fs::path file = fs::canonical(folder / fs::path(path), error);
    if (error) file = (folder / fs::path(path)).lexically_normal();
    if (fs::path(path).is_absolute() || !LiesIn(file, folder)) {
      const bool is_cached = IsLinkIntoCache(fs::path(path), file, folder);
      if (!is_cached || !follow_cache_links_) {
        return InvalidArgumentError(
            StrCat("the path '", path, "' leaves the model's folder",
                   is_cached ? " for the blobs of its cache: the option --follow-cache-links "
                               "(Python: follow_cache_links) allows it"
                             : ""));
      }
    }
    if (error) return NotFoundError(StrCat("the file '", path, "': ", error.message()));
    // Opening a pipe would wait for who writes to it.
    if (!fs::is_regular_file(file, error)) {
      return InvalidArgumentError(StrCat("'", path, "' is no regular file"));
    }
    TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(file.string()));
    found = files_.emplace(std::string(path), std::make_shared<const FileBytes>(std::move(bytes)))
                .first;
  }
  std::span<const uint8_t> bytes = found->second->bytes();
  if (offset > bytes.size() || length.value_or(0) > bytes.size() - offset) {
    return InvalidArgumentError(StrCat("the file '", path, "' has ", bytes.size(),
                                       " bytes, but those from ", offset, " on are needed",
                                       length ? StrCat(", ", *length, " of them") : ""));
  }
  bytes = length ? bytes.subspan(offset, *length) : bytes.subspan(offset);
  return Elements{bytes, found->second};
}

StatusOr<Elements> ReadElements(const TensorData& tensor, ExternalFiles& files) {
  const DType dtype = DTypeOf(tensor.type);
  if (dtype == DType::kUnsupported) {
    return UnimplementedError(
        StrCat(Named(tensor), " is of ", DataTypeName(tensor.type), ", which is not supported"));
  }
  if (tensor.is_segment) {
    return UnimplementedError(StrCat(Named(tensor), " is a segment of a tensor"));
  }
  TFRT_ASSIGN_OR_RETURN(int64_t count, CountElements(tensor.name, tensor.dims));
  const NarrowType* const narrow = FindNarrowType(tensor.type);
  const uint32_t field = narrow ? kInt32Data : FieldOf(dtype);
  Elements elements;
  if (tensor.is_external) {
    TFRT_ASSIGN_OR_RETURN(elements, ReadExternal(tensor, files));
  } else if (tensor.raw) {
    elements.bytes = *tensor.raw;
  } else if (tensor.numbers_field != 0) {
    if (tensor.numbers_field != field) {
      return InvalidArgumentError(StrCat(Named(tensor), " is of ", DataTypeName(tensor.type),
                                         ", but its elements are in field ", tensor.numbers_field,
                                         ", expected ", field));
    }
    if (IsFixed(tensor.numbers_field)) {
      elements = Joined(tensor);
    } else {
      // Each number is a byte of a narrow type's bits.
      TFRT_ASSIGN_OR_RETURN(elements, DecodeVarints(tensor, narrow ? DType::kUI8 : dtype));
    }
  }
  if (narrow) return Widened(tensor, *narrow, elements, static_cast<size_t>(count));
  const size_t size = DTypeSize(dtype);
  if (elements.bytes.size() % size != 0 ||
      elements.bytes.size() / size != static_cast<uint64_t>(count)) {
    std::string shape;
    for (int64_t dim : tensor.dims) shape += StrCat(shape.empty() ? "" : ",", dim);
    return InvalidArgumentError(StrCat(
        Named(tensor), " has ", elements.bytes.size(), " bytes of data, but its shape [", shape,
        "] of ", DTypeName(dtype), " needs ", static_cast<uint64_t>(count), " elements of ", size));
  }
  return elements;
}

}  // namespace tfrt::onnx
