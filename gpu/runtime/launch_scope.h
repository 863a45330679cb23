// LaunchScope: names the op on whose behalf commands are enqueued, for errors that come later.
#ifndef TFRT_GPU_RUNTIME_LAUNCH_SCOPE_H_
#define TFRT_GPU_RUNTIME_LAUNCH_SCOPE_H_

#include <string_view>

#include "tfrt/support/location.h"

namespace tfrt::gpu {

// From its construction to its destruction, commands that the calling thread enqueues belong to
// this op. Scopes nest. Costs two moves. Nothing is copied: the name must live until the commands
// have run. The location may be of a file that is closed earlier: errors then name only the op.
class LaunchScope {
 public:
  // `op` is human-readable: "tf.Relu".
  LaunchScope(std::string_view op, Location location)
      : op_(op), location_(location), outer_(current_) {
    current_ = this;
  }
  ~LaunchScope() { current_ = outer_; }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  // Returns the scope of the calling thread; null outside of all scopes.
  static const LaunchScope* current() { return current_; }

  std::string_view op() const { return op_; }
  Location location() const { return location_; }

 private:
  static constinit thread_local const LaunchScope* current_;

  const std::string_view op_;
  const Location location_;
  const LaunchScope* const outer_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_LAUNCH_SCOPE_H_
