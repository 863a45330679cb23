// What work queues record: which task was added and taken when, how many wait, who had nothing to
// do. While records are made (tfrt/tracing/record.h) a task takes along what the thread does that
// adds it.
#ifndef TFRT_WORK_QUEUE_QUEUE_RECORDS_H_
#define TFRT_WORK_QUEUE_QUEUE_RECORDS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "tfrt/support/task_function.h"
#include "tfrt/tracing/record.h"

namespace tfrt {

class ConcurrentWorkQueue;

// The record types, all with the name of the queue. A task's enqueue and dequeue have the same
// correlation id, and its dequeue is inside of the record that it was added for.
inline constexpr tracing::RecordType kEnqueueRecord = {
    .name = "queue.enqueue",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    .is_before_effect = true,
    // Recorded tasks that wait, with this one. Those that record themselves do not count.
    .arguments = {{{"depth", tracing::ArgumentSpec::Type::kInteger}}}};
inline constexpr tracing::RecordType kDequeueRecord = {
    .name = "queue.dequeue",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    // Without this one.
    .arguments = {{{"depth", tracing::ArgumentSpec::Type::kInteger}}}};
// A thread of the queue that took the task of another one.
inline constexpr tracing::RecordType kStealRecord = {
    .name = "queue.steal",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    // The number of the worker that had the task.
    .arguments = {{{"from", tracing::ArgumentSpec::Type::kInteger}}}};
// A thread of the queue that found no task and sleeps.
inline constexpr tracing::RecordType kIdleRecord = {.name = "queue.idle",
                                                    .level = tracing::StackLevel::kModel,
                                                    .kind = tracing::RecordKind::kQueue};
// Another thread that sleeps until values are there.
inline constexpr tracing::RecordType kAwaitRecord = {.name = "queue.await",
                                                     .level = tracing::StackLevel::kModel,
                                                     .kind = tracing::RecordKind::kStall};

// What a queue keeps for its records. Thread-safe.
class QueueRecords {
 public:
  // The queue's name; asks it the first time.
  tracing::Name NameOf(const ConcurrentWorkQueue& queue);
  // How many recorded tasks there are that nobody has taken, after `change`.
  int64_t ChangeDepth(int64_t change) {
    // relaxed: a number.
    return depth_.fetch_add(change, std::memory_order_relaxed) + change;
  }

 private:
  std::atomic<int64_t> depth_{0};
  std::atomic<uint64_t> name_bits_{0};
};

namespace internal {

// The records of one task, from when it is added until it begins. Goes before its queue does.
class TaskRecord {
 public:
  // Of no task: Run only runs.
  TaskRecord() = default;
  // Of a task that the calling thread adds to `queue` next, at any time: says so, if records are
  // being made.
  explicit TaskRecord(ConcurrentWorkQueue& queue);
  TaskRecord(TaskRecord&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  TaskRecord& operator=(TaskRecord&&) = delete;
  ~TaskRecord() {
    if (block_) Free();
  }

  // Says that the task is taken, and runs it on behalf of what the thread did that added it.
  void Run(TaskFunction& task);

 private:
  friend TaskFunction RecordedTask(ConcurrentWorkQueue& queue, TaskFunction task);
  struct Block;
  void Free();

  Block* block_ = nullptr;
};

// A task that runs `task` with its records; one that records itself as it is. For queues, of a task
// that they are given while tracing::IsRecording().
TaskFunction RecordedTask(ConcurrentWorkQueue& queue, TaskFunction task);
// The same unless the queue makes the records itself. For those who add tasks to any queue.
TaskFunction RecordedForQueue(ConcurrentWorkQueue& queue, TaskFunction task);

}  // namespace internal
}  // namespace tfrt

#endif  // TFRT_WORK_QUEUE_QUEUE_RECORDS_H_
