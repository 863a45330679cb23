// HealthService: grpc.health.v1.Health, which probes of Kubernetes and clients of gRPC ask.
#ifndef TFRT_LIB_SERVE_RPC_HEALTH_H_
#define TFRT_LIB_SERVE_RPC_HEALTH_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "lib/serve/rpc/transport.h"
#include "tfrt/support/status.h"
#include "tfrt/work_queue/timer_queue.h"

namespace tfrt::serve::rpc {

class HealthWatches;

// Knows two services by name: the empty one, and inference.GRPCInferenceService. Both serve while
// the server is ready. Thread-safe.
class HealthService {
 public:
  static constexpr std::string_view kName = "grpc.health.v1.Health";

  // Calls `is_ready` until End, also on the thread of the timers, which must outlive this.
  HealthService(TimerQueue* timers, std::function<bool()> is_ready);
  ~HealthService();

  // Answers Check. NotFound for another service.
  StatusOr<SentMessage> Check(const ReceivedMessage& request) const;
  // Answers Watch: at once, and within kInterval of each change until the client goes.
  std::unique_ptr<StreamReader> Watch(std::shared_ptr<StreamCall> call);
  static constexpr std::chrono::milliseconds kInterval{100};
  // Ends all calls of Watch, of which none is left when this returns, and refuses others.
  void End();

 private:
  std::shared_ptr<HealthWatches> watches_;
};

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_HEALTH_H_
