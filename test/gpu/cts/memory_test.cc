// Statements about memory of devices and of the host.
#include <cstdlib>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

TFRT_CTS(100, NoBytesCannotBeAllocated, cuMemAlloc_v2, "A size of 0 is an invalid value") {
  CUdeviceptr address = 0;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemAlloc_v2(&address, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemAlloc_v2(nullptr, 16));
}
TFRT_CTS(101, AllocationsAreAligned, cuMemAlloc_v2,
         "The memory is suitably aligned for any kind of variable; 256 bytes on all devices") {
  for (size_t size : {1, 3, 255, 257, 4096}) EXPECT_EQ(0u, Allocate(size) % 256) << size;
}
TFRT_CTS(102, AllocationsDoNotOverlap, cuMemAlloc_v2,
         "Allocates that many bytes for the caller alone") {
  CUdeviceptr a = Allocate(1000), b = Allocate(1000);
  EXPECT_TRUE(a + 1000 <= b || b + 1000 <= a);
}
TFRT_CTS(103, TooMuchIsOutOfMemory, cuMemAlloc_v2,
         "Without enough memory: out of memory, and the device is as it was") {
  CUdeviceptr address = 0;
  size_t before = 0, after = 0, total = 0;
  OK(d().cuMemGetInfo_v2(&before, &total));
  CODE(CUDA_ERROR_OUT_OF_MEMORY, d().cuMemAlloc_v2(&address, total * 4));
  OK(d().cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before, after);
}
TFRT_CTS(104, FreedMemoryComesBack, cuMemFree_v2,
         "Frees the memory, which can be allocated again") {
  size_t before = 0, between = 0, after = 0, total = 0;
  OK(d().cuMemGetInfo_v2(&before, &total));
  CUdeviceptr address = Allocate(64 << 20);
  OK(d().cuMemGetInfo_v2(&between, &total));
  OK(d().cuMemFree_v2(address));
  OK(d().cuMemGetInfo_v2(&after, &total));
  EXPECT_LT(between, before);
  EXPECT_EQ(before, after);
}
TFRT_CTS(105, FreeIsNotBelowTotal, cuMemGetInfo_v2,
         "Free and total bytes of the current context's device") {
  size_t free_bytes = 0, total = 0, of_device = 0;
  OK(d().cuMemGetInfo_v2(&free_bytes, &total));
  OK(d().cuDeviceTotalMem_v2(&of_device, 0));
  EXPECT_LE(free_bytes, total);
  EXPECT_EQ(of_device, total);
}
TFRT_CTS(106, FreeingAPartIsRefused, cuMemFree_v2,
         "The address must be one that an allocation returned: else an invalid value") {
  CUdeviceptr address = Allocate(4096);
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemFree_v2(address + 256));
  TakeReports(d());  // the double says more than the code
  OK(d().cuMemFree_v2(address));
}
TFRT_CTS(107, RangeOfAnAddress, cuMemGetAddressRange_v2,
         "Gives base and size of the allocation that holds the address") {
  CUdeviceptr address = Allocate(5000), begin = 0;
  size_t size = 0;
  OK(d().cuMemGetAddressRange_v2(&begin, &size, address + 4999));
  EXPECT_EQ(address, begin);
  EXPECT_EQ(5000u, size);
}
TFRT_CTS(108, RangeResultsAreOptional, cuMemGetAddressRange_v2,
         "Both results are optional: a null one is ignored") {
  CUdeviceptr address = Allocate(64), begin = 0;
  size_t size = 0;
  OK(d().cuMemGetAddressRange_v2(nullptr, &size, address));
  OK(d().cuMemGetAddressRange_v2(&begin, nullptr, address));
  EXPECT_EQ(64u, size);
  EXPECT_EQ(address, begin);
}
TFRT_CTS(109, RangeOfNothing, cuMemGetAddressRange_v2,
         "An address that no allocation holds is not found") {
  CUdeviceptr begin = 0;
  size_t size = 0;
  uint32_t host = 0;
  CODE(CUDA_ERROR_NOT_FOUND,
       d().cuMemGetAddressRange_v2(&begin, &size, reinterpret_cast<CUdeviceptr>(&host)));
}
TFRT_CTS(110, PinnedMemoryIsOfTheHost, cuMemHostAlloc,
         "Allocates page-locked memory, which the host can use as any other") {
  uint32_t* pinned = Pinned(1000);
  for (uint32_t i = 0; i < 1000; ++i) pinned[i] = i;
  EXPECT_EQ(999u, pinned[999]);
  OK(d().cuMemFreeHost(pinned));
}
TFRT_CTS(111, BadPinnedFlags, cuMemHostAlloc,
         "Flags that do not exist, and no bytes, are an invalid value") {
  void* memory = nullptr;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostAlloc(&memory, 64, 0x100));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostAlloc(nullptr, 64, 0));
}
TFRT_CTS(112, WriteCombinedMemory, cuMemHostAlloc,
         "PORTABLE, DEVICEMAP and WRITECOMBINED may be given together") {
  void* memory = nullptr;
  OK(d().cuMemHostAlloc(
      &memory, 64,
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED));
  static_cast<char*>(memory)[63] = 1;
  OK(d().cuMemFreeHost(memory));
}
TFRT_CTS(316, PinnedMemoryOfNoBytes, cuMemHostAlloc,
         "A request for no bytes succeeds; what address it gives is not promised") {
  void* memory = nullptr;
  OK(d().cuMemHostAlloc(&memory, 0, 0));
}
TFRT_CTS(113, OnlyPinnedMemoryIsFreed, cuMemFreeHost,
         "The address must be one that cuMemHostAlloc returned") {
  uint32_t host[16];
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemFreeHost(host));
  TakeReports(d());
}
TFRT_CTS(114, RegisteredMemoryIsPinned, cuMemHostRegister_v2,
         "Page-locks memory of the program, for devices to use") {
  std::vector<uint32_t> host(4096, 3);
  OK(d().cuMemHostRegister_v2(host.data(), host.size() * 4, 0));
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(host.size() * 4);
  OK(d().cuMemcpyHtoDAsync_v2(data, host.data(), host.size() * 4, stream));
  EXPECT_EQ(3u, Download(stream, data, host.size())[4095]);
  OK(d().cuMemHostUnregister(host.data()));
}
TFRT_CTS(115, RegisteringTwice, cuMemHostRegister_v2,
         "Memory that is registered cannot be registered again") {
  std::vector<uint32_t> host(4096);
  OK(d().cuMemHostRegister_v2(host.data(), host.size() * 4, 0));
  CODE(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
       d().cuMemHostRegister_v2(host.data(), host.size() * 4, 0));
  OK(d().cuMemHostUnregister(host.data()));
}
TFRT_CTS(116, RegisteringNothing, cuMemHostRegister_v2,
         "No bytes, or a null address, are an invalid value") {
  uint32_t host = 0;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostRegister_v2(&host, 0, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostRegister_v2(nullptr, 64, 0));
}
TFRT_CTS(117, UnregisteringWhatIsNot, cuMemHostUnregister,
         "Memory that is not registered cannot be unregistered") {
  std::vector<uint32_t> host(4096);
  CODE(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, d().cuMemHostUnregister(host.data()));
}
TFRT_CTS(307, UnregisteringPinnedMemory, cuMemHostUnregister,
         "Memory that the driver has allocated is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostUnregister(Pinned(16)));
}
TFRT_CTS(118, RegisteringAgainLater, cuMemHostUnregister,
         "Makes the memory pageable again; it can be registered anew") {
  std::vector<uint32_t> host(4096);
  for (int i = 0; i < 2; ++i) {
    OK(d().cuMemHostRegister_v2(host.data(), host.size() * 4, 0));
    OK(d().cuMemHostUnregister(host.data()));
  }
}
TFRT_CTS(119, PinnedHasOneAddress, cuMemHostGetDevicePointer_v2,
         "With unified addresses, the device uses pinned memory under the host's address") {
  uint32_t* pinned = Pinned(16);
  CUdeviceptr address = 0;
  OK(d().cuMemHostGetDevicePointer_v2(&address, pinned, 0));
  EXPECT_EQ(reinterpret_cast<CUdeviceptr>(pinned), address);
}
TFRT_CTS(120, PageableHasNoDeviceAddress, cuMemHostGetDevicePointer_v2,
         "The memory must be page-locked, and the flags 0: else an invalid value") {
  if (Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0)
    GTEST_SKIP() << "the device can use any memory";
  std::vector<uint32_t> host(4096);
  CUdeviceptr address = 0;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostGetDevicePointer_v2(&address, host.data(), 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostGetDevicePointer_v2(&address, Pinned(16), 1));
}
TFRT_CTS(121, KernelsUsePinnedMemory, cuMemHostGetDevicePointer_v2,
         "Kernels can read and write mapped memory of the host") {
  uint32_t* pinned = Pinned(64);
  for (int i = 0; i < 64; ++i) pinned[i] = 10;
  CUdeviceptr address = 0;
  CUstream stream = MakeStream();
  OK(d().cuMemHostGetDevicePointer_v2(&address, pinned, 0));
  OK(Launch(stream, Kernel("add_one"), 1, 64, address, uint32_t{64}));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(11u, pinned[63]);
}

struct Told {
  CUmemorytype type = {};
  int device = -7;
  CUdeviceptr begin = 0;
  size_t size = 0;
};
Told Ask(const RawDriver& driver, CUdeviceptr address, CUresult* code) {
  Told told;
  CUpointer_attribute attributes[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&told.type, &told.device, &told.begin, &told.size};
  *code = driver.cuPointerGetAttributes(4, attributes, values, address);
  return told;
}

TFRT_CTS(122, AttributesOfDeviceMemory, cuPointerGetAttributes,
         "Tells type, device and allocation of an address of a device") {
  CUresult code;
  CUdeviceptr address = Allocate(3000);
  Told told = Ask(d(), address + 100, &code);
  OK(code);
  EXPECT_EQ(CU_MEMORYTYPE_DEVICE, told.type);
  EXPECT_EQ(0, told.device);
  EXPECT_EQ(address, told.begin);
  EXPECT_EQ(3000u, told.size);
}
TFRT_CTS(123, AttributesOfPinnedMemory, cuPointerGetAttributes,
         "Pinned memory is of the host, and has the device of its context") {
  CUresult code;
  uint32_t* pinned = Pinned(16);
  Told told = Ask(d(), reinterpret_cast<CUdeviceptr>(pinned), &code);
  OK(code);
  EXPECT_EQ(CU_MEMORYTYPE_HOST, told.type);
  EXPECT_EQ(0, told.device);
}
TFRT_CTS(124, AttributesOfUnknownMemory, cuPointerGetAttributes,
         "Unlike for one attribute, an address that is not known is no error: attributes are null "
         "or zero") {
  uint32_t host = 0;
  CUcontext context = context_;
  CUdeviceptr device_pointer = 1;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_CONTEXT,
                                      CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void* values[] = {&context, &device_pointer};
  OK(d().cuPointerGetAttributes(2, attributes, values, reinterpret_cast<CUdeviceptr>(&host)));
  EXPECT_EQ(nullptr, context);
}
TFRT_CTS(125, AttributesOfFreedMemory, cuPointerGetAttributes,
         "Freed memory is not known any more") {
  CUdeviceptr address = Allocate(1 << 20);
  OK(d().cuMemFree_v2(address));
  CUcontext context = context_;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_CONTEXT;
  void* value = &context;
  OK(d().cuPointerGetAttributes(1, &attribute, &value, address));
  EXPECT_EQ(nullptr, context);
}
TFRT_CTS(126, BufferIdsDiffer, cuPointerGetAttributes,
         "BUFFER_ID is unique for each allocation of the process") {
  uint64_t first = 0, second = 0;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_BUFFER_ID;
  void* value = &first;
  CUdeviceptr a = Allocate(64), b = Allocate(64);
  OK(d().cuPointerGetAttributes(1, &attribute, &value, a));
  value = &second;
  OK(d().cuPointerGetAttributes(1, &attribute, &value, b));
  EXPECT_NE(first, second);
}

TFRT_CTS(127, RegisteringPastTheLastAddress, cuMemHostRegister_v2,
         "The range must be memory of the program: one that wraps around is an invalid value") {
  uint32_t host = 0;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemHostRegister_v2(&host, SIZE_MAX, 0));
}

}  // namespace
}  // namespace tfrt::gpu::test
