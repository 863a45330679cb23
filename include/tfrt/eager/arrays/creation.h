// Arrays from sizes, numbers or other arrays.
#ifndef TFRT_EAGER_ARRAYS_CREATION_H_
#define TFRT_EAGER_ARRAYS_CREATION_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays {

struct CreationOptions {
  std::optional<DType> dtype = std::nullopt;  // none: f32, or as the function says
  std::string_view device = {};               // empty: that of the scope
};

Tensor Zeros(const ShapeArgument& shape, const CreationOptions& options = {},
             Location where = Here());
Tensor Ones(const ShapeArgument& shape, const CreationOptions& options = {},
            Location where = Here());
// All elements are `value`, of its dtype if none is given.
Tensor Full(const ShapeArgument& shape, Operand value, const CreationOptions& options = {},
            Location where = Here());
// The elements mean nothing yet: they are zeros.
Tensor Empty(const ShapeArgument& shape, const CreationOptions& options = {},
             Location where = Here());
// In the shape of `x`, of its dtype if none is given.
Tensor ZerosLike(const Tensor& x, const CreationOptions& options = {}, Location where = Here());
Tensor OnesLike(const Tensor& x, const CreationOptions& options = {}, Location where = Here());
Tensor FullLike(const Tensor& x, Operand value, const CreationOptions& options = {},
                Location where = Here());
Tensor EmptyLike(const Tensor& x, const CreationOptions& options = {}, Location where = Here());

// The numbers from 0, or `start`, by steps to `stop`, which is left out. They are f32 if one of the
// three is a float, otherwise i32, or i64 where a number needs it.
Tensor Arange(Operand stop, const CreationOptions& options = {}, Location where = Here());
Tensor Arange(Operand start, Operand stop, const CreationOptions& options = {},
              Location where = Here());
Tensor Arange(Operand start, Operand stop, Operand step, const CreationOptions& options = {},
              Location where = Here());

struct LinspaceOptions {
  std::optional<DType> dtype = std::nullopt;  // none: f32
  std::string_view device = {};
  bool endpoint = true;  // whether `stop` is the last one
};
// `num` numbers at equal distances from `start` to `stop`.
Tensor Linspace(Operand start, Operand stop, int64_t num, const LinspaceOptions& options = {},
                Location where = Here());

struct EyeOptions {
  std::optional<int64_t> n_cols = std::nullopt;  // none: as many as rows
  int64_t k = 0;                                 // the diagonal, above the main one if it is > 0
  std::optional<DType> dtype = std::nullopt;     // none: f32
  std::string_view device = {};
};
// A matrix with ones on a diagonal and zeros elsewhere.
Tensor Eye(int64_t n_rows, const EyeOptions& options = {}, Location where = Here());

// Matrices with zeros above (Tril) or below (Triu) the k-th diagonal.
Tensor Tril(const Tensor& x, int64_t k = 0, Location where = Here());
Tensor Triu(const Tensor& x, int64_t k = 0, Location where = Here());

struct MeshgridOptions {
  std::string_view indexing = "xy";  // the second vector has the rows; "ij": the first
};
// The coordinates of a grid whose axes are vectors: one array of the grid's shape for each.
std::vector<Tensor> Meshgrid(TensorList arrays, const MeshgridOptions& options = {},
                             Location where = Here());

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_CREATION_H_
