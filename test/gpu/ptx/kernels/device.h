// What clang without a toolkit lacks of the language's names, and nvcc has.
#ifndef TFRT_TEST_GPU_PTX_KERNELS_DEVICE_H_
#define TFRT_TEST_GPU_PTX_KERNELS_DEVICE_H_

#ifdef __clang__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif
#define ENTRY(name) extern "C" __global__ void name
#define NOINLINE __device__ __attribute__((noinline))

#endif  // TFRT_TEST_GPU_PTX_KERNELS_DEVICE_H_
