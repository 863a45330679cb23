// A queue of one's own, under the suite that every queue must pass.
#include "loop_queue.h"

#include "test/support/work_queue_conformance.h"

namespace tfrt {
namespace {

const Status kRegistered = RegisterWorkQueueFactory(
    "loop", [](std::string_view) -> StatusOr<std::unique_ptr<ConcurrentWorkQueue>> {
      return std::unique_ptr<ConcurrentWorkQueue>(std::make_unique<LoopQueue>());
    });

INSTANTIATE_TEST_SUITE_P(LoopQueue, WorkQueueConformance, testing::Values("loop"));

}  // namespace
}  // namespace tfrt
