// State that the threads of one server share.
#ifndef TFRT_LIB_SERVE_HTTP_SERVER_STATE_H_
#define TFRT_LIB_SERVE_HTTP_SERVER_STATE_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "lib/serve/http/body_pool.h"
#include "lib/serve/http/server.h"
#include "lib/serve/http/tls.h"

namespace tfrt::serve::http {

struct ServerState {
  ServerOptions options;  // immutable after Start
  Handler handler;        // the same
  std::shared_ptr<BodyPool> bodies;

  // Held while options.on_answered runs, on threads that may outlive the server.
  std::shared_mutex hook_mutex;
  bool has_ended = false;

  // relaxed: flags and sums. Threads that must see a flag soon are woken through a mutex.
  std::atomic<bool> is_draining{false};
  std::atomic<uint64_t> num_accepted{0}, num_refused_connections{0}, num_requests{0},
      num_refused_requests{0}, num_failed_handshakes{0}, num_paused_accepts{0};

  std::mutex mutex;  // of what follows
  std::condition_variable all_closed;
  uint64_t num_open = 0;            // connections
  std::shared_ptr<TlsContext> tls;  // null without TLS

  uint64_t NumOpen() {
    std::lock_guard lock(mutex);
    return num_open;
  }
  void CountClosed() {
    std::lock_guard lock(mutex);
    if (--num_open == 0) all_closed.notify_all();
  }
};

inline void AddOne(std::atomic<uint64_t>* count) { count->fetch_add(1, std::memory_order_relaxed); }

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_SERVER_STATE_H_
