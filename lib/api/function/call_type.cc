#include "call_type.h"

#include <algorithm>
#include <cstring>

#include "lib/api/eager/tracer.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::function {
namespace {

using Kind = Argument::Kind;

// The metadata of a tensor of the context, for which it waits.
StatusOr<const TensorMetadata*> MetadataOf(const eager::TensorState& state, uint64_t context) {
  if (const TensorMetadata* metadata = state.metadata(); metadata && !state.IsError()) [[likely]] {
    if (state.core() && eager::ContextIdOf(state) != context) {
      return InvalidArgumentError(eager::ContextIdOf(state) == 0
                                      ? "belongs to a context that has ended"
                                      : "belongs to another context");
    }
    return metadata;
  }
  TFRT_RETURN_IF_ERROR(Tensor(FormRef(const_cast<eager::TensorState*>(&state))).status());
  return state.metadata();
}

void AddMetadata(const TensorMetadata& metadata, Kind kind, uint64_t extra, CallKey* key) {
  const ShapeDims dims = metadata.shape.dims();
  key->Add(static_cast<uint64_t>(kind) | static_cast<uint64_t>(metadata.dtype) << 8 |
           uint64_t{dims.size()} << 16 | extra << 32);
  for (int64_t dim : dims) key->Add(static_cast<uint64_t>(dim));
}

uint32_t AliasOf(std::span<const Argument> arguments, size_t index) {
  for (size_t i = 0; i < index; ++i) {
    if (arguments[i].kind == Kind::kVariable &&
        arguments[i].variable->id() == arguments[index].variable->id()) {
      return static_cast<uint32_t>(i);
    }
  }
  return static_cast<uint32_t>(index);
}

Status NamedError(size_t index, const Status& error) {
  return Status(error.code(), StrCat("argument ", index, " ", error.message()));
}

std::string DimsText(const std::optional<std::vector<int64_t>>& dims) {
  if (!dims) return "[*]";
  std::string text = "[";
  for (size_t i = 0; i < dims->size(); ++i) {
    text += i == 0 ? "" : ",";
    text += (*dims)[i] < 0 ? "?" : StrCat((*dims)[i]);
  }
  return text + "]";
}

}  // namespace

void CallKey::AddText(std::string_view text) {
  Add(text.size());
  for (size_t at = 0; at < text.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof(word), text.size() - at));
    Add(word);
  }
}

std::string TensorSpec::ToString() const { return StrCat(DTypeName(dtype), " ", DimsText(dims)); }

std::string ArgumentName(std::span<const std::string> names, size_t index) {
  return index < names.size() ? names[index] : StrCat("arg", index);
}

Status AddArguments(std::span<const Argument> arguments, uint64_t context, bool by_identity,
                    CallKey* key) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    switch (argument.kind) {
      case Kind::kTensor: {
        if (const eager::TensorState* state = argument.tensor.state()) [[likely]] {
          StatusOr<const TensorMetadata*> metadata = MetadataOf(*state, context);
          if (!metadata.ok()) [[unlikely]] {
            // An error comes as it is: it says where it comes from.
            return state->IsError() ? metadata.status() : NamedError(i, metadata.status());
          }
          AddMetadata(**metadata, argument.kind, 0, key);
        } else if (const eager::HostArray* array = argument.tensor.array()) {
          if (!array->tensor().ok()) return NamedError(i, array->tensor().status());
          AddMetadata((*array->tensor()).metadata(), argument.kind, 0, key);
        } else {
          return InvalidArgumentError(
              StrCat("argument ", i, " is not a tensor; has it been moved from?"));
        }
        break;
      }
      case Kind::kSpec:
        return InvalidArgumentError(StrCat("argument ", i, " is a TensorSpec, not a tensor"));
      case Kind::kStatic:
        key->Add(static_cast<uint64_t>(argument.kind) | uint64_t{argument.tag} << 8);
        if (argument.tag >= Argument::kText) {
          key->AddText(argument.text);
        } else {
          key->Add(argument.bits);
        }
        break;
      case Kind::kVariable: {
        StatusOr<TensorMetadata> metadata = argument.variable->metadata();
        if (!metadata.ok()) return NamedError(i, metadata.status());
        AddMetadata(*metadata, argument.kind, AliasOf(arguments, i), key);
        if (by_identity) key->Add(reinterpret_cast<uintptr_t>(argument.variable->id()));
        break;
      }
      case Kind::kList:
        key->Add(static_cast<uint64_t>(argument.kind) | argument.bits << 8);
        break;
    }
  }
  return OkStatus();
}

StatusOr<std::vector<ArgumentType>> TypesOf(std::span<const Argument> arguments, bool by_identity) {
  std::vector<ArgumentType> types;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    ArgumentType& type = types.emplace_back();
    type.kind = argument.kind;
    auto set = [&](const TensorMetadata& metadata) {
      type.dtype = metadata.dtype;
      const ShapeDims dims = metadata.shape.dims();
      type.dims.emplace(dims.begin(), dims.end());
    };
    switch (argument.kind) {
      case Kind::kTensor:
        if (const eager::TensorState* state = argument.tensor.state()) {
          if (!state->metadata() || state->IsError()) {
            TFRT_RETURN_IF_ERROR(Tensor(FormRef(argument.tensor.state())).status());
          }
          set(*state->metadata());
        } else if (const eager::HostArray* array = argument.tensor.array()) {
          TFRT_RETURN_IF_ERROR(array->tensor().status());
          set((*array->tensor()).metadata());
        } else {
          return InvalidArgumentError(
              StrCat("argument ", i, " is not a tensor; has it been moved from?"));
        }
        break;
      case Kind::kSpec:
        type.kind = Kind::kTensor;
        type.dtype = argument.spec->dtype;
        type.dims = argument.spec->dims;
        break;
      case Kind::kStatic:
        type.tag = argument.tag;
        type.is_plain = argument.is_plain;
        type.bits = argument.bits;
        type.text = argument.text;
        break;
      case Kind::kVariable: {
        TFRT_ASSIGN_OR_RETURN(TensorMetadata metadata, argument.variable->metadata());
        set(metadata);
        type.alias = AliasOf(arguments, i);
        if (by_identity) type.id = argument.variable->id();
        break;
      }
      case Kind::kList:
        type.bits = argument.bits;
    }
  }
  return types;
}

bool ArgumentType::DiffersInShape(const ArgumentType& other) const {
  return kind == other.kind && tag == other.tag && bits == other.bits && text == other.text &&
         dtype == other.dtype && alias == other.alias && id == other.id &&
         (kind == Kind::kTensor || dims == other.dims);
}

bool ArgumentType::Admits(const ArgumentType& other) const {
  if (!DiffersInShape(other)) return false;
  if (!dims) return true;
  if (!other.dims || dims->size() != other.dims->size()) return false;
  for (size_t i = 0; i < dims->size(); ++i) {
    if ((*dims)[i] >= 0 && (*dims)[i] != (*other.dims)[i]) return false;
  }
  return true;
}

ArgumentType ArgumentType::Joined(const ArgumentType& other) const {
  ArgumentType joined = *this;
  if (!dims || !other.dims || dims->size() != other.dims->size()) {
    if (kind == Kind::kTensor) joined.dims.reset();
    return joined;
  }
  for (size_t i = 0; i < dims->size(); ++i) {
    if ((*dims)[i] != (*other.dims)[i]) (*joined.dims)[i] = kUnknown;
  }
  return joined;
}

std::string ArgumentType::ToString() const {
  std::string tensor = StrCat(DTypeName(dtype), " ", DimsText(dims));
  switch (kind) {
    case Kind::kTensor:
    case Kind::kSpec:
      return tensor;
    case Kind::kVariable:
      return StrCat("variable ", tensor);
    case Kind::kList:
      return StrCat("a list of ", bits);
    case Kind::kStatic:
      break;
  }
  Argument value;
  value.bits = bits;
  switch (tag) {
    case Argument::kBool:
      return bits ? "true" : "false";
    case Argument::kSigned:
      return StrCat(static_cast<int64_t>(bits));
    case Argument::kUnsigned:
      return StrCat(bits);
    case Argument::kFloat:
      return StrCat(value.Number<float>());
    case Argument::kDouble:
      return StrCat(value.Number<double>());
    case Argument::kText:
      return StrCat("\"", text, "\"");
    case Argument::kOther:
      return text;
  }
  return "";
}

bool CallType::DiffersInShapes(const CallType& other) const {
  if (context != other.context || device != other.device ||
      arguments.size() != other.arguments.size()) {
    return false;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].DiffersInShape(other.arguments[i])) return false;
  }
  return true;
}

bool CallType::Admits(const CallType& other) const {
  if (!DiffersInShapes(other)) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].Admits(other.arguments[i])) return false;
  }
  return true;
}

}  // namespace tfrt::function
