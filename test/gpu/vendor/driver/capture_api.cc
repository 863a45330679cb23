// Entry points: capture of streams.
#include <algorithm>
#include <set>

#include "capture.h"

namespace tfrt::gpu::cuda_double {
namespace {

bool IsMode(CUstreamCaptureMode mode) { return mode <= CU_STREAM_CAPTURE_MODE_RELAXED; }

CUresult BeginCapture(Call& call, const std::shared_ptr<Stream>& stream, CUstreamCaptureMode mode) {
  Driver& driver = call.driver();
  if (!IsMode(mode)) return CUDA_ERROR_INVALID_VALUE;
  if (stream->is_legacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
  auto capture = std::make_shared<Capture>();
  capture->id = ++driver.num_captures;
  capture->mode = mode;
  capture->thread = call.thread().number;
  capture->graph = std::make_shared<Graph>();
  capture->graph->handle = driver.graphs.Add(capture->graph);
  capture->origin = stream.get();
  capture->streams.insert(stream.get());
  driver.captures.insert(capture.get());
  stream->capture = std::move(capture);
  stream->capture_front.clear();
  return CUDA_SUCCESS;
}

// Whether all that was captured comes before the end of the stream in which the capture began.
bool IsJoined(const Capture& capture) {
  std::set<const Node*> before;
  std::vector<const Node*> open(capture.origin->capture_front.begin(),
                                capture.origin->capture_front.end());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!before.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const Stream* stream) {
    return std::all_of(stream->capture_front.begin(), stream->capture_front.end(),
                       [&](const Node* node) { return before.contains(node); });
  });
}

CUresult EndCapture(Call& call, Stream& stream, CUgraph* graph) {
  Driver& driver = call.driver();
  *graph = nullptr;
  if (!stream.capture) return CUDA_ERROR_ILLEGAL_STATE;
  std::shared_ptr<Capture> capture = stream.capture;
  if (capture->origin != &stream) {
    capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != call.thread().number) {
    return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  }
  CUresult code = capture->is_invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                  : IsJoined(*capture)    ? CUDA_SUCCESS
                                          : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  for (Stream* captured : capture->streams) {
    captured->capture_front.clear();
    captured->capture = nullptr;
  }
  capture->origin = nullptr;
  driver.captures.erase(capture.get());
  if (code == CUDA_SUCCESS) {
    *graph = capture->graph->handle;
  } else {
    DestroyGraph(driver, *capture->graph);
  }
  return code;
}

CUresult CaptureInfo(Call& call, CUstream handle, CUstreamCaptureStatus* status, uint64_t* id,
                     CUgraph* graph, const CUgraphNode** dependencies,
                     const CUgraphEdgeData** edges, size_t* num_dependencies) {
  std::shared_ptr<Stream> stream;
  if (!status) return CUDA_ERROR_INVALID_VALUE;
  TFRT_GPU_RETURN_IF_FAILED(call.GetStream(handle, &stream));
  TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *stream, /*only_asks=*/true));
  Capture* capture = stream->capture.get();
  *status = !capture                  ? CU_STREAM_CAPTURE_STATUS_NONE
            : capture->is_invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                      : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
  capture->asked_front.clear();
  for (const Node* node : stream->capture_front) capture->asked_front.push_back(node->handle);
  if (id) *id = capture->id;
  if (graph) *graph = capture->graph->handle;
  if (dependencies) *dependencies = capture->asked_front.data();
  if (edges) *edges = nullptr;  // all of the default kind
  if (num_dependencies) *num_dependencies = capture->asked_front.size();
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return Enter(Function::cuStreamBeginCapture_v2, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    return BeginCapture(call, found, mode);
  });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return Enter(Function::cuStreamEndCapture, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<Stream> found;
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
    return EndCapture(call, *found, graph);
  });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return Enter(Function::cuStreamIsCapturing, Needs::kContext, [&](Call& call) -> CUresult {
    return CaptureInfo(call, stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
  });
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, uint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   size_t* num_dependencies) {
  return Enter(Function::cuStreamGetCaptureInfo_v2, Needs::kContext, [&](Call& call) -> CUresult {
    return CaptureInfo(call, stream, status, id, graph, dependencies, nullptr, num_dependencies);
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, uint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* num_dependencies) {
  return Enter(Function::cuStreamGetCaptureInfo_v3, Needs::kContext, [&](Call& call) -> CUresult {
    return CaptureInfo(call, stream, status, id, graph, dependencies, edges, num_dependencies);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return Enter(Function::cuThreadExchangeStreamCaptureMode, Needs::kDriver,
               [&](Call& call) -> CUresult {
                 if (!mode || !IsMode(*mode)) return CUDA_ERROR_INVALID_VALUE;
                 std::swap(*mode, call.thread().capture_mode);
                 return CUDA_SUCCESS;
               });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
