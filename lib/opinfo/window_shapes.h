// Windows that slide over images, as the attributes of an op describe them.
#ifndef TFRT_OPINFO_WINDOW_SHAPES_H_
#define TFRT_OPINFO_WINDOW_SHAPES_H_

#include <cstddef>

#include "shape_rules.h"

namespace tfrt {

struct WindowAttributes {
  enum class Padding { kValid, kSame, kExplicit };
  bool channels_last = true;
  Padding padding = Padding::kValid;
  // Of rows and columns.
  int64_t strides[2] = {1, 1};
  int64_t dilations[2] = {1, 1};
  int64_t padded[2] = {0, 0};  // before and after together, if explicit

  // Where rows and columns, and channels, are among four sizes.
  size_t spatial(size_t i) const { return (channels_last ? 1 : 2) + i; }
  size_t channels() const { return channels_last ? 3 : 1; }
};

// data_format, padding, explicit_paddings, strides, dilations
StatusOr<WindowAttributes> ReadWindowAttributes(const OpShapeCall& call);
// An attribute of four numbers, those of batch and channels being 1: the other two.
Status ReadSpatial(const OpShapeCall& call, std::string_view name, bool channels_last,
                   int64_t (&values)[2]);
// How many windows of `filter` taps there are along dimension i of rows and columns.
StatusOr<Dim> NumWindows(const OpShapeCall& call, const WindowAttributes& windows, size_t i,
                         Dim input, Dim filter);

}  // namespace tfrt

#endif  // TFRT_OPINFO_WINDOW_SHAPES_H_
