// How calls on streams that are being captured become nodes of graphs.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CAPTURE_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CAPTURE_H_

#include <memory>
#include <vector>

#include "call.h"

namespace tfrt::gpu::cuda_double {

// Returns the commands that implicitly come before the next one of the stream. Commands of the
// legacy default stream come before those of blocking streams, and the reverse.
std::vector<std::shared_ptr<Command>> ImplicitEdges(const Stream& stream);

// Work on the legacy default stream would be ordered with blocking streams. Refused, to the ruin of
// the capture unless `only_asks`, while one of them is being captured.
CUresult CheckImplicitStream(Call& call, const Stream& stream, bool only_asks = false);

// A node behind the stream's front.
CUresult AddCapturedNode(Call& call, Stream& stream, std::shared_ptr<const Operation> operation);
// A record: the event stands for the stream's front.
CUresult RecordCaptured(Call& call, Stream& stream, Event& event);
// A wait: the stream joins the event's capture if it is in none.
CUresult WaitCaptured(Call& call, Stream& stream, const Event& event);
// The stream is no more: its capture is invalidated, and over if it began there.
void LeaveCapture(Driver& driver, Stream& stream);
// A host wait for, or a query of, a stream that is being captured: an error, and the capture's end.
CUresult RefuseCaptured(Stream& stream);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CAPTURE_H_
