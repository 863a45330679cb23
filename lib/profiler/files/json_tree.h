// JsonTree: one JSON value of a trace file, an event say. Bounded, flat, and used again for the
// next.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_TREE_H_
#define TFRT_LIB_PROFILER_FILES_JSON_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

enum class JsonKind : uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kUnsigned,
  kReal,
  kText,
  kObject,
  kArray
};

class JsonTree;

// A value of a tree, or none: what is asked of none is answered with "otherwise". Valid until the
// tree changes.
class JsonRef {
 public:
  JsonRef() = default;
  JsonRef(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}

  bool exists() const { return tree_ != nullptr; }
  bool is(JsonKind kind) const;
  std::string_view key() const;
  // Of a text; empty of others.
  std::string_view Text() const;
  // Numbers that are integers, reals without their fraction, texts that are integers ("17").
  int64_t Integer(int64_t otherwise = 0) const;
  // The same up to 2^64 - 1.
  uint64_t Unsigned(uint64_t otherwise = 0) const;
  double Real(double otherwise = 0) const;
  bool Boolean(bool otherwise = false) const;
  // A number of microseconds as nanoseconds, exact as it is written. Nothing: no number, or one
  // that is too large.
  std::optional<int64_t> Nanoseconds() const;
  // The first member of this name.
  JsonRef Find(std::string_view key) const;
  // Members and elements: for (JsonRef item = v.First(); item.exists(); item = item.Next()).
  JsonRef First() const;
  JsonRef Next() const;

 private:
  friend class JsonTree;
  const JsonTree* tree_ = nullptr;
  uint32_t index_ = 0;
};

class JsonTree {
 public:
  // What a value may have in all; beyond that it is incomplete.
  static constexpr size_t kMaxNodes = size_t{1} << 17;
  static constexpr size_t kMaxTextBytes = size_t{16} << 20;

  void Clear();
  // In the order of the text. The key, of members, before the value.
  void AddKey(std::string_view key);
  void AddNull() { Add(JsonKind::kNull, 0, {}); }
  void AddBoolean(bool value) { Add(JsonKind::kBoolean, value, {}); }
  void AddInteger(int64_t value) { Add(JsonKind::kInteger, static_cast<uint64_t>(value), {}); }
  void AddUnsigned(uint64_t value) { Add(JsonKind::kUnsigned, value, {}); }
  void AddReal(double value, std::string_view text);
  void AddText(std::string_view text) { Add(JsonKind::kText, 0, text); }
  void Begin(bool is_object);
  void End();

  bool is_complete() const { return is_complete_; }
  JsonRef root() const { return nodes_.empty() ? JsonRef() : JsonRef(this, 0); }

 private:
  friend class JsonRef;
  struct Node {
    JsonKind kind;
    uint32_t key_begin, key_size, text_begin, text_size;
    uint32_t next;    // behind the value and all that is in it
    uint32_t parent;  // kNoNode: none
    uint64_t bits;
  };
  static constexpr uint32_t kNoNode = ~uint32_t{0};

  void Add(JsonKind kind, uint64_t bits, std::string_view text);

  std::vector<Node> nodes_;
  std::string texts_;
  uint32_t key_begin_ = 0, key_size_ = 0;  // of the next value
  uint32_t open_ = kNoNode;
  size_t num_left_out_ = 0;  // objects and arrays that have begun and are not there
  bool is_complete_ = true;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_TREE_H_
