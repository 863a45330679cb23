#include "lib/serve/rpc/inference_service.h"

#include <dlfcn.h>

#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "lib/base/support/open_module.h"
#include "lib/serve/rpc/messages.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::rpc {
namespace {

enum MethodNumber : size_t {
  kServerLive,
  kServerReady,
  kModelReady,
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
constexpr std::array kMethodNames = {"ServerLive",
                                     "ServerReady",
                                     "ModelReady",
                                     "ServerMetadata",
                                     "ModelMetadata",
                                     "ModelInfer",
                                     "ModelStatistics",
                                     "RepositoryIndex",
                                     "RepositoryModelLoad",
                                     "RepositoryModelUnload",
                                     "ModelStreamInfer",
                                     "SystemSharedMemoryStatus",
                                     "SystemSharedMemoryRegister",
                                     "SystemSharedMemoryUnregister",
                                     "CudaSharedMemoryStatus",
                                     "CudaSharedMemoryRegister",
                                     "CudaSharedMemoryUnregister"};

// Clients that were refused for a full queue are told to wait about as long as one run takes.
constexpr std::chrono::milliseconds kRetryAfter{100};

CallStatus ToCallStatus(const Status& status) {
  // Names that clients have chosen are part of messages, and clients take 8 KiB of trailers.
  constexpr size_t kMaxMessageBytes = 2048;
  CallStatus made{.code = static_cast<int>(status.code()),
                  .message = std::string(status.message().substr(0, kMaxMessageBytes))};
  if (status.code() == StatusCode::kResourceExhausted ||
      status.code() == StatusCode::kUnavailable) {
    made.retry_after = kRetryAfter;
  }
  return made;
}

// Called with the model, its results and where these have been written.
using InferAnswer = std::function<void(const FoundModel&, StatusOr<InferResult>, const RegionUse&)>;

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
         std::shared_ptr<const SharedRegions> regions, std::shared_ptr<StreamCall> call)
      : repository_(repository),
        allocator_(allocator),
        regions_(std::move(regions)),
        call_(std::move(call)) {}

  void Begin() {
    call_->OnCancel([stream = weak_from_this()] {
      if (std::shared_ptr<Stream> self = stream.lock()) self->Cancel();
    });
  }
  void Receive(const ReceivedMessage& bytes) {
    InferMessage message;
    Status status = DecodeInferRequest(bytes, allocator_, &message, regions_.get());
    auto cancel = std::make_shared<InferCancel>();
    size_t number;
    {
      std::lock_guard lock(mutex_);
      number = num_received_++;
      waiting_.push_back({.cancel = cancel, .answer = std::nullopt});
      if (is_cancelled_) status = CancelledError("the client has cancelled the stream");
    }
    std::string id = message.id;
    if (!status.ok()) return Answer(number, EncodeStreamError(id, status.message()));
    Submit(*repository_, std::move(message), call_->deadline(), std::move(cancel),
           [self = shared_from_this(), number, id](
               const FoundModel& model, StatusOr<InferResult> result, const RegionUse& regions) {
             StatusOr<SentMessage> sent =
                 result.ok() ? EncodeStreamResponse(model, id, *std::move(result), regions)
                             : StatusOr<SentMessage>(result.status());
             self->Answer(number, sent.ok() ? *std::move(sent)
                                            : EncodeStreamError(id, sent.status().message()));
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

  void Answer(size_t number, SentMessage message) {
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
  const std::shared_ptr<const SharedRegions> regions_;  // may be null
  std::shared_ptr<StreamCall> call_;                    // null after Finish
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
  HostContext* host;
  ModelRepository* repository;
  ServiceOptions options;

  bool IsReady() const { return options.is_ready ? options.is_ready() : repository->is_ready(); }
  Status Authorize(const Call& call) const {
    if (!options.authorize) return Status();
    return options.authorize(call.FindMetadata("authorization").value_or(""));
  }

  void Infer(ReceivedMessage bytes, std::unique_ptr<UnaryCall> call) {
    InferMessage message;
    const Status status =
        DecodeInferRequest(bytes, host->allocator(), &message, options.regions.get());
    bytes = {};
    if (!status.ok()) return call->Finish(ToCallStatus(status), {});
    auto cancel = std::make_shared<InferCancel>();
    const std::optional<Clock::time_point> deadline = call->deadline();
    call->OnCancel([cancel] { cancel->Cancel(); });
    std::string id = std::move(message.id);
    auto shared = std::make_shared<std::unique_ptr<UnaryCall>>(std::move(call));
    Submit(*repository, std::move(message), deadline, std::move(cancel),
           [shared = std::move(shared), id = std::move(id)](
               const FoundModel& model, StatusOr<InferResult> result, const RegionUse& regions) {
             StatusOr<SentMessage> sent =
                 result.ok() ? EncodeInferResponse(model, id, *std::move(result), regions)
                             : StatusOr<SentMessage>(result.status());
             std::unique_ptr<UnaryCall> call = std::move(*shared);
             if (!sent.ok()) return call->Finish(ToCallStatus(sent.status()), {});
             call->Finish({}, *std::move(sent));
           });
  }

  // The answers that need no waiting.
  StatusOr<SentMessage> Answer(size_t method, const ReceivedMessage& bytes) const {
    TFRT_ASSIGN_OR_RETURN(const TwoNames names, DecodeNames(bytes));
    switch (method) {
      case kServerLive:
        return EncodeBool(!options.is_alive || options.is_alive());
      case kServerReady:
        return EncodeBool(IsReady());
      case kServerMetadata:
        return EncodeServerMetadata(options.name, options.version, options.extensions);
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
    if (!options.regions) {
      return Status(StatusCode::kPermissionDenied, std::string(CheckHasRegions(nullptr).message()));
    }
    TFRT_ASSIGN_OR_RETURN(RegionInfo region, DecodeRegion(bytes));
    if (method == kSystemSharedMemoryStatus) {
      TFRT_ASSIGN_OR_RETURN(const std::vector<RegionInfo> found,
                            options.regions->List(region.name));
      return EncodeRegions(found);
    }
    if (method == kSystemSharedMemoryRegister) {
      TFRT_RETURN_IF_ERROR(options.regions->Register(std::move(region)));
    } else if (region.name.empty()) {
      options.regions->UnregisterAll();
    } else {
      options.regions->Unregister(region.name);
    }
    return SentMessage();
  }

  void Control(size_t method, const ReceivedMessage& bytes, std::unique_ptr<UnaryCall> call) const {
    StatusOr<TwoNames> names = DecodeNames(bytes);
    if (!names.ok()) return call->Finish(ToCallStatus(names.status()), {});
    if (!options.allow_control) {
      return call->Finish(ToCallStatus(Status(StatusCode::kPermissionDenied,
                                              "clients may not load or unload models here")),
                          {});
    }
    auto shared = std::make_shared<std::unique_ptr<UnaryCall>>(std::move(call));
    const bool is_kserve = names->second.empty();
    const std::string& name = is_kserve ? names->first : names->second;
    auto done = [shared, name, is_kserve](const Status& status) {
      std::unique_ptr<UnaryCall> call = std::move(*shared);
      SentMessage answer;
      if (is_kserve && status.ok()) answer = EncodeLoaded(name);
      call->Finish(ToCallStatus(status), std::move(answer));
    };
    if (method == kRepositoryModelLoad) {
      repository->Load(name, done);
    } else {
      repository->Unload(name, done);
    }
  }
};

InferenceService::InferenceService(HostContext* host, ModelRepository* repository,
                                   ServiceOptions options)
    : impl_(std::make_unique<Impl>(Impl{host, repository, std::move(options)})) {}
InferenceService::~InferenceService() = default;

std::vector<Method> InferenceService::Methods() {
  std::vector<Method> methods;
  for (const char* name : kMethodNames) {
    methods.push_back({.path = StrCat("/inference.GRPCInferenceService/", name),
                       .is_stream = std::string_view(name) == "ModelStreamInfer"});
  }
  return methods;
}

void InferenceService::HandleUnary(size_t method, ReceivedMessage message,
                                   std::unique_ptr<UnaryCall> call) {
  const bool is_health = method <= kModelReady;
  if (Status status = is_health ? Status() : impl_->Authorize(*call); !status.ok()) {
    return call->Finish(ToCallStatus(status), {});
  }
  if (method == kModelInfer) return impl_->Infer(std::move(message), std::move(call));
  if (method == kRepositoryModelLoad || method == kRepositoryModelUnload) {
    return impl_->Control(method, message, std::move(call));
  }
  StatusOr<SentMessage> answer = method >= kSystemSharedMemoryStatus
                                     ? impl_->AnswerRegions(method, message)
                                     : impl_->Answer(method, message);
  if (!answer.ok()) return call->Finish(ToCallStatus(answer.status()), {});
  call->Finish({}, *std::move(answer));
}

std::unique_ptr<StreamReader> InferenceService::HandleStream(size_t,
                                                             std::shared_ptr<StreamCall> call) {
  if (Status status = impl_->Authorize(*call); !status.ok()) {
    return std::make_unique<Refusal>(std::move(call), ToCallStatus(status));
  }
  auto stream = std::make_shared<Stream>(impl_->repository, impl_->host->allocator(),
                                         impl_->options.regions, std::move(call));
  stream->Begin();
  return std::make_unique<Reader>(std::move(stream));
}

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
