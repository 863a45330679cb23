#include "tfrt/core_runtime/op_attrs.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "tfrt/bef/attribute_encoder.h"

namespace tfrt {
namespace {

constexpr size_t kHashedBytes = 32;  // at each end of a value

// Eight bytes at a time, multiplicatively (Fibonacci hashing).
uint64_t HashBytes(const uint8_t* bytes, size_t size, uint64_t hash) {
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  };
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    add(word);
  }
  uint64_t rest = size;
  for (size_t i = 0; i < size; ++i) rest = rest << 8 | bytes[i];
  add(rest);
  return hash;
}

// Hashes large values (mostly constants) by their size, both ends and a few words between them.
// They are hashed for each call; values that are equal so far are compared whole.
uint64_t HashValue(const uint8_t* bytes, size_t size, uint64_t hash) {
  if (size <= 2 * kHashedBytes) return HashBytes(bytes, size, hash);
  hash = HashBytes(bytes, kHashedBytes, hash ^ size);
  constexpr size_t kWords = 8;
  const size_t between = size - 2 * kHashedBytes;
  for (size_t i = 0; i < kWords && between >= kWords * sizeof(uint64_t); ++i) {
    const size_t at = kHashedBytes + between / kWords * i;
    hash = HashBytes(bytes + at, sizeof(uint64_t), hash);
  }
  return HashBytes(bytes + size - kHashedBytes, kHashedBytes, hash);
}

bef::Placement PlacementOf(const OpAttr& attr) {
  return bef::PlacementOf(static_cast<bef::TypeCode>(attr.code), attr.data);
}

}  // namespace

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
  if (attr->code != AggregateAttribute::kCode &&
      !bef::IsEmptyArray(static_cast<bef::TypeCode>(attr->code), attr->data)) {
    return std::nullopt;
  }
  return AggregateAttribute(attr->data);
}

OpAttrsRef OpAttrsRef::Freeze() const {
  if (empty() || owner_) return *this;
  return OpAttrsRef(ImmutableOpAttrs::Create(attrs()));
}

uint64_t OpAttrsRef::Hash() const {
  uint64_t sum = 0;
  for (const OpAttr& attr : attrs()) {
    // A name is hashed by its ends and size: few names of one op agree in these.
    uint64_t name = attr.name.size() << 8 | attr.code;
    if (!attr.name.empty()) {
      name = (name << 8 | uint8_t(attr.name.front())) << 8 | uint8_t(attr.name.back());
    }
    sum += HashValue(attr.data, attr.size_bytes(), name);
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

uint8_t* OpAttrs::Allocate(size_t size, bef::Placement at) {
  size_t position = at.AtOrAfter(bytes_used_);
  if (size <= kInlineBytes && position <= kInlineBytes - size) {
    bytes_used_ = static_cast<uint32_t>(position + size);
    return inline_bytes_ + position;
  }
  // operator new[] aligns by 16.
  spilled_bytes_.push_back(std::make_unique<uint8_t[]>(size + at.alignment));
  return spilled_bytes_.back().get() + at.AtOrAfter(0);
}

bool OpAttrs::SetEncoded(std::string_view name, AttributeCode code, const void* value, size_t size,
                         bef::Placement at) {
  if (OpAttrsRef(*this).Find(name)) return false;
  uint8_t* data = Allocate(size, at);
  std::memcpy(data, value, size);
  return Add({name, data, code});
}

bool OpAttrs::SetCounted(std::string_view name, AttributeCode code, const void* values,
                         size_t count, size_t element_size) {
  if (OpAttrsRef(*this).Find(name)) return false;
  auto count32 = static_cast<uint32_t>(count);
  assert(count32 == count && "an attribute of more elements than the format can count");
  uint8_t* data = Allocate(bef::CountedBytes::SizeBytes(count, element_size),
                           bef::CountedBytes::PlacementFor(element_size));
  uint8_t* elements = bef::CountedBytes::Encode(count32, data);
  if (count > 0) std::memcpy(elements, values, count * element_size);
  return Add({name, data, code});
}

bool OpAttrs::SetFunction(std::string_view name, std::string_view function) {
  if (!SetString(name, function)) return false;
  const_cast<OpAttr*>(attrs())[size_ - 1].is_function = true;
  return true;
}

bool OpAttrs::SetType(std::string_view name, DType type) {
  return SetEncoded(name, TypeAttribute::kCode, &type, 1, bef::ScalarPlacement(1));
}

bool OpAttrs::SetShape(std::string_view name, std::span<const int64_t> dims) {
  if (OpAttrsRef(*this).Find(name)) return false;
  uint8_t* data = Allocate(bef::ShapeBytes::SizeBytes(dims.size()), bef::ShapeBytes::kPlacement);
  bef::ShapeBytes::Encode(dims, data);
  return Add({name, data, ShapeAttribute::kCode});
}

bool OpAttrs::SetUnrankedShape(std::string_view name) {
  if (OpAttrsRef(*this).Find(name)) return false;
  uint8_t* data = Allocate(bef::ShapeBytes::kUnrankedBytes, bef::ShapeBytes::kUnrankedPlacement);
  bef::ShapeBytes::EncodeUnranked(data);
  return Add({name, data, ShapeAttribute::kCode});
}

bool OpAttrs::SetDense(std::string_view name, DType dtype, std::span<const int64_t> dims,
                       std::span<const uint8_t> elements) {
  if (OpAttrsRef(*this).Find(name)) return false;
  size_t size = bef::DenseBytes::PrefixBytes(dims.size()) + elements.size();
  assert(DTypeSize(dtype) > 0 && dims.size() <= bef::DenseBytes::kMaxRank && size <= UINT32_MAX);
  uint8_t* data = Allocate(size, bef::DenseBytes::kPlacement);
  bef::DenseBytes::Encode(static_cast<bef::TypeCode>(dtype), dims, elements, data);
  return Add({name, data, DenseAttribute::kCode});
}

bool OpAttrs::SetStringArray(std::string_view name, std::span<const std::string_view> values) {
  if (OpAttrsRef(*this).Find(name)) return false;
  if (values.empty()) return SetArray<int32_t>(name, {});
  std::vector<bef::AttributeValue> elements;
  for (std::string_view value : values) {
    elements.push_back(bef::StringAttribute(std::string(value)));
  }
  bef::Buffer buffer;
  StatusOr<uint32_t> offset =
      bef::EncodeAttribute(bef::ArrayAttribute(std::move(elements)), &buffer);
  assert(offset.ok() && "an attribute of more bytes than the format can count");
  const uint8_t* encoded = buffer.bytes().data() + *offset;
  size_t size = buffer.size() - *offset;
  bef::Placement at = bef::PlacementOf(bef::TypeCode::kAggregate, encoded);
  return SetEncoded(name, AggregateAttribute::kCode, encoded, size, at);
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
    size = PlacementOf(attr).AtOrAfter(size) + attr.size_bytes() + attr.name.size();
  }
  // Two words more, to start at a multiple of 16.
  result->bytes_ = std::make_unique<uint64_t[]>(size / 8 + 3);
  auto* bytes = reinterpret_cast<uint8_t*>(result->bytes_.get());
  bytes += (16 - reinterpret_cast<uintptr_t>(bytes) % 16) % 16;
  size = 0;
  result->attrs_.reserve(attrs.size());
  for (const OpAttr& attr : attrs) {
    OpAttr copy = attr;
    size = PlacementOf(attr).AtOrAfter(size);
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
