// The arguments of functions of arrays that are axes or sizes.
#ifndef TFRT_EAGER_ARRAYS_AXES_H_
#define TFRT_EAGER_ARRAYS_AXES_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::eager::arrays {

// Axes of an array: a number, or a list in braces. `{}` names none: functions take all then.
class Axes {
 public:
  Axes() = default;
  template <std::integral T>
  Axes(T axis) : list_({static_cast<int64_t>(axis)}), is_all_(false) {}       // NOLINT: implicit
  Axes(std::initializer_list<int64_t> axes) : list_(axes), is_all_(false) {}  // NOLINT: implicit
  Axes(const std::vector<int64_t>& axes) : list_(axes), is_all_(false) {}     // NOLINT: implicit

  bool is_all() const { return is_all_; }
  std::span<const int64_t> span() const { return list_.span(); }

 private:
  Int64List list_;
  bool is_all_ = true;
};

// A number, or several in braces.
class Integers {
 public:
  template <std::integral T>
  Integers(T number) : list_({static_cast<int64_t>(number)}) {}         // NOLINT: implicit
  Integers(std::initializer_list<int64_t> numbers) : list_(numbers) {}  // NOLINT: implicit
  Integers(const std::vector<int64_t>& numbers) : list_(numbers) {}     // NOLINT: implicit

  std::span<const int64_t> span() const { return list_.span(); }

 private:
  Int64List list_;
};

// The sizes of a shape: a number, a list in braces, or a tensor of integers of one dimension, as
// traced functions compute it.
class ShapeArgument {
 public:
  template <std::integral T>
  ShapeArgument(T size) : sizes_({static_cast<int64_t>(size)}) {}  // NOLINT: implicit by design
  ShapeArgument(std::initializer_list<int64_t> sizes) : sizes_(sizes) {}  // NOLINT: implicit
  ShapeArgument(const std::vector<int64_t>& sizes) : sizes_(sizes) {}     // NOLINT: implicit
  ShapeArgument(const TensorShape& shape) : sizes_(shape.dims()) {}       // NOLINT: implicit
  ShapeArgument(Tensor sizes) : tensor_(std::move(sizes)) {}              // NOLINT: implicit

  std::span<const int64_t> span() const { return sizes_.span(); }
  const Tensor& tensor() const { return tensor_; }  // not valid for numbers

 private:
  Int64List sizes_;
  Tensor tensor_;
};

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_AXES_H_
