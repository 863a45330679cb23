// Statements about streams.
#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr size_t kStreamElements = 256;
const std::vector<uint32_t> kZeros(kStreamElements, 0);

TFRT_CTS(50, BadStreamFlags, cuStreamCreateWithPriority,
         "Flags are default or non-blocking; others are an invalid value") {
  CUstream stream = nullptr;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuStreamCreateWithPriority(&stream, 0x80, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuStreamCreateWithPriority(nullptr, 0, 0));
}
TFRT_CTS(51, PriorityIsClamped, cuStreamCreateWithPriority,
         "A priority outside of the meaningful range is clamped, and no error") {
  CUstream low = nullptr, high = nullptr;
  OK(d().cuStreamCreateWithPriority(&low, CU_STREAM_NON_BLOCKING, 1000));
  OK(d().cuStreamCreateWithPriority(&high, CU_STREAM_NON_BLOCKING, -1000));
  OK(d().cuStreamDestroy_v2(low));
  OK(d().cuStreamDestroy_v2(high));
}
TFRT_CTS(52, FlagsAreTold, cuStreamGetFlags, "Gives the flags with which the stream was made") {
  unsigned flags = 99;
  OK(d().cuStreamGetFlags(MakeStream(CU_STREAM_NON_BLOCKING), &flags));
  EXPECT_EQ(CU_STREAM_NON_BLOCKING, flags);
  OK(d().cuStreamGetFlags(MakeStream(CU_STREAM_DEFAULT), &flags));
  EXPECT_EQ(CU_STREAM_DEFAULT, flags);
}
TFRT_CTS(53, ContextOfStream, cuStreamGetCtx, "Gives the context in which the stream was made") {
  CUcontext made = nullptr, told = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  CUstream stream = MakeStream();
  OK(d().cuCtxSetCurrent(context_));
  OK(d().cuStreamGetCtx(stream, &told));
  EXPECT_EQ(made, told);
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(54, ContextOfDefaultStream, cuStreamGetCtx,
         "For the default stream: the current context") {
  CUcontext told = nullptr;
  OK(d().cuStreamGetCtx(nullptr, &told));
  EXPECT_EQ(context_, told);
}
TFRT_CTS(55, NewStreamIsDone, cuStreamQuery,
         "Succeeds if all operations in the stream have completed") {
  CODE(CUDA_SUCCESS, d().cuStreamQuery(MakeStream()));
}
TFRT_CTS(56, AskingLeadsToAnEnd, cuStreamQuery,
         "Not ready while operations go on; a program that asks again and again sees their end") {
  CUstream stream = MakeStream();
  Occupy(stream);
  CUresult code = CUDA_ERROR_NOT_READY;
  while (code == CUDA_ERROR_NOT_READY) code = d().cuStreamQuery(stream);
  CODE(CUDA_SUCCESS, code);
}
TFRT_CTS(57, WaitingIsForAll, cuStreamSynchronize,
         "Waits until all operations in the stream have completed") {
  CUstream stream = MakeStream();
  Occupy(stream);
  OK(d().cuStreamSynchronize(stream));
  CODE(CUDA_SUCCESS, d().cuStreamQuery(stream));
}
TFRT_CTS(58, OrderOfAStream, cuStreamSynchronize,
         "Operations of a stream run in the order in which they were enqueued") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kStreamElements * 4);
  OK(d().cuMemsetD32Async(data, 1, kStreamElements, stream));
  OK(d().cuMemsetD32Async(data, 2, kStreamElements / 2, stream));
  OK(d().cuMemsetD32Async(data, 3, kStreamElements / 4, stream));
  std::vector<uint32_t> got = Download(stream, data, kStreamElements);
  EXPECT_EQ(3u, got[0]);
  EXPECT_EQ(3u, got[kStreamElements / 4 - 1]);
  EXPECT_EQ(2u, got[kStreamElements / 4]);
  EXPECT_EQ(1u, got[kStreamElements / 2]);
}
TFRT_CTS(59, DestroyingDoesNotWait, cuStreamDestroy_v2,
         "Returns at once; work that is still in the stream is completed") {
  CUstream stream = MakeStream();
  uint32_t* pinned = Pinned(kStreamElements);
  CUdeviceptr data = Upload(std::vector<uint32_t>(kStreamElements, 9));
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, kStreamElements * 4, stream));
  OK(d().cuStreamDestroy_v2(stream));
  OK(d().cuCtxSynchronize());
  EXPECT_EQ(9u, pinned[0]);
  EXPECT_EQ(9u, pinned[kStreamElements - 1]);
}
TFRT_CTS(60, WaitOrdersStreams, cuStreamWaitEvent,
         "Later work of the stream waits for the work that the event has captured") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 7, kStreamElements, a));
  OK(d().cuEventRecord(event, a));
  OK(d().cuStreamWaitEvent(b, event, 0));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 7), Download(b, data, kStreamElements));
}
TFRT_CTS(61, WaitForUnrecordedIsNone, cuStreamWaitEvent,
         "An event that was never recorded has captured no work: nothing is waited for") {
  CUstream stream = MakeStream();
  OK(d().cuStreamWaitEvent(stream, MakeEvent(), 0));
  OK(d().cuStreamSynchronize(stream));
}
TFRT_CTS(62, WaitIsForTheRecordOfTheCall, cuStreamWaitEvent,
         "What is waited for is fixed by the call; a later record of the event changes nothing") {
  CUstream a = MakeStream(), b = MakeStream(), c = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 5, kStreamElements, a));
  OK(d().cuEventRecord(event, a));
  OK(d().cuStreamWaitEvent(b, event, 0));
  OK(d().cuEventRecord(event, c));  // where there is nothing
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 5), Download(b, data, kStreamElements));
  OK(d().cuEventSynchronize(event));
}
TFRT_CTS(63, WaitsAreTransitive, cuStreamWaitEvent,
         "An event captures all that its stream had waited for as well") {
  CUstream a = MakeStream(), b = MakeStream(), c = MakeStream();
  CUevent first = MakeEvent(), second = MakeEvent();
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 4, kStreamElements, a));
  OK(d().cuEventRecord(first, a));
  OK(d().cuStreamWaitEvent(b, first, 0));
  OK(d().cuEventRecord(second, b));
  OK(d().cuStreamWaitEvent(c, second, 0));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 4), Download(c, data, kStreamElements));
}
TFRT_CTS(64, WaitAcrossContexts, cuStreamWaitEvent,
         "The event may be of another context than the stream") {
  CUstream a = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 6, kStreamElements, a));
  OK(d().cuEventRecord(event, a));
  CUcontext made = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  CUstream b = MakeStream();
  OK(d().cuStreamWaitEvent(b, event, 0));
  OK(d().cuStreamSynchronize(b));
  OK(d().cuCtxSetCurrent(context_));
  CODE(CUDA_SUCCESS, d().cuEventQuery(event));
  OK(d().cuCtxDestroy_v2(made));
  EXPECT_EQ(6u, Download(a, data, 1)[0]);
}
TFRT_CTS(65, BadWaitFlags, cuStreamWaitEvent,
         "EXTERNAL is for captures only, and other flags are for nothing") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuStreamWaitEvent(MakeStream(), MakeEvent(), 0x10));
}
TFRT_CTS(66, LegacyStreamWaitsForBlockingOnes, cuStreamCreateWithPriority,
         "The legacy default stream comes behind what blocking streams were given before") {
  CUstream blocking = MakeStream(CU_STREAM_DEFAULT);
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 3, kStreamElements, blocking));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 3), Download(nullptr, data, kStreamElements));
}
TFRT_CTS(67, BlockingStreamsWaitForTheLegacyOne, cuStreamCreateWithPriority,
         "Blocking streams come behind what the legacy default stream was given before") {
  CUstream blocking = MakeStream(CU_STREAM_DEFAULT);
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 8, kStreamElements, nullptr));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 8), Download(blocking, data, kStreamElements));
}
TFRT_CTS(68, LegacyStreamByItsName, cuStreamSynchronize,
         "CU_STREAM_LEGACY and null are the same stream in this program") {
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 8, kStreamElements, reinterpret_cast<CUstream>(kLegacyStream)));
  OK(d().cuMemsetD32Async(data, 9, kStreamElements, nullptr));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 9),
            Download(reinterpret_cast<CUstream>(kLegacyStream), data, kStreamElements));
}
TFRT_CTS(69, PerThreadStreamIsBlocking, cuStreamSynchronize,
         "The per-thread default stream synchronises with the legacy one") {
  auto mine = reinterpret_cast<CUstream>(kPerThreadStream);
  CUdeviceptr data = Upload(kZeros);
  OK(d().cuMemsetD32Async(data, 8, kStreamElements, nullptr));
  EXPECT_EQ(std::vector<uint32_t>(kStreamElements, 8), Download(mine, data, kStreamElements));
}
TFRT_CTS(70, HostFunctionRunsInOrder, cuLaunchHostFunc,
         "The function runs after what is in the stream and before what is added later") {
  CUstream stream = MakeStream();
  uint32_t* pinned = Pinned(1);
  CUdeviceptr data = Upload({11});
  uint32_t seen[2] = {0, 0};
  struct Seen {
    uint32_t *from, *to;
  } first{pinned, &seen[0]}, second{pinned, &seen[1]};
  auto look = [](void* data) { *static_cast<Seen*>(data)->to = *static_cast<Seen*>(data)->from; };
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  OK(d().cuLaunchHostFunc(stream, look, &first));
  OK(d().cuMemsetD32Async(data, 12, 1, stream));
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  OK(d().cuLaunchHostFunc(stream, look, &second));
  OK(d().cuStreamSynchronize(stream));
  EXPECT_EQ(11u, seen[0]);
  EXPECT_EQ(12u, seen[1]);
}
TFRT_CTS(71, HostFunctionMayNotCall, cuLaunchHostFunc,
         "The function must make no calls of the API: not permitted") {
  struct State {
    const RawDriver* driver;
    CUresult code = CUDA_SUCCESS;
  } state{&d()};
  CUstream stream = MakeStream();
  OK(d().cuLaunchHostFunc(
      stream,
      [](void* data) {
        auto* state = static_cast<State*>(data);
        CUdeviceptr address = 0;
        state->code = state->driver->cuMemAlloc_v2(&address, 16);
      },
      &state));
  OK(d().cuStreamSynchronize(stream));
  CODE(CUDA_ERROR_NOT_PERMITTED, state.code);
}
TFRT_CTS(72, HostFunctionMustBeOne, cuLaunchHostFunc, "A null function is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuLaunchHostFunc(MakeStream(), nullptr, nullptr));
}

}  // namespace
}  // namespace tfrt::gpu::test
