#include "json_tree.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace tfrt::profiler {
namespace {

constexpr int64_t kMaxNs = std::numeric_limits<int64_t>::max();
constexpr uint64_t kMaxSize = uint64_t{1} << 63;  // of a negative number

template <typename T>
bool ParseWhole(std::string_view text, T* value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<int64_t> WithSign(bool is_negative, uint64_t size) {
  if (size > (is_negative ? kMaxSize : static_cast<uint64_t>(kMaxNs))) return std::nullopt;
  return static_cast<int64_t>(is_negative ? 0 - size : size);
}

// "-12.3456" as -12345; numbers with an exponent are not exact anyway.
std::optional<int64_t> DecimalNanoseconds(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const size_t point = text.find('.');
  if (point == std::string_view::npos || text.find_first_of("eE") != std::string_view::npos) {
    return std::nullopt;
  }
  uint64_t whole = 0;
  if (!ParseWhole(text.substr(0, point), &whole)) return std::nullopt;
  uint64_t rest = 0;
  for (size_t i = 1; i <= 3; ++i) {
    const uint64_t digit =
        point + i < text.size() ? static_cast<uint64_t>(text[point + i] - '0') : 0;
    rest = rest * 10 + digit;
  }
  if (whole > (kMaxSize - rest) / 1000) return std::nullopt;
  return WithSign(is_negative, whole * 1000 + rest);
}

}  // namespace

bool JsonRef::is(JsonKind kind) const { return tree_ && tree_->nodes_[index_].kind == kind; }

std::string_view JsonRef::key() const {
  if (!tree_) return {};
  const JsonTree::Node& node = tree_->nodes_[index_];
  return std::string_view(tree_->texts_).substr(node.key_begin, node.key_size);
}

std::string_view JsonRef::Text() const {
  if (!is(JsonKind::kText)) return {};
  const JsonTree::Node& node = tree_->nodes_[index_];
  return std::string_view(tree_->texts_).substr(node.text_begin, node.text_size);
}

int64_t JsonRef::Integer(int64_t otherwise) const {
  if (!tree_) return otherwise;
  const JsonTree::Node& node = tree_->nodes_[index_];
  switch (node.kind) {
    case JsonKind::kInteger:
      return static_cast<int64_t>(node.bits);
    case JsonKind::kUnsigned:
      return node.bits > static_cast<uint64_t>(kMaxNs) ? otherwise
                                                       : static_cast<int64_t>(node.bits);
    case JsonKind::kReal: {
      const double value = std::trunc(std::bit_cast<double>(node.bits));
      return std::abs(value) < 9e18 ? static_cast<int64_t>(value) : otherwise;
    }
    case JsonKind::kText: {
      int64_t value = 0;
      return ParseWhole(Text(), &value) ? value : otherwise;
    }
    default:
      return otherwise;
  }
}

uint64_t JsonRef::Unsigned(uint64_t otherwise) const {
  if (is(JsonKind::kUnsigned)) return tree_->nodes_[index_].bits;
  const int64_t value = Integer(-1);
  return value < 0 ? otherwise : static_cast<uint64_t>(value);
}

double JsonRef::Real(double otherwise) const {
  if (!tree_) return otherwise;
  const JsonTree::Node& node = tree_->nodes_[index_];
  switch (node.kind) {
    case JsonKind::kInteger:
      return static_cast<double>(static_cast<int64_t>(node.bits));
    case JsonKind::kUnsigned:
      return static_cast<double>(node.bits);
    case JsonKind::kReal:
      return std::bit_cast<double>(node.bits);
    default:
      return otherwise;
  }
}

bool JsonRef::Boolean(bool otherwise) const {
  return is(JsonKind::kBoolean) ? tree_->nodes_[index_].bits != 0 : otherwise;
}

std::optional<int64_t> JsonRef::Nanoseconds() const {
  if (!tree_) return std::nullopt;
  const JsonTree::Node& node = tree_->nodes_[index_];
  if (node.kind == JsonKind::kInteger || node.kind == JsonKind::kUnsigned) {
    const bool is_negative = node.kind == JsonKind::kInteger && static_cast<int64_t>(node.bits) < 0;
    const uint64_t size = is_negative ? 0 - node.bits : node.bits;
    if (size > kMaxSize / 1000) return std::nullopt;
    return WithSign(is_negative, size * 1000);
  }
  if (node.kind != JsonKind::kReal) return std::nullopt;
  const std::string_view text =
      std::string_view(tree_->texts_).substr(node.text_begin, node.text_size);
  if (std::optional<int64_t> exact = DecimalNanoseconds(text)) return exact;
  const double ns = std::round(std::bit_cast<double>(node.bits) * 1000);
  if (!(std::abs(ns) < 9.2e18)) return std::nullopt;
  return static_cast<int64_t>(ns);
}

JsonRef JsonRef::Find(std::string_view key) const {
  if (!is(JsonKind::kObject)) return {};
  for (JsonRef member = First(); member.exists(); member = member.Next()) {
    if (member.key() == key) return member;
  }
  return {};
}

JsonRef JsonRef::First() const {
  if (!is(JsonKind::kObject) && !is(JsonKind::kArray)) return {};
  return tree_->nodes_[index_].next > index_ + 1 ? JsonRef(tree_, index_ + 1) : JsonRef();
}

JsonRef JsonRef::Next() const {
  if (!tree_) return {};
  const JsonTree::Node& node = tree_->nodes_[index_];
  if (node.parent == JsonTree::kNoNode) return {};
  return node.next < tree_->nodes_[node.parent].next ? JsonRef(tree_, node.next) : JsonRef();
}

void JsonTree::Clear() {
  nodes_.clear();
  texts_.clear();
  key_begin_ = key_size_ = 0;
  open_ = kNoNode;
  num_left_out_ = 0;
  is_complete_ = true;
}

void JsonTree::AddKey(std::string_view key) {
  key_begin_ = static_cast<uint32_t>(texts_.size());
  key_size_ = static_cast<uint32_t>(key.size());
  if (!is_complete_) return;
  if (texts_.size() + key.size() > kMaxTextBytes) {
    is_complete_ = false;
    return;
  }
  texts_ += key;
}

void JsonTree::AddReal(double value, std::string_view text) {
  Add(JsonKind::kReal, std::bit_cast<uint64_t>(value), text);
}

void JsonTree::Add(JsonKind kind, uint64_t bits, std::string_view text) {
  // An incomplete tree is not read: nothing more is kept of it.
  if (nodes_.size() >= kMaxNodes || texts_.size() + text.size() > kMaxTextBytes) {
    is_complete_ = false;
  }
  if (!is_complete_) return;
  nodes_.push_back({.kind = kind,
                    .key_begin = key_begin_,
                    .key_size = key_size_,
                    .text_begin = static_cast<uint32_t>(texts_.size()),
                    .text_size = static_cast<uint32_t>(text.size()),
                    .next = static_cast<uint32_t>(nodes_.size() + 1),
                    .parent = open_,
                    .bits = bits});
  texts_ += text;
  key_begin_ = key_size_ = 0;
}

void JsonTree::Begin(bool is_object) {
  const size_t size = nodes_.size();
  Add(is_object ? JsonKind::kObject : JsonKind::kArray, 0, {});
  if (nodes_.size() == size) {
    ++num_left_out_;
  } else {
    open_ = static_cast<uint32_t>(size);
  }
}

void JsonTree::End() {
  if (num_left_out_ > 0) {
    --num_left_out_;
    return;
  }
  if (open_ == kNoNode) return;
  nodes_[open_].next = static_cast<uint32_t>(nodes_.size());
  open_ = nodes_[open_].parent;
}

}  // namespace tfrt::profiler
