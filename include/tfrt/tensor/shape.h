// TensorShape: the fully known shape of a tensor.
#ifndef TFRT_TENSOR_SHAPE_H_
#define TFRT_TENSOR_SHAPE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt {

// Holds the dimensions of a TensorShape by value: a contiguous range of int64_t that converts to
// std::span<const int64_t>. Give it a name before you keep a span of it: the numbers may lie in the
// object itself. Valid as long as the shape.
class ShapeDims {
 public:
  const int64_t* data() const { return external_ ? external_ : inline_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  int64_t operator[](size_t index) const {
    assert(index < size_);
    return data()[index];
  }

 private:
  friend class TensorShape;
  static constexpr size_t kMaxInline = 7;

  const int64_t* external_ = nullptr;
  size_t size_ = 0;
  int64_t inline_[kMaxInline];  // the first size_ are used, unless external_ is
};

// Holds dimensions, all >= 0. Their product fits an int64_t unless CreateOfAnySize made the shape.
// Immutable except for assignment. Takes 16 bytes: up to 7 dimensions below 2^16 and up to 3 below
// 2^32 lie in the object. Other shapes, and all whose product does not fit, lie on the heap. Each
// shape has one encoding, so most comparisons compare just 16 bytes.
class TensorShape {
 public:
  static constexpr std::string_view kProgramTypeName = "shape";
  static constexpr size_t kMaxRank = 255;

  // Fails with InvalidArgument for a negative dimension, a rank above kMaxRank, or dimensions whose
  // product (not counting zeros) does not fit an int64_t.
  static StatusOr<TensorShape> Create(std::span<const int64_t> dims);
  // As Create, without the limit on the product, for shapes that are only printed, compared or
  // taken apart. No tensor has such a shape.
  static StatusOr<TensorShape> CreateOfAnySize(std::span<const int64_t> dims);

  // Makes a shape of rank 0, which has one element.
  TensorShape() = default;
  // For shapes that the program itself guarantees to be valid.
  TensorShape(std::initializer_list<int64_t> dims);
  TensorShape(const TensorShape& other) : bits_(other.bits_) {
    if (bits_.encoding == Encoding::kHeap) [[unlikely]]
      CopyHeap();
  }
  // Leaves `other` with rank 0.
  TensorShape(TensorShape&& other) noexcept : bits_(other.bits_) { other.bits_ = Bits(); }
  TensorShape& operator=(const TensorShape& other) { return *this = TensorShape(other); }
  TensorShape& operator=(TensorShape&& other) noexcept {
    Bits bits = other.bits_;
    other.bits_ = Bits();
    if (bits_.encoding == Encoding::kHeap) [[unlikely]]
      delete[] heap();
    bits_ = bits;
    return *this;
  }
  ~TensorShape() {
    if (bits_.encoding == Encoding::kHeap) [[unlikely]]
      delete[] heap();
  }

  size_t rank() const { return bits_.rank; }
  // Returns the status that Create would return for these dimensions.
  Status CheckSize() const {
    return bits_.encoding == Encoding::kHeap ? CheckLongProduct() : OkStatus();
  }
  // Multiplies the dimensions and returns the product, or INT64_MAX if it is larger.
  int64_t num_elements() const {
    if (bits_.encoding != Encoding::k16Bit) [[unlikely]]
      return LongProduct();
    int64_t product = 1;
    for (size_t i = 0; i < bits_.rank; ++i) product *= Load<uint16_t>(i);
    return product;
  }
  ShapeDims dims() const;
  // Needs index < rank().
  int64_t dim(size_t index) const {
    assert(index < rank());
    switch (bits_.encoding) {
      case Encoding::k16Bit:
        return Load<uint16_t>(index);
      case Encoding::k32Bit:
        return Load<uint32_t>(index);
      case Encoding::kHeap:
        break;
    }
    return heap()[index];
  }

  // Returns "[2, 3]"; "[]" for rank 0.
  std::string ToString() const;

  friend bool operator==(const TensorShape& a, const TensorShape& b) {
    uint64_t words[4];
    std::memcpy(words, &a.bits_, sizeof(Bits));
    std::memcpy(words + 2, &b.bits_, sizeof(Bits));
    if (words[0] == words[2] && words[1] == words[3]) return true;
    return a.bits_.encoding == Encoding::kHeap && b.bits_.encoding == Encoding::kHeap &&
           EqualHeaps(a, b);
  }
  size_t Hash() const;

 private:
  enum class Encoding : uint8_t { k16Bit, k32Bit, kHeap };
  static constexpr size_t kMax16Bit = 7;
  static constexpr size_t kMax32Bit = 3;

  // Represents a shape as two words that can be copied.
  struct Bits {
    // Dimensions in the integer type that the encoding names, or a pointer to them. Unused bytes
    // are 0.
    alignas(8) unsigned char storage[14] = {};
    Encoding encoding = Encoding::k16Bit;
    uint8_t rank = 0;
  };

  TensorShape(std::span<const int64_t> valid_dims, bool product_fits);
  int64_t LongProduct() const;
  Status CheckLongProduct() const;
  void CopyHeap();
  static bool EqualHeaps(const TensorShape& a, const TensorShape& b);

  template <typename T>
  T Load(size_t index) const {
    T value;
    std::memcpy(&value, bits_.storage + index * sizeof(T), sizeof(T));
    return value;
  }
  template <typename T>
  void Store(size_t index, T value) {
    std::memcpy(bits_.storage + index * sizeof(T), &value, sizeof(T));
  }
  int64_t* heap() const { return Load<int64_t*>(0); }

  Bits bits_;
};
static_assert(sizeof(TensorShape) == 16);

// Returns "[2, 3]", also for dimensions that are not valid.
std::string DimsToString(std::span<const int64_t> dims);

// Returns a hash of the dimensions, the same for the same numbers.
size_t HashDims(std::span<const int64_t> dims);

// Sets strides[i] to the number of elements between neighbours along dimension i of a row-major
// tensor. The `dims` must be those of a valid shape; both spans have one size.
void RowMajorStrides(std::span<const int64_t> dims, std::span<int64_t> strides);

}  // namespace tfrt

template <>
struct std::hash<tfrt::TensorShape> {
  size_t operator()(const tfrt::TensorShape& shape) const noexcept { return shape.Hash(); }
};

#endif  // TFRT_TENSOR_SHAPE_H_
