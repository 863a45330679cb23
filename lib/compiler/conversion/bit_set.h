// A set of small numbers.
#ifndef TFRT_LIB_COMPILER_CONVERSION_BIT_SET_H_
#define TFRT_LIB_COMPILER_CONVERSION_BIT_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfrt::compiler {

// Numbers below a bound, which is given at the start. A set without a bound is empty and takes no
// memory; it gets the bound of a set that is united with it. Sets that meet have the same bound, or
// none.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(size_t bound, bool full = false)
      : words_((bound + 63) / 64, full ? ~uint64_t{0} : 0) {}

  bool contains(size_t n) const {
    return n / 64 < words_.size() && (words_[n / 64] >> (n % 64) & 1);
  }
  // Gives the bound to a set without one.
  void SetBound(size_t bound) {
    if (words_.empty()) words_.resize((bound + 63) / 64);
  }
  void insert(size_t n) { words_[n / 64] |= uint64_t{1} << (n % 64); }
  // True if all of [begin, end) is contained.
  bool ContainsRange(size_t begin, size_t end) const {
    for (size_t n = begin; n < end;) {
      if (n % 64 == 0 && end - n >= 64 && n / 64 < words_.size()) {
        if (words_[n / 64] != ~uint64_t{0}) return false;
        n += 64;
      } else if (!contains(n++)) {
        return false;
      }
    }
    return true;
  }
  void UniteWith(const BitSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void IntersectWith(const BitSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) {
      words_[i] &= i < other.words_.size() ? other.words_[i] : 0;
    }
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_BIT_SET_H_
