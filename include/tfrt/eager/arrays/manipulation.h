// The same elements in another shape or order.
#ifndef TFRT_EAGER_ARRAYS_MANIPULATION_H_
#define TFRT_EAGER_ARRAYS_MANIPULATION_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays {

// Arrays one after the other along an axis; flat, if it is nullopt. Their dtypes are promoted.
Tensor Concat(TensorList arrays, std::optional<int64_t> axis = 0, Location where = Here());
// Arrays of one shape one after the other along a new axis. Their dtypes are promoted.
Tensor Stack(TensorList arrays, int64_t axis = 0, Location where = Here());
// The slices along an axis, without it. Its size must be known in traces.
std::vector<Tensor> Unstack(const Tensor& x, int64_t axis = 0, Location where = Here());
// So many equal parts along an axis, whose size must be known in traces.
std::vector<Tensor> Split(const Tensor& x, int64_t sections, int64_t axis = 0,
                          Location where = Here());
// The parts along an axis that begin at 0 and at each of the indices.
std::vector<Tensor> Split(const Tensor& x, std::initializer_list<int64_t> indices, int64_t axis = 0,
                          Location where = Here());
// The same elements, row-major, in another shape. One size may be -1: what is left.
Tensor Reshape(const Tensor& x, const ShapeArgument& shape, Location where = Here());
// Without axes, each of size 1; without all such axes, if none are named.
Tensor Squeeze(const Tensor& x, const Axes& axis = {}, Location where = Here());
// With new axes of size 1, which are these of the result.
Tensor ExpandDims(const Tensor& x, const Axes& axis = 0, Location where = Here());
// Axis i of the result is axis `axes[i]` of the argument.
Tensor PermuteDims(const Tensor& x, const Axes& axes, Location where = Here());
// The matrices in the last two axes, transposed.
Tensor MatrixTranspose(const Tensor& x, Location where = Here());
// The axes `source` at the places `destination`; the others keep their order.
Tensor Moveaxis(const Tensor& x, const Axes& source, const Axes& destination,
                Location where = Here());
// In reverse order along axes.
Tensor Flip(const Tensor& x, const Axes& axis = {}, Location where = Here());
// `shift` places further along axes, and from the end to the begin. Without an axis as if it were
// flat.
Tensor Roll(const Tensor& x, const Integers& shift, const Axes& axis = {}, Location where = Here());
// Each element along an axis so many times in succession; of the flat array, if it is nullopt.
// `repeats` is a number, or integers, one for each place.
Tensor Repeat(const Tensor& x, Operand repeats, std::optional<int64_t> axis = std::nullopt,
              Location where = Here());
// The array repeated along each axis. Sizes of 1 come in front of the shorter of shape and list.
Tensor Tile(const Tensor& x, const Integers& repetitions, Location where = Here());
// The array in a shape to which it is broadcast.
Tensor BroadcastTo(const Tensor& x, const ShapeArgument& shape, Location where = Here());
// Arrays in the shape to which all are broadcast.
std::vector<Tensor> BroadcastArrays(TensorList arrays, Location where = Here());

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_MANIPULATION_H_
