#include "messages.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// More would hide the message.
constexpr size_t kMaxDescribed = 8;

// Without the word "argument" where the op has a name for it.
std::string ShortName(const OpDefinition& op, size_t index) {
  using ArgumentKind = OpArgumentSpec::Kind;
  if (!op.arguments.empty()) {
    size_t last = op.arguments.size() - 1;
    if (op.arguments[last].kind == ArgumentKind::kVariadic && index >= last) {
      return StrCat(op.arguments[last].name, "[", index - last, "]");
    }
    if (index <= last) return std::string(op.arguments[index].name);
  }
  return StrCat("argument ", index);
}

}  // namespace

std::string NameOfArgument(const OpDefinition& op, size_t index) {
  std::string name = ShortName(op, index);
  return name.starts_with("argument ") ? name : "argument " + name;
}

std::string Describe(const TensorMetadata& metadata) {
  if (metadata.dtype == DType::kResource) return std::string(DTypeName(metadata.dtype));
  return StrCat(DTypeName(metadata.dtype), " ", metadata.shape.ToString());
}

Status WithArguments(const OpDefinition& op, OpMetadataArguments arguments, const Status& error) {
  if (error.code() != StatusCode::kInvalidArgument) return error;
  std::string text(error.message());
  const char* separator = ": ";
  size_t described = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]) continue;
    if (described++ == kMaxDescribed) {
      text += ", ...";
      break;
    }
    text += StrCat(separator, ShortName(op, i), " is ", Describe(*arguments[i]));
    separator = ", ";
  }
  return Status(error.code(), text);
}

Status WithMemory(const TensorMetadata* refused, const Status& error) {
  if (error.code() != StatusCode::kResourceExhausted || !refused) return error;
  int64_t bytes;
  if (__builtin_mul_overflow(refused->shape.num_elements(), DTypeSize(refused->dtype), &bytes)) {
    return Status(error.code(), StrCat(error.message(), " for ", Describe(*refused)));
  }
  return Status(error.code(),
                StrCat(error.message(), ": ", bytes, " bytes for ", Describe(*refused)));
}

}  // namespace tfrt::eager
