#include "lib/serve/rpc/health.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include "lib/serve/rpc/messages.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::rpc {
namespace {

// ServingStatus of the protocol. `kNone` is its UNKNOWN, which is never sent.
enum ServingStatus : uint8_t { kNone = 0, kServing = 1, kNotServing = 2, kServiceUnknown = 3 };

bool IsKnown(std::string_view service) {
  return service.empty() || service == "inference.GRPCInferenceService";
}

CallStatus Ended(StatusCode code, std::string message) {
  return {.code = static_cast<int>(code), .message = std::move(message)};
}

// A call of Watch. Guarded by the mutex of all.
struct OneWatch {
  std::shared_ptr<StreamCall> call;  // null after Finish
  bool is_known = false;
  ServingStatus sent = kNone;
};

}  // namespace

// The calls of Watch of one service.
class HealthWatches : public std::enable_shared_from_this<HealthWatches> {
 public:
  HealthWatches(TimerQueue* timers, std::function<bool()> is_ready)
      : timers_(timers), is_ready_(std::move(is_ready)) {}

  void Add(const std::shared_ptr<OneWatch>& watch, std::string_view service) {
    // Enough for all who may need to know; calls need no token.
    constexpr size_t kMaxWatches = 1024;
    bool has_ended = false;
    {
      std::lock_guard lock(mutex_);
      if (!watch->call) return;  // the client has gone
      has_ended = has_ended_;
      if (!has_ended && open_.size() < kMaxWatches) {
        watch->is_known = IsKnown(service);
        open_.push_back(watch);
        SendLocked(*watch, is_ready_() ? kServing : kNotServing);
        ArmLocked();
        return;
      }
    }
    Finish(watch, has_ended ? Ended(StatusCode::kUnavailable, "the server ends")
                            : Ended(StatusCode::kResourceExhausted,
                                    StrCat("more than ", kMaxWatches, " calls watch the server")));
  }
  void Finish(const std::shared_ptr<OneWatch>& watch, CallStatus status) {
    std::shared_ptr<StreamCall> call;
    {
      std::lock_guard lock(mutex_);
      call = std::exchange(watch->call, nullptr);
      open_.remove(watch);
    }
    if (call) call->Finish(std::move(status));
  }
  void End() {
    std::list<std::shared_ptr<OneWatch>> ended;
    {
      std::lock_guard lock(mutex_);
      has_ended_ = true;
      for (const std::shared_ptr<OneWatch>& watch : open_) SendLocked(*watch, kNotServing);
      ended = open_;
    }
    for (const std::shared_ptr<OneWatch>& watch : ended) {
      Finish(watch, Ended(StatusCode::kUnavailable, "the server ends"));
    }
  }

  bool is_ready() const { return is_ready_(); }

 private:
  // Tells each client what it has not been told.
  void TellLocked() {
    const ServingStatus now = is_ready_() ? kServing : kNotServing;
    for (const std::shared_ptr<OneWatch>& watch : open_) SendLocked(*watch, now);
  }
  static void SendLocked(OneWatch& watch, ServingStatus status) {
    if (!watch.is_known) status = kServiceUnknown;
    if (watch.sent == status) return;
    watch.sent = status;
    watch.call->Write(EncodeNumber(status));
  }
  // Looks again later, while there is anyone to tell.
  void ArmLocked() {
    if (is_armed_ || open_.empty()) return;
    is_armed_ = true;
    timers_->ScheduleTimer(std::chrono::steady_clock::now() + HealthService::kInterval,
                           [weak = weak_from_this()] {
                             const std::shared_ptr<HealthWatches> self = weak.lock();
                             if (!self) return;
                             std::lock_guard lock(self->mutex_);
                             self->is_armed_ = false;
                             if (self->has_ended_) return;  // is_ready must not be called any more
                             self->TellLocked();
                             self->ArmLocked();
                           });
  }

  TimerQueue* const timers_;
  const std::function<bool()> is_ready_;
  std::mutex mutex_;
  std::list<std::shared_ptr<OneWatch>> open_;  // none of these is finished
  bool has_ended_ = false;
  bool is_armed_ = false;
};

namespace {

// Receives the one message of a call of Watch.
class WatchReader final : public StreamReader {
 public:
  WatchReader(std::shared_ptr<HealthWatches> watches, std::shared_ptr<OneWatch> watch)
      : watches_(std::move(watches)), watch_(std::move(watch)) {}

  void OnMessage(ReceivedMessage message) override {
    if (std::exchange(has_request_, true)) return;
    StatusOr<TwoNames> names = DecodeNames(message);
    if (names.ok()) return watches_->Add(watch_, names->first);
    watches_->Finish(watch_, Ended(names.status().code(), std::string(names.status().message())));
  }
  // Clients close their side after the request, and go on to wait.
  void OnEnd() override {
    if (has_request_) return;
    watches_->Finish(watch_, Ended(StatusCode::kInvalidArgument, "the call has no request"));
  }

 private:
  const std::shared_ptr<HealthWatches> watches_;
  const std::shared_ptr<OneWatch> watch_;
  bool has_request_ = false;
};

}  // namespace

HealthService::HealthService(TimerQueue* timers, std::function<bool()> is_ready)
    : watches_(std::make_shared<HealthWatches>(timers, std::move(is_ready))) {}
HealthService::~HealthService() { End(); }

StatusOr<SentMessage> HealthService::Check(const ReceivedMessage& request) const {
  TFRT_ASSIGN_OR_RETURN(const TwoNames names, DecodeNames(request));
  if (!IsKnown(names.first)) {
    return NotFoundError(StrCat("there is no service '", names.first, "'"));
  }
  return EncodeNumber(watches_->is_ready() ? kServing : kNotServing);
}

std::unique_ptr<StreamReader> HealthService::Watch(std::shared_ptr<StreamCall> call) {
  auto watch = std::make_shared<OneWatch>();
  StreamCall* const begun = call.get();
  watch->call = std::move(call);
  auto reader = std::make_unique<WatchReader>(watches_, watch);
  begun->OnCancel([weak = std::weak_ptr(watches_), weak_watch = std::weak_ptr(watch)] {
    const std::shared_ptr<HealthWatches> watches = weak.lock();
    const std::shared_ptr<OneWatch> ended = weak_watch.lock();
    if (watches && ended) watches->Finish(ended, Ended(StatusCode::kCancelled, "cancelled"));
  });
  return reader;
}

void HealthService::End() { watches_->End(); }

}  // namespace tfrt::serve::rpc
