// The C++ types of op attributes that are lists.
#ifndef TFRT_EAGER_ATTRIBUTE_TYPES_H_
#define TFRT_EAGER_ATTRIBUTE_TYPES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace tfrt::eager {

// A few numbers, by value: up to 8 lie in the object itself.
template <typename T>
class AttributeList {
 public:
  AttributeList() = default;
  AttributeList(std::initializer_list<T> values)  // NOLINT: implicit by design
      : AttributeList(std::span<const T>(values.begin(), values.size())) {}
  AttributeList(const std::vector<T>& values)  // NOLINT: implicit by design
      : AttributeList(std::span<const T>(values)) {}
  AttributeList(std::span<const T> values) : size_(values.size()) {  // NOLINT: implicit by design
    if (size_ <= kInline) {
      std::copy(values.begin(), values.end(), inline_.begin());
    } else {
      heap_.assign(values.begin(), values.end());
    }
  }

  std::span<const T> span() const {
    return {size_ <= kInline ? inline_.data() : heap_.data(), size_};
  }

 private:
  static constexpr size_t kInline = 8;
  size_t size_ = 0;
  std::array<T, kInline> inline_ = {};
  std::vector<T> heap_;
};

using Int64List = AttributeList<int64_t>;
using ShapeList = Int64List;  // the sizes of a shape
using FloatList = AttributeList<float>;
using StringList = AttributeList<std::string_view>;  // borrows the texts

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_ATTRIBUTE_TYPES_H_
