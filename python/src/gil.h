// The interpreter's lock, forks, and the interpreter's end, as the extension needs them.
//
// Threads of the runtime never wait for the interpreter's lock where they cannot get it. This is so
// after the interpreter has begun to end, and in a fork. Work that only needs the lock at some time
// (dropping references, waking event loops) is done by one thread that the extension owns.
#ifndef TFRT_PYTHON_GIL_H_
#define TFRT_PYTHON_GIL_H_

#include <Python.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace tfrt::python {

// Counts the forks that led to this process.
uint32_t fork_generation();

// True once the interpreter ends: from its `atexit` functions on.
bool IsEnding();

// Gives the lock, which this thread has, to others from construction to destruction. If a thread
// other than the main one would take it back when the interpreter ends, it sleeps forever instead.
// Threads of the interpreter do so from Python 3.14 on.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* const state_;
};

// Returns what `call` does, without the lock meanwhile.
template <typename Call>
auto Unlocked(Call call) {
  GilRelease release;
  return call();
}

// Takes the lock on any thread, unless the interpreter ends: then ok() is false, and no function of
// the interpreter may be called.
class GilAcquire {
 public:
  GilAcquire();
  ~GilAcquire();
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;
  bool ok() const { return ok_; }

 private:
  bool ok_ = false;
  PyGILState_STATE state_ = PyGILState_UNLOCKED;
};

// Calls `task` with the lock: at once if this thread has it, else soon, on the extension's thread.
// Never, if the interpreter ends before; what the task holds is then leaked.
void RunWithGil(std::function<void()> task);
// The same, but never at once.
void RunWithGilLater(std::function<void()> task);

// A reference that may be dropped by any thread.
class SharedObject {
 public:
  SharedObject() = default;
  // Takes over a reference.
  explicit SharedObject(PyObject* object) : object_(object) {}
  SharedObject(SharedObject&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  SharedObject& operator=(SharedObject&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~SharedObject();
  PyObject* get() const { return object_; }

 private:
  PyObject* object_ = nullptr;
};

// To be called once, by the import.
void InitGil();
// To be called by an `atexit` function, when nothing that needs the lock is pending any more.
void BeginEnd();
// To be called in the child after a fork.
void AfterForkInChild();

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_GIL_H_
