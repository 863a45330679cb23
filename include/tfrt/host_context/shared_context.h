// SharedContext: one object per (host, C++ type), made at first use, destroyed with the host.
#ifndef TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
#define TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_

namespace tfrt {

// Derive from it and add a constructor that takes a HostContext*. Contexts are destroyed in reverse
// order of the ends of their constructors, so one that gets others in its constructor may use them
// in its destructor. A constructor may wait for tasks that ask for other contexts. Who asks for one
// that another thread makes sleeps until it is made, also on a worker; so a constructor must not
// ask for its own type, nor wait for what does: a program that does it on one thread ends with a
// message. Before the first is destroyed all queued work is over. A destructor may add work, which
// is over before the next context is destroyed. It must not ask for a context that is newer or does
// not exist.
class SharedContext {
 public:
  virtual ~SharedContext() = default;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
