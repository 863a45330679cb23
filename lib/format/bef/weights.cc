#include "tfrt/bef/weights.h"

#include <cstring>
#include <initializer_list>
#include <limits>

#include "byte_reader.h"
#include "tfrt/support/str_cat.h"
#include "weights_reader.h"

namespace tfrt::bef {
namespace {

constexpr size_t kPlaceBytes = 16;  // of a weight: u64 position, u64 size

uint64_t RoundUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// How many bytes a tensor takes; false if the sizes are those of none.
bool SizeBytes(DType dtype, std::span<const int64_t> dims, uint64_t* size) {
  const size_t element = DTypeSize(dtype);
  if (element == 0 || dims.size() > kMaxWeightRank) return false;
  int64_t bytes = static_cast<int64_t>(element);
  bool is_empty = false;
  for (int64_t dim : dims) {
    if (dim < 0) return false;
    if (dim == 0) {
      is_empty = true;
    } else if (__builtin_mul_overflow(bytes, dim, &bytes)) {
      return false;
    }
  }
  *size = is_empty ? 0 : static_cast<uint64_t>(bytes);
  return true;
}

uint64_t LoadU64(const uint8_t* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// Reads the part of a weight's table entry that precedes its place.
bool ReadDescription(ByteReader* in, Weight* weight, std::vector<int64_t>* dims) {
  uint32_t name_size, rank;
  uint8_t code;
  if (!in->ReadCount(&name_size) || !in->ReadText(name_size, &weight->name)) return false;
  if (!in->ReadByte(&code) || !in->ReadCount(&rank) || rank > kMaxWeightRank) return false;
  weight->dtype = DTypeFromCode(code);
  const size_t begin = dims->size();
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t dim;
    if (!in->ReadVbr(&dim) || dim > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return false;
    }
    dims->push_back(static_cast<int64_t>(dim));
  }
  weight->dims = std::span<const int64_t>(*dims).subspan(begin);
  return true;
}

// How many sizes all weights have together.
bool CountDims(ByteReader in, uint32_t num_weights, size_t* count) {
  *count = 0;
  std::vector<int64_t> dims;
  dims.reserve(kMaxWeightRank);
  for (uint32_t i = 0; i < num_weights; ++i, dims.clear()) {
    Weight weight;
    if (!ReadDescription(&in, &weight, &dims)) return false;
    *count += dims.size();
  }
  return true;
}

}  // namespace

StatusOr<WeightsLayout> LayOutWeights(std::span<const WeightSpec> weights,
                                      uint64_t payload_position) {
  WeightsLayout layout;
  Buffer& table = layout.table;
  table.EmitVbr(weights.size());
  for (const WeightSpec& weight : weights) {
    uint64_t size;
    if (!SizeBytes(weight.dtype, weight.dims, &size) || size != weight.bytes.size()) {
      return InvalidArgumentError(StrCat("the weight '", weight.name, "' has ", weight.bytes.size(),
                                         " bytes, which are not those of ", DTypeName(weight.dtype),
                                         " of its sizes"));
    }
    table.EmitVbr(weight.name.size());
    table.EmitBytes(weight.name);
    table.EmitByte(static_cast<uint8_t>(weight.dtype));
    table.EmitVbr(weight.dims.size());
    for (int64_t dim : weight.dims) table.EmitVbr(static_cast<uint64_t>(dim));
  }
  table.Align(sizeof(uint64_t));
  uint64_t end = table.size() + kPlaceBytes * weights.size();
  for (const WeightSpec& weight : weights) {
    const size_t size = weight.bytes.size();
    const size_t alignment = size < kLargeWeightBytes ? kWeightAlignment : kLargeWeightAlignment;
    const uint64_t position = RoundUp(payload_position + end, alignment) - payload_position;
    table.EmitU64(position);
    table.EmitU64(size);
    layout.positions.push_back(position);
    end = position + size;
  }
  layout.payload_size = end;
  return layout;
}

Status ReadWeights(std::span<const uint8_t> payload, uint64_t position, WeightTable* table) {
  auto damaged = [] { return InvalidArgumentError("the table is damaged"); };
  if (position % kWeightAlignment != 0) {
    return InvalidArgumentError(
        StrCat("it begins at byte ", position, ", which is no multiple of ", kWeightAlignment));
  }
  ByteReader in(payload);
  uint32_t count;
  constexpr size_t kMinBytes = 3 + kPlaceBytes;  // name, type, rank
  if (!in.ReadCount(&count, kMinBytes)) return damaged();
  size_t num_dims;
  if (!CountDims(in, count, &num_dims)) return damaged();
  table->dims.reserve(num_dims);  // the weights point into it
  table->weights.resize(count);
  for (Weight& weight : table->weights) {
    if (!ReadDescription(&in, &weight, &table->dims)) return damaged();
  }
  if (!in.Skip(RoundUp(in.position(), sizeof(uint64_t)) - in.position())) return damaged();
  const uint8_t* place = payload.data() + in.position();
  if (!in.Skip(count * kPlaceBytes)) return damaged();
  uint64_t end = in.position();
  for (uint32_t i = 0; i < count; ++i, place += kPlaceBytes) {
    Weight& weight = table->weights[i];
    const uint64_t begin = LoadU64(place), size = LoadU64(place + sizeof(uint64_t));
    auto invalid = [&](std::initializer_list<StrPiece> reason) {
      return InvalidArgumentError(
          StrCat("weight ", i, " ('", weight.name, "') ", ConcatPieces(reason)));
    };
    uint64_t needed;
    if (!SizeBytes(weight.dtype, weight.dims, &needed)) {
      return invalid({"has a type or sizes that no tensor has"});
    }
    if (size != needed) return invalid({"has ", size, " bytes, but its sizes need ", needed});
    if (begin % kWeightAlignment != 0) {
      return invalid({"begins at ", begin, ", which is no multiple of ", kWeightAlignment});
    }
    if (begin < end)
      return invalid({"begins at ", begin, ", before the end of what is in front (", end, ")"});
    if (begin > payload.size() || size > payload.size() - begin) {
      return invalid(
          {"ends at ", begin, " + ", size, ", but the section has ", payload.size(), " bytes"});
    }
    weight.bytes = payload.subspan(begin, size);
    end = begin + size;
  }
  return OkStatus();
}

}  // namespace tfrt::bef
