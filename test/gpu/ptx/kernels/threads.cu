// What threads of a block do together, in clang's names, as it has them without a toolkit.
#include "device.h"

extern "C" __device__ __shared__ float dynamic[];

ENTRY(reduce)(const float* in, float* out, int n) {
  __shared__ float partial[32];
  int thread = __nvvm_read_ptx_sreg_tid_x();
  int block = __nvvm_read_ptx_sreg_ctaid_x();
  int threads = __nvvm_read_ptx_sreg_ntid_x();
  float sum = 0;
  for (int i = block * threads + thread; i < n; i += threads * __nvvm_read_ptx_sreg_nctaid_x())
    sum += in[i];
  for (int step = 16; step > 0; step /= 2) sum += __nvvm_shfl_sync_bfly_f32(~0u, sum, step, 31);
  if (thread % 32 == 0) partial[thread / 32] = sum;
  __syncthreads();
  if (thread < 32) {
    sum = thread < threads / 32 ? partial[thread] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __nvvm_shfl_sync_down_f32(~0u, sum, step, 31);
    if (thread == 0) __nvvm_atom_add_gen_f(out, sum);
  }
}

ENTRY(votes)(const int* in, unsigned* out) {
  int thread = __nvvm_read_ptx_sreg_tid_x();
  int value = in[thread];
  unsigned* mine = out + thread * 8;
  mine[0] = __nvvm_vote_ballot_sync(~0u, value & 1);
  mine[1] = __nvvm_vote_any_sync(~0u, value > 3);
  mine[2] = __nvvm_vote_all_sync(~0u, value > 3);
  mine[3] = __nvvm_match_any_sync_i32(~0u, value);
  mine[4] = __nvvm_shfl_sync_idx_i32(~0u, value, 3, 31);
  mine[5] = __nvvm_shfl_sync_up_i32(~0u, value, 1, 0);
  __nvvm_bar_warp_sync(~0u);
  mine[6] = __nvvm_activemask();
  mine[7] = __nvvm_read_ptx_sreg_laneid();
}

ENTRY(atomics)(int* i32, unsigned* u32, long long* i64, float* f32, int* old) {
  int thread = __nvvm_read_ptx_sreg_tid_x();
  __nvvm_atom_add_gen_i(i32, thread);
  __nvvm_atom_max_gen_i(i32 + 1, thread);
  __nvvm_atom_min_gen_ui(u32, static_cast<unsigned>(thread));
  __nvvm_atom_xor_gen_i(i32 + 2, thread);
  __nvvm_atom_add_gen_ll(i64, thread);
  __nvvm_atom_add_gen_f(f32, 0.5f);
  old[thread] = __nvvm_atom_cas_gen_i(i32 + 3, thread, thread + 1);
  __nvvm_atom_inc_gen_ui(u32 + 1, 7);
  __nvvm_atom_dec_gen_ui(u32 + 2, 7);
  __nvvm_atom_xchg_gen_i(i32 + 4, thread);
  __nvvm_membar_gl();
  __nvvm_membar_cta();
  dynamic[thread] = static_cast<float>(thread);
  __syncthreads();
  f32[1 + thread] = dynamic[31 - thread];
}

ENTRY(halves)(_Float16* out, const _Float16* a, const _Float16* b, float* f) {
  int thread = __nvvm_read_ptx_sreg_tid_x();
  _Float16 x = a[thread], y = b[thread];
  out[thread] = x * y + x - y;
  f[thread] = static_cast<float>(x / y);
  out[thread + 32] = static_cast<_Float16>(f[thread + 32]);
  out[thread + 64] = x < y ? x : -y;
}

ENTRY(bfloats)(__bf16* out, const __bf16* a, float* f) {
  int thread = __nvvm_read_ptx_sreg_tid_x();
  f[thread] = static_cast<float>(a[thread]) * 2;
  out[thread] = static_cast<__bf16>(f[thread + 32]);
}
