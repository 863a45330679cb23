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
  NameEntry* next;  // in its chain of the table
};
}  // namespace internal

// A pointer to a text that lives as long as the process; two names are equal if their texts are.
// The default one is empty.
class Name {
 public:
  constexpr Name() = default;
  std::string_view text() const { return entry_ ? entry_->text : std::string_view(); }
  explicit operator bool() const { return entry_ != nullptr; }
  friend bool operator==(Name, Name) = default;

  // A name in 64 bits, for arguments of records.
  uint64_t bits() const { return reinterpret_cast<uintptr_t>(entry_); }
  static Name FromBits(uint64_t bits) {
    return Name(reinterpret_cast<const internal::NameEntry*>(static_cast<uintptr_t>(bits)));
  }

 private:
  friend Name InternName(std::string_view text);
  explicit Name(const internal::NameEntry* entry) : entry_(entry) {}

  const internal::NameEntry* entry_ = nullptr;
};

// The name of a text. A text that has been interned before is found without a lock and without an
// allocation; the first time takes both. The process keeps kMaxNames texts; those that come later
// are all called kTooManyNames. Any thread.
Name InternName(std::string_view text);
inline constexpr uint32_t kMaxNames = 1 << 16;
inline constexpr std::string_view kTooManyNames = "(too many names)";

// The name of a text that lies beside it and does not change: interned when it is first asked for,
// and then found without the table. A copy belongs to a copy of the text. Any thread.
class LazyName {
 public:
  constexpr LazyName() = default;
  LazyName(const LazyName& other) : bits_(other.bits_.load(std::memory_order_acquire)) {}
  LazyName& operator=(const LazyName& other) {
    bits_.store(other.bits_.load(std::memory_order_acquire), std::memory_order_release);
    return *this;
  }

  // Of `text`, always the same one.
  Name Of(std::string_view text) const {
    // acquire: pairs with the release, so that this thread sees the entry that another one has
    // found or made. All find the same.
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
