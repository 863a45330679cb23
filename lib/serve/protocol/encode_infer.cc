#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "infer_body.h"
#include "lib/serve/protocol/data_types.h"
#include "lib/serve/protocol/json_text.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

// A text of numbers has up to six times their bytes. It would take long to read, too.
constexpr size_t kMaxJsonBytes = size_t{64} << 20;
// Elements that are written before the size of the text is looked at again.
constexpr size_t kChunk = 65536;

// False if an element has no text in JSON.
template <typename T>
bool AppendChunk(std::span<const T> elements, JsonText* json) {
  if constexpr (std::is_floating_point_v<T>) return json->Numbers(elements);
  for (const T& element : elements) {
    if constexpr (std::is_same_v<T, bool>) {
      json->Bool(element);
    } else if constexpr (std::is_integral_v<T>) {
      json->Number(element);
    } else {
      const auto number = static_cast<float>(element);
      if (!std::isfinite(number)) return false;
      json->Number(number);
    }
  }
  return true;
}

// Stops when the text is too long.
template <typename T>
bool AppendElements(const DenseHostTensor& tensor, JsonText* json) {
  std::span rest(static_cast<const T*>(tensor.data()), static_cast<size_t>(tensor.num_elements()));
  while (!rest.empty() && json->text().size() <= kMaxJsonBytes) {
    const size_t size = std::min(kChunk, rest.size());
    if (!AppendChunk(rest.first(size), json)) return false;
    rest = rest.subspan(size);
  }
  return true;
}

Status AppendData(const InferTensor& output, JsonText* json) {
  bool has_text = false;
  switch (output.tensor.dtype()) {
#define TFRT_APPEND(code, T)                           \
  case DType::code:                                    \
    has_text = AppendElements<T>(output.tensor, json); \
    break;
    TFRT_CPP_REALS(TFRT_APPEND)
    TFRT_APPEND(kI1, bool)
#undef TFRT_APPEND
    default:
      break;
  }
  if (json->text().size() > kMaxJsonBytes) {
    return OutOfRangeError(StrCat("output ", output.name, " has more than ", kMaxJsonBytes,
                                  " bytes as JSON: ask for binary_data"));
  }
  if (has_text) return OkStatus();
  return FailedPreconditionError(
      StrCat("output ", output.name,
             " has a NaN or an infinity, which JSON cannot write: ask for binary_data"));
}

}  // namespace

StatusOr<EncodedResult> EncodeInferResult(const InferBody& body, std::string_view model,
                                          std::string_view version, const InferResult& result) {
  EncodedResult encoded;
  JsonText json;
  json.Open('{').Key("model_name").Text(model).Key("model_version").Text(version);
  if (!body.id.empty()) json.Key("id").Text(body.id);
  json.Key("outputs").Open('[');
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const InferTensor& output = result.outputs[i];
    const std::string_view datatype = DataTypeName(output.tensor.dtype());
    if (datatype.empty()) {
      return UnimplementedError(StrCat("output ", output.name, " is ",
                                       DTypeName(output.tensor.dtype()),
                                       ", which the protocol does not have"));
    }
    json.Open('{').Key("name").Text(output.name).Key("datatype").Text(datatype);
    json.Key("shape").Open('[');
    for (const ShapeDims dims = output.tensor.shape().dims(); int64_t size : dims) {
      json.Number(size);
    }
    json.Close(']');
    if (const RegionPart* part = body.regions.OutputPart(i)) {
      json.Key("parameters").Open('{').Key("shared_memory_region").Text(part->region);
      json.Key("shared_memory_byte_size").Number(output.tensor.size_bytes());
      if (part->offset > 0) json.Key("shared_memory_offset").Number(part->offset);
      json.Close('}');
    } else if (body.IsBinary(i)) {
      json.Key("parameters").Open('{').Key("binary_data_size");
      json.Number(output.tensor.size_bytes()).Close('}');
      encoded.binary.push_back(output.tensor.ShareBuffer());
    } else {
      json.Key("data").Open('[');
      TFRT_RETURN_IF_ERROR(AppendData(output, &json));
      json.Close(']');
    }
    json.Close('}');
  }
  json.Close(']').Close('}');
  encoded.json = std::move(json).Take();
  encoded.bytes = result.bytes;
  if (encoded.bytes) encoded.bytes->Add(encoded.json.size());
  return encoded;
}

}  // namespace tfrt::serve
