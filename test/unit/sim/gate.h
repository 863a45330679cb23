// Gate: holds an operation of a stream until the test opens it.
#ifndef TFRT_TEST_UNIT_SIM_GATE_H_
#define TFRT_TEST_UNIT_SIM_GATE_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/devices/sim/stream.h"

namespace tfrt::sim {

// A handle: what it holds may run on when the test has ended.
class Gate {
 public:
  void Open() {
    auto state = state_;  // Who awaits it may destroy this handle at once.
    {
      std::lock_guard lock(state->mutex);
      state->open = true;
    }
    state->changed.notify_all();
  }
  void Await() {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [this] { return state_->open; });
  }
  // What follows on `stream` does not run before Open.
  void Hold(Stream& stream) {
    stream.Launch("gate", {}, [gate = *this](auto) mutable {
      gate.Await();
      return OkStatus();
    });
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Waits for an event without telling its device, as if luck had let it happen in time.
inline void AwaitByLuck(const Event& event) {
  Gate happened;
  event.done().AndThen([happened]() mutable { happened.Open(); });
  happened.Await();
}

// An operation that uses these bytes for the observer only.
inline void Touch(Stream& stream, std::string_view operation, std::vector<Operand> operands) {
  stream.Launch(operation, std::move(operands), [](auto) { return OkStatus(); });
}

}  // namespace tfrt::sim

#endif  // TFRT_TEST_UNIT_SIM_GATE_H_
