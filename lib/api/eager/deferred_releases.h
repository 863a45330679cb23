// DeferredReleases: memory of other libraries is given back when a scheduled op has published its
// results, not while it drops its arguments just before.
#ifndef TFRT_LIB_API_EAGER_DEFERRED_RELEASES_H_
#define TFRT_LIB_API_EAGER_DEFERRED_RELEASES_H_

#include <functional>
#include <utility>
#include <vector>

#include "lib/base/support/call_guarded.h"

namespace tfrt::eager {

// While one is on the thread's stack, releases wait for its end.
class DeferredReleases {
 public:
  DeferredReleases() : outer_(innermost_) { innermost_ = this; }
  ~DeferredReleases() {
    innermost_ = outer_;
    for (auto& release : releases_) CallNoexcept(release);
  }
  DeferredReleases(const DeferredReleases&) = delete;
  DeferredReleases& operator=(const DeferredReleases&) = delete;

  static void Run(std::function<void()> release) {
    if (innermost_) {
      innermost_->releases_.push_back(std::move(release));
    } else {
      CallNoexcept(release);
    }
  }

 private:
  static thread_local constinit inline DeferredReleases* innermost_ = nullptr;

  DeferredReleases* const outer_;
  std::vector<std::function<void()>> releases_;
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_DEFERRED_RELEASES_H_
