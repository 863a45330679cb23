// What programs do most: element-wise work, a tiled product of matrices through shared memory, a
// reduction.
#include "device.h"

ENTRY(saxpy)(float* y, const float* x, float a, int n) {
  int stride = __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_nctaid_x();
  for (int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
               __nvvm_read_ptx_sreg_tid_x();
       i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}

// c[n,n] = a[n,n] b[n,n], tiles of 16 by 16, one thread for each element.
ENTRY(matmul)(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[16][16];
  __shared__ float b_tile[16][16];
  int x = __nvvm_read_ptx_sreg_tid_x(), y = __nvvm_read_ptx_sreg_tid_y();
  int row = __nvvm_read_ptx_sreg_ctaid_y() * 16 + y,
      column = __nvvm_read_ptx_sreg_ctaid_x() * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    a_tile[y][x] = a[row * n + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Lanes whose loops end at different times, and integers.
ENTRY(collatz)(int* steps, const int* start, int n) {
  int i =
      __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (i >= n) return;
  unsigned value = static_cast<unsigned>(start[i]);
  int count = 0;
  for (; value > 1; ++count) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  steps[i] = count;
}
