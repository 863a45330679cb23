// The part of a call's arguments that a trace depends on: as types, and as numbers to find it by.
#ifndef TFRT_LIB_API_FUNCTION_CALL_TYPE_H_
#define TFRT_LIB_API_FUNCTION_CALL_TYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/function/argument.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// The numbers of a call: two calls with the same ones are the same to a function. Up to kInline lie
// in the object.
class CallKey {
 public:
  static constexpr size_t kInline = 56;

  CallKey() {}  // NOLINT: the array stays uninitialised
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;

  void Add(uint64_t word) {
    if (size_ < kInline) [[likely]] {
      inline_[size_++] = word;
      return;
    }
    if (size_ == kInline) heap_.assign(inline_.begin(), inline_.end());
    heap_.push_back(word);
    ++size_;
  }
  void AddText(std::string_view text);
  std::span<const uint64_t> words() const {
    return {size_ <= kInline ? inline_.data() : heap_.data(), size_};
  }
  uint64_t Hash() const {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (uint64_t word : words()) {
      hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
      hash ^= hash >> 32;
    }
    return hash;
  }

 private:
  size_t size_ = 0;
  std::array<uint64_t, kInline> inline_;
  std::vector<uint64_t> heap_;
};

// One argument.
struct ArgumentType {
  Argument::Kind kind = Argument::Kind::kTensor;
  Argument::Tag tag = Argument::kBool;  // of a static value, as all until `text`
  bool is_plain = false;
  uint64_t bits = 0;  // of a list, its size
  std::string text;
  DType dtype = DType::kUnsupported;         // of a tensor or variable
  std::optional<std::vector<int64_t>> dims;  // -1: any
  uint32_t alias = 0;        // of a variable: the first argument that is the same one
  const void* id = nullptr;  // of a variable that is told apart from all others

  // Whether a trace for this serves a call with `other`.
  bool Admits(const ArgumentType& other) const;
  // Whether nothing but sizes keeps one trace from serving both.
  bool DiffersInShape(const ArgumentType& other) const;
  // Returns a type that admits both.
  ArgumentType Joined(const ArgumentType& other) const;
  // "f32 [2,?]", "3", "a variable f32 [2]"
  std::string ToString() const;
};

// All of a call, and where it was made.
struct CallType {
  uint64_t context = 0;
  uint16_t device = 0;
  std::string device_name;  // empty: the scope names none
  std::vector<ArgumentType> arguments;

  bool Admits(const CallType& other) const;
  // The same but for sizes.
  bool DiffersInShapes(const CallType& other) const;
};

// Appends what decides which trace serves these arguments. Waits for types that are not known yet.
// `by_identity`: variables are told apart from all others. The error of an argument that is one;
// InvalidArgument for what is no tensor, or of another context.
Status AddArguments(std::span<const Argument> arguments, uint64_t context, bool by_identity,
                    CallKey* key);

// The types of arguments of which AddArguments has made a key, or that are specs.
StatusOr<std::vector<ArgumentType>> TypesOf(std::span<const Argument> arguments, bool by_identity);

// "arg0"; the name that the options give.
std::string ArgumentName(std::span<const std::string> names, size_t index);

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_CALL_TYPE_H_
