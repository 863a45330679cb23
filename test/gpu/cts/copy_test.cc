// Statements about copies and fills.
#include <numeric>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr size_t kCopiedElements = 1024;
std::vector<uint32_t> Counted(uint32_t first) {
  std::vector<uint32_t> elements(kCopiedElements);
  std::iota(elements.begin(), elements.end(), first);
  return elements;
}

TFRT_CTS(130, PageableSourceMayBeChanged, cuMemcpyHtoDAsync_v2,
         "A pageable source has been read when the call returns") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kCopiedElements * 4);
  std::vector<uint32_t> host = Counted(5);
  Occupy(stream);
  OK(d().cuMemcpyHtoDAsync_v2(data, host.data(), kCopiedElements * 4, stream));
  std::fill(host.begin(), host.end(), 0);
  EXPECT_EQ(Counted(5), Download(stream, data, kCopiedElements));
}
TFRT_CTS(131, PageableTargetIsWritten, cuMemcpyDtoHAsync_v2,
         "A copy to pageable memory is complete when the call returns") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(Counted(6));
  std::vector<uint32_t> host(kCopiedElements, 0);
  OK(d().cuMemcpyDtoHAsync_v2(host.data(), data, kCopiedElements * 4, stream));
  EXPECT_EQ(Counted(6), host);
}
TFRT_CTS(132, PinnedThereAndBack, cuMemcpyHtoDAsync_v2,
         "Copies of pinned memory are asynchronous, and done when the stream is") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kCopiedElements * 4);
  uint32_t *from = Pinned(kCopiedElements), *to = Pinned(kCopiedElements);
  std::iota(from, from + kCopiedElements, 7);
  std::fill(to, to + kCopiedElements, 0);
  OK(d().cuMemcpyHtoDAsync_v2(data, from, kCopiedElements * 4, stream));
  OK(d().cuMemcpyDtoHAsync_v2(to, data, kCopiedElements * 4, stream));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(Counted(7), std::vector<uint32_t>(to, to + kCopiedElements));
}
TFRT_CTS(133, OnePinnedBufferForBoth, cuMemcpyDtoHAsync_v2,
         "Copies of one stream may use the same pinned memory one after the other") {
  CUstream stream = MakeStream();
  CUdeviceptr a = Allocate(kCopiedElements * 4), b = Upload(Counted(9));
  uint32_t* pinned = Pinned(kCopiedElements);
  std::iota(pinned, pinned + kCopiedElements, 8);
  OK(d().cuMemcpyHtoDAsync_v2(a, pinned, kCopiedElements * 4, stream));
  OK(d().cuMemcpyDtoHAsync_v2(pinned, b, kCopiedElements * 4, stream));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(Counted(9), std::vector<uint32_t>(pinned, pinned + kCopiedElements));
  EXPECT_EQ(Counted(8), Download(stream, a, kCopiedElements));
}
TFRT_CTS(134, PinnedAsRelay, cuMemcpyHtoDAsync_v2,
         "What a copy of the stream brought into pinned memory, the next one takes from there") {
  CUstream stream = MakeStream();
  CUdeviceptr a = Upload(Counted(3)), b = Allocate(kCopiedElements * 4);
  uint32_t* pinned = Pinned(kCopiedElements);
  OK(d().cuMemcpyDtoHAsync_v2(pinned, a, kCopiedElements * 4, stream));
  OK(d().cuMemcpyHtoDAsync_v2(b, pinned, kCopiedElements * 4, stream));
  EXPECT_EQ(Counted(3), Download(stream, b, kCopiedElements));
}
TFRT_CTS(135, DeviceToDevice, cuMemcpyDtoDAsync_v2, "Copies from device memory to device memory") {
  CUstream stream = MakeStream();
  CUdeviceptr a = Upload(Counted(1)), b = Allocate(kCopiedElements * 4);
  OK(d().cuMemcpyDtoDAsync_v2(b + 16, a, 64, stream));
  EXPECT_EQ(1u, Download(stream, b + 16, 16)[0]);
}
TFRT_CTS(136, DirectionFollowsFromAddresses, cuMemcpyAsync,
         "With unified addresses the kind of copy follows from the addresses") {
  CUstream stream = MakeStream();
  CUdeviceptr a = Allocate(kCopiedElements * 4), b = Allocate(kCopiedElements * 4);
  std::vector<uint32_t> from = Counted(2), to(kCopiedElements, 0);
  OK(d().cuMemcpyAsync(a, reinterpret_cast<CUdeviceptr>(from.data()), kCopiedElements * 4, stream));
  OK(d().cuMemcpyAsync(b, a, kCopiedElements * 4, stream));
  OK(d().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to.data()), b, kCopiedElements * 4, stream));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(from, to);
}
TFRT_CTS(137, HostToHost, cuMemcpyAsync,
         "Both addresses may be of the host; a pageable target is written when the call returns") {
  std::vector<uint32_t> from = Counted(4), to(kCopiedElements, 0);
  OK(d().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to.data()),
                       reinterpret_cast<CUdeviceptr>(from.data()), kCopiedElements * 4,
                       MakeStream()));
  EXPECT_EQ(from, to);
}
TFRT_CTS(138, NoBytesAreNoCopy, cuMemcpyAsync, "A copy of no bytes does nothing and succeeds") {
  CUdeviceptr data = Allocate(64);
  OK(d().cuMemcpyAsync(data, data + 32, 0, MakeStream()));
}
TFRT_CTS(139, CopyPastTheEnd, cuMemcpyDtoHAsync_v2,
         "A range that leaves the allocation is an invalid value") {
  std::vector<uint32_t> host(1 << 20);
  CUdeviceptr data = Allocate(1 << 21);
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemcpyDtoHAsync_v2(host.data(), data + (1 << 20),
                                                          (1 << 20) + (1 << 21), MakeStream()));
}
TFRT_CTS(140, PeerCopyOfOneDevice, cuMemcpyPeerAsync,
         "Copies between two contexts, which may be the same") {
  CUstream stream = MakeStream();
  CUdeviceptr a = Upload(Counted(1)), b = Allocate(kCopiedElements * 4);
  OK(d().cuMemcpyPeerAsync(b, context_, a, context_, kCopiedElements * 4, stream));
  EXPECT_EQ(Counted(1), Download(stream, b, kCopiedElements));
}
TFRT_CTS(141, RowsWithPitch, cuMemcpy2DAsync_v2,
         "Copies rows whose beginnings lie the pitches apart") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(std::vector<uint32_t>(64, 0));
  std::vector<uint32_t> host = {1, 2, 9, 3, 4, 9};  // two rows of two, three apart
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = data;
  copy.dstPitch = 32;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  OK(d().cuMemcpy2DAsync_v2(&copy, stream));
  std::vector<uint32_t> got = Download(stream, data, 16);
  EXPECT_EQ((std::vector<uint32_t>{1, 2, 0}), std::vector<uint32_t>(got.begin(), got.begin() + 3));
  EXPECT_EQ((std::vector<uint32_t>{3, 4, 0}),
            std::vector<uint32_t>(got.begin() + 8, got.begin() + 11));
}
TFRT_CTS(142, OffsetsOfRows, cuMemcpy2DAsync_v2,
         "XInBytes and Y are added to the beginning on either side") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(Counted(0));
  std::vector<uint32_t> host(4, 0);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = data;
  copy.srcPitch = 64;
  copy.srcXInBytes = 8;
  copy.srcY = 3;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host.data();
  copy.dstPitch = 8;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  OK(d().cuMemcpy2DAsync_v2(&copy, stream));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ((std::vector<uint32_t>{50, 51, 66, 67}), host);
}
TFRT_CTS(143, PitchBelowWidth, cuMemcpy2DAsync_v2,
         "A pitch that is smaller than the width is an invalid value") {
  std::vector<uint32_t> host(64);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = Allocate(256);
  copy.dstPitch = 8;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemcpy2DAsync_v2(&copy, MakeStream()));
}
TFRT_CTS(144, FillOfBytes, cuMemsetD8Async, "Sets the bytes to the value") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({0, 0});
  OK(d().cuMemsetD8Async(data + 1, 0xab, 5, stream));
  EXPECT_EQ((std::vector<uint32_t>{0xababab00, 0x0000abab}), Download(stream, data, 2));
}
TFRT_CTS(145, FillOfHalves, cuMemsetD16Async, "Sets 16-bit elements; the count is of elements") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({0, 0});
  OK(d().cuMemsetD16Async(data, 0x1234, 3, stream));
  EXPECT_EQ((std::vector<uint32_t>{0x12341234, 0x00001234}), Download(stream, data, 2));
}
TFRT_CTS(146, FillOfWords, cuMemsetD32Async, "Sets 32-bit elements; the count is of elements") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({0, 0, 0});
  OK(d().cuMemsetD32Async(data, 0xdeadbeef, 2, stream));
  EXPECT_EQ((std::vector<uint32_t>{0xdeadbeef, 0xdeadbeef, 0}), Download(stream, data, 3));
}
TFRT_CTS(147, FillsAreAligned, cuMemsetD32Async,
         "The address must be four-byte aligned: else an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemsetD32Async(Allocate(64) + 2, 0, 1, MakeStream()));
}
TFRT_CTS(148, FillsOfHalvesAreAligned, cuMemsetD16Async,
         "The address must be two-byte aligned: else an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemsetD16Async(Allocate(64) + 1, 0, 1, MakeStream()));
}
TFRT_CTS(149, FillOfNothing, cuMemsetD8Async, "A fill of no elements does nothing and succeeds") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({77});
  OK(d().cuMemsetD8Async(data, 1, 0, stream));
  EXPECT_EQ(77u, Download(stream, data, 1)[0]);
}

CUDA_MEMCPY2D RowsBetween(CUdeviceptr to, CUdeviceptr from) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstDevice = to;
  copy.srcPitch = copy.dstPitch = 32;
  copy.WidthInBytes = 16;
  copy.Height = 3;
  return copy;
}
TFRT_CTS(301, PitchBelowOffsetAndWidth, cuMemcpy2DAsync_v2,
         "A pitch must be at least the width and the offset of x together") {
  CUstream stream = MakeStream();
  CUDA_MEMCPY2D copy = RowsBetween(Upload(Counted(0)), Upload(Counted(0)));
  copy.srcXInBytes = 20;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemcpy2DAsync_v2(&copy, stream));
  copy.srcXInBytes = 16;
  OK(d().cuMemcpy2DAsync_v2(&copy, stream));
  OK(d().cuStreamSynchronize(stream));
}
TFRT_CTS(302, MemoryOfNoType, cuMemcpy2DAsync_v2,
         "The types of memory are those of the enumeration; another number is an invalid value") {
  CUDA_MEMCPY2D copy = RowsBetween(Upload(Counted(0)), Upload(Counted(0)));
  copy.srcMemoryType = static_cast<CUmemorytype>(9);
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuMemcpy2DAsync_v2(&copy, MakeStream()));
}
TFRT_CTS(303, SizesThatWrapAround, cuGraphAddMemcpyNode,
         "A copy must stay in its memory, however large its sizes are") {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = Upload(Counted(0));
  copy.dstDevice = Upload(Counted(0));
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = 16;
  copy.Height = size_t{1} << 60;  // so that all bytes together are 2^64, which is 0
  copy.Depth = 1;
  OK(d().cuGraphCreate(&graph, 0));
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context_));
  copy.Height = 2;
  copy.srcHeight = 1;  // less than the rows of a layer
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context_));
  OK(d().cuGraphDestroy(graph));
}

TFRT_CTS(305, EarlierWorkSeesThePinnedTarget, cuMemcpyDtoHAsync_v2,
         "The copy comes behind the stream's earlier work, which finds the target as it was") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({9});
  uint32_t* pinned = Pinned(1);
  struct {
    const uint32_t* from;
    uint32_t seen;
  } look{pinned, 0};
  *pinned = 5;
  OK(d().cuLaunchHostFunc(
      stream,
      [](void* data) {
        auto* to = static_cast<decltype(look)*>(data);
        to->seen = *to->from;
      },
      &look));
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(5u, look.seen);
  EXPECT_EQ(9u, *pinned);
}
TFRT_CTS(306, EarlierWorkWritesThePinnedSource, cuMemcpyHtoDAsync_v2,
         "The copy comes behind the stream's earlier work, and reads what that has written") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(Counted(0));
  uint32_t* pinned = Pinned(kCopiedElements);
  CUdeviceptr mapped = 0;
  OK(d().cuMemHostGetDevicePointer_v2(&mapped, pinned, 0));
  std::fill(pinned, pinned + kCopiedElements, 1);
  OK(d().cuLaunchHostFunc(
      stream, [](void* data) { std::fill_n(static_cast<uint32_t*>(data), kCopiedElements, 7); },
      pinned));
  OK(d().cuMemcpyHtoDAsync_v2(data, pinned, kCopiedElements * 4, stream));
  EXPECT_EQ(7u, Download(stream, data, kCopiedElements)[kCopiedElements - 1]);
  OK(d().cuMemsetD32Async(mapped, 8, kCopiedElements, stream));
  OK(d().cuMemcpyHtoDAsync_v2(data, pinned, kCopiedElements * 4, stream));
  EXPECT_EQ(8u, Download(stream, data, kCopiedElements)[kCopiedElements - 1]);
  OK(Launch(stream, Kernel("fill"), 8, 128, mapped, uint32_t{9}, uint32_t{kCopiedElements}));
  OK(d().cuMemcpyHtoDAsync_v2(data, pinned, kCopiedElements * 4, stream));
  EXPECT_EQ(9u, Download(stream, data, kCopiedElements)[kCopiedElements - 1]);
}
TFRT_CTS(313, WithinTheHost, cuMemcpyAsync,
         "A copy from any memory of the host to any other is fully synchronous with respect to the "
         "host: the stream's earlier work and the copy are done when the call returns") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(Counted(3));
  const size_t bytes = kCopiedElements * 4;
  uint32_t *first = Pinned(kCopiedElements), *second = Pinned(kCopiedElements);
  std::vector<uint32_t> pageable(kCopiedElements, 0);
  std::fill_n(first, kCopiedElements, 0);
  std::fill_n(second, kCopiedElements, 0);
  auto copy = [&](uint32_t* to, const uint32_t* from) {
    return d().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to), reinterpret_cast<CUdeviceptr>(from),
                             bytes, stream);
  };
  Occupy(stream);
  OK(d().cuMemcpyDtoHAsync_v2(first, data, bytes, stream));
  OK(copy(second, first));
  EXPECT_EQ(Counted(3), std::vector<uint32_t>(second, second + kCopiedElements));
  OK(Launch(stream, Kernel("fill"), 8, 128, data, uint32_t{5}, uint32_t{kCopiedElements}));
  OK(d().cuMemcpyDtoHAsync_v2(first, data, bytes, stream));
  OK(copy(pageable.data(), first));
  EXPECT_EQ(std::vector<uint32_t>(kCopiedElements, 5), pageable);
  pageable.assign(kCopiedElements, 6);
  OK(copy(second, pageable.data()));
  EXPECT_EQ(pageable, std::vector<uint32_t>(second, second + kCopiedElements));
}

}  // namespace
}  // namespace tfrt::gpu::test
