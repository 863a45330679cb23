// Kernels that multiply rows of bytes with packed panels of bytes, for the instruction sets that
// have something for it. Each has a twin of plain loops with the same lanes and the same layout.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_KERNELS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_KERNELS_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace tfrt::contraction {

// Some rows, of u8, times a panel of columns, of i8: out = rows * panel, in i32, modulo 2^32.
// Panels are aligned to 64 bytes; rows are not.
struct PanelRows {
  const void* a = nullptr;  // u8, or the same numbers in i16 if the kernel widens
  int64_t a_stride = 0;     // from row to row, in elements
  const int8_t* panel = nullptr;
  int64_t depth = 0;  // a multiple of the kernel's depth_unit
  int32_t* out = nullptr;
  int64_t out_stride = 0;
  int64_t rows = 0;
};

// A panel has `columns` columns. `together` neighbours in depth are neighbours in memory. Element k
// of column j is at (k / together * columns + j) * together + k % together.
struct ByteKernel {
  std::string_view name;
  int64_t columns;
  int64_t together;
  int64_t depth_unit;
  bool widens;
  void (*multiply)(const PanelRows& rows);
  bool (*is_available)();  // on this CPU, under this system

  int64_t PaddedDepth(int64_t depth) const {
    return (depth + depth_unit - 1) / depth_unit * depth_unit;
  }
};

// All of them, the fastest first; plain ones, which are available everywhere, last.
std::span<const ByteKernel* const> ByteKernels();
// The first one that is available. The same at each call.
const ByteKernel& BestByteKernel();

extern const ByteKernel kAmxBytes, kAvx512VnniBytes, kAvxVnniBytes, kAvx2Bytes;
extern const ByteKernel kPlainWords, kPlainBytes, kPlainTiles;

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_KERNELS_H_
