// Elements picked dimension by dimension: padding of all kinds, resizing to the nearest.
#ifndef TFRT_LIB_OPS_MATHS_CPU_PICK_H_
#define TFRT_LIB_OPS_MATHS_CPU_PICK_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Where the positions of one dimension come from, as pieces one after the other.
struct PickedDim {
  // Positions from, from + step, ... of the input, `count` of them. kNowhere: the constant.
  struct Piece {
    int64_t from;
    int64_t count;
    int64_t step;
  };
  static constexpr int64_t kNowhere = -1;

  std::vector<Piece> pieces;

  // Position `from` follows the others.
  void Add(int64_t from) { Add({from, 1, 1}); }
  // As long a piece as it makes with the one before.
  void Add(Piece piece);
  int64_t size() const;
};

// out[i,j,...] = in[dims[0][i],dims[1][j],...], or the constant where one of them is nowhere.
struct PickPlan {
  // `dims` are in the input, all of them, and the output has elements.
  PickPlan(const TensorShape& in, std::vector<PickedDim> dims, size_t element_size);

  struct Dim {
    std::vector<int64_t> offsets;  // in bytes; kNowhere
  };
  std::vector<Dim> outer;  // outermost first
  PickedDim row;           // in units
  int64_t repeats = 0;     // above 0: the row is all units in their order, each so often
  size_t unit_bytes;       // what stays together
  size_t element_size;
  size_t row_bytes = 0;  // of the output
  int64_t num_rows = 1;
};
// Rows [begin, end). `constant` is one element; unused where nothing is nowhere.
void Pick(const PickPlan& plan, const void* in, const void* constant, void* out, int64_t begin,
          int64_t end);

enum class PadMode { kConstant, kReflect, kEdge, kWrap };
// InvalidArgument: "pad: unknown mode 'mirror'".
StatusOr<PadMode> PadModeOf(std::string_view name);
// A dimension of `size` with so many positions before and after; what is negative is cut off first.
// The others are those of the input (what is left of it) mirrored at its ends, or its last ones, or
// its positions again. InvalidArgument if nothing is left to take them from.
StatusOr<PickedDim> PaddedDim(int64_t size, int64_t before, int64_t after, PadMode mode);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_PICK_H_
