// Statements about stream-ordered memory.
#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr size_t kBytes = 1 << 20;

CUmemPoolProps Properties() {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  return properties;
}

TFRT_CTS(150, AllocatedInOrder, cuMemAllocAsync,
         "Memory that work of the stream, behind the allocation, can use") {
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  OK(d().cuMemAllocAsync(&data, kBytes, stream));
  OK(d().cuMemsetD32Async(data, 6, 16, stream));
  EXPECT_EQ(6u, Download(stream, data, 16)[15]);
  OK(d().cuMemFreeAsync(data, stream));
}
TFRT_CTS(151, UsedElsewhereBehindAnEvent, cuMemAllocAsync,
         "Other streams can use it when they are ordered behind the allocation") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr data = 0;
  OK(d().cuMemAllocAsync(&data, kBytes, a));
  OK(d().cuEventRecord(event, a));
  OK(d().cuStreamWaitEvent(b, event, 0));
  OK(d().cuMemsetD32Async(data, 6, 16, b));
  EXPECT_EQ(6u, Download(b, data, 16)[15]);
  OK(d().cuMemFreeAsync(data, b));
}
TFRT_CTS(153, FreedBehindUses, cuMemFreeAsync,
         "Frees when the stream gets there: uses that it is ordered behind are good") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent allocated = MakeEvent(), used = MakeEvent();
  CUdeviceptr data = 0;
  OK(d().cuMemAllocAsync(&data, kBytes, a));
  OK(d().cuEventRecord(allocated, a));
  OK(d().cuStreamWaitEvent(b, allocated, 0));
  OK(d().cuMemsetD8Async(data, 1, kBytes, b));
  OK(d().cuEventRecord(used, b));
  OK(d().cuStreamWaitEvent(a, used, 0));
  OK(d().cuMemFreeAsync(data, a));
  OK(d().cuStreamSynchronize(a));
}
TFRT_CTS(154, SynchronousFree, cuMemFree_v2,
         "Memory of cuMemAllocAsync may be freed by cuMemFree once all use has completed") {
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  OK(d().cuMemAllocAsync(&data, kBytes, stream));
  OK(d().cuMemsetD8Async(data, 1, kBytes, stream));
  OK(d().cuStreamSynchronize(stream));
  OK(d().cuMemFree_v2(data));
}
TFRT_CTS(155, AsynchronousFreeOfPlainMemory, cuMemFreeAsync,
         "Memory of cuMemAlloc may be freed in the order of a stream") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kBytes);
  OK(d().cuMemsetD8Async(data, 1, kBytes, stream));
  OK(d().cuMemFreeAsync(data, stream));
  OK(d().cuStreamSynchronize(stream));
}
TFRT_CTS(156, PoolsOfOnesOwn, cuMemPoolCreate, "Makes a pool of memory of one device") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(157, PoolNeedsAPlace, cuMemPoolCreate,
         "The properties must name a kind of allocation and a location: else an invalid value") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = {};
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemPoolCreate(&pool, &properties));
}
TFRT_CTS(158, FromAPool, cuMemAllocFromPoolAsync,
         "Allocates from the given pool in the order of the stream") {
  CUmemoryPool pool = nullptr, told = nullptr;
  CUmemPoolProps properties = Properties();
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemAllocFromPoolAsync(&data, kBytes, pool, stream));
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
  void* value = &told;
  OK(d().cuPointerGetAttributes(1, &attribute, &value, data));
  EXPECT_EQ(pool, told);
  OK(d().cuMemFreeAsync(data, stream));
  OK(d().cuStreamSynchronize(stream));
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(159, PoolOutlivesItsHandle, cuMemPoolDestroy,
         "Memory that is not freed yet stays good; the pool goes with the last of it") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemAllocFromPoolAsync(&data, kBytes, pool, stream));
  OK(d().cuMemPoolDestroy(pool));
  OK(d().cuMemsetD32Async(data, 9, 4, stream));
  EXPECT_EQ(9u, Download(stream, data, 4)[3]);
  OK(d().cuMemFreeAsync(data, stream));
  OK(d().cuStreamSynchronize(stream));
}
TFRT_CTS(160, DefaultPoolStays, cuMemPoolDestroy,
         "The default pool of a device cannot be destroyed") {
  CUmemoryPool pool = nullptr;
  OK(d().cuDeviceGetDefaultMemPool(&pool, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemPoolDestroy(pool));
}
TFRT_CTS(161, ThresholdIsKept, cuMemPoolSetAttribute,
         "RELEASE_THRESHOLD: the bytes to keep before memory is given back at a wait") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  uint64_t threshold = 12345678, told = 0;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &told));
  EXPECT_EQ(threshold, told);
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(162, ThresholdBeginsAsZero, cuMemPoolGetAttribute,
         "RELEASE_THRESHOLD is 0 in the beginning, the rules of reuse are on") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  uint64_t threshold = 1;
  int follow = 0;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &follow));
  EXPECT_EQ(0u, threshold);
  EXPECT_EQ(1, follow);
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(163, UsedBytesAreCounted, cuMemPoolGetAttribute,
         "USED_MEM_CURRENT is what the program has, USED_MEM_HIGH its greatest value") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  uint64_t used = 0, high = 0, reserved = 0;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemAllocFromPoolAsync(&data, kBytes, pool, stream));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
  EXPECT_GE(used, kBytes);
  EXPECT_GE(reserved, used);
  OK(d().cuMemFreeAsync(data, stream));
  OK(d().cuStreamSynchronize(stream));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &high));
  EXPECT_EQ(0u, used);
  EXPECT_GE(high, kBytes);
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(164, HighWaterOnlyToZero, cuMemPoolSetAttribute,
         "The high-water marks can be reset with 0 and with nothing else") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  uint64_t value = 5;
  OK(d().cuMemPoolCreate(&pool, &properties));
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  value = 0;
  OK(d().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(165, TrimGivesBack, cuMemPoolTrimTo,
         "Releases memory until the pool has no more than that, or nothing more to release") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  CUstream stream = MakeStream();
  CUdeviceptr data = 0;
  uint64_t threshold = UINT64_MAX, reserved = 1;
  OK(d().cuMemPoolCreate(&pool, &properties));
  OK(d().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  OK(d().cuMemAllocFromPoolAsync(&data, kBytes, pool, stream));
  OK(d().cuMemFreeAsync(data, stream));
  OK(d().cuStreamSynchronize(stream));
  OK(d().cuMemPoolTrimTo(pool, 0));
  OK(d().cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
  EXPECT_EQ(0u, reserved);
  OK(d().cuMemPoolDestroy(pool));
}
TFRT_CTS(166, OwnAccessCannotBeTaken, cuMemPoolSetAccess,
         "The device of the pool always has access; others can be given it and lose it") {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps properties = Properties();
  OK(d().cuMemPoolCreate(&pool, &properties));
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuMemPoolSetAccess(pool, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(d().cuMemPoolSetAccess(pool, &access, 1));
  OK(d().cuMemPoolDestroy(pool));
}

TFRT_CTS(167, TooMuchForAPool, cuMemAllocAsync,
         "Without enough memory: out of memory, also for a size that cannot be rounded up") {
  CUdeviceptr data = 0;
  CUstream stream = MakeStream();
  for (size_t size : {size_t{1} << 60, SIZE_MAX - 5}) {
    CODE(CUDA_ERROR_OUT_OF_MEMORY, d().cuMemAllocAsync(&data, size, stream));
  }
  OK(d().cuStreamSynchronize(stream));
}

TFRT_CTS(168, DestroyedPoolsGiveBack, cuMemPoolDestroy,
         "Memory of the pool is released once nothing of it is outstanding") {
  CUmemPoolProps properties = Properties();
  CUstream stream = MakeStream();
  uint64_t threshold = UINT64_MAX;
  size_t before = 0, after = 0, total = 0;
  CUdeviceptr data = 0;
  OK(d().cuMemGetInfo_v2(&before, &total));
  for (bool frees_first : {true, false}) {
    CUmemoryPool pool = nullptr;
    OK(d().cuMemPoolCreate(&pool, &properties));
    OK(d().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    OK(d().cuMemAllocFromPoolAsync(&data, 64 << 20, pool, stream));
    if (!frees_first) OK(d().cuMemPoolDestroy(pool));
    OK(d().cuMemFreeAsync(data, stream));
    OK(d().cuStreamSynchronize(stream));
    if (frees_first) OK(d().cuMemPoolDestroy(pool));
  }
  OK(d().cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace tfrt::gpu::test
