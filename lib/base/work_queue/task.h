// A task of a work queue: a function in a block of the small-block pool, linked to another.
#ifndef TFRT_LIB_BASE_WORK_QUEUE_TASK_H_
#define TFRT_LIB_BASE_WORK_QUEUE_TASK_H_

#include <new>
#include <utility>

#include "tfrt/async/value_allocator.h"
#include "tfrt/support/task_function.h"

namespace tfrt::internal {

struct Task {
  explicit Task(TaskFunction&& function) : function(std::move(function)) {}

  TaskFunction function;
  Task* next;  // for the queue that holds it, which sets it

  static Task* Make(TaskFunction&& function) {
    return new (AllocateSmall(sizeof(Task))) Task(std::move(function));
  }
  void Free() {
    this->~Task();
    FreeSmall(this, sizeof(Task));
  }
  // Runs the function in place: it is destroyed, and its block freed, afterwards.
  void RunAndFree() {
    function.CallAndReset();
    FreeSmall(this, sizeof(Task));
  }
};

// A list of tasks, first in, first out. Owns them. Used by one thread.
class TaskList {
 public:
  TaskList() = default;
  TaskList(TaskList&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), last_(other.last_) {}
  TaskList& operator=(TaskList&&) = delete;
  ~TaskList() {
    while (first_) std::exchange(first_, first_->next)->Free();
  }

  bool empty() const { return first_ == nullptr; }
  Task* PopFront() { return std::exchange(first_, first_->next); }
  // Appends a chain that is linked from its newest task to its oldest.
  void AppendReversed(Task* newest) {
    if (!newest) return;
    Task* reversed = nullptr;
    for (Task* task = newest; task;) {
      Task* older = std::exchange(task->next, reversed);
      reversed = std::exchange(task, older);
    }
    (first_ ? last_->next : first_) = reversed;
    last_ = newest;
  }
  void Append(TaskList&& other) {
    if (other.empty()) return;
    (first_ ? last_->next : first_) = std::exchange(other.first_, nullptr);
    last_ = other.last_;
  }

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;  // of a list that is not empty
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_BASE_WORK_QUEUE_TASK_H_
