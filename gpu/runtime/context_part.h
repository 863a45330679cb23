// ContextPart: what a user of contexts keeps in each of them, such as a library's handles.
#ifndef TFRT_GPU_RUNTIME_CONTEXT_PART_H_
#define TFRT_GPU_RUNTIME_CONTEXT_PART_H_

#include <atomic>
#include <memory>
#include <mutex>

namespace tfrt::gpu {

class Context;

// Made by Context::Part. Destroyed with its context, after the context's streams have run all their
// work and before its memory goes back to the driver. The context is current then, but may be lost.
// A part must hold nothing that keeps its context, such as a Memory.
class ContextPart {
 public:
  virtual ~ContextPart() = default;
};

namespace internal {

// The parts of one context. Thread-safe.
class ContextParts {
 public:
  using Factory = std::unique_ptr<ContextPart> (*)(Context* context);
  ~ContextParts() { Clear(); }

  // Returns the part of this key, which is made by the first call.
  ContextPart& Get(const void* key, Context* context, Factory make) {
    if (ContextPart* part = Find(key)) [[likely]]
      return *part;
    std::lock_guard lock(mutex_);
    if (ContextPart* part = Find(key)) return *part;
    // relaxed: changed under the mutex. release: a thread that finds the node reads its fields.
    auto* node = new Node{key, make(context), first_.load(std::memory_order_relaxed)};
    first_.store(node, std::memory_order_release);
    return *node->part;
  }

  // Destroys all parts, the last one that was made first. Other threads must not use them any more.
  void Clear() {
    while (Node* node = first_.load(std::memory_order_relaxed)) {
      first_.store(node->next, std::memory_order_relaxed);
      delete node;
    }
  }

 private:
  struct Node {
    const void* key;
    std::unique_ptr<ContextPart> part;
    Node* next;
  };

  ContextPart* Find(const void* key) const {
    // acquire: see Get.
    for (Node* node = first_.load(std::memory_order_acquire); node; node = node->next) {
      if (node->key == key) return node->part.get();
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::atomic<Node*> first_{nullptr};  // a node that is listed does not change
};

// An address that stands for a type. Each copy of the runtime in a process has its own.
template <typename T>
[[gnu::visibility("hidden")]] inline constexpr char part_key = 0;

}  // namespace internal
}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_CONTEXT_PART_H_
