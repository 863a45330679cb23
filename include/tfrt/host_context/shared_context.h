// SharedContext: one object per (host, C++ type), made at first use, destroyed with the host.
#ifndef TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
#define TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_

namespace tfrt {

// Derive from it and add a constructor that takes a HostContext*.
class SharedContext {
 public:
  virtual ~SharedContext() = default;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_SHARED_CONTEXT_H_
