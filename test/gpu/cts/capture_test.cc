// Statements about the capture of streams.
#include <thread>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr uint32_t kCapturedElements = 256;

TFRT_CTS(230, NotCapturing, cuStreamIsCapturing,
         "A stream that is not captured has the status NONE") {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  OK(d().cuStreamIsCapturing(MakeStream(), &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
}
TFRT_CTS(231, Capturing, cuStreamIsCapturing,
         "From the beginning of a capture to its end the status is ACTIVE") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(232, CapturedWorkDoesNotRun, cuStreamBeginCapture_v2,
         "Work of a stream in capture is not run but becomes a graph") {
  CUstream stream = MakeStream(), other = MakeStream();
  CUdeviceptr data = Upload(std::vector<uint32_t>(kCapturedElements, 1));
  CUgraph graph = nullptr;
  size_t count = 0;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuMemsetD32Async(data, 2, kCapturedElements, stream));
  OK(d().cuStreamEndCapture(stream, &graph));
  EXPECT_EQ(1u, Download(other, data, kCapturedElements)[0]);
  OK(d().cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(1u, count);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(233, LegacyStreamIsNotCaptured, cuStreamBeginCapture_v2,
         "The legacy default stream cannot be captured") {
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       d().cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}
TFRT_CTS(234, NotTwice, cuStreamBeginCapture_v2,
         "A capture may only begin on a stream that is not in one") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CODE(CUDA_ERROR_ILLEGAL_STATE,
       d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  d().cuStreamEndCapture(stream, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(235, EndWithoutBeginning, cuStreamEndCapture,
         "A stream that is not being captured has no capture to end") {
  CUgraph graph = nullptr;
  CODE(CUDA_ERROR_ILLEGAL_STATE, d().cuStreamEndCapture(MakeStream(), &graph));
  EXPECT_EQ(nullptr, graph);
}
TFRT_CTS(236, WaitingInACapture, cuStreamSynchronize,
         "A wait for a stream in capture is not permitted, and invalidates the capture") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuStreamSynchronize(stream));
  OK(d().cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_INVALIDATED, status);
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
  EXPECT_EQ(nullptr, graph);
}
TFRT_CTS(237, AskingInACapture, cuStreamQuery,
         "A query of a stream in capture is not permitted, and invalidates the capture") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuStreamQuery(stream));
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
}
TFRT_CTS(238, InvalidatedCaptureTakesNothing, cuMemsetD32Async,
         "Calls on a stream whose capture was invalidated fail until it is ended") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUdeviceptr data = Upload({1});
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  d().cuStreamSynchronize(stream);
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuMemsetD32Async(data, 2, 1, stream));
  d().cuStreamEndCapture(stream, &graph);
  OK(d().cuMemsetD32Async(data, 2, 1, stream));
  EXPECT_EQ(2u, Download(stream, data, 1)[0]);
}
TFRT_CTS(239, AllocatingInACapture, cuMemAlloc_v2,
         "Potentially unsafe calls are prohibited while the thread captures, unless relaxed") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuMemAlloc_v2(&address, 64));
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
}
TFRT_CTS(240, RelaxedCaptureAllows, cuStreamBeginCapture_v2,
         "In RELAXED mode, potentially unsafe calls are allowed") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(d().cuMemAlloc_v2(&address, 64));
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(241, RelaxedThreadMay, cuThreadExchangeStreamCaptureMode,
         "A thread in RELAXED mode may make potentially unsafe calls") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUdeviceptr address = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(CU_STREAM_CAPTURE_MODE_GLOBAL, mode);
  OK(d().cuMemAlloc_v2(&address, 64));
  OK(d().cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(CU_STREAM_CAPTURE_MODE_RELAXED, mode);
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(242, GlobalCaptureBindsOthers, cuThreadExchangeStreamCaptureMode,
         "A capture in GLOBAL mode prohibits unsafe calls of other threads as well") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  std::thread([&] {
    CUdeviceptr address = 0;
    CODE(CUDA_SUCCESS, d().cuCtxSetCurrent(context_));
    CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuMemAlloc_v2(&address, 64));
  }).join();
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
}
TFRT_CTS(243, ThreadLocalCaptureDoesNot, cuThreadExchangeStreamCaptureMode,
         "A capture in THREAD_LOCAL mode concerns its own thread only") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  std::thread([&] {
    CUdeviceptr address = 0;
    CODE(CUDA_SUCCESS, d().cuCtxSetCurrent(context_));
    CODE(CUDA_SUCCESS, d().cuMemAlloc_v2(&address, 64));
  }).join();
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(245, EndsInItsThread, cuStreamEndCapture,
         "Unless relaxed, a capture must be ended by the thread that began it") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  std::thread([&] {
    CUgraph graph = nullptr;
    CODE(CUDA_SUCCESS, d().cuCtxSetCurrent(context_));
    CODE(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, d().cuStreamEndCapture(stream, &graph));
  }).join();
  d().cuStreamEndCapture(stream, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(
    246, ForkAndJoin, cuStreamBeginCapture_v2,
    "Streams that wait for an event of the capture join it; its edges are those of the events") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent forked = MakeEvent(), joined = MakeEvent();
  CUdeviceptr x = Upload({1}), y = Upload({1});
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuMemsetD32Async(x, 2, 1, a));
  OK(d().cuEventRecord(forked, a));
  OK(d().cuStreamWaitEvent(b, forked, 0));
  OK(d().cuStreamIsCapturing(b, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  OK(d().cuMemsetD32Async(y, 3, 1, b));
  OK(d().cuMemsetD32Async(x, 4, 1, a));
  OK(d().cuEventRecord(joined, b));
  OK(d().cuStreamWaitEvent(a, joined, 0));
  OK(d().cuStreamEndCapture(a, &graph));
  size_t num_nodes = 0, num_edges = 0;
  OK(d().cuGraphGetNodes(graph, nullptr, &num_nodes));
  OK(d().cuGraphGetEdges(graph, nullptr, nullptr, &num_edges));
  EXPECT_EQ(3u, num_nodes);
  EXPECT_EQ(2u, num_edges);
  OK(d().cuStreamIsCapturing(b, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(
    247, UnjoinedStreams, cuStreamEndCapture,
    "If a stream that joined was not joined back, the capture is unjoined and gives no graph") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent forked = MakeEvent();
  CUdeviceptr x = Upload({1});
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuEventRecord(forked, a));
  OK(d().cuStreamWaitEvent(b, forked, 0));
  OK(d().cuMemsetD32Async(x, 2, 1, b));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, d().cuStreamEndCapture(a, &graph));
  EXPECT_EQ(nullptr, graph);
}
TFRT_CTS(248, EndOnTheWrongStream, cuStreamEndCapture,
         "A capture must be ended on the stream on which it began: else it is unmatched") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent forked = MakeEvent();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuEventRecord(forked, a));
  OK(d().cuStreamWaitEvent(b, forked, 0));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, d().cuStreamEndCapture(b, &graph));
  d().cuStreamEndCapture(a, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(249, CapturesDoNotMerge, cuStreamWaitEvent,
         "An event of one capture cannot be waited for in another: they would merge") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuStreamBeginCapture_v2(b, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuEventRecord(event, a));
  CODE(CUDA_ERROR_STREAM_CAPTURE_MERGE, d().cuStreamWaitEvent(b, event, 0));
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(b, &graph));
  d().cuStreamEndCapture(a, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(250, CapturesAreIsolated, cuStreamWaitEvent,
         "An event recorded outside of the capture cannot be waited for in it") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUgraph graph = nullptr;
  OK(d().cuEventRecord(event, b));
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CODE(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, d().cuStreamWaitEvent(a, event, 0));
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(a, &graph));
}
TFRT_CTS(251, CapturedEventsAreNotAsked, cuEventQuery,
         "An event that was last recorded in a capture cannot be asked, even by a relaxed thread") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(d().cuEventRecord(event, stream));
  CODE(CUDA_ERROR_CAPTURED_EVENT, d().cuEventQuery(event));
  d().cuStreamEndCapture(stream, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(252, CapturedEventsAreNotWaitedFor, cuEventSynchronize,
         "The host cannot wait for an event that was last recorded in a capture") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(d().cuEventRecord(event, stream));
  CODE(CUDA_ERROR_CAPTURED_EVENT, d().cuEventSynchronize(event));
  d().cuStreamEndCapture(stream, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(253, ImplicitDependencies, cuMemsetD32Async,
         "The legacy default stream would wait for a blocking stream in capture: an implicit "
         "dependency") {
  CUstream stream = MakeStream(CU_STREAM_DEFAULT);
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CODE(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, d().cuMemsetD32Async(data, 1, 1, nullptr));
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
}
TFRT_CTS(254, WaitForAContextInCapture, cuCtxSynchronize,
         "A context of which a stream is in capture cannot be waited for") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CODE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, d().cuCtxSynchronize());
  CODE(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, d().cuStreamEndCapture(stream, &graph));
}
TFRT_CTS(255, FrontOfACapture, cuStreamGetCaptureInfo_v2,
         "Tells the capture's id and graph, and the nodes on which the next one will depend") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1});
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  uint64_t id = 0;
  CUgraph graph = nullptr, ended = nullptr;
  const CUgraphNode* front = nullptr;
  size_t count = 99;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &front, &count));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  EXPECT_NE(0u, id);
  EXPECT_EQ(0u, count);
  OK(d().cuMemsetD32Async(data, 2, 1, stream));
  OK(d().cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &front, &count));
  ASSERT_EQ(1u, count);
  CUgraphNode node = nullptr;
  size_t num_nodes = 1;
  OK(d().cuGraphGetNodes(graph, &node, &num_nodes));
  EXPECT_EQ(node, front[0]);
  OK(d().cuStreamEndCapture(stream, &ended));
  EXPECT_EQ(graph, ended);
  OK(d().cuGraphDestroy(ended));
}
TFRT_CTS(256, CapturesHaveIds, cuStreamGetCaptureInfo_v3,
         "The id is unique in the process; only the status is told outside of a capture") {
  if (!d().cuStreamGetCaptureInfo_v3) GTEST_SKIP() << "the driver is older than 12.3";
  CUstream stream = MakeStream();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  uint64_t ids[2] = {0, 0};
  OK(d().cuStreamGetCaptureInfo_v3(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
  for (uint64_t& id : ids) {
    CUgraph graph = nullptr;
    OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(d().cuStreamGetCaptureInfo_v3(stream, &status, &id, nullptr, nullptr, nullptr, nullptr));
    OK(d().cuStreamEndCapture(stream, &graph));
    OK(d().cuGraphDestroy(graph));
  }
  EXPECT_NE(ids[0], ids[1]);
}

TFRT_CTS(
    257, CapturesGoWithTheirContext, cuCtxDestroy_v2,
    "What belongs to the context goes with it: a capture of its stream binds nobody any more") {
  CUcontext made = nullptr;
  CUdeviceptr address = 0;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  OK(d().cuStreamBeginCapture_v2(MakeStream(), CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(d().cuCtxDestroy_v2(made));
  OK(d().cuCtxSetCurrent(context_));
  OK(d().cuMemAlloc_v2(&address, 64));
  OK(d().cuCtxSynchronize());
}
TFRT_CTS(258, AskingRuinsNothing, cuStreamIsCapturing,
         "On the legacy stream it tells that a blocking stream is in capture, which goes on") {
  CUstream stream = MakeStream(CU_STREAM_DEFAULT);
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CODE(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, d().cuStreamIsCapturing(nullptr, &status));
  OK(d().cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_ACTIVE, status);
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(259, LegacyStreamDoesNotJoin, cuStreamWaitEvent,
         "The legacy stream is not supported for capture: it can join none by way of an event") {
  CUstream stream = MakeStream();
  CUevent event = MakeEvent();
  CUgraph graph = nullptr;
  CUdeviceptr data = Upload({1});
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(d().cuEventRecord(event, stream));
  EXPECT_NE(CUDA_SUCCESS, d().cuStreamWaitEvent(nullptr, event, 0));
  OK(d().cuStreamIsCapturing(nullptr, &status));
  EXPECT_EQ(CU_STREAM_CAPTURE_STATUS_NONE, status);
  d().cuStreamEndCapture(stream, &graph);
  if (graph) OK(d().cuGraphDestroy(graph));
  OK(d().cuMemsetD32Async(data, 2, 1, nullptr));
  EXPECT_EQ(2u, Download(nullptr, data, 1)[0]);
}

TFRT_CTS(308, FirstLaunchInACapture, cuLaunchKernel,
         "A function may be asked for and launched for the first time in a capture of any mode") {
  for (CUstreamCaptureMode mode :
       {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
        CU_STREAM_CAPTURE_MODE_RELAXED}) {
    CUmodule module = LoadKernels();
    CUfunction function = nullptr;
    CUstream stream = MakeStream();
    CUgraph graph = nullptr;
    OK(d().cuStreamBeginCapture_v2(stream, mode));
    OK(d().cuModuleGetFunction(&function, module, "idle"));
    OK(Launch(stream, function, 1, 1));
    OK(d().cuStreamEndCapture(stream, &graph));
    OK(d().cuGraphDestroy(graph));
    OK(d().cuModuleUnload(module));
  }
}

}  // namespace
}  // namespace tfrt::gpu::test
