// TaskFunction: a move-only void() callable in one pointer, to a block of the small-block pool or
// to a task in its owner's memory. Moving it does not move the callable.
//
// A callable whose type has a constant kRecordsItself makes the records of its life as a task. It
// also carries the context of the code that made it. Queues then keep no records of it
// (tfrt/work_queue/queue_records.h).
#ifndef TFRT_SUPPORT_TASK_FUNCTION_H_
#define TFRT_SUPPORT_TASK_FUNCTION_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "tfrt/support/small_blocks.h"

namespace tfrt {

namespace internal {

// A TaskFunction points to one of these. Its holder may link it to others, so lists of tasks
// allocate nothing. An object in its owner's memory is a task, too, if it derives from this. Its
// `destroy` then frees no memory.
struct Task {
  struct Ops {
    void (*run)(Task*);  // calls and destroys
    void (*call)(Task*);
    void (*destroy)(Task*);
    bool records_itself = false;
  };

  explicit Task(const Ops* ops) : ops(ops) {}
  void Run() { ops->run(this); }
  void Destroy() { ops->destroy(this); }

  const Ops* ops;
  Task* next;  // set by whoever holds the task
};

}  // namespace internal

class TaskFunction {
 public:
  TaskFunction() = default;
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, TaskFunction> &&
             std::is_invocable_v<std::remove_cvref_t<F>&>)
  TaskFunction(F&& f)  // NOLINT: implicit by design
      : task_(new Holder<std::remove_cvref_t<F>>(std::forward<F>(f))) {}
  // Takes over a task, which it destroys, or runs and thereby destroys, once.
  explicit TaskFunction(internal::Task* task) : task_(task) {}
  TaskFunction(TaskFunction&& other) noexcept : task_(other.release()) {}
  TaskFunction& operator=(TaskFunction&& other) noexcept {
    TaskFunction old(std::exchange(task_, other.release()));
    return *this;
  }
  ~TaskFunction() { reset(); }

  explicit operator bool() const { return task_ != nullptr; }
  void operator()() {
    assert(task_ && "calling an empty TaskFunction");
    task_->ops->call(task_);
  }
  // Calls the function and destroys it.
  void CallAndReset() {
    assert(task_ && "calling an empty TaskFunction");
    release()->Run();
  }
  bool records_itself() const { return task_ && task_->ops->records_itself; }
  void reset() {
    if (task_) release()->Destroy();
  }
  // Gives up ownership: the caller runs or destroys the task.
  [[nodiscard]] internal::Task* release() { return std::exchange(task_, nullptr); }

 private:
  template <typename Fn>
  struct Holder : internal::Task {
    Holder(const Holder&) = delete;
    Holder(Holder&&) = delete;
    template <typename F>
    explicit Holder(F&& f) : Task(&kOps), fn(std::forward<F>(f)) {}
    static void* operator new(size_t size) {
      if constexpr (kIsPooled) return internal::AllocateSmall(size);
      return ::operator new(size, std::align_val_t(alignof(Holder)));
    }
    static void operator delete(void* block, size_t size) {
      if constexpr (kIsPooled) return internal::FreeSmall(block, size);
      ::operator delete(block, std::align_val_t(alignof(Holder)));
    }
    static Holder* Of(Task* task) { return static_cast<Holder*>(task); }

    static constexpr Ops kOps = {[](Task* task) {
                                   Of(task)->fn();
                                   delete Of(task);
                                 },
                                 [](Task* task) { Of(task)->fn(); },
                                 [](Task* task) { delete Of(task); },
                                 requires { Fn::kRecordsItself; }};
    static constexpr bool kIsPooled = alignof(Fn) <= 16;
    Fn fn;
  };

  internal::Task* task_ = nullptr;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_TASK_FUNCTION_H_
