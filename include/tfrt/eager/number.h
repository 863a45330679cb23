// Number: a number of C++ beside tensors. It has a kind but no size, so that `x * 2` keeps x's
// type.
#ifndef TFRT_EAGER_NUMBER_H_
#define TFRT_EAGER_NUMBER_H_

#include <cstdint>
#include <string>
#include <type_traits>

namespace tfrt::eager {

// A number of the program, or none. Plain data.
class Number {
 public:
  enum class Kind : uint8_t { kNone, kBool, kSigned, kUnsigned, kReal };

  constexpr Number() : signed_(0), kind_(Kind::kNone) {}
  template <typename T>
    requires std::is_arithmetic_v<T>
  constexpr Number(T number) {  // NOLINT: implicit by design
    if constexpr (std::is_floating_point_v<T>) {
      real_ = static_cast<double>(number);
      kind_ = Kind::kReal;
    } else if constexpr (std::is_same_v<T, bool> || std::is_signed_v<T>) {
      signed_ = number;
      kind_ = std::is_same_v<T, bool> ? Kind::kBool : Kind::kSigned;
    } else {
      unsigned_ = number;
      kind_ = Kind::kUnsigned;
    }
  }

  Kind kind() const { return kind_; }
  bool is_given() const { return kind_ != Kind::kNone; }
  bool is_unsigned() const { return kind_ == Kind::kUnsigned; }
  // Is valid for a bool and a signed integer; as_unsigned for the others.
  int64_t as_signed() const { return signed_; }
  uint64_t as_unsigned() const { return unsigned_; }
  // Takes any number, and rounds it to the nearest double.
  double as_double() const {
    if (kind_ == Kind::kReal) return real_;
    return is_unsigned() ? static_cast<double>(unsigned_) : static_cast<double>(signed_);
  }
  // As messages print it.
  std::string ToString() const;

 private:
  union {
    int64_t signed_;
    uint64_t unsigned_;
    double real_;
  };
  Kind kind_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_NUMBER_H_
