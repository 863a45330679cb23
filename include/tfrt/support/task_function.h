// TaskFunction: a move-only void() callable of 64 bytes. Callables of up to 48 bytes are held in
// place.
//
// A callable whose type has a constant kRecordsItself makes the records of its life as a task. It
// also carries the context of the code that made it. Queues then keep no records of it
// (tfrt/work_queue/queue_records.h).
#ifndef TFRT_SUPPORT_TASK_FUNCTION_H_
#define TFRT_SUPPORT_TASK_FUNCTION_H_

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace tfrt {

class TaskFunction {
 public:
  TaskFunction() = default;
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, TaskFunction> &&
             std::is_invocable_v<std::remove_cvref_t<F>&>)
  TaskFunction(F&& f) {  // NOLINT: implicit by design
    using Fn = std::remove_cvref_t<F>;
    if constexpr (sizeof(Fn) <= kInlineSize && alignof(Fn) <= alignof(std::max_align_t) &&
                  std::is_nothrow_move_constructible_v<Fn>) {
      new (storage_) Fn(std::forward<F>(f));
      ops_ = &kInlineOps<Fn>;
    } else {
      new (storage_) Fn*(new Fn(std::forward<F>(f)));
      ops_ = &kHeapOps<Fn>;
    }
  }
  TaskFunction(TaskFunction&& other) noexcept : ops_(std::exchange(other.ops_, nullptr)) {
    if (ops_) ops_->move(storage_, other.storage_);
  }
  TaskFunction& operator=(TaskFunction&& other) noexcept {
    if (this != &other) {
      reset();
      ops_ = std::exchange(other.ops_, nullptr);
      if (ops_) ops_->move(storage_, other.storage_);
    }
    return *this;
  }
  ~TaskFunction() { reset(); }

  explicit operator bool() const { return ops_ != nullptr; }
  void operator()() {
    assert(ops_ && "calling an empty TaskFunction");
    ops_->call(storage_);
  }
  // Calls the function and destroys it.
  void CallAndReset() {
    assert(ops_ && "calling an empty TaskFunction");
    std::exchange(ops_, nullptr)->call_and_destroy(storage_);
  }
  bool records_itself() const { return ops_ && ops_->records_itself; }
  void reset() {
    if (ops_) std::exchange(ops_, nullptr)->destroy(storage_);
  }

 private:
  static constexpr size_t kInlineSize = 48;
  struct Ops {
    void (*call)(void*);
    void (*move)(void* to, void* from);  // leaves `from` destroyed
    void (*destroy)(void*);
    void (*call_and_destroy)(void*);
    bool records_itself;
  };
  template <typename Fn>
  static constexpr bool kRecordsItself = requires { Fn::kRecordsItself; };
  template <typename Fn>
  static constexpr Ops kInlineOps = {[](void* p) { (*static_cast<Fn*>(p))(); },
                                     [](void* to, void* from) {
                                       new (to) Fn(std::move(*static_cast<Fn*>(from)));
                                       static_cast<Fn*>(from)->~Fn();
                                     },
                                     [](void* p) { static_cast<Fn*>(p)->~Fn(); },
                                     [](void* p) {
                                       (*static_cast<Fn*>(p))();
                                       static_cast<Fn*>(p)->~Fn();
                                     },
                                     kRecordsItself<Fn>};
  template <typename Fn>
  static constexpr Ops kHeapOps = {
      [](void* p) { (**static_cast<Fn**>(p))(); },
      [](void* to, void* from) { new (to) Fn*(*static_cast<Fn**>(from)); },
      [](void* p) { delete *static_cast<Fn**>(p); },
      [](void* p) {
        (**static_cast<Fn**>(p))();
        delete *static_cast<Fn**>(p);
      },
      kRecordsItself<Fn>};

  alignas(std::max_align_t) std::byte storage_[kInlineSize];
  const Ops* ops_ = nullptr;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_TASK_FUNCTION_H_
