// Calls of vendors' libraries that enqueue commands in a stream.
#ifndef TFRT_GPU_LIBRARIES_LIBRARY_CALL_H_
#define TFRT_GPU_LIBRARIES_LIBRARY_CALL_H_

#include <span>
#include <string_view>

#include "gpu/runtime/context.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/point.h"
#include "gpu/runtime/stream.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Runs `call` as a command of the stream (Stream::Enqueue). It is a function that returns a Status
// and makes calls of a library that enqueue there, on handles that are leased already. The commands
// use `memories`. If the library lacks memory, the allocator's cached memory is given back and
// `call` runs once more. So a call that fails must have enqueued nothing. The text `what` names the
// function for messages and must live as long as the stream.
//
// Returns the error of `call`, or that by which the device was lost, with the ops that may have
// caused it.
template <typename F>
StatusOr<Point> CallLibrary(Stream& stream, std::string_view what,
                            std::span<const Memory* const> memories, F&& call) {
  bool is_enqueued = false;  // an error is then one of waiting for the commands
  auto run = [&]() -> Status {
    const Status status = call();
    is_enqueued = status.ok();
    return status;
  };
  for (bool is_last = false;; is_last = true) {
    StatusOr<Point> point = stream.Enqueue(what, memories, run);
    if (point.ok()) return point;
    const bool is_exhausted =
        !is_enqueued && point.status().code() == StatusCode::kResourceExhausted;
    if (is_last || !is_exhausted || !stream.context().MakeRoom()) {
      return stream.context().CheckLibrary(point.status(), stream);
    }
  }
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_LIBRARIES_LIBRARY_CALL_H_
