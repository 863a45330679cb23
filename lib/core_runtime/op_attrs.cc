#include "tfrt/core_runtime/op_attrs.h"

#include <algorithm>
#include <cassert>

#include "tfrt/bef/attribute_encoder.h"

namespace tfrt {
namespace {

// 64-bit FNV-1a.
uint64_t HashBytes(const void* data, size_t size, uint64_t hash = 0xCBF29CE484222325u) {
  auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return hash;
}

bool IsArray(AttributeCode code) { return (code & internal::kArrayBit) != 0; }

// Bytes of one element of an array: numbers, or types, which take one.
size_t ElementSize(AttributeCode array_code) {
  AttributeCode element = array_code & ~internal::kArrayBit;
  return element == TypeAttribute::kCode ? 1 : DTypeSize(DTypeFromCode(element));
}

// Where the first byte of an encoded value lies: `offset` bytes in front of a multiple of
// `alignment`.
struct Placement {
  size_t offset;
  size_t alignment;
};
Placement PlacementOf(AttributeCode code) {
  switch (code) {
    case StringAttribute::kCode:
      return {0, 4};
    case TypeAttribute::kCode:
      return {0, 1};
    case ShapeAttribute::kCode:
    case DenseAttribute::kCode:
      return {4, 8};  // both have dimensions behind a multiple of four bytes that is none of eight
  }
  if (IsArray(code)) return {4, 8};
  if (code == AggregateAttribute::kCode) return {0, 16};
  size_t size = DTypeSize(DTypeFromCode(code));
  return {0, size == 0 ? 1 : size};
}

// An aggregate's header is placed so that what it names is aligned: modulo 16, as it lies now.
Placement PlacementOf(const OpAttr& attr) {
  if (attr.code != AggregateAttribute::kCode) return PlacementOf(attr.code);
  size_t position = reinterpret_cast<uintptr_t>(attr.data) % 16;
  return {(16 - position) % 16, 16};
}

size_t PositionFor(size_t used, Placement at) {
  size_t behind = used + at.offset;
  return (behind + at.alignment - 1) / at.alignment * at.alignment - at.offset;
}

}  // namespace

size_t OpAttr::size_bytes() const {
  switch (code) {
    case StringAttribute::kCode:
      return 4 + internal::LoadAttribute<uint32_t>(data);
    case TypeAttribute::kCode:
      return 1;
    case ShapeAttribute::kCode:
      return ShapeAttribute(data).has_rank() ? internal::LoadAttribute<uint32_t>(data + 4) : 4;
    case DenseAttribute::kCode:
    case AggregateAttribute::kCode:
      return internal::LoadAttribute<uint32_t>(data + 4);
  }
  if (IsArray(code)) return 4 + internal::LoadAttribute<uint32_t>(data) * ElementSize(code);
  return DTypeSize(DTypeFromCode(code));
}

bool operator==(const OpAttr& a, const OpAttr& b) {
  if (a.code != b.code || a.is_function != b.is_function || a.name != b.name) return false;
  size_t size = a.size_bytes();
  return size == b.size_bytes() && std::memcmp(a.data, b.data, size) == 0;
}

OpAttrsRef::OpAttrsRef(RCReference<ImmutableOpAttrs> frozen)
    : attrs_(frozen->attrs().data()),
      size_(static_cast<uint32_t>(frozen->attrs().size())),
      owner_(std::move(frozen)) {}

std::optional<std::string_view> OpAttrsRef::GetString(std::string_view name) const {
  const OpAttr* attr = FindOfCode(name, StringAttribute::kCode);
  if (!attr || attr->is_function) return std::nullopt;
  return StringAttribute(attr->data).get();
}

std::optional<std::string_view> OpAttrsRef::GetFunction(std::string_view name) const {
  const OpAttr* attr = FindOfCode(name, StringAttribute::kCode);
  if (!attr || !attr->is_function) return std::nullopt;
  return StringAttribute(attr->data).get();
}

std::optional<DType> OpAttrsRef::GetType(std::string_view name) const {
  const OpAttr* attr = FindOfCode(name, TypeAttribute::kCode);
  if (!attr) return std::nullopt;
  return DTypeFromCode(TypeAttribute(attr->data).element_code());
}

std::optional<ShapeAttribute> OpAttrsRef::GetShape(std::string_view name) const {
  const OpAttr* attr = FindOfCode(name, ShapeAttribute::kCode);
  if (!attr) return std::nullopt;
  return ShapeAttribute(attr->data);
}

std::optional<DenseAttribute> OpAttrsRef::GetDense(std::string_view name) const {
  const OpAttr* attr = FindOfCode(name, DenseAttribute::kCode);
  if (!attr) return std::nullopt;
  return DenseAttribute(attr->data);
}

std::optional<AggregateAttribute> OpAttrsRef::GetAggregate(std::string_view name) const {
  const OpAttr* attr = Find(name);
  if (!attr) return std::nullopt;
  AggregateAttribute aggregate(attr->data);
  bool is_empty_array = attr->code == internal::kEmptyArrayCode && aggregate.size() == 0;
  if (attr->code != AggregateAttribute::kCode && !is_empty_array) return std::nullopt;
  return aggregate;
}

OpAttrsRef OpAttrsRef::Freeze() const {
  if (empty() || owner_) return *this;
  return OpAttrsRef(ImmutableOpAttrs::Create(attrs()));
}

uint64_t OpAttrsRef::Hash() const {
  uint64_t sum = 0;
  for (const OpAttr& attr : attrs()) {
    uint64_t hash = HashBytes(attr.name.data(), attr.name.size());
    sum += HashBytes(attr.data, attr.size_bytes(), hash ^ attr.code);
  }
  return sum;
}

bool operator==(const OpAttrsRef& a, const OpAttrsRef& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    // Mostly both have one order.
    if (a.attrs_[i] == b.attrs_[i]) continue;
    const OpAttr* other = b.Find(a.attrs_[i].name);
    if (!other || !(*other == a.attrs_[i])) return false;
  }
  return true;
}

bool OpAttrs::Add(const OpAttr& attr) {
  if (size_ < kInlineAttrs) {
    new (inline_attrs() + size_) OpAttr(attr);
  } else {
    if (size_ == kInlineAttrs) spilled_.assign(inline_attrs(), inline_attrs() + size_);
    spilled_.push_back(attr);
  }
  ++size_;
  return true;
}

uint8_t* OpAttrs::Allocate(size_t size, size_t offset, size_t alignment) {
  size_t position = PositionFor(bytes_used_, {offset, alignment});
  if (size <= kInlineBytes && position <= kInlineBytes - size) {
    bytes_used_ = static_cast<uint32_t>(position + size);
    return inline_bytes_ + position;
  }
  // operator new[] aligns by 16.
  spilled_bytes_.push_back(std::make_unique<uint8_t[]>(size + alignment));
  return spilled_bytes_.back().get() + PositionFor(0, {offset, alignment});
}

bool OpAttrs::SetEncoded(std::string_view name, AttributeCode code, const void* value, size_t size,
                         size_t offset, size_t alignment) {
  if (OpAttrsRef(*this).Find(name)) return false;
  uint8_t* data = Allocate(size, offset, alignment);
  std::memcpy(data, value, size);
  return Add({name, data, code});
}

bool OpAttrs::SetCounted(std::string_view name, AttributeCode code, const void* values,
                         size_t count, size_t element_size) {
  if (OpAttrsRef(*this).Find(name)) return false;
  auto count32 = static_cast<uint32_t>(count);
  assert(count32 == count && "an attribute of more elements than the format can count");
  size_t size = count * element_size;
  uint8_t* data =
      code == StringAttribute::kCode ? Allocate(4 + size, 0, 4) : Allocate(4 + size, 4, 8);
  std::memcpy(data, &count32, 4);
  if (size > 0) std::memcpy(data + 4, values, size);
  return Add({name, data, code});
}

bool OpAttrs::SetFunction(std::string_view name, std::string_view function) {
  if (!SetString(name, function)) return false;
  const_cast<OpAttr*>(attrs())[size_ - 1].is_function = true;
  return true;
}

bool OpAttrs::SetType(std::string_view name, DType type) {
  return SetEncoded(name, TypeAttribute::kCode, &type, 1, 0, 1);
}

bool OpAttrs::SetShape(std::string_view name, std::span<const int64_t> dims) {
  if (OpAttrsRef(*this).Find(name)) return false;
  size_t size = 12 + 8 * dims.size();
  uint8_t* data = Allocate(size, 4, 8);
  uint8_t header[12] = {8, 0, 12, 0};
  auto size32 = static_cast<uint32_t>(size);
  auto rank32 = static_cast<uint32_t>(dims.size());
  std::memcpy(header + 4, &size32, 4);
  std::memcpy(header + 8, &rank32, 4);
  std::memcpy(data, header, sizeof(header));
  if (!dims.empty()) std::memcpy(data + 12, dims.data(), 8 * dims.size());
  return Add({name, data, ShapeAttribute::kCode});
}

bool OpAttrs::SetUnrankedShape(std::string_view name) {
  uint32_t none = 0;
  return SetEncoded(name, ShapeAttribute::kCode, &none, 4, 4, 8);
}

bool OpAttrs::SetDense(std::string_view name, DType dtype, std::span<const int64_t> dims,
                       std::span<const uint8_t> elements) {
  if (OpAttrsRef(*this).Find(name)) return false;
  size_t prefix = 20 + 8 * dims.size();
  assert(DTypeSize(dtype) > 0 && elements.size() + prefix <= UINT32_MAX);
  uint8_t* data = Allocate(prefix + elements.size(), 4, 8);
  auto prefix16 = static_cast<uint16_t>(prefix);
  uint32_t words[4] = {static_cast<uint32_t>(prefix + elements.size()),
                       static_cast<uint32_t>(prefix),
                       static_cast<uint32_t>(elements.size() / DTypeSize(dtype)),
                       static_cast<uint32_t>(dims.size())};
  data[0] = 8;
  data[1] = static_cast<uint8_t>(dtype);
  std::memcpy(data + 2, &prefix16, 2);
  std::memcpy(data + 4, words, sizeof(words));
  if (!dims.empty()) std::memcpy(data + 20, dims.data(), 8 * dims.size());
  if (!elements.empty()) std::memcpy(data + prefix, elements.data(), elements.size());
  return Add({name, data, DenseAttribute::kCode});
}

bool OpAttrs::SetStringArray(std::string_view name, std::span<const std::string_view> values) {
  if (OpAttrsRef(*this).Find(name)) return false;
  if (values.empty()) {
    uint32_t none = 0;
    return SetEncoded(name, internal::kEmptyArrayCode, &none, 4, 4, 8);
  }
  std::vector<bef::AttributeValue> elements;
  for (std::string_view value : values) {
    elements.push_back(bef::StringAttribute(std::string(value)));
  }
  bef::Buffer buffer;
  StatusOr<uint32_t> offset =
      bef::EncodeAttribute(bef::ArrayAttribute(std::move(elements)), &buffer);
  assert(offset.ok() && "an attribute of more bytes than the format can count");
  size_t size = buffer.size() - *offset;
  uint8_t* data = Allocate(size, (16 - *offset % 16) % 16, 16);
  std::memcpy(data, buffer.bytes().data() + *offset, size);
  return Add({name, data, AggregateAttribute::kCode});
}

bool OpAttrs::SetExternal(std::string_view name, AttributeCode code, const uint8_t* data) {
  return SetExternal({name, data, code});
}

bool OpAttrs::SetExternal(const OpAttr& attr) {
  if (OpAttrsRef(*this).Find(attr.name)) return false;
  return Add(attr);
}

RCReference<ImmutableOpAttrs> ImmutableOpAttrs::Create(std::span<const OpAttr> attrs) {
  auto result = TakeRef(new ImmutableOpAttrs());
  size_t size = 0;
  for (const OpAttr& attr : attrs) {
    size = PositionFor(size, PlacementOf(attr)) + attr.size_bytes() + attr.name.size();
  }
  // Two words more, to start at a multiple of 16.
  result->bytes_ = std::make_unique<uint64_t[]>(size / 8 + 3);
  auto* bytes = reinterpret_cast<uint8_t*>(result->bytes_.get());
  bytes += (16 - reinterpret_cast<uintptr_t>(bytes) % 16) % 16;
  size = 0;
  result->attrs_.reserve(attrs.size());
  for (const OpAttr& attr : attrs) {
    OpAttr copy = attr;
    size = PositionFor(size, PlacementOf(attr));
    copy.data = bytes + size;
    std::memcpy(bytes + size, attr.data, attr.size_bytes());
    size += attr.size_bytes();
    std::memcpy(bytes + size, attr.name.data(), attr.name.size());
    copy.name = {reinterpret_cast<const char*>(bytes + size), attr.name.size()};
    size += attr.name.size();
    result->attrs_.push_back(copy);
  }
  std::sort(result->attrs_.begin(), result->attrs_.end(),
            [](const OpAttr& a, const OpAttr& b) { return a.name < b.name; });
  return result;
}

}  // namespace tfrt
