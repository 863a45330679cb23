// Protocol: the Open Inference Protocol (KServe v2) over HTTP, on the models of a repository.
#ifndef TFRT_LIB_SERVE_PROTOCOL_PROTOCOL_H_
#define TFRT_LIB_SERVE_PROTOCOL_PROTOCOL_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lib/serve/http/server.h"
#include "lib/serve/models/call_access.h"
#include "lib/serve/models/model_repository.h"
#include "lib/serve/models/shared_regions.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}

namespace tfrt::serve {

// The header that tells how many bytes of a body are JSON, before the elements of tensors. As
// http::ServerOptions::prefix_header it has these aligned, so that they are used in place.
inline constexpr char kJsonSizeHeader[] = "Inference-Header-Content-Length";

struct ProtocolOptions {
  std::string version;         // of the server, in its metadata
  bool has_control = false;    // whether clients may load and unload models, and record profiles
  std::string token;           // a bearer token that all requests but those for health need
  bool logs_requests = false;  // whether each answer is logged, or only those with status 500 on
  // Receives one JSON text for each request that is logged, on any thread. Must not block.
  std::function<void(const std::string&)> log;
  // Begins to record a profile, which ends after as many inference requests. Returns an error if
  // that is not possible now. Empty: there are no profiles.
  std::function<Status(uint64_t num_requests)> start_profile;
  // Returns whether the server works at all. Thread-safe; must not block. Empty: it does.
  std::function<bool()> is_alive;
  // Memory that clients share with the server. Null: clients get PermissionDenied.
  std::shared_ptr<SharedRegions> regions;
  // Called after each inference request is answered. May be empty.
  std::function<void()> on_inference;
};

// Answers requests to /v2, /metrics and /. Thread-safe. No function blocks.
//
// Large JSON is parsed, and results are encoded, in the host's work queue. Errors have the body
// {"error": "..."}, and the status that HttpStatus gives.
class Protocol {
 public:
  // The host and the repository must outlive the protocol and its requests.
  Protocol(HostContext* host, ModelRepository* repository, ProtocolOptions options);
  ~Protocol();

  // The handler of a server.
  void Handle(http::Request request, http::Responder responder);
  // The hook ServerOptions::on_answered: counts and logs.
  void Count(const http::Access& access);
  // Counts and logs calls of another transport as Count does, also after the protocol.
  std::function<void(const CallAccess&)> CallCounter() const;
  // The server whose figures /metrics shows; null: none. It must outlive the requests.
  void SetServer(const http::Server* server);
  // From now on the server is not ready, for clients that ask. Requests are answered as before.
  void BeginDrain();
  // Returns whether the server takes requests: models are loaded, and it does not end.
  bool is_ready() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Returns the HTTP status of an error: 400, 404, 429 and so on.
int HttpStatus(StatusCode code);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_PROTOCOL_H_
