// InferenceService: the calls of GRPCInferenceService, answered by the models of a repository, and
// those of grpc.health.v1.Health.
#ifndef TFRT_LIB_SERVE_RPC_INFERENCE_SERVICE_H_
#define TFRT_LIB_SERVE_RPC_INFERENCE_SERVICE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/call_access.h"
#include "lib/serve/models/model_repository.h"
#include "lib/serve/models/shared_regions.h"
#include "lib/serve/rpc/transport.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}

namespace tfrt::serve::rpc {

struct ServiceOptions {
  std::string name = "tfrt";
  std::string version;
  std::vector<std::string> extensions;
  // Whether clients may load and unload models. Otherwise they get PermissionDenied.
  bool allow_control = false;
  // Memory that clients share with the server. Null: they get PermissionDenied.
  std::shared_ptr<SharedRegions> regions;
  // Returns whether the server takes requests. Thread-safe. Empty: if the repository is ready.
  std::function<bool()> is_ready;
  // Returns whether the server works at all. Thread-safe; must not block. Empty: it does.
  std::function<bool()> is_alive;
  // Checks the value of the metadata "authorization", empty if there is none, before each call but
  // those for health. Thread-safe. Empty: every call may pass.
  std::function<Status(std::string_view)> authorize;
  // Called before each call, and each request of a stream, is answered. Calls that gRPC itself
  // refuses are not among them. It must not block, and must be callable as long as requests are
  // in flight, also after the service. Thread-safe. May be empty.
  std::function<void(const CallAccess&)> on_answered = {};
  bool logs_all = false;  // whether all of CallAccess is needed of calls that succeed, too
};

// Thread-safe. Requests in flight keep what they need: the service may end before them.
class InferenceService final : public CallHandler {
 public:
  // The repository and its host must outlive the service and all calls.
  InferenceService(HostContext* host, ModelRepository* repository, ServiceOptions options);
  ~InferenceService() override;

  // In the order of method numbers, for TransportOptions::methods.
  static std::vector<Method> Methods();

  void HandleUnary(size_t method, ReceivedMessage message,
                   std::unique_ptr<UnaryCall> call) override;
  std::unique_ptr<StreamReader> HandleStream(size_t method,
                                             std::shared_ptr<StreamCall> call) override;
  // Ends the calls of Health/Watch, which would otherwise keep the transport from draining.
  void EndWatches();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Loads the module and listens. The handler must outlive the transport. Fails with Unavailable if
// there is no module, and with FailedPrecondition if it cannot listen.
StatusOr<std::unique_ptr<Transport>> StartTransportOfModule(const TransportOptions& options,
                                                            CallHandler* handler);

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_INFERENCE_SERVICE_H_
