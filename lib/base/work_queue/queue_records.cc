#include "tfrt/work_queue/queue_records.h"

#include "tfrt/support/small_blocks.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

tracing::Name QueueRecords::NameOf(const ConcurrentWorkQueue& queue) {
  // relaxed: interned names are there for everybody, and all threads find the same.
  uint64_t bits = name_bits_.load(std::memory_order_relaxed);
  if (bits == 0) {
    bits = tracing::InternName(queue.name()).bits();
    name_bits_.store(bits, std::memory_order_relaxed);
  }
  return tracing::Name::FromBits(bits);
}

namespace internal {

struct TaskRecord::Block {
  TaskFunction task;  // of RecordedTask
  ConcurrentWorkQueue& queue;
  tracing::RecordContext context;
  uint64_t id;
  bool has_begun = false;
};

TaskRecord::TaskRecord(ConcurrentWorkQueue& queue) {
  if (!tracing::IsRecording()) return;
  block_ = new (AllocateSmall(sizeof(Block)))
      Block{{}, queue, tracing::CurrentContext(), tracing::NewCorrelationId()};
  QueueRecords& records = queue.records();
  int64_t depth = records.ChangeDepth(1);
  tracing::RecordEvent(kEnqueueRecord, records.NameOf(queue), {.correlation_id = block_->id},
                       depth);
}

void TaskRecord::Free() {
  if (!block_->has_begun) block_->queue.records().ChangeDepth(-1);
  block_->~Block();
  FreeSmall(std::exchange(block_, nullptr), sizeof(Block));
}

void TaskRecord::Run(TaskFunction& task) {
  if (!block_) return task();
  tracing::ContextScope context(block_->context);
  QueueRecords& records = block_->queue.records();
  block_->has_begun = true;
  int64_t depth = records.ChangeDepth(-1);
  tracing::RecordEvent(kDequeueRecord, records.NameOf(block_->queue),
                       {.correlation_id = block_->id}, depth);
  task();
}

TaskFunction RecordedTask(ConcurrentWorkQueue& queue, TaskFunction task) {
  if (task.records_itself()) return task;
  TaskRecord record(queue);
  if (!record.block_) return task;
  record.block_->task = std::move(task);
  return [record = std::move(record)]() mutable { record.Run(record.block_->task); };
}

TaskFunction RecordedForQueue(ConcurrentWorkQueue& queue, TaskFunction task) {
  return queue.RecordsTasks() ? std::move(task) : RecordedTask(queue, std::move(task));
}

}  // namespace internal
}  // namespace tfrt
