// Checked typed reads of attributes. A kernel's attribute does not store its kind, so the reader
// must state the expected one. Each read checks all bounds, alignments and counts. So bytes of
// another kind, or damaged ones, give an InvalidArgument and never an access outside `attributes`.
// The views point into `attributes`, which must start at an address aligned by 8 as in an opened
// file.
#ifndef TFRT_LIB_FORMAT_BEF_ATTRIBUTE_READER_H_
#define TFRT_LIB_FORMAT_BEF_ATTRIBUTE_READER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/bef/attribute_codec.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

using AttributeBytes = std::span<const uint8_t>;

// Returns the bits of an integer or float attribute, zero-extended. `code` must be a scalar code.
// Fails for an i1 whose byte is neither 0 nor 1.
StatusOr<uint64_t> ReadScalar(AttributeBytes attributes, uint32_t offset, TypeCode code);

StatusOr<std::string_view> ReadString(AttributeBytes attributes, uint32_t offset);

// Returns the code that a type attribute names.
StatusOr<TypeCode> ReadType(AttributeBytes attributes, uint32_t offset);

struct ShapeView {
  bool ranked = false;
  std::span<const int64_t> dims;  // -1: unknown dimension
};
StatusOr<ShapeView> ReadShape(AttributeBytes attributes, uint32_t offset);

// A dense constant. data.size() == num_elements * ElementSize(element), and num_elements is the
// product of dims, which are not negative. The bytes of `data` are aligned by min(8, element size)
// or better.
struct DenseView {
  TypeCode element = TypeCode::kUnsupported;
  std::span<const int64_t> dims;
  uint32_t num_elements = 0;
  std::span<const uint8_t> data;
};
StatusOr<DenseView> ReadDense(AttributeBytes attributes, uint32_t offset);

// An array of fixed-size elements: `code` is ArrayOf(element) or kEmptyArray. `data` is aligned by
// the element size.
struct ArrayView {
  TypeCode element = TypeCode::kUnsupported;
  uint32_t count = 0;
  std::span<const uint8_t> data;

  template <typename T>
  std::span<const T> As() const {
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }
};
StatusOr<ArrayView> ReadArray(AttributeBytes attributes, uint32_t offset, TypeCode code);

// An array of elements with different kinds or without fixed size. Elements are separate
// attributes: read them with their code and offset.
struct AggregateElement {
  TypeCode code;
  uint32_t offset;
};
StatusOr<std::vector<AggregateElement>> ReadAggregate(AttributeBytes attributes, uint32_t offset);

StatusOr<SymbolRefView> ReadSymbolRef(AttributeBytes attributes, uint32_t offset);

// Reads an attribute of any kind, aggregates with all their contents, and returns the offset after
// its last byte. Fails with InvalidArgument if it is damaged, or if aggregates are nested deeper
// than kMaxAggregateDepth.
StatusOr<uint32_t> VerifyAttribute(AttributeBytes attributes, uint32_t offset, TypeCode code);

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_ATTRIBUTE_READER_H_
