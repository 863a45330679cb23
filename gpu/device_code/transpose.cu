// Other orders of dimensions.
//
//   transpose_WIDTH(out, in, batch, rows, columns)
//     in [batch,rows,columns] -> out [batch,columns,rows], in tiles, so that both sides are
//     accessed in whole lines. Blocks of kTransposeThreads threads.
//   permute_WIDTH(out, in, size1, size2, size3, size4, step1, step2, step3, step4)
//     out [size1,size2,size3,size4], dense, of elements of `in` that are so many elements apart
//     along each dimension of `out`.
//
// b8, b16, b32, b64: elements of so many bits. `out` and `in` share no memory.

#include "grid.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "strides.h"

namespace tfrt::gpu::device {
namespace {

constexpr int64_t kTile = kTransposeTile;
constexpr int64_t kTileRowsAtOnce = kTransposeThreads / kTile;

// A column more than there are elements: a column of the tile then lies in different banks.
template <typename T>
using Tile = T[kTile][kTile + 1];

template <typename T>
TFRT_DEVICE void TransposeTiles(T* out, const T* in, int64_t batch, int64_t rows, int64_t columns,
                                Tile<T>& tile) {
  const int64_t down = (rows + kTile - 1) / kTile;
  const int64_t across = (columns + kTile - 1) / kTile;
  const int64_t x = ThreadInBlock() % kTile, first_y = ThreadInBlock() / kTile;
  for (int64_t i = Block(); i < batch * down * across; i += NumBlocks()) {
    const int64_t matrix = i / (down * across) * rows * columns;
    const int64_t row = i / across % down * kTile, column = i % across * kTile;
    for (int64_t y = first_y; y < kTile; y += kTileRowsAtOnce) {
      if (row + y < rows && column + x < columns) {
        tile[y][x] = in[matrix + (row + y) * columns + column + x];
      }
    }
    Barrier();
    for (int64_t y = first_y; y < kTile; y += kTileRowsAtOnce) {
      if (column + y < columns && row + x < rows) {
        out[matrix + (column + y) * rows + row + x] = tile[x][y];
      }
    }
    Barrier();  // before the next tile is written
  }
}

}  // namespace

#define TFRT_TRANSPOSE_KERNELS(width, type)                                                  \
  __attribute__((launch_bounds(kTransposeThreads))) TFRT_KERNEL transpose_##width(           \
      type* out, const type* in, int64_t batch, int64_t rows, int64_t columns) {             \
    TFRT_SHARED static Tile<type> tile;                                                      \
    TransposeTiles(out, in, batch, rows, columns, tile);                                     \
  }                                                                                          \
  TFRT_KERNEL permute_##width(type* out, const type* in, int64_t size1, int64_t size2,       \
                              int64_t size3, int64_t size4, int64_t step1, int64_t step2,    \
                              int64_t step3, int64_t step4) {                                \
    const Places sizes = {size1, size2, size3, size4}, steps = {step1, step2, step3, step4}; \
    ForEach(sizes.Elements(),                                                                \
            [=](int64_t i) { out[i] = in[sizes.PlaceOf(i).OffsetWith(steps)]; });            \
  }
TFRT_WIDTHS(TFRT_TRANSPOSE_KERNELS)

}  // namespace tfrt::gpu::device
