// Gate: holds an operation of a stream until the test opens it.
#ifndef TFRT_TEST_UNIT_SIM_GATE_H_
#define TFRT_TEST_UNIT_SIM_GATE_H_

#include <condition_variable>
#include <mutex>
#include <string_view>

#include "tfrt/sim/stream.h"

namespace tfrt::sim {

class Gate {
 public:
  void Open() {
    // Who awaits it may destroy it as soon as the lock is free.
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }
  // What follows on `stream` does not run before Open.
  void Hold(Stream& stream) {
    stream.Launch("gate", {}, [this](auto) {
      Await();
      return OkStatus();
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// Waits for an event without telling its device, as if luck had let it happen in time.
inline void AwaitByLuck(const Event& event) {
  Gate happened;
  event.done().AndThen([&happened] { happened.Open(); });
  happened.Await();
}

// An operation that uses these bytes for the observer only.
inline void Touch(Stream& stream, std::string_view operation, std::vector<Operand> operands) {
  stream.Launch(operation, std::move(operands), [](auto) { return OkStatus(); });
}

}  // namespace tfrt::sim

#endif  // TFRT_TEST_UNIT_SIM_GATE_H_
