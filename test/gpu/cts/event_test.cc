// Statements about events.
#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

TFRT_CTS(80, BadEventFlags, cuEventCreate, "Flags that do not exist are an invalid value") {
  CUevent event = nullptr;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuEventCreate(&event, 0x1000));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuEventCreate(nullptr, 0));
}
TFRT_CTS(81, InterprocessNeedsNoTiming, cuEventCreate,
         "INTERPROCESS must come with DISABLE_TIMING") {
  CUevent event = nullptr;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuEventCreate(&event, CU_EVENT_INTERPROCESS));
}
TFRT_CTS(82, UnrecordedIsDone, cuEventQuery,
         "An event that was never recorded has nothing to wait for: success") {
  CODE(CUDA_SUCCESS, d().cuEventQuery(MakeEvent()));
}
TFRT_CTS(83, UnrecordedNeedsNoWait, cuEventSynchronize,
         "Waiting for an event that was never recorded returns at once") {
  CODE(CUDA_SUCCESS, d().cuEventSynchronize(MakeEvent()));
}
TFRT_CTS(84, WaitIsForWorkBefore, cuEventSynchronize,
         "Waits until the work that the event captured has completed") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  uint32_t* pinned = Pinned(1);
  CUdeviceptr data = Upload({21});
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  OK(d().cuEventRecord(event, stream));
  OK(d().cuEventSynchronize(event));
  EXPECT_EQ(21u, pinned[0]);
}
TFRT_CTS(85, QueryAfterWaitSucceeds, cuEventQuery, "Success once all captured work has completed") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  Occupy(stream);
  OK(d().cuEventRecord(event, stream));
  OK(d().cuEventSynchronize(event));
  CODE(CUDA_SUCCESS, d().cuEventQuery(event));
}
TFRT_CTS(
    86, AskingAnEventLeadsToAnEnd, cuEventQuery,
    "Not ready while captured work goes on; a program that asks again and again sees its end") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  Occupy(stream);
  OK(d().cuEventRecord(event, stream));
  CUresult code = CUDA_ERROR_NOT_READY;
  while (code == CUDA_ERROR_NOT_READY) code = d().cuEventQuery(event);
  CODE(CUDA_SUCCESS, code);
}
TFRT_CTS(87, RecordMayBeRepeated, cuEventRecord,
         "A later record replaces the one before, of which nothing is left") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  uint32_t* pinned = Pinned(1);
  CUdeviceptr data = Upload({22});
  OK(d().cuEventRecord(event, stream));
  OK(d().cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  OK(d().cuEventRecord(event, stream));
  OK(d().cuEventSynchronize(event));
  EXPECT_EQ(22u, pinned[0]);
}
TFRT_CTS(88, RecordNeedsTheSameContext, cuEventRecord,
         "Event and stream must be of the same context: else an invalid handle") {
  CUevent event = MakeEvent();
  CUcontext made = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  CODE(CUDA_ERROR_INVALID_HANDLE, d().cuEventRecord(event, MakeStream()));
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(89, RecordOnDefaultStream, cuEventRecord, "The stream may be the default one") {
  CUevent event = MakeEvent();
  OK(d().cuEventRecord(event, nullptr));
  OK(d().cuEventSynchronize(event));
}
TFRT_CTS(90, DestroyBeforeTheEnd, cuEventDestroy_v2,
         "An event may be destroyed before it is complete; the call does not wait") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr data = Upload({1});
  OK(d().cuMemsetD32Async(data, 31, 1, a));
  OK(d().cuEventRecord(event, a));
  OK(d().cuStreamWaitEvent(b, event, 0));
  OK(d().cuEventDestroy_v2(event));
  EXPECT_EQ(31u, Download(b, data, 1)[0]);
}
TFRT_CTS(91, ElapsedIsNotNegative, cuEventElapsedTime,
         "The milliseconds between two recorded events that are complete") {
  CUstream stream = MakeStream();
  CUevent start = MakeEvent(CU_EVENT_DEFAULT), end = MakeEvent(CU_EVENT_DEFAULT);
  float milliseconds = -1;
  OK(d().cuEventRecord(start, stream));
  Occupy(stream);
  OK(d().cuEventRecord(end, stream));
  OK(d().cuEventSynchronize(end));
  OK(d().cuEventElapsedTime(&milliseconds, start, end));
  EXPECT_GT(milliseconds, 0.0f);
}
TFRT_CTS(92, ElapsedNeedsTiming, cuEventElapsedTime,
         "An event made with DISABLE_TIMING is an invalid handle here") {
  CUevent start = MakeEvent(CU_EVENT_DEFAULT), end = MakeEvent(CU_EVENT_DISABLE_TIMING);
  float milliseconds = -1;
  OK(d().cuEventRecord(start, nullptr));
  OK(d().cuEventRecord(end, nullptr));
  OK(d().cuEventSynchronize(end));
  CODE(CUDA_ERROR_INVALID_HANDLE, d().cuEventElapsedTime(&milliseconds, start, end));
}
TFRT_CTS(93, ElapsedNeedsRecords, cuEventElapsedTime,
         "An event that was never recorded is an invalid handle here") {
  CUevent start = MakeEvent(CU_EVENT_DEFAULT), end = MakeEvent(CU_EVENT_DEFAULT);
  float milliseconds = -1;
  OK(d().cuEventRecord(start, nullptr));
  OK(d().cuEventSynchronize(start));
  CODE(CUDA_ERROR_INVALID_HANDLE, d().cuEventElapsedTime(&milliseconds, start, end));
}

TFRT_CTS(94, ElapsedIsReadyInTheEnd, cuEventElapsedTime,
         "Not ready while a recorded event is not complete, which it will be without a wait") {
  CUstream stream = MakeStream();
  CUevent start = MakeEvent(CU_EVENT_DEFAULT), end = MakeEvent(CU_EVENT_DEFAULT);
  float milliseconds = -1;
  OK(d().cuEventRecord(start, stream));
  Occupy(stream);
  OK(d().cuEventRecord(end, stream));
  CUresult code = CUDA_ERROR_NOT_READY;
  for (int i = 0; i < 10'000'000 && code == CUDA_ERROR_NOT_READY; ++i) {
    code = d().cuEventElapsedTime(&milliseconds, start, end);
  }
  CODE(CUDA_SUCCESS, code);
  EXPECT_GT(milliseconds, 0.0f);
}

}  // namespace
}  // namespace tfrt::gpu::test
