// The records of work queues. They tell when a task was added and taken, how many tasks wait, and
// which threads were idle. While records are made (tfrt/tracing/record.h), a task carries the
// context of the thread that adds it.
#ifndef TFRT_WORK_QUEUE_QUEUE_RECORDS_H_
#define TFRT_WORK_QUEUE_QUEUE_RECORDS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "tfrt/support/task_function.h"
#include "tfrt/tracing/record.h"

namespace tfrt {

class ConcurrentWorkQueue;

// The record types. Each record has the name of the queue. A task's enqueue and dequeue have the
// same correlation id. Its dequeue is inside of the record on whose behalf the task was added.
inline constexpr tracing::RecordType kEnqueueRecord = {
    .name = "queue.enqueue",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    .is_before_effect = true,
    // The number of recorded tasks that wait, including this one. Tasks that record themselves do
    // not count.
    .arguments = {{{"depth", tracing::ArgumentSpec::Type::kInteger}}}};
inline constexpr tracing::RecordType kDequeueRecord = {
    .name = "queue.dequeue",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    // The number of recorded tasks that wait, without this one.
    .arguments = {{{"depth", tracing::ArgumentSpec::Type::kInteger}}}};
// A thread of the queue took the task of another thread.
inline constexpr tracing::RecordType kStealRecord = {
    .name = "queue.steal",
    .level = tracing::StackLevel::kModel,
    .kind = tracing::RecordKind::kQueue,
    // The number of the worker that held the task.
    .arguments = {{{"from", tracing::ArgumentSpec::Type::kInteger}}}};
// A thread of the queue found no task and sleeps.
inline constexpr tracing::RecordType kIdleRecord = {.name = "queue.idle",
                                                    .level = tracing::StackLevel::kModel,
                                                    .kind = tracing::RecordKind::kQueue};
// A thread outside the queue sleeps until values are available.
inline constexpr tracing::RecordType kAwaitRecord = {.name = "queue.await",
                                                     .level = tracing::StackLevel::kModel,
                                                     .kind = tracing::RecordKind::kStall};

// The state that a queue keeps for its records. Thread-safe.
class QueueRecords {
 public:
  // Returns the queue's name; calls name() only the first time.
  tracing::Name NameOf(const ConcurrentWorkQueue& queue);
  // Adds `change` to the number of recorded tasks that wait, and returns the new number.
  int64_t ChangeDepth(int64_t change) {
    // relaxed: only a number.
    return depth_.fetch_add(change, std::memory_order_relaxed) + change;
  }

 private:
  std::atomic<int64_t> depth_{0};
  std::atomic<uint64_t> name_bits_{0};
};

namespace internal {

// The records of one task, from when it is added until it begins. Destroyed before its queue.
class TaskRecord {
 public:
  // Makes a record of no task: Run then only runs the task.
  TaskRecord() = default;
  // Records, if records are being made, that the calling thread adds a task to `queue` next. The
  // task may be added at any later time.
  explicit TaskRecord(ConcurrentWorkQueue& queue);
  TaskRecord(TaskRecord&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  TaskRecord& operator=(TaskRecord&&) = delete;
  ~TaskRecord() {
    if (block_) Free();
  }

  // Records that the task is taken, and runs it on behalf of what the adding thread was doing.
  void Run(TaskFunction& task);

 private:
  friend TaskFunction RecordedTask(ConcurrentWorkQueue& queue, TaskFunction task);
  struct Block;
  void Free();

  Block* block_ = nullptr;
};

// Returns a task that runs `task` with its records, or `task` itself if it records itself. Called
// by queues for a task that they are given while tracing::IsRecording().
TaskFunction RecordedTask(ConcurrentWorkQueue& queue, TaskFunction task);
// The same, unless the queue makes the records itself. For code that adds tasks to any queue.
TaskFunction RecordedForQueue(ConcurrentWorkQueue& queue, TaskFunction task);

}  // namespace internal
}  // namespace tfrt

#endif  // TFRT_WORK_QUEUE_QUEUE_RECORDS_H_
