// The ready lists of one run: the model of docs/executor.md ("order of execution"), which both the
// live executor and the load-time simulation of it follow.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_READY_QUEUE_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_READY_QUEUE_H_

#include <cstdint>
#include <span>
#include <utility>

#include "lib/base/support/inline_vector.h"
#include "program.h"
#include "stable_sort.h"

namespace tfrt::internal {

// Kernels that are ready, those of the current stream apart from those of other streams. Used by
// one thread.
class ReadyQueue {
 public:
  ReadyQueue(const Program& program, uint32_t stream, bool ignore_streams = false)
      : program_(program), stream_(stream), ignore_streams_(ignore_streams) {}

  uint32_t stream() const { return stream_; }
  // Tells whether the current stream is empty.
  bool empty() const { return inline_.empty(); }
  // Tells whether all streams are empty.
  bool all_empty() const { return inline_.empty() && outline_.empty(); }

  void Push(uint32_t kernel) {
    bool is_inline = ignore_streams_ || program_.stream(kernel) == stream_;
    (is_inline ? inline_ : outline_).push_back(kernel);
  }
  // The newest ready kernel of the current stream.
  uint32_t Pop() {
    uint32_t kernel = inline_.back();
    inline_.pop_back();
    return kernel;
  }

  // Continues with another stream if the current one is empty, then hands over the kernels of all
  // other streams. Calls enqueue(std::span<const uint32_t> kernels) once per stream, in ascending
  // stream order.
  template <typename Enqueue>
  void Settle(Enqueue&& enqueue) {
    if (outline_.empty()) return;
    if (inline_.empty()) SwitchStream();
    if (outline_.empty()) return;
    HandOver(enqueue);
  }

  // Merges every stream into the current one.
  void TakeAll() {
    for (uint32_t kernel : outline_) inline_.push_back(kernel);
    outline_.clear();
  }

 private:
  // Makes the stream of the first waiting kernel the current one. The classical two-pointer
  // unstable partition, written out because its exact order is part of the promise for queue `s`.
  [[gnu::noinline]] void SwitchStream() {
    stream_ = program_.stream(outline_.front());
    auto differs = [&](uint32_t kernel) { return program_.stream(kernel) != stream_; };
    auto left = outline_.begin();
    auto right = outline_.end();
    while (true) {
      while (left != right && differs(*left)) ++left;
      if (left == right) break;
      do {
        --right;
      } while (left != right && !differs(*right));
      if (left == right) break;
      std::swap(*left, *right);
      ++left;
    }
    inline_.clear();
    for (auto it = left; it != outline_.end(); ++it) inline_.push_back(*it);
    outline_.resize(static_cast<size_t>(left - outline_.begin()));
  }

  template <typename Enqueue>
  [[gnu::noinline]] void HandOver(Enqueue&& enqueue) {
    StableSortByKey({outline_.begin(), outline_.size()},
                    [&](uint32_t kernel) { return program_.stream(kernel); });
    for (size_t begin = 0; begin < outline_.size();) {
      size_t end = begin + 1;
      uint32_t stream = program_.stream(outline_[begin]);
      while (end < outline_.size() && program_.stream(outline_[end]) == stream) ++end;
      enqueue(std::span<const uint32_t>(outline_.begin() + begin, end - begin));
      begin = end;
    }
    outline_.clear();
  }

  const Program& program_;
  uint32_t stream_;
  const bool ignore_streams_;
  InlineVector<uint32_t, 16> inline_;
  InlineVector<uint32_t, 16> outline_;
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_READY_QUEUE_H_
