// Metrics: counts of calls over HTTP and gRPC, and the text that Prometheus reads.
#ifndef TFRT_LIB_SERVE_PROTOCOL_METRICS_H_
#define TFRT_LIB_SERVE_PROTOCOL_METRICS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "lib/serve/http/server.h"
#include "lib/serve/models/call_access.h"
#include "lib/serve/models/model_repository.h"

namespace tfrt::serve {

class CallCounts;

// Thread-safe. All atomics are relaxed: each is a count of its own, which nothing is ordered by.
class HttpCounts {
 public:
  void Add(const http::Access& access);

 private:
  friend std::string MetricsText(const HttpCounts& http, const CallCounts& grpc,
                                 const http::ServerCounts* server,
                                 std::span<const FoundModel> models,
                                 std::span<const VersionInfo> index);
  std::array<std::atomic<uint64_t>, 600> answers_ = {};  // by status
  std::atomic<uint64_t> received_bytes_{0};
  std::atomic<uint64_t> sent_bytes_{0};
};

// As HttpCounts, for calls of gRPC and the requests of its streams.
class CallCounts {
 public:
  void Add(const CallAccess& access);

 private:
  friend std::string MetricsText(const HttpCounts& http, const CallCounts& grpc,
                                 const http::ServerCounts* server,
                                 std::span<const FoundModel> models,
                                 std::span<const VersionInfo> index);
  std::array<std::atomic<uint64_t>, 17> answers_ = {};  // by StatusCode
  std::atomic<uint64_t> received_bytes_{0};
  std::atomic<uint64_t> sent_bytes_{0};
};

// Returns the metrics in Prometheus' text format 0.0.4. `server` may be null.
std::string MetricsText(const HttpCounts& http, const CallCounts& grpc,
                        const http::ServerCounts* server, std::span<const FoundModel> models,
                        std::span<const VersionInfo> index);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_METRICS_H_
