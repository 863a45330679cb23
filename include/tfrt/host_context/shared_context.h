// SharedContext: one object per (host, C++ type), made at first use, destroyed with the host.
#ifndef TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
#define TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_

namespace tfrt {

// The base of shared contexts. A derived class adds a constructor that takes a HostContext*.
//
// Contexts are destroyed in reverse order of the ends of their constructors. So a context that gets
// others in its constructor may use them in its destructor. A constructor may wait for tasks that
// request other contexts. A thread that requests a context which another thread is making sleeps
// until it is made, also on a worker. So a constructor must not request its own type, nor wait for
// code that does. A program that does this on one thread ends with a message.
//
// All queued work is over before the first context is destroyed. A destructor may add work, which
// is over before the next context is destroyed. It must not request a context that is newer or does
// not exist.
class SharedContext {
 public:
  virtual ~SharedContext() = default;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
