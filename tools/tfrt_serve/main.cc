// tfrt_serve: serves the models of a folder over HTTP.

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "command_line.h"
#include "lib/base/support/read_file.h"
#include "lib/runtime/host/kernel_modules.h"
#include "lib/serve/http/log_writer.h"
#include "lib/serve/http/server.h"
#include "lib/serve/models/model_repository.h"
#include "lib/serve/models/queue_watch.h"
#include "lib/serve/models/shared_regions.h"
#include "lib/serve/protocol/access_log.h"
#include "lib/serve/protocol/protocol.h"
#include "lib/serve/rpc/inference_service.h"
#include "profiles.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt {
namespace {

// The signals that the main thread waits for.
sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  return signals;
}

std::chrono::milliseconds Milliseconds(double seconds) {
  // 0 is often no limit: what is shorter than a millisecond takes one.
  if (!(seconds > 0)) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(std::min(seconds, 1e9) * 1000)));
}

StatusOr<std::string> ReadToken(const std::string& file) {
  if (file.empty()) return std::string();
  TFRT_ASSIGN_OR_RETURN(std::string token, ReadFile(file));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.empty()) return InvalidArgumentError(StrCat("the token file '", file, "' is empty"));
  return token;
}

Status RegisterKernels(const CommandLine& line, KernelRegistry* registry) {
  RegisterGraphKernels(registry);
  for (const std::string& library : line.shared_libs) {
    TFRT_RETURN_IF_ERROR(LoadKernelLibrary(library, registry));
  }
  return OkStatus();
}

Status WritePort(const std::string& file, uint16_t port) {
  if (file.empty()) return OkStatus();
  const std::string text = StrCat(port, "\n");
  return WriteFile(file, [&](const ByteSink& sink) {
    return sink(text.data(), text.size()) ? OkStatus() : InternalError("cannot write the port");
  });
}

// Everything that serves, in the order in which it is made; destroyed in the opposite one.
class Service {
 public:
  Service(HostContext* host, const CommandLine& line, serve::http::LogWriter* log)
      : host_(host), line_(line), log_(log) {}
  ~Service() {
    // No more requests; those in flight are cancelled.
    transport_ = nullptr;
    server_ = nullptr;
    host_->Quiesce();
  }

  Status Start() {
    serve::ProtocolOptions protocol;
    protocol.version = TFRT_VERSION;
    TFRT_ASSIGN_OR_RETURN(const std::string token, ReadToken(line_.token_file));
    protocol.token = token;
    protocol.has_control = line_.control == "explicit";
    protocol.logs_requests = line_.logs_requests;
    if (line_.shared_memory_mb > 0) {
      regions_ = std::make_shared<serve::SharedRegions>(line_.shared_memory_mb << 20);
    }
    protocol.regions = regions_;
    protocol.log = [log = log_](const std::string& text) { log->Add(text); };
    const auto log_info = [this](const std::string& message) { LogInfo(message); };
    if (!line_.profile_folder.empty()) {
      profiles_.emplace(host_, line_.profile_folder, log_info);
      protocol.start_profile = [this](uint64_t count) { return profiles_->Start(count); };
      protocol.on_inference = [this] { profiles_->Count(); };
    }
    serve::RepositoryOptions repository;
    repository.folder = line_.models;
    repository.limits = line_.limits;
    repository.load_all = line_.control != "explicit";
    if (!repository.load_all) repository.load = line_.load;
    repository.log = log_info;
    if (line_.control == "poll") repository.poll_interval = Milliseconds(line_.poll_seconds);
    TFRT_ASSIGN_OR_RETURN(repository_, serve::ModelRepository::Open(host_, std::move(repository)));
    watch_.emplace(host_, Milliseconds(line_.max_stall_seconds), [this] { return NumRuns(); });
    protocol.is_alive = [this] { return watch_->IsAlive(); };
    protocol_.emplace(host_, repository_.get(), std::move(protocol));
    serve::http::ServerOptions server = line_.server;
    server.prefix_header = serve::kJsonSizeHeader;
    server.on_answered = [this](const serve::http::Access& access) { protocol_->Count(access); };
    TFRT_ASSIGN_OR_RETURN(
        server_, serve::http::Server::Start(server, [this](serve::http::Request request,
                                                           serve::http::Responder responder) {
          protocol_->Handle(std::move(request), std::move(responder));
        }));
    protocol_->SetServer(server_.get());
    LogInfo(StrCat("listening at ", server.address, " port ", server_->port()));
    if (line_.grpc_port) TFRT_RETURN_IF_ERROR(StartGrpc(token));
    return WritePort(line_.port_file, server_->port());
  }

  // Waits for a signal to end, and for the requests in flight.
  int Run() {
    while (true) {
      const sigset_t signals = Signals();
      int number = 0;
      if (sigwait(&signals, &number) != 0) return 1;
      if (number != SIGHUP) break;
      const Status status = server_->ReloadCertificates();
      status.ok() ? LogInfo("the TLS files are read again")
                  : LogError(StrCat("the TLS files: ", status.message()));
    }
    // A second signal has its default effect, but for SIGHUP, which ends nothing.
    sigset_t signals = Signals();
    sigdelset(&signals, SIGHUP);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    LogInfo("the server ends: it is not ready any more");
    protocol_->BeginDrain();
    std::this_thread::sleep_for(Milliseconds(line_.drain_delay_seconds));
    EndWithin(Milliseconds(line_.drain_seconds), 1);
    const bool is_done = Drain();
    is_done ? LogInfo("all requests are answered")
            : LogError("requests are left unanswered after --drain_seconds");
    EndWithin({}, is_done ? 0 : 1);
    return is_done ? 0 : 1;
  }

 private:
  // Ends the process at a later time, if it has not ended by then. A model that is being compiled,
  // or whose kernel never returns, would otherwise keep it longer than its grace time.
  static void EndWithin(std::chrono::milliseconds time, int code) {
    std::thread([time, code] {
      std::this_thread::sleep_for(time + std::chrono::seconds(5));
      _exit(code);
    }).detach();
  }
  void LogInfo(const std::string& message) { log_->Add(serve::EventLine("info", message)); }
  void LogError(const std::string& message) { log_->Add(serve::EventLine("error", message)); }
  Status StartGrpc(const std::string& token) {
    serve::rpc::ServiceOptions service;
    service.name = "tfrt_serve";
    service.version = TFRT_VERSION;
    service.extensions = {"model_repository", "statistics"};
    service.allow_control = line_.control == "explicit";
    service.is_alive = [this] { return watch_->IsAlive(); };
    service.regions = regions_;
    if (regions_) service.extensions.emplace_back("system_shared_memory");
    service.is_ready = [this] { return protocol_->is_ready(); };
    service.on_answered = protocol_->CallCounter();
    service.logs_all = line_.logs_requests;
    if (!token.empty()) {
      service.authorize = [token](std::string_view authorization) {
        if (serve::http::HasBearerToken(authorization, token)) return OkStatus();
        return Status(StatusCode::kUnauthenticated, "the bearer token is missing or wrong");
      };
    }
    service_.emplace(host_, repository_.get(), std::move(service));
    serve::rpc::TransportOptions transport;
    transport.address = line_.server.address;
    transport.port = *line_.grpc_port;
    transport.methods = serve::rpc::InferenceService::Methods();
    transport.max_message_bytes = line_.server.max_body_bytes;
    transport.max_connections = line_.server.max_connections;
    transport.write_timeout = line_.server.write_timeout;
    const auto read = [](const std::string& file, std::string* text) -> Status {
      if (file.empty()) return OkStatus();
      TFRT_ASSIGN_OR_RETURN(*text, ReadFile(file));
      return OkStatus();
    };
    TFRT_RETURN_IF_ERROR(read(line_.server.tls.certificate_file, &transport.certificate));
    TFRT_RETURN_IF_ERROR(read(line_.server.tls.key_file, &transport.key));
    TFRT_RETURN_IF_ERROR(read(line_.server.tls.client_ca_file, &transport.client_ca));
    TFRT_ASSIGN_OR_RETURN(transport_, serve::rpc::StartTransportOfModule(transport, &*service_));
    LogInfo(StrCat("listening for gRPC at ", transport.address, " port ", transport_->port()));
    return WritePort(line_.grpc_port_file, transport_->port());
  }
  // Counts the runs of all models that are ready.
  uint64_t NumRuns() const {
    uint64_t num_runs = 0;
    for (const serve::FoundModel& found : repository_->Ready()) {
      num_runs += found.model->statistics().run_times.total.count;
    }
    return num_runs;
  }
  // Both at once, within --drain_seconds.
  bool Drain() {
    const auto timeout = Milliseconds(line_.drain_seconds);
    if (service_) service_->EndWatches();
    bool is_grpc_done = true;
    std::thread grpc;
    if (transport_) grpc = std::thread([&] { is_grpc_done = transport_->Drain(timeout); });
    const bool is_done = server_->Drain(timeout);
    if (grpc.joinable()) grpc.join();
    return is_done && is_grpc_done;
  }

  HostContext* const host_;
  const CommandLine& line_;
  serve::http::LogWriter* const log_;
  std::optional<Profiles> profiles_;
  std::shared_ptr<serve::SharedRegions> regions_;  // null: off
  std::unique_ptr<serve::ModelRepository> repository_;
  std::optional<serve::QueueWatch> watch_;
  std::optional<serve::Protocol> protocol_;
  std::unique_ptr<serve::http::Server> server_;
  std::optional<serve::rpc::InferenceService> service_;
  std::unique_ptr<serve::rpc::Transport> transport_;
};

int Main(const CommandLine& line) {
  // Before there are other threads, which inherit it.
  const sigset_t signals = Signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Writes to a client that is gone, or beyond a limit of the size of files, fail and end nothing.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  auto log = serve::http::LogWriter::Open("");
  if (!log.ok()) {
    std::fprintf(stderr, "tfrt_serve: %s\n", log.status().ToString().c_str());
    return 1;
  }
  const auto fail = [&](const Status& status) {
    (*log)->Add(serve::EventLine("error", std::string(status.message())));
    return 1;
  };
  auto queue = CreateWorkQueue(line.num_threads > 0 ? StrCat("mstd:", line.num_threads) : "mstd");
  if (!queue.ok()) return fail(queue.status());
  // Errors of kernels are answers to their requests.
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(), *std::move(queue));
  const Status registered = RegisterKernels(line, &host.kernel_registry());
  if (!registered.ok()) return fail(registered);
  host.device_manager().set_source(MakeDeviceModules(OwnModules()));
  Service service(&host, line, log->get());
  const Status started = service.Start();
  if (!started.ok()) return fail(started);
  return service.Run();
}

}  // namespace
}  // namespace tfrt

int main(int argc, char** argv) {
  int exit_code = 0;
  const std::optional<tfrt::CommandLine> line = tfrt::ParseCommandLine(argc, argv, &exit_code);
  return line ? tfrt::Main(*line) : exit_code;
}
