// Name: an interned text. Records hold names instead of texts.
#ifndef TFRT_TRACING_NAME_H_
#define TFRT_TRACING_NAME_H_

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tfrt::tracing {

namespace internal {
struct NameEntry {
  std::string_view text;
  uint64_t hash;
  NameEntry* next;  // the next entry of the same chain of the table
};
}  // namespace internal

// Points to a text that lives as long as the process. Two names are equal if their texts are. The
// default name is empty.
class Name {
 public:
  constexpr Name() = default;
  std::string_view text() const { return entry_ ? entry_->text : std::string_view(); }
  explicit operator bool() const { return entry_ != nullptr; }
  friend bool operator==(Name, Name) = default;

  // Returns the name in 64 bits, for arguments of records.
  uint64_t bits() const { return reinterpret_cast<uintptr_t>(entry_); }
  static Name FromBits(uint64_t bits) {
    return Name(reinterpret_cast<const internal::NameEntry*>(static_cast<uintptr_t>(bits)));
  }

 private:
  friend Name InternName(std::string_view text);
  explicit Name(const internal::NameEntry* entry) : entry_(entry) {}

  const internal::NameEntry* entry_ = nullptr;
};

// Returns the name of a text. Finds a known text without a lock or an allocation; the first time
// takes both. The process keeps kMaxNames texts; later ones are all called kTooManyNames. Any
// thread may call it.
Name InternName(std::string_view text);
inline constexpr uint32_t kMaxNames = 1 << 16;
inline constexpr std::string_view kTooManyNames = "(too many names)";

// Caches the name of a text that is stored beside it and does not change. The text is interned on
// first use; later uses skip the table. A copy belongs to a copy of the text. Any thread may use
// it.
class LazyName {
 public:
  constexpr LazyName() = default;
  LazyName(const LazyName& other) : bits_(other.bits_.load(std::memory_order_acquire)) {}
  LazyName& operator=(const LazyName& other) {
    bits_.store(other.bits_.load(std::memory_order_acquire), std::memory_order_release);
    return *this;
  }

  // Returns the name of `text`, which must always be the same one.
  Name Of(std::string_view text) const {
    // acquire: pairs with the release, so that this thread sees the entry that another thread has
    // found or made. All threads find the same entry.
    uint64_t bits = bits_.load(std::memory_order_acquire);
    if (bits == 0) [[unlikely]] {
      bits = InternName(text).bits();
      bits_.store(bits, std::memory_order_release);
    }
    return Name::FromBits(bits);
  }

 private:
  mutable std::atomic<uint64_t> bits_{0};
};

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_NAME_H_
