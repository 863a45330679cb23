// Products of matrices by cuBLAS.
#ifndef TFRT_GPU_OPS_LIBRARY_PRODUCTS_H_
#define TFRT_GPU_OPS_LIBRARY_PRODUCTS_H_

#include <cstdint>

#include "gpu/libraries/library_choice.h"
#include "gpu_op.h"
#include "kernels.h"

namespace tfrt::gpu {

// Products of row-major matrices, as matmul_* of the device code takes them: a [M,K] or,
// transposed, [K,M]; b [K,N] or [N,K]; result [M,N]. Matrices of a batch are so many elements
// apart; a step of 0 repeats one.
struct LibraryProduct {
  int64_t m, n, k;
  bool transpose_a, transpose_b;
  OpBytes a, b, result;
  OpBytes bias = {};  // [N]; or none
  MatMulActivation activation = MatMulActivation::kNone;
  int64_t batch = 1, a_step = 0, b_step = 0;
};

// How the calls of one op of products use cuBLAS. Immutable; thread-safe.
class ProductLibrary {
 public:
  // For factors of this dtype. Reads the choice of the environment, and fails if that is none.
  static StatusOr<ProductLibrary> Make(DType dtype);

  // Adds the product to the call. Returns false if the library does not serve it: nothing was added
  // then. The library is opened by the first product that it may serve. Fails if it is demanded and
  // cannot be opened.
  StatusOr<bool> Add(GpuOpCall& call, const LibraryProduct& product) const;

 private:
  ProductLibrary(LibraryChoice choice, DType dtype) : choice_(choice), dtype_(dtype) {}

  LibraryChoice choice_;
  DType dtype_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_LIBRARY_PRODUCTS_H_
