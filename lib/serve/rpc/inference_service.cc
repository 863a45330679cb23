#include "lib/serve/rpc/inference_service.h"

#include <dlfcn.h>

#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "lib/base/support/open_module.h"
#include "lib/serve/http/message.h"
#include "lib/serve/rpc/health.h"
#include "lib/serve/rpc/messages.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::rpc {
namespace {

enum MethodNumber : size_t {
  kServerLive,
  kServerReady,
  kModelReady,
  kHealthCheck,
  kHealthWatch,  // the last that needs no token
  kServerMetadata,
  kModelMetadata,
  kModelInfer,
  kModelStatistics,
  kRepositoryIndex,
  kRepositoryModelLoad,
  kRepositoryModelUnload,
  kModelStreamInfer,
  kSystemSharedMemoryStatus,
  kSystemSharedMemoryRegister,
  kSystemSharedMemoryUnregister,
  kCudaSharedMemoryStatus,  // and those after it: of GPUs
  kCudaSharedMemoryRegister,
  kCudaSharedMemoryUnregister,
};
constexpr std::array kMethodPaths = {
    "/inference.GRPCInferenceService/ServerLive",
    "/inference.GRPCInferenceService/ServerReady",
    "/inference.GRPCInferenceService/ModelReady",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/inference.GRPCInferenceService/ServerMetadata",
    "/inference.GRPCInferenceService/ModelMetadata",
    "/inference.GRPCInferenceService/ModelInfer",
    "/inference.GRPCInferenceService/ModelStatistics",
    "/inference.GRPCInferenceService/RepositoryIndex",
    "/inference.GRPCInferenceService/RepositoryModelLoad",
    "/inference.GRPCInferenceService/RepositoryModelUnload",
    "/inference.GRPCInferenceService/ModelStreamInfer",
    "/inference.GRPCInferenceService/SystemSharedMemoryStatus",
    "/inference.GRPCInferenceService/SystemSharedMemoryRegister",
    "/inference.GRPCInferenceService/SystemSharedMemoryUnregister",
    "/inference.GRPCInferenceService/CudaSharedMemoryStatus",
    "/inference.GRPCInferenceService/CudaSharedMemoryRegister",
    "/inference.GRPCInferenceService/CudaSharedMemoryUnregister",
};
constexpr bool IsHealth(size_t method) { return method <= kHealthWatch; }

// Clients that were refused for a full queue are told to wait about as long as one run takes.
constexpr std::chrono::milliseconds kRetryAfter{100};

CallStatus ToCallStatus(const Status& status) {
  // Names that clients have chosen are part of messages, and clients take 8 KiB of trailers.
  constexpr size_t kMaxMessageBytes = 2048;
  CallStatus made{.code = static_cast<int>(status.code()),
                  .message = std::string(status.message().substr(0, kMaxMessageBytes))};
  if (status.code() == StatusCode::kOutOfRange) {
    // A result that is too large, as it is each time: clients are not told to try again.
    made.code = static_cast<int>(StatusCode::kResourceExhausted);
  }
  if (status.code() == StatusCode::kResourceExhausted ||
      status.code() == StatusCode::kUnavailable) {
    made.retry_after = kRetryAfter;
  }
  return made;
}

// Called with the model, its results and where these have been written.
using InferAnswer = std::function<void(const FoundModel&, StatusOr<InferResult>, const RegionUse&)>;

size_t SizeOf(const SentMessage& message) {
  size_t size = 0;
  for (const OwnedBytes& part : message) size += part.bytes.size();
  return size;
}

// "127.0.0.1:80" or "[::1]:80" of gRPC's "ipv4:127.0.0.1:80" and "ipv6:%5B::1%5D:80".
std::string PeerText(std::string_view peer) {
  std::string text(peer.substr(peer.starts_with("ipv4:") || peer.starts_with("ipv6:") ? 5 : 0));
  for (const auto& [code, character] : {std::pair("%5B", "["), std::pair("%5D", "]")}) {
    if (const size_t at = text.find(code); at != text.npos) text.replace(at, 3, character);
  }
  return text;
}

// Facts that are reported of a call, or of one request of a stream.
struct Reported {
  size_t method = 0;
  size_t received_bytes = 0;
  Clock::time_point begin = Clock::now();
  std::string id;              // of an InferMessage; of others, empty
  std::string model, version;  // as CallAccess has them
};

// Reports a call that ends with `status`, which gets the id of a request that failed.
void Report(const ServiceOptions& options, const Call& call, const Reported& reported,
            size_t sent_bytes, CallStatus* status) {
  if (!options.on_answered) return;
  CallAccess access{
      .method = kMethodPaths[reported.method],
      .model = reported.model,
      .version = reported.version,
      .code = static_cast<StatusCode>(status->code),
      .received_bytes = reported.received_bytes,
      .sent_bytes = sent_bytes,
      .duration = Clock::now() - reported.begin,
      .is_inference = reported.method == kModelInfer || reported.method == kModelStreamInfer,
      .is_health = IsHealth(reported.method)};
  if (status->code == 0 && !options.logs_all) return options.on_answered(access);
  const std::string peer = PeerText(call.peer());
  std::optional<std::string_view> id = call.FindMetadata("x-request-id");
  if (!id && !reported.id.empty()) id = reported.id;
  const std::string checked_id = http::RequestId(id);
  access.id = checked_id;
  access.peer = peer;
  access.trace_parent = call.FindMetadata("traceparent").value_or("");
  options.on_answered(access);
  if (status->code != 0) status->request_id = checked_id;
}

// Ends a call, and reports it.
void Finish(const ServiceOptions& options, const Reported& reported,
            std::unique_ptr<UnaryCall> call, StatusOr<SentMessage> answer) {
  CallStatus status = answer.ok() ? CallStatus() : ToCallStatus(answer.status());
  Report(options, *call, reported, answer.ok() ? SizeOf(*answer) : 0, &status);
  call->Finish(std::move(status), answer.ok() ? *std::move(answer) : SentMessage());
}

// Starts a request that has been decoded. The callback is called once.
void Submit(const ModelRepository& repository, InferMessage message,
            std::optional<Clock::time_point> deadline, std::shared_ptr<InferCancel> cancel,
            InferAnswer callback) {
  StatusOr<FoundModel> found = repository.Find(message.model_name, message.model_version);
  if (!found.ok()) return callback({}, found.status(), {});
  InferRequest request{.inputs = std::move(message.inputs),
                       .outputs = std::move(message.outputs),
                       .deadline = deadline,
                       .cancel = std::move(cancel)};
  if (message.timeout) {
    const Clock::time_point end = Clock::now() + *message.timeout;
    if (!request.deadline || end < *request.deadline) request.deadline = end;
  }
  std::shared_ptr<ServedModel> model = found->model;
  model->Submit(std::move(request),
                [found = *std::move(found), callback = std::move(callback),
                 regions = std::move(message.regions)](StatusOr<InferResult> result) {
                  if (result.ok()) {
                    const Status written = regions.Finish(result->outputs);
                    if (!written.ok()) result = written;
                  }
                  callback(found, std::move(result), regions);
                });
}

// One stream. Its answers are in the order of its requests, which run at the same time.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(ModelRepository* repository, HostAllocator* allocator,
         std::shared_ptr<const ServiceOptions> options, std::shared_ptr<StreamCall> call)
      : repository_(repository),
        allocator_(allocator),
        options_(std::move(options)),
        call_(std::move(call)) {}

  void Begin() {
    call_->OnCancel([stream = weak_from_this()] {
      if (std::shared_ptr<Stream> self = stream.lock()) self->Cancel();
    });
  }
  void Receive(const ReceivedMessage& bytes) {
    Reported reported{.method = kModelStreamInfer, .received_bytes = bytes.size_bytes};
    InferMessage message;
    Status status = DecodeInferRequest(bytes, allocator_, &message, options_->regions.get());
    auto cancel = std::make_shared<InferCancel>();
    size_t number;
    {
      std::lock_guard lock(mutex_);
      number = num_received_++;
      waiting_.push_back({.cancel = cancel, .answer = std::nullopt});
      if (is_cancelled_) status = CancelledError("the client has cancelled the stream");
    }
    reported.id = message.id;
    reported.model = message.model_name;
    if (!status.ok()) return Answer(number, reported, status);
    Submit(*repository_, std::move(message), call_->deadline(), std::move(cancel),
           [self = shared_from_this(), number, reported = std::move(reported)](
               const FoundModel& model, StatusOr<InferResult> result,
               const RegionUse& regions) mutable {
             reported.version = model.version;
             self->Answer(
                 number, reported,
                 result.ok() ? EncodeStreamResponse(model, reported.id, *std::move(result), regions)
                             : StatusOr<SentMessage>(result.status()));
           });
  }
  void End() {
    std::lock_guard lock(mutex_);
    has_ended_ = true;
    FinishIfDone();
  }

 private:
  struct Waiting {
    std::shared_ptr<InferCancel> cancel;
    std::optional<SentMessage> answer;
  };

  void Answer(size_t number, const Reported& reported, StatusOr<SentMessage> answer) {
    CallStatus status{.code = static_cast<int>(answer.status().code()), .message = {}};
    SentMessage message = answer.ok() ? *std::move(answer)
                                      : EncodeStreamError(reported.id, answer.status().message());
    // The call is there as long as a request has no answer.
    Report(*options_, *call_, reported, SizeOf(message), &status);
    std::lock_guard lock(mutex_);
    const size_t first = num_received_ - waiting_.size();
    waiting_[number - first].answer = std::move(message);
    while (!waiting_.empty() && waiting_.front().answer) {
      call_->Write(*std::move(waiting_.front().answer));
      waiting_.pop_front();
    }
    FinishIfDone();
  }
  void Cancel() {
    std::vector<std::shared_ptr<InferCancel>> cancelled;
    {
      std::lock_guard lock(mutex_);
      is_cancelled_ = true;
      for (const Waiting& waiting : waiting_) cancelled.push_back(waiting.cancel);
    }
    for (const std::shared_ptr<InferCancel>& cancel : cancelled) cancel->Cancel();
  }
  // With the mutex locked.
  void FinishIfDone() {
    if (!has_ended_ || !waiting_.empty()) return;
    std::exchange(call_, nullptr)->Finish({});
  }

  ModelRepository* const repository_;
  HostAllocator* const allocator_;
  const std::shared_ptr<const ServiceOptions> options_;
  std::shared_ptr<StreamCall> call_;  // null after Finish
  std::mutex mutex_;
  std::deque<Waiting> waiting_;
  size_t num_received_ = 0;
  bool has_ended_ = false;
  bool is_cancelled_ = false;
};

class Reader final : public StreamReader {
 public:
  explicit Reader(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
  void OnMessage(ReceivedMessage message) override { stream_->Receive(message); }
  void OnEnd() override { stream_->End(); }

 private:
  std::shared_ptr<Stream> stream_;
};

// A stream that is refused: its messages are not looked at.
class Refusal final : public StreamReader {
 public:
  Refusal(std::shared_ptr<StreamCall> call, CallStatus status)
      : call_(std::move(call)), status_(std::move(status)) {}
  void OnMessage(ReceivedMessage) override { call_->Write(EncodeStreamError("", status_.message)); }
  void OnEnd() override { call_->Finish(std::move(status_)); }

 private:
  std::shared_ptr<StreamCall> call_;
  CallStatus status_;
};

}  // namespace

struct InferenceService::Impl {
  Impl(HostContext* host, ModelRepository* repository, ServiceOptions given)
      : host(host),
        repository(repository),
        options(std::make_shared<ServiceOptions>(std::move(given))),
        health(&host->timer_queue(), [options = options, repository] {
          return options->is_ready ? options->is_ready() : repository->is_ready();
        }) {}

  HostContext* host;
  ModelRepository* repository;
  std::shared_ptr<const ServiceOptions> options;  // requests in flight have it, too
  HealthService health;

  bool IsReady() const { return options->is_ready ? options->is_ready() : repository->is_ready(); }
  Status Authorize(const Call& call) const {
    if (!options->authorize) return Status();
    return options->authorize(call.FindMetadata("authorization").value_or(""));
  }

  void Infer(ReceivedMessage bytes, std::unique_ptr<UnaryCall> call, Reported reported) {
    InferMessage message;
    const Status status =
        DecodeInferRequest(bytes, host->allocator(), &message, options->regions.get());
    bytes = {};
    reported.id = std::move(message.id);
    reported.model = message.model_name;
    if (!status.ok()) return Finish(*options, reported, std::move(call), status);
    auto cancel = std::make_shared<InferCancel>();
    const std::optional<Clock::time_point> deadline = call->deadline();
    call->OnCancel([cancel] { cancel->Cancel(); });
    struct Pending {
      std::shared_ptr<const ServiceOptions> options;
      std::unique_ptr<UnaryCall> call;
      Reported reported;
    };
    auto pending = std::make_shared<Pending>(options, std::move(call), std::move(reported));
    Submit(*repository, std::move(message), deadline, std::move(cancel),
           [pending = std::move(pending)](const FoundModel& model, StatusOr<InferResult> result,
                                          const RegionUse& regions) {
             Reported& reported = pending->reported;
             reported.version = model.version;
             Finish(*pending->options, reported, std::move(pending->call),
                    result.ok()
                        ? EncodeInferResponse(model, reported.id, *std::move(result), regions)
                        : StatusOr<SentMessage>(result.status()));
           });
  }

  // The answers that need no waiting.
  StatusOr<SentMessage> Answer(const ReceivedMessage& bytes, Reported* reported) const {
    TFRT_ASSIGN_OR_RETURN(const TwoNames names, DecodeNames(bytes));
    const size_t method = reported->method;
    if (method == kModelReady || method == kModelMetadata || method == kModelStatistics) {
      reported->model = names.first;
    }
    switch (method) {
      case kServerLive:
        return EncodeBool(!options->is_alive || options->is_alive());
      case kServerReady:
        return EncodeBool(IsReady());
      case kHealthCheck:
        return health.Check(bytes);
      case kServerMetadata:
        return EncodeServerMetadata(options->name, options->version, options->extensions);
      case kModelReady: {
        StatusOr<FoundModel> found = repository->Find(names.first, names.second);
        if (!found.ok() && found.status().code() != StatusCode::kUnavailable) {
          return found.status();
        }
        return EncodeBool(found.ok());
      }
      case kModelMetadata: {
        TFRT_ASSIGN_OR_RETURN(const FoundModel found, repository->Find(names.first, names.second));
        return EncodeModelMetadata(found, repository->ReadyVersions(names.first));
      }
      case kModelStatistics: {
        if (names.first.empty()) return EncodeStatistics(repository->Ready());
        TFRT_ASSIGN_OR_RETURN(FoundModel found, repository->Find(names.first, names.second));
        return EncodeStatistics({std::move(found)});
      }
      default:
        return EncodeIndex(repository->Index(), names.flag);
    }
  }

  StatusOr<SentMessage> AnswerRegions(size_t method, const ReceivedMessage& bytes) const {
    if (method >= kCudaSharedMemoryStatus) {
      return UnimplementedError(
          "memory of GPUs cannot be shared with this server: register system shared memory");
    }
    if (!options->regions) {
      return Status(StatusCode::kPermissionDenied, std::string(CheckHasRegions(nullptr).message()));
    }
    TFRT_ASSIGN_OR_RETURN(RegionInfo region, DecodeRegion(bytes));
    if (method == kSystemSharedMemoryStatus) {
      TFRT_ASSIGN_OR_RETURN(const std::vector<RegionInfo> found,
                            options->regions->List(region.name));
      return EncodeRegions(found);
    }
    if (method == kSystemSharedMemoryRegister) {
      TFRT_RETURN_IF_ERROR(options->regions->Register(std::move(region)));
    } else if (region.name.empty()) {
      options->regions->UnregisterAll();
    } else {
      options->regions->Unregister(region.name);
    }
    return SentMessage();
  }

  void Control(const ReceivedMessage& bytes, std::unique_ptr<UnaryCall> call,
               Reported reported) const {
    StatusOr<TwoNames> names = DecodeNames(bytes);
    if (!names.ok()) return Finish(*options, reported, std::move(call), names.status());
    reported.model = names->second.empty() ? names->first : names->second;
    if (!options->allow_control) {
      return Finish(
          *options, reported, std::move(call),
          Status(StatusCode::kPermissionDenied, "clients may not load or unload models here"));
    }
    auto shared = std::make_shared<std::unique_ptr<UnaryCall>>(std::move(call));
    const bool is_kserve = names->second.empty();
    const std::string& name = is_kserve ? names->first : names->second;
    auto done = [shared, reported, is_kserve, options = options](const Status& status) {
      StatusOr<SentMessage> answer = SentMessage();
      if (!status.ok()) {
        answer = status;
      } else if (is_kserve) {
        answer = EncodeLoaded(reported.model);
      }
      Finish(*options, reported, std::move(*shared), std::move(answer));
    };
    if (reported.method == kRepositoryModelLoad) {
      repository->Load(name, done);
    } else {
      repository->Unload(name, done);
    }
  }
};

InferenceService::InferenceService(HostContext* host, ModelRepository* repository,
                                   ServiceOptions options)
    : impl_(std::make_unique<Impl>(host, repository, std::move(options))) {}
InferenceService::~InferenceService() = default;

std::vector<Method> InferenceService::Methods() {
  std::vector<Method> methods;
  for (size_t i = 0; i < kMethodPaths.size(); ++i) {
    methods.push_back(
        {.path = kMethodPaths[i], .is_stream = i == kModelStreamInfer || i == kHealthWatch});
  }
  return methods;
}

void InferenceService::HandleUnary(size_t method, ReceivedMessage message,
                                   std::unique_ptr<UnaryCall> call) {
  Reported reported{.method = method, .received_bytes = message.size_bytes};
  if (Status status = IsHealth(method) ? Status() : impl_->Authorize(*call); !status.ok()) {
    return Finish(*impl_->options, reported, std::move(call), status);
  }
  if (method == kModelInfer) {
    return impl_->Infer(std::move(message), std::move(call), std::move(reported));
  }
  if (method == kRepositoryModelLoad || method == kRepositoryModelUnload) {
    return impl_->Control(message, std::move(call), std::move(reported));
  }
  StatusOr<SentMessage> answer = method >= kSystemSharedMemoryStatus
                                     ? impl_->AnswerRegions(method, message)
                                     : impl_->Answer(message, &reported);
  Finish(*impl_->options, reported, std::move(call), std::move(answer));
}

std::unique_ptr<StreamReader> InferenceService::HandleStream(size_t method,
                                                             std::shared_ptr<StreamCall> call) {
  if (method == kHealthWatch) return impl_->health.Watch(std::move(call));
  if (Status status = impl_->Authorize(*call); !status.ok()) {
    CallStatus refusal = ToCallStatus(status);
    Report(*impl_->options, *call, {.method = method}, 0, &refusal);
    return std::make_unique<Refusal>(std::move(call), std::move(refusal));
  }
  auto stream = std::make_shared<Stream>(impl_->repository, impl_->host->allocator(),
                                         impl_->options, std::move(call));
  stream->Begin();
  return std::make_unique<Reader>(std::move(stream));
}

void InferenceService::EndWatches() { impl_->health.End(); }

StatusOr<std::unique_ptr<Transport>> StartTransportOfModule(const TransportOptions& options,
                                                            CallHandler* handler) {
  TFRT_ASSIGN_OR_RETURN(void* module, OpenModule("tfrt_grpc.so"));
  auto start = reinterpret_cast<StartTransport>(dlsym(module, kStartTransportName));
  if (!start) return UnavailableError("tfrt_grpc.so has no entry: it is of another version");
  std::string error;
  Transport* transport = start(kTransportVersion, &options, handler, &error);
  if (!transport) return FailedPreconditionError(error);
  return std::unique_ptr<Transport>(transport);
}

}  // namespace tfrt::serve::rpc
