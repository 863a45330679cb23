#include "interrupts.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

#include "call_python.h"
#include "context.h"
#include "tfrt/support/os_thread.h"

namespace tfrt::python {
namespace {

using std::chrono_literals::operator""ms;

constexpr auto kPoll = 50ms;
constexpr int kPollsUntilSleep = 20;

// --- The signal

std::atomic<uint32_t> num_signals{0};
static_assert(std::atomic<uint32_t>::is_always_lock_free);
struct sigaction python_action;  // of Python, which ours calls

void CountSignal(int signal) {
  num_signals.fetch_add(1);
  python_action.sa_handler(signal);
}

// Whether SIGINT raises KeyboardInterrupt, and is counted from now on.
bool CountSignals() {
  {
    GilAcquire gil;
    if (!gil.ok()) return false;
    try {
      nb::module_ signal = nb::module_::import_("signal");
      if (!signal.attr("getsignal")(SIGINT).is(signal.attr("default_int_handler"))) return false;
    } catch (nb::python_error&) {
      return false;
    }
  }
  struct sigaction now;
  if (sigaction(SIGINT, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0) return false;
  if (now.sa_handler == &CountSignal) return true;
  if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return false;
  python_action = now;
  now.sa_handler = &CountSignal;
  return sigaction(SIGINT, &now, nullptr) == 0;
}

// --- The calls of the main thread

}  // namespace

struct Watch {
  // Grows with each begin and end of a call. seq_cst, as `is_cancelling`: either the thread that
  // cancels sees that the call has ended, or the call sees that it is being cancelled.
  std::atomic<uint64_t> number{0};
  std::atomic<bool> is_cancelling{false};
  std::atomic<bool> was_cancelled{false};
  std::atomic<bool> sleeps{true};
  std::atomic<uint32_t> signals_before{0};  // the call
  int depth = 0;                            // of the main thread

  std::mutex mutex;
  std::condition_variable changed;
  const CancelCall* cancel = nullptr;  // under mutex: of the innermost call that has one
  bool stopped = false;                // under mutex
  OsThread thread;

  void Run();
  void Cancel(uint64_t call);
};

namespace {

Watch* watch = nullptr;            // never destroyed, but stopped
unsigned long signals_thread = 0;  // that runs handlers of signals

}  // namespace

void Watch::Run() {
  std::unique_lock lock(mutex);
  sleeps = false;
  uint64_t seen = 0, cancelled = 0;
  bool counts = false;
  for (int idle = 0; !stopped;) {
    if (idle > kPollsUntilSleep) {
      sleeps = true;  // before the look at `number`, as calls do it the other way around
      changed.wait(lock, [&] { return stopped || number != seen; });
      sleeps = false;
      idle = 0;
    }
    changed.wait_for(lock, kPoll, [&] { return stopped; });
    const uint64_t now = number;
    const bool is_in_call = now % 2 == 1;
    idle = is_in_call || now != seen ? 0 : idle + 1;
    if (now != seen || !is_in_call) {
      seen = now;
      counts = false;
    } else if (!counts) {  // the same call as at the last look
      lock.unlock();
      counts = CountSignals();
      lock.lock();
    } else if (num_signals != signals_before && cancelled != seen) {
      cancelled = seen;
      Cancel(seen);
    }
  }
}

// Under the mutex.
void Watch::Cancel(uint64_t call) {
  is_cancelling = true;
  if (number == call) {
    was_cancelled = true;
    CancelContexts();
    if (cancel) (*cancel)();
  }
  is_cancelling = false;
}

InterruptScope::InterruptScope(const CancelCall* cancel)
    : watch_(PyThread_get_thread_ident() == signals_thread && !IsEnding() ? watch : nullptr),
      cancel_(cancel) {
  if (!watch_) return;
  if (cancel_) {
    std::lock_guard lock(watch_->mutex);
    outer_ = std::exchange(watch_->cancel, cancel_);
  }
  if (watch_->depth++ > 0) return;
  watch_->signals_before = num_signals.load();
  ++watch_->number;
  if (!watch_->sleeps) [[likely]]
    return;
  std::lock_guard lock(watch_->mutex);
  // Where the system has no thread left, calls are not watched.
  if (!watch_->thread.joinable() && !watch_->stopped) {
    (void)watch_->thread.Start([started = watch_] { started->Run(); });
  }
  watch_->changed.notify_one();
}

InterruptScope::~InterruptScope() {
  if (!watch_) return;
  const bool is_outermost = --watch_->depth == 0;
  if (is_outermost) ++watch_->number;
  if (!cancel_ && !(is_outermost && watch_->is_cancelling)) return;
  // Whoever cancels is done with the call then.
  std::lock_guard lock(watch_->mutex);
  if (cancel_) watch_->cancel = outer_;
}

void RaiseIfInterrupted() {
  if (PyThread_get_thread_ident() != signals_thread || watch->depth > 0) return;
  if (!watch->was_cancelled) [[likely]]
    return;
  watch->was_cancelled = false;
  RestartContexts();
  PendingError() = nullptr;
  // Code of Python that the call has called may have had it.
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

void InitInterrupts() {
  nb::object main = nb::module_::import_("threading").attr("main_thread")();
  signals_thread = nb::cast<unsigned long>(main.attr("ident"));
  watch = new Watch();
}

void EndInterrupts() {
  GilRelease release;
  {
    std::lock_guard lock(watch->mutex);
    watch->stopped = true;
    watch->changed.notify_one();
  }
  if (watch->thread.joinable()) watch->thread.Join();
}

void ForgetInterrupts() { InitInterrupts(); }

}  // namespace tfrt::python
