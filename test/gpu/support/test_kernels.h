// Kernels of the tests on raw tables, as PTX.
#ifndef TFRT_TEST_GPU_SUPPORT_TEST_KERNELS_H_
#define TFRT_TEST_GPU_SUPPORT_TEST_KERNELS_H_

namespace tfrt::gpu::test {

// Elements are u32. One thread for each of n elements, in one dimension.
//   fill(to, value, n)       to[i] = value
//   add_one(data, n)         data[i] += 1
//   copy(to, from, n)        to[i] = from[i]
//   poke(to)                 *to = 1
//   stop()                   traps
//   idle()                   nothing
//   small_block()            .reqntid 64; nothing
//   bounded_block()          .maxntid 128; nothing
//   static_shared(to)        to[0] = 5, by way of 1024 bytes of shared memory
//   dynamic_shared(to, n)    as add_one, by way of 4 n bytes of dynamic shared memory
//   count(to)                ++counter, which begins as 7, and to[0] = what it was
//   many(to, a, b, c)        parameters of 8, 1, 4 and 2 bytes; to[0] = b
inline constexpr char kTestKernels[] = R"(.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.extern .shared .align 16 .b8 dynamic[];

.visible .entry fill(.param .u64 to, .param .u32 value, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %d<5>;
  ld.param.u64 %d1, [to];
  ld.param.u32 %r1, [value];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.u32 %d3, %r3, 4;
  add.s64 %d4, %d2, %d3;
  st.global.u32 [%d4], %r1;
done:
  ret;
}

.visible .entry add_one(.param .u64 data, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<7>;
  .reg .b64 %d<5>;
  ld.param.u64 %d1, [data];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.u32 %d3, %r3, 4;
  add.s64 %d4, %d2, %d3;
  ld.global.u32 %r6, [%d4];
  add.s32 %r6, %r6, 1;
  st.global.u32 [%d4], %r6;
done:
  ret;
}

.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<7>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [to];
  ld.param.u64 %d2, [from];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  cvta.to.global.u64 %d3, %d1;
  cvta.to.global.u64 %d4, %d2;
  mul.wide.u32 %d5, %r3, 4;
  add.s64 %d6, %d4, %d5;
  add.s64 %d7, %d3, %d5;
  ld.global.u32 %r6, [%d6];
  st.global.u32 [%d7], %r6;
done:
  ret;
}

.visible .entry poke(.param .u64 to)
{
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [to];
  cvta.to.global.u64 %d2, %d1;
  st.global.u32 [%d2], 1;
  ret;
}

.visible .entry stop()
{
  trap;
  ret;
}

.visible .entry idle()
{
  ret;
}

.visible .entry small_block()
.reqntid 64, 1, 1
{
  ret;
}

.visible .entry bounded_block()
.maxntid 128, 1, 1
{
  ret;
}

.visible .entry static_shared(.param .u64 to)
{
  .shared .align 4 .b8 store[1024];
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [to];
  cvta.to.global.u64 %d2, %d1;
  mov.u32 %r1, 5;
  st.shared.u32 [store+16], %r1;
  ld.shared.u32 %r2, [store+16];
  st.global.u32 [%d2], %r2;
  ret;
}

.visible .entry dynamic_shared(.param .u64 data, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %d<5>;
  ld.param.u64 %d1, [data];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %tid.x;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.u32 %d3, %r3, 4;
  add.s64 %d4, %d2, %d3;
  ld.global.u32 %r6, [%d4];
  mov.u32 %r4, dynamic;
  shl.b32 %r5, %r3, 2;
  add.s32 %r5, %r4, %r5;
  st.shared.u32 [%r5], %r6;
  ld.shared.u32 %r7, [%r5];
  add.s32 %r7, %r7, 1;
  st.global.u32 [%d4], %r7;
done:
  ret;
}

.visible .entry count(.param .u64 to)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [to];
  cvta.to.global.u64 %d2, %d1;
  ld.global.u32 %r1, [counter];
  st.global.u32 [%d2], %r1;
  add.s32 %r2, %r1, 1;
  st.global.u32 [counter], %r2;
  ret;
}

.visible .entry many(.param .u64 to, .param .u8 a, .param .u32 b, .param .u16 c)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [to];
  cvta.to.global.u64 %d2, %d1;
  ld.param.u32 %r1, [b];
  st.global.u32 [%d2], %r1;
  ret;
}
)";

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_SUPPORT_TEST_KERNELS_H_
