#include "onnx_changes.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace tfrt {
namespace {

// Messages of onnx.proto, as far as they are in others.
enum class Message : uint8_t {
  kNone,
  kModel,
  kGraph,
  kNode,
  kAttribute,
  kTensor,
  kValueInfo,
  kType,
  kTensorType,
  kShape,
  kDim,
  kOpset,
  kPair,
  kFunction
};

struct InnerMessage {
  Message outer;
  uint32_t field;
  Message inner;
};
constexpr InnerMessage kInnerMessages[] = {
    {Message::kModel, 7, Message::kGraph},      {Message::kModel, 8, Message::kOpset},
    {Message::kModel, 14, Message::kPair},      {Message::kModel, 25, Message::kFunction},
    {Message::kGraph, 1, Message::kNode},       {Message::kGraph, 5, Message::kTensor},
    {Message::kGraph, 11, Message::kValueInfo}, {Message::kGraph, 12, Message::kValueInfo},
    {Message::kGraph, 13, Message::kValueInfo}, {Message::kNode, 5, Message::kAttribute},
    {Message::kAttribute, 5, Message::kTensor}, {Message::kAttribute, 6, Message::kGraph},
    {Message::kTensor, 13, Message::kPair},     {Message::kValueInfo, 2, Message::kType},
    {Message::kType, 1, Message::kTensorType},  {Message::kTensorType, 2, Message::kShape},
    {Message::kShape, 1, Message::kDim},        {Message::kFunction, 7, Message::kNode},
    {Message::kFunction, 9, Message::kOpset},   {Message::kFunction, 11, Message::kAttribute},
};
constexpr uint32_t kOpOfNode = 4;

Message InnerOf(Message outer, uint32_t field) {
  for (const InnerMessage& row : kInnerMessages) {
    if (row.outer == outer && row.field == field) return row.inner;
  }
  return Message::kNone;
}

struct Field {
  Message outer = Message::kNone;
  uint32_t number = 0;
  uint32_t wire = 0;   // 0: varint, 1: 8 bytes, 2: with a length, 5: 4 bytes
  uint64_t value = 0;  // of a varint
  std::string bytes;   // of others
  bool is_message = false;
  std::vector<Field> fields;  // of a message
};

std::optional<uint64_t> TakeVarint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

void AddVarint(uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
}

// False if the bytes are no message.
bool Parse(Message message, std::string_view bytes, int depth, std::vector<Field>& fields) {
  while (!bytes.empty()) {
    auto tag = TakeVarint(bytes);
    if (!tag || *tag > UINT32_MAX) return false;
    Field field{.outer = message,
                .number = static_cast<uint32_t>(*tag >> 3),
                .wire = static_cast<uint32_t>(*tag & 7)};
    size_t size = field.wire == 1 ? 8 : 4;
    if (field.wire == 0 || field.wire == 2) {
      auto value = TakeVarint(bytes);
      if (!value) return false;
      field.value = *value;
      size = field.wire == 0 ? 0 : *value;
    } else if (field.wire != 1 && field.wire != 5) {
      return false;
    }
    if (size > bytes.size()) return false;
    field.bytes = bytes.substr(0, size);
    bytes.remove_prefix(size);
    Message inner = InnerOf(message, field.number);
    constexpr int kMaxDepth = 64;
    if (field.wire == 2 && inner != Message::kNone && depth < kMaxDepth) {
      field.is_message = Parse(inner, field.bytes, depth + 1, field.fields);
      if (!field.is_message) field.fields.clear();
    }
    fields.push_back(std::move(field));
  }
  return true;
}

void Write(const std::vector<Field>& fields, std::string& bytes) {
  for (const Field& field : fields) {
    AddVarint(static_cast<uint64_t>(field.number) << 3 | field.wire, bytes);
    if (field.wire == 0) {
      AddVarint(field.value, bytes);
      continue;
    }
    std::string inner;
    if (field.is_message) Write(field.fields, inner);
    const std::string& content = field.is_message ? inner : field.bytes;
    if (field.wire == 2) AddVarint(content.size(), bytes);
    bytes += content;
  }
}

// Where a field is: it may go from there.
struct Place {
  std::vector<Field>* fields;
  size_t index;
  Field& field() const { return (*fields)[index]; }
};

void CollectPlaces(std::vector<Field>& fields, std::vector<Place>& places) {
  for (size_t i = 0; i < fields.size(); ++i) {
    places.push_back({&fields, i});
    CollectPlaces(fields[i].fields, places);
  }
}

class FieldChanges {
 public:
  FieldChanges(std::vector<Field>& model, std::span<const std::string> op_names, OnnxRandom& random)
      : op_names_(op_names), random_(random) {
    CollectPlaces(model, places_);
  }

  // Places are wrong afterwards.
  void ChangeOne() {
    if (places_.empty()) return;
    const Place place = places_[Below(places_.size())];
    Field& field = place.field();
    switch (Below(8)) {
      case 0:
        place.fields->erase(place.fields->begin() + static_cast<ptrdiff_t>(place.index));
        return;
      case 1: {
        Field copy = field;
        place.fields->insert(place.fields->begin() + static_cast<ptrdiff_t>(place.index),
                             std::move(copy));
        return;
      }
      case 2:
        std::swap(field, (*place.fields)[Below(place.fields->size())]);
        return;
      case 3:
        if (const Field* other = OtherLike(field)) field = Field(*other);
        return;
      default:
        ChangeValue(field);
    }
  }

 private:
  uint64_t Below(uint64_t limit) { return random_() % limit; }

  // A field of the same kind somewhere else.
  const Field* OtherLike(const Field& field) {
    std::vector<const Field*> others;
    for (const Place& place : places_) {
      const Field& other = place.field();
      if (&other != &field && other.outer == field.outer && other.number == field.number) {
        others.push_back(&other);
      }
    }
    return others.empty() ? nullptr : others[Below(others.size())];
  }

  uint64_t Number(uint64_t old) {
    constexpr int64_t kNumbers[] = {0,  1,  2,  3,   4,          5,         7,         8,
                                    16, -1, -2, -3,  INT64_MAX,  INT64_MIN, INT32_MAX, INT32_MIN,
                                    31, 64, 99, 255, 1000000007, 1 << 20,   -100,      10};
    switch (Below(4)) {
      case 0:
        return old + 1;
      case 1:
        return old - 1;
      case 2:
        return old ^ uint64_t{1} << Below(64);
      default:
        return static_cast<uint64_t>(kNumbers[Below(std::size(kNumbers))]);
    }
  }

  void ChangeValue(Field& field) {
    if (field.wire == 0) {
      field.value = Number(field.value);
    } else if (field.wire == 5) {
      constexpr float kNumbers[] = {0, 1, -1, 0.5f, 1e30f, -1e30f, 1e-40f, 1e9f, 3};
      float number = Below(4) == 0 ? std::bit_cast<float>(static_cast<uint32_t>(random_()))
                                   : kNumbers[Below(std::size(kNumbers))];
      std::memcpy(field.bytes.data(), &number, sizeof(number));
    } else if (field.is_message) {
      if (const Field* other = OtherLike(field)) field = Field(*other);
    } else {
      ChangeBytes(field);
    }
  }

  void ChangeBytes(Field& field) {
    if (field.outer == Message::kNode && field.number == kOpOfNode && !op_names_.empty()) {
      field.bytes = op_names_[Below(op_names_.size())];
      return;
    }
    std::string& bytes = field.bytes;
    switch (Below(6)) {
      case 0:
        bytes.clear();
        return;
      case 1:
        bytes.resize(Below(bytes.size() + 9));
        return;
      case 2:
        if (const Field* other = OtherLike(field)) bytes = std::string(other->bytes);
        return;
      case 3:  // one of the numbers that a tensor of i64 has
        if (bytes.size() >= 8) {
          const size_t at = Below(bytes.size() / 8) * 8;
          uint64_t number;
          std::memcpy(&number, bytes.data() + at, 8);
          number = Number(number);
          std::memcpy(bytes.data() + at, &number, 8);
          return;
        }
        [[fallthrough]];
      default:
        if (!bytes.empty()) bytes[Below(bytes.size())] = static_cast<char>(random_());
    }
  }

  std::vector<Place> places_;
  std::span<const std::string> op_names_;
  OnnxRandom& random_;
};

}  // namespace

std::string WithChangedBytes(std::string_view model, OnnxRandom& random) {
  std::string bytes(model);
  for (uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const size_t at = random() % bytes.size();
    switch (random() % 8) {
      case 0:
        bytes.erase(at, 1 + random() % 8);
        break;
      case 1:
        bytes.insert(at, 1 + random() % 8, static_cast<char>(random()));
        break;
      case 2:
        bytes[at] = static_cast<char>(random());
        break;
      case 3:
        bytes[at] = static_cast<char>(bytes[at] + 1);
        break;
      default:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
    }
  }
  return bytes;
}

std::string WithChangedFields(std::string_view model, std::span<const std::string> op_names,
                              OnnxRandom& random) {
  std::vector<Field> fields;
  if (!Parse(Message::kModel, model, 0, fields)) return WithChangedBytes(model, random);
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
    FieldChanges(fields, op_names, random).ChangeOne();
  }
  std::string bytes;
  Write(fields, bytes);
  return bytes;
}

std::string WithChanges(std::string_view model, std::span<const std::string> op_names,
                        OnnxRandom& random) {
  return random() % 4 == 0 ? WithChangedBytes(model, random)
                           : WithChangedFields(model, op_names, random);
}

}  // namespace tfrt
