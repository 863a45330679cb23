// TaskList: a list of tasks, which are linked by their own memory.
#ifndef TFRT_LIB_BASE_WORK_QUEUE_TASK_LIST_H_
#define TFRT_LIB_BASE_WORK_QUEUE_TASK_LIST_H_

#include <utility>

#include "tfrt/support/task_function.h"

namespace tfrt::internal {

// A list of tasks, first in, first out. Owns them. Used by one thread.
class TaskList {
 public:
  TaskList() = default;
  TaskList(TaskList&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), last_(other.last_) {}
  TaskList& operator=(TaskList&&) = delete;
  ~TaskList() {
    while (first_) std::exchange(first_, first_->next)->Destroy();
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

#endif  // TFRT_LIB_BASE_WORK_QUEUE_TASK_LIST_H_
