#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "lib/serve/rpc/datatypes.h"
#include "lib/serve/rpc/messages.h"
#include "lib/serve/rpc/pieces.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::serve::rpc {
namespace {

// A message of a gigabyte could otherwise have half a billion of each.
constexpr size_t kMaxTensors = 4096;
constexpr size_t kMaxContents = 64;  // parts of the contents of a tensor, where clients write one
constexpr size_t kMaxRank = 32;

Status Malformed(std::string_view what) {
  return InvalidArgumentError(StrCat("the ", what, " is no message of protocol buffers"));
}

// Calls `read` for each field, with its number and type; it reads or skips the field.
template <typename Read>
Status ReadFields(PieceReader& reader, std::string_view what, Read&& read) {
  while (!reader.at_end()) {
    uint32_t field;
    PieceReader::WireType type;
    if (!reader.ReadTag(&field, &type)) return Malformed(what);
    bool is_well_formed = true;
    TFRT_RETURN_IF_ERROR(read(field, type, &is_well_formed));
    if (!is_well_formed) return Malformed(what);
  }
  return Status();
}

bool ReadText(PieceReader& reader, std::string* text) {
  ByteRange range;
  if (!reader.ReadBytes(&range)) return false;
  std::string scratch;
  text->assign(range.Join(&scratch));
  return true;
}

// A field of numbers of `type`: packed, or one that is not. Calls `add` with the bits of each.
template <typename Add>
bool ReadNumbers(PieceReader& reader, PieceReader::WireType given, PieceReader::WireType type,
                 Add&& add) {
  auto read_one = [&](PieceReader& from) {
    uint64_t bits = 0;
    if (type == PieceReader::kVarint) {
      if (!from.ReadVarint(&bits)) return false;
    } else {
      ByteRange range;
      if (!from.ReadFixed(type, &range)) return false;
      range.CopyTo(&bits);
    }
    add(bits);
    return true;
  };
  if (given == type) return read_one(reader);
  if (given != PieceReader::kBytes) return false;
  ByteRange packed;
  if (!reader.ReadBytes(&packed)) return false;
  if (type == PieceReader::kVarint) {
    PieceReader numbers(packed.parts);
    while (!numbers.at_end()) {
      if (!read_one(numbers)) return false;
    }
    return true;
  }
  const size_t width = type == PieceReader::kFixed64 ? 8 : 4;
  if (packed.size_bytes % width != 0) return false;
  std::string scratch;
  const std::string_view numbers = packed.Join(&scratch);
  for (size_t i = 0; i < numbers.size(); i += width) {
    uint64_t bits = 0;
    std::memcpy(&bits, numbers.data() + i, width);
    add(bits);
  }
  return true;
}

// An entry of the map `parameters`. Integers and texts of InferParameter matter.
struct Parameter {
  std::string key;
  std::optional<uint64_t> number;
  std::optional<std::string> text;
};

bool ReadParameter(const ByteRange& bytes, Parameter* parameter) {
  PieceReader reader(bytes.parts);
  while (!reader.at_end()) {
    uint32_t field;
    PieceReader::WireType type;
    if (!reader.ReadTag(&field, &type)) return false;
    if (field == 1 && type == PieceReader::kBytes) {
      if (!ReadText(reader, &parameter->key)) return false;
    } else if (field == 2 && type == PieceReader::kBytes) {
      ByteRange value;
      if (!reader.ReadBytes(&value)) return false;
      PieceReader of_value(value.parts);
      while (!of_value.at_end()) {
        if (!of_value.ReadTag(&field, &type)) return false;
        uint64_t bits;
        if ((field == 2 || field == 5) && type == PieceReader::kVarint) {
          if (!of_value.ReadVarint(&bits)) return false;
          parameter->number = bits;
        } else if (field == 3 && type == PieceReader::kBytes) {
          if (!ReadText(of_value, &parameter->text.emplace())) return false;
        } else if (!of_value.Skip(type)) {
          return false;
        }
      }
    } else if (!reader.Skip(type)) {
      return false;
    }
  }
  return true;
}

// InferInputTensor. The contents are ranges of the message.
struct TensorFields {
  std::string name, datatype;
  std::vector<int64_t> shape;
  std::vector<ByteRange> contents;
  RegionParameters region;
};

// A parameter of a tensor. Those that ask for what the server does not have are refused. A client
// that is answered otherwise would take other bytes for its results.
Status ReadTensorParameter(PieceReader& reader, const SharedRegions* regions, TensorFields* tensor,
                           bool* is_well_formed) {
  ByteRange range;
  Parameter parameter;
  *is_well_formed = reader.ReadBytes(&range) && ReadParameter(range, &parameter);
  if (!*is_well_formed) return Status();
  const std::string& key = parameter.key;
  if (key == "classification") {
    return UnimplementedError("classification of outputs is not supported");
  }
  if (!key.starts_with("shared_memory_")) return Status();
  TFRT_RETURN_IF_ERROR(CheckHasRegions(regions));
  if (key == "shared_memory_region" && parameter.text) {
    tensor->region.region = std::move(parameter.text);
  } else if (key == "shared_memory_byte_size" && parameter.number) {
    tensor->region.size_bytes = parameter.number;
  } else if (key == "shared_memory_offset" && parameter.number) {
    tensor->region.offset = parameter.number;
  } else {
    return InvalidArgumentError(StrCat("the parameter '", key, "' is no parameter of a tensor"));
  }
  return Status();
}

Status ReadTensor(const ByteRange& bytes, uint32_t parameters_field, const SharedRegions* regions,
                  TensorFields* tensor) {
  PieceReader reader(bytes.parts);
  return ReadFields(reader, "field inputs",
                    [&](uint32_t field, PieceReader::WireType type, bool* is_well_formed) {
                      if (field == parameters_field && type == PieceReader::kBytes) {
                        return ReadTensorParameter(reader, regions, tensor, is_well_formed);
                      } else if (field == 1 && type == PieceReader::kBytes) {
                        *is_well_formed = ReadText(reader, &tensor->name);
                      } else if (field == 2 && type == PieceReader::kBytes) {
                        *is_well_formed = ReadText(reader, &tensor->datatype);
                      } else if (field == 3) {
                        *is_well_formed =
                            ReadNumbers(reader, type, PieceReader::kVarint, [&](uint64_t size) {
                              if (tensor->shape.size() <= kMaxRank)
                                tensor->shape.push_back(static_cast<int64_t>(size));
                            });
                      } else if (field == 5 && type == PieceReader::kBytes) {
                        if (tensor->contents.size() == kMaxContents) {
                          return InvalidArgumentError(
                              StrCat("an input has more than ", kMaxContents, " contents"));
                        }
                        *is_well_formed = reader.ReadBytes(&tensor->contents.emplace_back());
                      } else {
                        *is_well_formed = reader.Skip(type);
                      }
                      return Status();
                    });
}

PieceReader::WireType WireTypeOf(DType dtype) {
  if (dtype == DType::kF32) return PieceReader::kFixed32;
  return dtype == DType::kF64 ? PieceReader::kFixed64 : PieceReader::kVarint;
}

// Calls `add` with the bits of each number that InferTensorContents has for the datatype.
template <typename Add>
Status ReadContents(const TensorFields& tensor, const Datatype& type, Add&& add) {
  for (const ByteRange& contents : tensor.contents) {
    PieceReader reader(contents.parts);
    TFRT_RETURN_IF_ERROR(
        ReadFields(reader, "field contents",
                   [&](uint32_t field, PieceReader::WireType given, bool* is_well_formed) {
                     *is_well_formed = static_cast<int>(field) == type.contents_field
                                           ? ReadNumbers(reader, given, WireTypeOf(type.dtype), add)
                                           : reader.Skip(given);
                     return Status();
                   }));
  }
  return Status();
}

// Stores integers that fit T.
template <typename T>
bool StoreInteger(uint64_t bits, std::byte* target) {
  T value;
  if constexpr (std::is_signed_v<T>) {
    // int_contents are of 32 bits, of which the wire may have more.
    const int64_t number = sizeof(T) == 8 ? static_cast<int64_t>(bits)
                                          : static_cast<int32_t>(static_cast<uint32_t>(bits));
    value = static_cast<T>(number);
    if (value != number) return false;
  } else {
    const uint64_t number = sizeof(T) == 8 ? bits : static_cast<uint32_t>(bits);
    value = static_cast<T>(number);
    if (value != number) return false;
  }
  std::memcpy(target, &value, sizeof(T));
  return true;
}

// Stores the bits of a number as an element. Returns false if it does not fit.
bool Store(DType dtype, uint64_t bits, std::byte* target) {
  switch (dtype) {
    case DType::kI1:
      *target = static_cast<std::byte>(bits != 0);
      return true;
    case DType::kUI8:
      return StoreInteger<uint8_t>(bits, target);
    case DType::kUI16:
      return StoreInteger<uint16_t>(bits, target);
    case DType::kUI32:
      return StoreInteger<uint32_t>(bits, target);
    case DType::kUI64:
      return StoreInteger<uint64_t>(bits, target);
    case DType::kI8:
      return StoreInteger<int8_t>(bits, target);
    case DType::kI16:
      return StoreInteger<int16_t>(bits, target);
    case DType::kI32:
      return StoreInteger<int32_t>(bits, target);
    case DType::kI64:
      return StoreInteger<int64_t>(bits, target);
    case DType::kF32:
      std::memcpy(target, &bits, 4);  // little-endian
      return true;
    default:
      std::memcpy(target, &bits, 8);
      return true;
  }
}

// The elements of booleans are 0 or 1: other bytes would not be values of bool.
bool AreBooleans(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint8_t all = 0;
  for (size_t i = 0; i < size; ++i) all |= bytes[i];
  return all <= 1;
}

Status At(const std::string& where, const Status& status) {
  return Status(status.code(), StrCat(where, ": ", status.message()));
}

// `raw` is null without raw_input_contents, and for tensors in shared memory.
StatusOr<DenseHostTensor> MakeTensor(const TensorFields& fields, const ByteRange* raw,
                                     HostAllocator* allocator, const SharedRegions* regions,
                                     RegionUse* use) {
  const std::string where = StrCat("input '", fields.name, "'");
  const Datatype* type = FindDatatype(fields.datatype);
  if (!type) {
    return InvalidArgumentError(
        StrCat(where, ": the datatype '", fields.datatype, "' is unknown or not offered"));
  }
  if (fields.shape.size() > kMaxRank) {
    return InvalidArgumentError(StrCat(where, ": the shape has more than ", kMaxRank, " sizes"));
  }
  StatusOr<TensorShape> shape = TensorShape::Create(fields.shape);
  if (!shape.ok()) return InvalidArgumentError(StrCat(where, ": ", shape.status().message()));
  const TensorMetadata metadata{type->dtype, *shape};
  StatusOr<size_t> size = DenseHostTensor::SizeBytes(metadata);
  if (!size.ok()) return InvalidArgumentError(StrCat(where, ": ", size.status().message()));
  if (fields.region) {
    if (!fields.contents.empty()) {
      return InvalidArgumentError(StrCat(where, ": contents beside its place in shared memory"));
    }
    const StatusOr<RegionPart> part = fields.region.Part();
    if (!part.ok()) return At(where, part.status());
    StatusOr<DenseHostTensor> tensor = regions->Input(*part, metadata, allocator, use);
    return tensor.ok() ? std::move(tensor) : At(where, tensor.status());
  }
  // Before memory is allocated, the message must have as many elements as the shape says.
  const auto num_elements = static_cast<uint64_t>(metadata.shape.num_elements());
  if (raw) {
    if (!fields.contents.empty()) {
      return InvalidArgumentError(StrCat(where, ": contents beside raw_input_contents"));
    }
    if (raw->size_bytes != *size) {
      return InvalidArgumentError(StrCat(where, ": raw_input_contents has ", raw->size_bytes,
                                         " bytes, but the shape and datatype need ", *size));
    }
  } else {
    if (type->contents_field == 0) {
      return InvalidArgumentError(
          StrCat(where, ": elements of ", type->name, " must be in raw_input_contents"));
    }
    uint64_t found = 0;
    TFRT_RETURN_IF_ERROR(ReadContents(fields, *type, [&](uint64_t) { ++found; }));
    if (found != num_elements) {
      return InvalidArgumentError(StrCat(where, ": ", type->contents_name, " has ", found,
                                         " elements, but the shape needs ", num_elements));
    }
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized(metadata, allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, tensor.MutableData());
  if (raw) {
    raw->CopyTo(data);
    if (type->dtype == DType::kI1 && !AreBooleans(data, *size)) {
      return InvalidArgumentError(StrCat(where, ": bytes of BOOL are 0 or 1"));
    }
    return tensor;
  }
  auto* element = static_cast<std::byte*>(data);
  const size_t element_bytes = num_elements ? *size / num_elements : 0;
  bool all_fit = true;
  TFRT_RETURN_IF_ERROR(ReadContents(fields, *type, [&](uint64_t bits) {
    all_fit &= Store(type->dtype, bits, element);
    element += element_bytes;
  }));
  if (!all_fit) {
    return InvalidArgumentError(
        StrCat(where, ": ", type->contents_name, " has numbers that do not fit ", type->name));
  }
  return tensor;
}

Status ReadTimeout(const ByteRange& bytes, InferMessage* message) {
  Parameter parameter;
  if (!ReadParameter(bytes, &parameter)) return Malformed("field parameters");
  const auto& [key, number, text] = parameter;
  // 0 is for requests of no sequence. Others may also have a text.
  if (key == "sequence_id" && number.value_or(1) != 0) {
    return UnimplementedError("sequences of requests are not supported");
  }
  if (key != "timeout") return Status();  // others change nothing
  constexpr uint64_t kMaxMicroseconds = uint64_t{1} << 50;
  if (!number || *number == 0 || *number > kMaxMicroseconds) {
    return InvalidArgumentError("the parameter 'timeout' is no number of microseconds above 0");
  }
  message->timeout = std::chrono::microseconds(*number);
  return Status();
}

}  // namespace

Status DecodeInferRequest(const ReceivedMessage& bytes, HostAllocator* allocator,
                          InferMessage* message, const SharedRegions* regions) {
  PieceReader reader(bytes.pieces);
  std::vector<TensorFields> tensors;
  std::vector<ByteRange> raw;
  TFRT_RETURN_IF_ERROR(ReadFields(
      reader, "request", [&](uint32_t field, PieceReader::WireType type, bool* is_well_formed) {
        ByteRange range;
        if (field > 7 || type != PieceReader::kBytes) {
          *is_well_formed = reader.Skip(type);
          return Status();
        }
        *is_well_formed = reader.ReadBytes(&range);
        if (!*is_well_formed) return Status();
        std::string scratch;
        switch (field) {
          case 1:
            message->model_name = range.Join(&scratch);
            break;
          case 2:
            message->model_version = range.Join(&scratch);
            break;
          case 3:
            message->id = range.Join(&scratch);
            break;
          case 4:
            return ReadTimeout(range, message);
          case 5:
            if (tensors.size() == kMaxTensors) {
              return InvalidArgumentError(StrCat("more than ", kMaxTensors, " inputs"));
            }
            return ReadTensor(range, 4, regions, &tensors.emplace_back());
          case 6: {
            if (message->outputs.size() == kMaxTensors) {
              return InvalidArgumentError(StrCat("more than ", kMaxTensors, " outputs"));
            }
            TensorFields output;  // which has its name where an input has it
            TFRT_RETURN_IF_ERROR(ReadTensor(range, 2, regions, &output));
            if (output.region) {
              StatusOr<RegionPart> part = output.region.Part();
              const Status added =
                  part.ok() ? regions->AddOutput(*std::move(part), message->outputs.size(),
                                                 &message->regions)
                            : part.status();
              if (!added.ok()) return At(StrCat("output '", output.name, "'"), added);
            }
            message->outputs.push_back(std::move(output.name));
            break;
          }
          default:
            if (raw.size() == kMaxTensors) {
              return InvalidArgumentError(StrCat("more than ", kMaxTensors, " raw_input_contents"));
            }
            raw.push_back(std::move(range));
        }
        return Status();
      }));
  // Tensors in shared memory have none.
  const auto num_sent = static_cast<size_t>(
      std::ranges::count_if(tensors, [](const TensorFields& one) { return !one.region; }));
  if (!raw.empty() && raw.size() != num_sent) {
    return InvalidArgumentError(
        StrCat(raw.size(), " raw_input_contents for ", num_sent, " inputs"));
  }
  auto next = raw.begin();
  for (TensorFields& fields : tensors) {
    const ByteRange* const bytes_of = fields.region || raw.empty() ? nullptr : &*next++;
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                          MakeTensor(fields, bytes_of, allocator, regions, &message->regions));
    message->inputs.push_back({std::move(fields.name), std::move(tensor)});
  }
  return Status();
}

StatusOr<RegionInfo> DecodeRegion(const ReceivedMessage& bytes) {
  RegionInfo region;
  PieceReader reader(bytes.pieces);
  TFRT_RETURN_IF_ERROR(ReadFields(
      reader, "request", [&](uint32_t field, PieceReader::WireType type, bool* is_well_formed) {
        if (type == PieceReader::kBytes && (field == 1 || field == 2)) {
          *is_well_formed = ReadText(reader, field == 1 ? &region.name : &region.key);
        } else if (type == PieceReader::kVarint && (field == 3 || field == 4)) {
          *is_well_formed = reader.ReadVarint(field == 3 ? &region.offset : &region.size_bytes);
        } else {
          *is_well_formed = reader.Skip(type);
        }
        return Status();
      }));
  return region;
}

StatusOr<TwoNames> DecodeNames(const ReceivedMessage& bytes) {
  TwoNames names;
  PieceReader reader(bytes.pieces);
  TFRT_RETURN_IF_ERROR(ReadFields(
      reader, "request", [&](uint32_t field, PieceReader::WireType type, bool* is_well_formed) {
        uint64_t flag = 0;
        if (type == PieceReader::kBytes && (field == 1 || field == 2)) {
          *is_well_formed = ReadText(reader, field == 1 ? &names.first : &names.second);
        } else if (type == PieceReader::kVarint && field == 2) {
          *is_well_formed = reader.ReadVarint(&flag);
          names.flag = flag != 0;
        } else {
          *is_well_formed = reader.Skip(type);
        }
        return Status();
      }));
  return names;
}

}  // namespace tfrt::serve::rpc
