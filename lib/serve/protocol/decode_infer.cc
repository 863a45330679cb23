#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "infer_body.h"
#include "lib/serve/protocol/data_types.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

namespace dom = simdjson::dom;
using Type = dom::element_type;

// Deeper than any tensor of a body that is not hostile.
constexpr size_t kMaxDepth = 32;
// The parser takes up to 15 times as much memory.
constexpr size_t kMaxJsonBytes = size_t{64} << 20;
// Bodies of requests that are parsed where others wait meanwhile.
constexpr size_t kMaxShortBytes = size_t{64} << 10;
// Parsers keep their memory for the next body of the thread, up to this size of a body.
constexpr size_t kMaxKeptBytes = size_t{1} << 20;

// A JSON document; parses into memory of the thread, one document at a time.
class Document {
 public:
  explicit Document(std::span<const std::byte> text)
      : padded_(reinterpret_cast<const char*>(text.data()), text.size()) {}
  ~Document() {
    if (padded_.size() > kMaxKeptBytes) Parser() = dom::parser();
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  StatusOr<dom::object> Parse() {
    if (padded_.size() > 0 && !padded_.data()) {
      return ResourceExhaustedError("no memory to copy the JSON");
    }
    dom::parser& parser = Parser();
    if (parser.max_depth() != kMaxDepth &&
        parser.allocate(padded_.size(), kMaxDepth) != simdjson::SUCCESS) {
      return ResourceExhaustedError("no memory to parse the JSON");
    }
    dom::element element;
    simdjson::error_code error = parser.parse(padded_).get(element);
    if (error == simdjson::DEPTH_ERROR) {
      return InvalidArgumentError(StrCat("the JSON has more than ", kMaxDepth, " levels"));
    }
    if (error != simdjson::SUCCESS) {
      return InvalidArgumentError(
          StrCat("the JSON cannot be parsed: ", simdjson::error_message(error)));
    }
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      return InvalidArgumentError("the JSON is no object");
    }
    return object;
  }

 private:
  static dom::parser& Parser() {
    static thread_local dom::parser parser;
    return parser;
  }
  simdjson::padded_string padded_;
};

Status CheckShort(std::span<const std::byte> body) {
  if (body.size() <= kMaxShortBytes) return OkStatus();
  return InvalidArgumentError(StrCat("the body has ", body.size(), " bytes, but may have ",
                                     kMaxShortBytes, ": it brings no models"));
}

Status Error(std::string_view where, std::string_view what) {
  return InvalidArgumentError(StrCat(where, " ", what));
}

StatusOr<std::string_view> TextOf(dom::element element, std::string_view where) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) return Error(where, "is no string");
  return text;
}
StatusOr<bool> BoolOf(dom::element element, std::string_view where) {
  bool value = false;
  if (element.get(value) != simdjson::SUCCESS) return Error(where, "is neither true nor false");
  return value;
}
StatusOr<uint64_t> CountOf(dom::element element, std::string_view where) {
  uint64_t count = 0;
  if (element.get(count) != simdjson::SUCCESS) return Error(where, "is no integer from 0");
  return count;
}
StatusOr<dom::object> ObjectOf(dom::element element, std::string_view where) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return Error(where, "is no object");
  return object;
}
StatusOr<dom::array> ArrayOf(dom::element element, std::string_view where) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS) return Error(where, "is no array");
  return array;
}

// One number as an element. False if it has no such value. Clients whose only numbers are of
// floating point write 1 as 1.0, also for integers and BOOL.
template <typename T>
bool Convert(dom::element element, T* out) {
  if constexpr (std::is_integral_v<T>) {
    if (element.type() == Type::DOUBLE) {
      const double number = element.get_double().value_unsafe();
      constexpr int kBits = std::numeric_limits<T>::digits;
      // Exact bounds: 2^kBits may be beyond T's largest value, and is a double.
      const double end = std::ldexp(1.0, kBits);
      if (!(number < end) || number < (std::is_signed_v<T> ? -end : 0.0)) return false;
      *out = static_cast<T>(number);
      return std::trunc(number) == number;
    }
  }
  if constexpr (std::is_same_v<T, bool>) {
    if (element.type() == Type::BOOL) {
      *out = element.get_bool().value_unsafe();
      return true;
    }
    int64_t number = 0;
    if (element.type() != Type::INT64 || element.get(number) != simdjson::SUCCESS) return false;
    *out = number != 0;
    return number == 0 || number == 1;
  } else if constexpr (std::is_integral_v<T>) {
    if (element.type() == Type::INT64) {
      const int64_t number = element.get_int64().value_unsafe();
      *out = static_cast<T>(number);
      return std::in_range<T>(number);
    }
    if (element.type() != Type::UINT64) return false;
    const uint64_t number = element.get_uint64().value_unsafe();
    *out = static_cast<T>(number);
    return std::in_range<T>(number);
  } else {
    double number = 0;
    if (element.type() == Type::DOUBLE) {
      number = element.get_double().value_unsafe();
    } else if (element.type() == Type::INT64) {
      number = static_cast<double>(element.get_int64().value_unsafe());
    } else if (element.type() == Type::UINT64) {
      number = static_cast<double>(element.get_uint64().value_unsafe());
    } else {
      return false;
    }
    if constexpr (std::is_same_v<T, float>) {
      // Numbers nearer to the largest one than to the next power of 2 are rounded to it. Its
      // shortest digits are such a number.
      if (std::abs(number) >= 0x1.ffffffp127) return false;
    }
    *out = T(number);
    return std::isfinite(static_cast<double>(static_cast<float>(*out))) ||
           std::is_same_v<T, double>;
  }
}

// Copies the elements of "data", which is flat or nested as the shape is.
template <typename T>
class Filler {
 public:
  Filler(std::string_view where, DType dtype, const ShapeDims& dims, T* begin, int64_t size)
      : where_(where), dtype_(dtype), dims_(dims), next_(begin), size_(size) {}

  Status Fill(dom::array array) {
    TFRT_RETURN_IF_ERROR(FillPart(array, 0));
    return count_ == size_ ? OkStatus() : CountError(StrCat(count_));
  }

 private:
  Status CountError(const std::string& count) const {
    return Error(where_, StrCat("has ", count, " elements of data, but its shape has ", size_));
  }
  Status FillPart(dom::array array, size_t depth) {
    bool is_nested = false;
    int64_t size = 0;
    for (dom::element element : array) {
      const bool is_array = element.type() == Type::ARRAY;
      if (size++ == 0) is_nested = is_array;
      if (is_array != is_nested) return Error(where_, "has numbers beside arrays in its data");
      if (is_array) {
        if (depth + 1 >= dims_.size()) return Error(where_, "has data deeper than its shape");
        TFRT_RETURN_IF_ERROR(FillPart(element.get_array().value_unsafe(), depth + 1));
        continue;
      }
      if (count_ == size_) return CountError("more");
      if (!Convert<T>(element, &next_[count_])) {
        return Error(where_, StrCat("has an element ", count_, " of data that is no ",
                                    DataTypeName(dtype_)));
      }
      ++count_;
    }
    // A flat array stands for any shape.
    const bool is_flat = depth == 0 && !is_nested;
    if (!is_flat && (!is_nested && depth + 1 != dims_.size())) {
      return Error(where_, "has data that is not nested as its shape");
    }
    if (!is_flat && size != dims_[depth]) {
      return Error(where_, StrCat("has ", size, " parts of data in dimension ", depth,
                                  ", but its shape has ", dims_[depth]));
    }
    return OkStatus();
  }

  std::string_view where_;
  DType dtype_;
  const ShapeDims& dims_;
  T* next_;
  int64_t size_;
  int64_t count_ = 0;
};

StatusOr<TensorShape> ShapeOf(dom::element element, std::string_view where) {
  TFRT_ASSIGN_OR_RETURN(dom::array array, ArrayOf(element, StrCat(where, ": shape")));
  std::vector<int64_t> sizes;
  for (dom::element size : array) {
    TFRT_ASSIGN_OR_RETURN(uint64_t count, CountOf(size, StrCat(where, ": a size of shape")));
    if (count > INT64_MAX) return Error(where, "has a size of shape above 2^63 - 1");
    if (sizes.size() == TensorShape::kMaxRank) return Error(where, "has too many sizes of shape");
    sizes.push_back(static_cast<int64_t>(count));
  }
  StatusOr<TensorShape> shape = TensorShape::Create(sizes);
  if (!shape.ok()) return Error(where, StrCat("has no shape: ", shape.status().message()));
  return shape;
}

// Reads one request. Each function reads the members of an object. Members that are null count as
// missing: generated clients send them, and KServe's has `"data":null` for tensors without
// elements.
class Reader {
 public:
  Reader(size_t json_size, std::span<const std::byte> binary, std::shared_ptr<const void> owner,
         HostAllocator* allocator, const SharedRegions* regions, InferBody* body)
      : json_size_(json_size),
        binary_(binary),
        owner_(std::move(owner)),
        allocator_(allocator),
        regions_(regions),
        body_(body) {}

  Status Request(dom::object object) {
    std::optional<dom::array> inputs, outputs;
    for (const auto& [key, value] : object) {
      if (value.is_null()) continue;
      if (key == "id") {
        TFRT_ASSIGN_OR_RETURN(std::string_view id, TextOf(value, "id"));
        body_->id = std::string(id);
      } else if (key == "parameters") {
        TFRT_RETURN_IF_ERROR(Parameters(value));
      } else if (key == "inputs") {
        if (inputs) return Error("inputs", "occurs twice");
        TFRT_ASSIGN_OR_RETURN(inputs, ArrayOf(value, "inputs"));
      } else if (key == "outputs") {
        if (outputs) return Error("outputs", "occurs twice");
        TFRT_ASSIGN_OR_RETURN(outputs, ArrayOf(value, "outputs"));
      }
    }
    if (!inputs) return InvalidArgumentError("the request has no inputs");
    for (dom::element input : *inputs) TFRT_RETURN_IF_ERROR(Input(input));
    if (!binary_.empty()) {
      return InvalidArgumentError(
          StrCat("the body has ", binary_.size(), " bytes more than the inputs' binary_data_size"));
    }
    if (!outputs) return OkStatus();
    for (dom::element output : *outputs) TFRT_RETURN_IF_ERROR(Output(output));
    return OkStatus();
  }

 private:
  Status Parameters(dom::element element) {
    TFRT_ASSIGN_OR_RETURN(dom::object parameters, ObjectOf(element, "parameters"));
    for (const auto& [key, value] : parameters) {
      if (value.is_null()) continue;
      if (key == "binary_data_output") {
        TFRT_ASSIGN_OR_RETURN(body_->binary_by_default, BoolOf(value, "binary_data_output"));
      } else if (key == "timeout") {
        TFRT_ASSIGN_OR_RETURN(uint64_t timeout, CountOf(value, "timeout"));
        constexpr uint64_t kDay = uint64_t{24} * 3600 * 1000 * 1000;
        if (timeout > 0) body_->timeout = std::chrono::microseconds(std::min(timeout, kDay));
      } else if (key.starts_with("sequence_")) {
        // A zero or false is what clients send for requests of no sequence.
        if (value.type() == Type::BOOL && !value.get_bool().value_unsafe()) continue;
        if (value.type() == Type::INT64 && value.get_int64().value_unsafe() == 0) continue;
        if (value.type() == Type::STRING && value.get_string().value_unsafe().empty()) continue;
        return UnimplementedError("sequences of requests are not supported");
      }
    }
    return OkStatus();
  }

  struct TensorParts {
    std::string_view name, datatype;
    std::optional<dom::element> shape, data;
    std::optional<uint64_t> binary_size;
    RegionParameters region;
  };

  // Reads a parameter whose name begins with "shared_memory_".
  Status RegionParameter(std::string_view name, dom::element value, RegionParameters* region) {
    TFRT_RETURN_IF_ERROR(CheckHasRegions(regions_));
    if (name == "shared_memory_region") {
      TFRT_ASSIGN_OR_RETURN(std::string_view text, TextOf(value, name));
      region->region = std::string(text);
    } else if (name == "shared_memory_byte_size") {
      TFRT_ASSIGN_OR_RETURN(region->size_bytes, CountOf(value, name));
    } else if (name == "shared_memory_offset") {
      TFRT_ASSIGN_OR_RETURN(region->offset, CountOf(value, name));
    }
    return OkStatus();
  }
  static Status At(const std::string& where, const Status& status) {
    return Status(status.code(), StrCat(where, ": ", status.message()));
  }

  Status Input(dom::element element) {
    TensorParts parts;
    TFRT_ASSIGN_OR_RETURN(dom::object object, ObjectOf(element, "an input"));
    for (const auto& [key, value] : object) {
      if (value.is_null()) continue;
      if (key == "name") {
        TFRT_ASSIGN_OR_RETURN(parts.name, TextOf(value, "the name of an input"));
      } else if (key == "datatype") {
        TFRT_ASSIGN_OR_RETURN(parts.datatype, TextOf(value, "the datatype of an input"));
      } else if (key == "shape") {
        parts.shape = value;
      } else if (key == "data") {
        parts.data = value;
      } else if (key == "parameters") {
        TFRT_ASSIGN_OR_RETURN(dom::object parameters, ObjectOf(value, "parameters of an input"));
        for (const auto& [name, parameter] : parameters) {
          if (name == "binary_data_size") {
            TFRT_ASSIGN_OR_RETURN(parts.binary_size, CountOf(parameter, "binary_data_size"));
          } else if (name.starts_with("shared_memory_")) {
            TFRT_RETURN_IF_ERROR(RegionParameter(name, parameter, &parts.region));
          }
        }
      }
    }
    if (parts.name.empty()) return InvalidArgumentError("an input has no name");
    const std::string where = StrCat("input ", parts.name);
    const DType dtype = DataTypeFromName(parts.datatype);
    if (dtype == DType::kUnsupported) {
      return Error(where, StrCat("has the datatype '", parts.datatype, "', which is unknown"));
    }
    if (dtype == DType::kString) {
      return UnimplementedError(StrCat(where, " is BYTES: no model of this server takes text"));
    }
    if (!parts.shape) return Error(where, "has no shape");
    TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeOf(*parts.shape, where));
    const TensorMetadata metadata{dtype, std::move(shape)};
    if (parts.region) {
      if (parts.data || parts.binary_size) {
        return Error(where, "has data beside its place in shared memory");
      }
      return Shared(parts, metadata, where);
    }
    if (parts.binary_size) {
      if (parts.data) return Error(where, "has both data and binary_data_size");
      return Binary(parts, metadata, where);
    }
    if (!parts.data) return Error(where, "has no data");
    TFRT_ASSIGN_OR_RETURN(dom::array data, ArrayOf(*parts.data, StrCat(where, ": data")));
    return Numbers(parts, metadata, data, where);
  }

  Status Numbers(const TensorParts& parts, const TensorMetadata& metadata, dom::array data,
                 const std::string& where) {
    const int64_t size = metadata.shape.num_elements();
    // Each element takes a byte at least: no memory is requested for more.
    if (static_cast<uint64_t>(size) > json_size_) {
      return Error(where, StrCat("has fewer elements of data than its shape, ", size));
    }
    StatusOr<DenseHostTensor> tensor = DenseHostTensor::CreateUninitialized(metadata, allocator_);
    if (!tensor.ok()) return tensor.status();
    const ShapeDims dims = metadata.shape.dims();
    Status status = UnimplementedError(StrCat(where, " has a datatype without JSON"));
    switch (metadata.dtype) {
#define TFRT_FILL(code, T)                                                                      \
  case DType::code:                                                                             \
    status =                                                                                    \
        Filler<T>(where, metadata.dtype, dims, static_cast<T*>(tensor->buffer()->data()), size) \
            .Fill(data);                                                                        \
    break;
      TFRT_CPP_REALS(TFRT_FILL)
      TFRT_FILL(kI1, bool)
#undef TFRT_FILL
      default:
        break;
    }
    TFRT_RETURN_IF_ERROR(status);
    body_->request.inputs.push_back({std::string(parts.name), *std::move(tensor)});
    return OkStatus();
  }

  Status Binary(const TensorParts& parts, const TensorMetadata& metadata,
                const std::string& where) {
    TFRT_ASSIGN_OR_RETURN(size_t size, DenseHostTensor::SizeBytes(metadata));
    if (*parts.binary_size != size) {
      return Error(where,
                   StrCat("has ", *parts.binary_size, " bytes of data, but its shape has ", size));
    }
    if (size > binary_.size()) {
      return Error(where,
                   StrCat("has ", size, " bytes of data, but ", binary_.size(), " are left"));
    }
    const std::span<const std::byte> bytes = binary_.first(size);
    binary_ = binary_.subspan(size);
    if (metadata.dtype == DType::kI1) {
      for (std::byte byte : bytes) {
        if (byte > std::byte{1}) return Error(where, "has a byte that is no BOOL, neither 0 nor 1");
      }
    }
    const auto address = reinterpret_cast<uintptr_t>(bytes.data());
    if (owner_ && size > 0 && address % DTypeSize(metadata.dtype) == 0) {
      TFRT_ASSIGN_OR_RETURN(
          DenseHostTensor tensor,
          DenseHostTensor::CreateFromBuffer(
              metadata, HostBuffer::CreateFromConstant(bytes.data(), size,
                                                       [owner = owner_](void*, size_t) {})));
      body_->request.inputs.push_back({std::string(parts.name), std::move(tensor)});
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                          DenseHostTensor::CreateUninitialized(metadata, allocator_));
    if (size > 0) std::memcpy(tensor.buffer()->data(), bytes.data(), size);
    body_->request.inputs.push_back({std::string(parts.name), std::move(tensor)});
    return OkStatus();
  }

  Status Shared(const TensorParts& parts, const TensorMetadata& metadata,
                const std::string& where) {
    const StatusOr<RegionPart> part = parts.region.Part();
    if (!part.ok()) return At(where, part.status());
    StatusOr<DenseHostTensor> tensor =
        regions_->Input(*part, metadata, allocator_, &body_->regions);
    if (!tensor.ok()) return At(where, tensor.status());
    body_->request.inputs.push_back({std::string(parts.name), *std::move(tensor)});
    return OkStatus();
  }

  Status Output(dom::element element) {
    TFRT_ASSIGN_OR_RETURN(dom::object object, ObjectOf(element, "an output"));
    std::string_view name;
    bool is_binary = body_->binary_by_default;
    RegionParameters region;
    for (const auto& [key, value] : object) {
      if (value.is_null()) continue;
      if (key == "name") {
        TFRT_ASSIGN_OR_RETURN(name, TextOf(value, "the name of an output"));
      } else if (key == "parameters") {
        TFRT_ASSIGN_OR_RETURN(dom::object parameters, ObjectOf(value, "parameters of an output"));
        for (const auto& [parameter, choice] : parameters) {
          if (parameter == "binary_data") {
            TFRT_ASSIGN_OR_RETURN(is_binary, BoolOf(choice, "binary_data"));
          } else if (parameter == "classification") {
            return UnimplementedError("classification of outputs is not supported");
          } else if (parameter.starts_with("shared_memory_")) {
            TFRT_RETURN_IF_ERROR(RegionParameter(parameter, choice, &region));
          }
        }
      }
    }
    if (name.empty()) return InvalidArgumentError("an output has no name");
    // Each is compared with those before it.
    constexpr size_t kMaxOutputs = 4096;
    if (body_->request.outputs.size() >= kMaxOutputs) {
      return InvalidArgumentError(StrCat("more than ", kMaxOutputs, " outputs are asked for"));
    }
    if (region) {
      StatusOr<RegionPart> part = region.Part();
      const Status status =
          part.ok() ? regions_->AddOutput(*std::move(part), body_->request.outputs.size(),
                                          &body_->regions)
                    : part.status();
      if (!status.ok()) return At(StrCat("output ", name), status);
    }
    body_->request.outputs.emplace_back(name);
    body_->is_binary.push_back(is_binary);
    return OkStatus();
  }

  const size_t json_size_;
  std::span<const std::byte> binary_;  // what no input has taken yet
  const std::shared_ptr<const void> owner_;
  HostAllocator* const allocator_;
  const SharedRegions* const regions_;  // may be null
  InferBody* const body_;
};

}  // namespace

StatusOr<InferBody> DecodeInferBody(std::span<const std::byte> body,
                                    std::optional<size_t> json_size,
                                    std::shared_ptr<const void> owner, HostAllocator* allocator,
                                    const SharedRegions* regions) {
  const size_t size = json_size.value_or(body.size());
  if (size > body.size()) {
    return InvalidArgumentError(StrCat("Inference-Header-Content-Length is ", size,
                                       ", but the body has ", body.size(), " bytes"));
  }
  if (size > kMaxJsonBytes) {
    return InvalidArgumentError(StrCat("the JSON has ", size, " bytes, but may have ",
                                       kMaxJsonBytes, ": send tensors as bytes"));
  }
  Document document(body.first(size));
  TFRT_ASSIGN_OR_RETURN(dom::object object, document.Parse());
  InferBody decoded;
  Reader reader(size, body.subspan(size), std::move(owner), allocator, regions, &decoded);
  TFRT_RETURN_IF_ERROR(reader.Request(object));
  return decoded;
}

StatusOr<RegionInfo> DecodeRegionBody(std::span<const std::byte> body, std::string name) {
  TFRT_RETURN_IF_ERROR(CheckShort(body));
  Document document(body);
  TFRT_ASSIGN_OR_RETURN(dom::object object, document.Parse());
  RegionInfo region;
  region.name = std::move(name);
  for (const auto& [key, value] : object) {
    if (key == "key") {
      TFRT_ASSIGN_OR_RETURN(std::string_view text, TextOf(value, key));
      region.key = std::string(text);
    } else if (key == "offset") {
      TFRT_ASSIGN_OR_RETURN(region.offset, CountOf(value, key));
    } else if (key == "byte_size") {
      TFRT_ASSIGN_OR_RETURN(region.size_bytes, CountOf(value, key));
    }
  }
  return region;
}

StatusOr<bool> DecodeIndexBody(std::span<const std::byte> body) {
  if (body.empty()) return false;
  TFRT_RETURN_IF_ERROR(CheckShort(body));
  Document document(body);
  TFRT_ASSIGN_OR_RETURN(dom::object object, document.Parse());
  bool only_ready = false;
  for (const auto& [key, value] : object) {
    if (key != "ready") continue;
    TFRT_ASSIGN_OR_RETURN(only_ready, BoolOf(value, "ready"));
  }
  return only_ready;
}

Status CheckLoadBody(std::span<const std::byte> body) {
  if (body.empty()) return OkStatus();
  TFRT_RETURN_IF_ERROR(CheckShort(body));
  Document document(body);
  TFRT_ASSIGN_OR_RETURN(dom::object object, document.Parse());
  for (const auto& [key, value] : object) {
    if (key != "parameters") continue;
    TFRT_ASSIGN_OR_RETURN(dom::object parameters, ObjectOf(value, "parameters"));
    for (const auto& [name, parameter] : parameters) {
      if (name == "config" || name.starts_with("file:")) {
        return UnimplementedError(
            StrCat(name, " is not supported: options and files of a model come from its folder"));
      }
    }
  }
  return OkStatus();
}

}  // namespace tfrt::serve
