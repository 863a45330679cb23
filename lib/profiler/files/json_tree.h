// JsonTree: one JSON value of a profile file, for example an event. Bounded, flat, and reused for
// the next value.
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

// A value of a tree, or none: the functions of a missing value return `otherwise`. Valid until the
// tree changes.
class JsonRef {
 public:
  JsonRef() = default;
  JsonRef(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}

  bool exists() const { return tree_ != nullptr; }
  bool is(JsonKind kind) const;
  std::string_view key() const;
  // Returns the text of a text value; empty for others.
  std::string_view Text() const;
  // Converts integers, reals without their fraction, and texts that are integers ("17").
  int64_t Integer(int64_t otherwise = 0) const;
  // As Integer, up to 2^64 - 1.
  uint64_t Unsigned(uint64_t otherwise = 0) const;
  double Real(double otherwise = 0) const;
  bool Boolean(bool otherwise = false) const;
  // Returns a number of microseconds as nanoseconds, exactly as written. Returns nullopt if it is
  // no number, or too large.
  std::optional<int64_t> Nanoseconds() const;
  // Returns the first member of this name.
  JsonRef Find(std::string_view key) const;
  // Iterate over members and elements: for (JsonRef item = v.First(); item.exists(); item =
  // item.Next()).
  JsonRef First() const;
  JsonRef Next() const;

 private:
  friend class JsonTree;
  const JsonTree* tree_ = nullptr;
  uint32_t index_ = 0;
};

class JsonTree {
 public:
  // The limits of a value; beyond them it is incomplete.
  static constexpr size_t kMaxNodes = size_t{1} << 17;
  static constexpr size_t kMaxTextBytes = size_t{16} << 20;

  void Clear();
  // Add values in the order of the text. A member's key comes before its value.
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
    uint32_t next;    // after the value and all its contents
    uint32_t parent;  // kNoNode: none
    uint64_t bits;
  };
  static constexpr uint32_t kNoNode = ~uint32_t{0};

  void Add(JsonKind kind, uint64_t bits, std::string_view text);

  std::vector<Node> nodes_;
  std::string texts_;
  uint32_t key_begin_ = 0, key_size_ = 0;  // of the next value
  uint32_t open_ = kNoNode;
  size_t num_left_out_ = 0;  // objects and arrays that have begun and are left out
  bool is_complete_ = true;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_TREE_H_
