#include "launch_scope.h"

namespace tfrt::gpu {

constinit thread_local const LaunchScope* LaunchScope::current_ = nullptr;

}  // namespace tfrt::gpu
