#include "capture.h"

#include <algorithm>
#include <utility>

namespace tfrt::gpu::cuda_double {

std::vector<std::shared_ptr<Command>> ImplicitEdges(const Stream& stream) {
  std::vector<std::shared_ptr<Command>> edges;
  if (stream.is_legacy) {
    for (const auto& lane : stream.context->lanes) {
      if (lane->blocking && lane->last) edges.push_back(lane->last);
    }
  } else if (stream.lane->blocking && stream.context->legacy->lane->last) {
    edges.push_back(stream.context->legacy->lane->last);
  }
  return edges;
}

CUresult CheckImplicitStream(Call& call, const Stream& stream, bool only_asks) {
  if (!stream.is_legacy) return CUDA_SUCCESS;
  bool refused = false;
  for (Capture* capture : call.driver().captures) {
    for (const Stream* captured : capture->streams) {
      if (captured->context != stream.context || !captured->lane->blocking) continue;
      if (!only_asks) capture->is_invalidated = true;
      refused = true;
    }
  }
  return refused ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

CUresult AddCapturedNode(Call& call, Stream& stream, std::shared_ptr<const Operation> operation) {
  Capture& capture = *stream.capture;
  if (capture.is_invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  std::shared_ptr<Node> node = AddNode(call.driver(), *capture.graph, stream.context,
                                       std::move(operation), stream.capture_front);
  call.Note("captured=", node->id);
  stream.capture_front = {node.get()};
  return CUDA_SUCCESS;
}

CUresult RecordCaptured(Call&, Stream& stream, Event& event) {
  if (stream.capture->is_invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  event.record = nullptr;
  event.capture = stream.capture;
  event.captured_nodes = stream.capture_front;
  return CUDA_SUCCESS;
}

CUresult WaitCaptured(Call&, Stream& stream, const Event& event) {
  if (stream.capture && stream.capture->is_invalidated) {
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  if (!event.capture) {
    // Work that was recorded outside of the capture cannot be a node of its graph.
    stream.capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (!event.capture->origin) return CUDA_ERROR_CAPTURED_EVENT;  // it has ended
  if (event.capture->is_invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (stream.is_legacy) {  // which no capture can have
    event.capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (!stream.capture) {
    stream.capture = event.capture;
    stream.capture->streams.insert(&stream);
    stream.capture_front = event.captured_nodes;
    return CUDA_SUCCESS;
  }
  if (stream.capture != event.capture) {
    stream.capture->is_invalidated = event.capture->is_invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  for (Node* node : event.captured_nodes) {
    auto& front = stream.capture_front;
    if (std::find(front.begin(), front.end(), node) == front.end()) front.push_back(node);
  }
  return CUDA_SUCCESS;
}

void LeaveCapture(Driver& driver, Stream& stream) {
  std::shared_ptr<Capture> capture = std::exchange(stream.capture, nullptr);
  stream.capture_front.clear();
  if (!capture) return;
  capture->is_invalidated = true;
  capture->streams.erase(&stream);
  if (capture->origin != &stream) return;
  // Nobody can end it any more.
  capture->origin = nullptr;
  driver.captures.erase(capture.get());
  DestroyGraph(driver, *capture->graph);
}

CUresult RefuseCaptured(Stream& stream) {
  stream.capture->is_invalidated = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

}  // namespace tfrt::gpu::cuda_double
