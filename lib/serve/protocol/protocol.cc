#include "protocol.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "lib/serve/protocol/access_log.h"
#include "lib/serve/protocol/documents.h"
#include "lib/serve/protocol/infer_body.h"
#include "lib/serve/protocol/metrics.h"
#include "lib/serve/protocol/status_page.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

constexpr std::string_view kJson = "application/json";
// Smaller bodies are decoded on the I/O thread: a task would take longer. Elements that follow the
// JSON may have to be copied or checked, which goes faster.
constexpr size_t kMaxJsonDecodedAtOnce = size_t{32} << 10;
constexpr size_t kMaxBodyDecodedAtOnce = size_t{1} << 20;
// So is the JSON of fewer elements written there, if the run was so short that it was, too.
constexpr size_t kMaxElementsWrittenAtOnce = 4096;
constexpr std::string_view kNoCudaRegions =
    "memory of GPUs cannot be shared with this server: register system shared memory";
// A profile grows until its last request.
constexpr uint64_t kMaxProfiledRequests = 1'000'000;

std::vector<std::string_view> SplitPath(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(path.front() == '/' ? 1 : 0);
    const size_t size = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, size));
    path.remove_prefix(size);
  }
  return parts;
}

std::optional<uint64_t> ParseCount(std::string_view text) {
  uint64_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// Returns whether a request has tensors in shared memory, of which any size may be copied.
bool MentionsRegions(std::span<const std::byte> json) {
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  // Behind an escape anything may be.
  return text.find("shared_memory_") != std::string_view::npos || text.find('\\') != text.npos;
}

// A request with its right to answer, shared with those who will.
struct Exchange {
  http::Request request;
  http::Responder responder;

  void Json(std::string text, int status = 200) {
    responder.Respond(http::TextResponse(status, kJson, std::move(text)));
  }
  void Fail(const Status& status) {
    http::Response response =
        http::TextResponse(HttpStatus(status.code()), kJson, ErrorDocument(status.message()));
    if (response.status == 429 || response.status == 503) {
      response.headers.emplace_back("Retry-After", "1");
    }
    if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
    response.headers.emplace_back("X-Request-Id", std::string(request.id()));
    responder.Respond(std::move(response));
  }
  void WrongMethod(std::string_view allowed) {
    http::Response response =
        http::TextResponse(405, kJson, ErrorDocument(StrCat("the method is not ", allowed)));
    response.headers.emplace_back("Allow", std::string(allowed));
    responder.Respond(std::move(response));
  }
};
using SharedExchange = std::shared_ptr<Exchange>;

// The time at which the client gives up, as far as the request says; from headers of proxies and of
// clients, and from the body.
StatusOr<std::optional<Clock::time_point>> DeadlineOf(
    const http::Request& request, std::optional<std::chrono::microseconds> timeout) {
  constexpr uint64_t kMaxMilliseconds = uint64_t{24} * 3600 * 1000;
  std::optional<Clock::time_point> deadline;
  const auto limit = [&](Clock::time_point time) {
    deadline = deadline ? std::min(*deadline, time) : time;
  };
  for (std::string_view name : {"X-Request-Timeout-Ms", "X-Envoy-Expected-Rq-Timeout-Ms"}) {
    const std::optional<std::string_view> text = request.Find(name);
    if (!text) continue;
    const std::optional<uint64_t> count = ParseCount(*text);
    if (!count)
      return InvalidArgumentError(StrCat(name, " is '", *text, "', expected milliseconds"));
    limit(request.received() + std::chrono::milliseconds(std::min(*count, kMaxMilliseconds)));
  }
  if (timeout) limit(request.received() + *timeout);
  return deadline;
}

StatusOr<std::optional<size_t>> JsonSizeOf(const http::Request& request) {
  const std::optional<std::string_view> text = request.Find(kJsonSizeHeader);
  if (!text) return std::optional<size_t>();
  const std::optional<uint64_t> size = ParseCount(*text);
  if (!size) {
    return InvalidArgumentError(
        StrCat(kJsonSizeHeader, " is '", *text, "', expected a number of bytes"));
  }
  return size;
}

bool TakesLongToWrite(const InferBody& body, const InferResult& result) {
  int64_t num_elements = 0;
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    if (!body.IsBinary(i)) num_elements += result.outputs[i].tensor.num_elements();
  }
  return num_elements > static_cast<int64_t>(kMaxElementsWrittenAtOnce);
}

http::Response InferResponse(EncodedResult encoded) {
  http::Response response;
  const bool has_bytes = !encoded.binary.empty();
  response.headers.emplace_back("Content-Type",
                                has_bytes ? "application/octet-stream" : std::string(kJson));
  if (has_bytes) {
    response.headers.emplace_back(kJsonSizeHeader, StrCat(encoded.json.size()));
  }
  response.body.push_back({.owned = std::move(encoded.json), .bytes = {}, .owner = encoded.bytes});
  struct Kept {
    DenseHostTensor tensor;
    std::shared_ptr<ResultBytes> bytes;
  };
  for (DenseHostTensor& tensor : encoded.binary) {
    if (tensor.size_bytes() == 0) continue;
    auto owner = std::make_shared<Kept>(std::move(tensor), encoded.bytes);
    http::Piece piece;
    piece.bytes = {static_cast<const std::byte*>(owner->tensor.data()), owner->tensor.size_bytes()};
    piece.owner = std::move(owner);
    response.body.push_back(std::move(piece));
  }
  return response;
}

}  // namespace

int HttpStatus(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 200;
    case StatusCode::kInvalidArgument:
    case StatusCode::kFailedPrecondition:
      return 400;
    // The result is too large, not the request, for which HTTP has no status.
    case StatusCode::kOutOfRange:
      return 413;
    case StatusCode::kUnauthenticated:
      return 401;
    case StatusCode::kPermissionDenied:
      return 403;
    case StatusCode::kNotFound:
      return 404;
    case StatusCode::kAlreadyExists:
    case StatusCode::kAborted:
      return 409;
    // The request asks for what the server does not have: the client must change it.
    case StatusCode::kUnimplemented:
      return 400;
    case StatusCode::kResourceExhausted:
      return 429;
    case StatusCode::kCancelled:
      return 499;
    case StatusCode::kUnavailable:
      return 503;
    case StatusCode::kDeadlineExceeded:
      return 504;
    default:
      return 500;
  }
}

struct Protocol::Impl : std::enable_shared_from_this<Impl> {
  Impl(HostContext* host, ModelRepository* repository, ProtocolOptions options)
      : host(host), repository(repository), options(std::move(options)) {}

  void Route(const SharedExchange& exchange);
  void Health(Exchange& exchange, std::string_view what);
  void Models(const SharedExchange& exchange, std::span<const std::string_view> path);
  void Repository(const SharedExchange& exchange, std::span<const std::string_view> path);
  void Change(const SharedExchange& exchange, const std::string& name, bool loads);
  void Regions(Exchange& exchange, std::span<const std::string_view> path);
  StatusOr<std::string> ChangeRegions(const http::Request& request, std::string_view name,
                                      std::string_view action);
  void Metrics(Exchange& exchange);
  void Profile(Exchange& exchange);
  void Infer(const SharedExchange& exchange, FoundModel found);
  // `io_thread`: this thread, if it must not be kept for long.
  void Decode(const SharedExchange& exchange, FoundModel found, std::optional<size_t> json_size,
              std::thread::id io_thread);
  void Answer(Exchange& exchange, const InferBody& body, const FoundModel& found,
              const StatusOr<InferResult>& result);
  void CountCall(const CallAccess& access);
  bool is_ready() const {
    // relaxed: clients learn it some time later anyway.
    return !drains.load(std::memory_order_relaxed) && repository->is_ready();
  }

  HostContext* const host;
  ModelRepository* const repository;
  const ProtocolOptions options;
  HttpCounts counts;
  CallCounts call_counts;
  std::atomic<bool> drains{false};
  // release and acquire: the server is complete for those who see it.
  std::atomic<const http::Server*> server{nullptr};
};

void Protocol::Impl::Route(const SharedExchange& exchange) {
  const http::Request& request = exchange->request;
  const std::vector<std::string_view> path = SplitPath(request.path());
  const auto is = [&](std::initializer_list<std::string_view> parts) {
    return std::ranges::equal(path, parts);
  };
  const bool is_get = request.method() == "GET" || request.method() == "HEAD";
  if (path.size() == 3 && path[0] == "v2" && path[1] == "health") {
    return is_get ? Health(*exchange, path[2]) : exchange->WrongMethod("GET");
  }
  if (!options.token.empty() &&
      !http::HasBearerToken(request.Find("Authorization"), options.token)) {
    return exchange->Fail(
        Status(StatusCode::kUnauthenticated, "the bearer token is missing or wrong"));
  }
  if (path.size() >= 2 && path[0] == "v2" && path[1] == "models") {
    return Models(exchange, std::span(path).subspan(2));
  }
  if (path.size() >= 2 && path[0] == "v2" && path[1] == "repository") {
    return Repository(exchange, std::span(path).subspan(2));
  }
  if (path.size() >= 2 && path[0] == "v2" && path[1] == "systemsharedmemory") {
    return Regions(*exchange, std::span(path).subspan(2));
  }
  if (path.size() >= 2 && path[0] == "v2" && path[1] == "cudasharedmemory") {
    return exchange->Fail(UnimplementedError(kNoCudaRegions));
  }
  if (is({"v2", "debug", "profile"})) {
    return request.method() == "POST" ? Profile(*exchange) : exchange->WrongMethod("POST");
  }
  const bool is_page = is({"v2"}) || is({"v2", ""}) || is({"metrics"}) || is({""});
  if (!is_page) {
    return exchange->Fail(NotFoundError(StrCat("there is no '", request.path(), "'")));
  }
  if (!is_get) return exchange->WrongMethod("GET");
  if (path[0] == "metrics") return Metrics(*exchange);
  if (path[0] == "v2") {
    return exchange->Json(ServerDocument(options.version, options.regions != nullptr));
  }
  http::Response page =
      http::TextResponse(200, "text/html; charset=utf-8", std::string(StatusPage()));
  page.headers.emplace_back("Content-Security-Policy",
                            "default-src 'none'; style-src 'unsafe-inline'; "
                            "script-src 'unsafe-inline'; connect-src 'self'");
  exchange->responder.Respond(std::move(page));
}

void Protocol::Impl::Health(Exchange& exchange, std::string_view what) {
  if (what == "live") {
    const bool is_alive = !options.is_alive || options.is_alive();
    return exchange.Json(is_alive ? R"({"live":true})" : R"({"live":false})", is_alive ? 200 : 503);
  }
  if (what != "ready")
    return exchange.Fail(NotFoundError(StrCat("there is no health '", what, "'")));
  if (is_ready()) return exchange.Json(R"({"ready":true})");
  exchange.Json(R"({"ready":false})", 503);
}

void Protocol::Impl::Models(const SharedExchange& exchange,
                            std::span<const std::string_view> path) {
  const http::Request& request = exchange->request;
  const bool is_get = request.method() == "GET" || request.method() == "HEAD";
  if (path.size() == 1 && path[0] == "stats") {
    if (!is_get) return exchange->WrongMethod("GET");
    return exchange->Json(StatisticsDocument(repository->Ready()));
  }
  if (path.empty() || path[0].empty()) {
    return exchange->Fail(NotFoundError("the path names no model"));
  }
  const std::optional<std::string> name = http::DecodePercent(path[0]);
  std::optional<std::string> version = std::string();
  path = path.subspan(1);
  if (path.size() >= 2 && path[0] == "versions") {
    version = http::DecodePercent(path[1]);
    path = path.subspan(2);
  }
  if (!name || !version || path.size() > 1) {
    return exchange->Fail(NotFoundError(StrCat("there is no '", request.path(), "'")));
  }
  const std::string_view action = path.empty() ? "" : path[0];
  const bool is_infer = action == "infer";
  if (!is_infer && !action.empty() && action != "ready" && action != "config" &&
      action != "stats") {
    return exchange->Fail(NotFoundError(StrCat("there is no '", request.path(), "'")));
  }
  if (is_infer ? request.method() != "POST" : !is_get) {
    return exchange->WrongMethod(is_infer ? "POST" : "GET");
  }
  StatusOr<FoundModel> found = repository->Find(*name, *version);
  if (!found.ok()) return exchange->Fail(found.status());
  if (is_infer) return Infer(exchange, *std::move(found));
  if (action == "ready") return exchange->Json(R"({"ready":true})");
  if (action == "config") return exchange->Json(ConfigDocument(*found));
  if (action.empty()) {
    return exchange->Json(ModelDocument(*found, repository->ReadyVersions(*name)));
  }
  std::vector<FoundModel> models;
  for (FoundModel& ready : repository->Ready()) {
    if (ready.name == *name && (version->empty() || ready.version == *version)) {
      models.push_back(std::move(ready));
    }
  }
  exchange->Json(StatisticsDocument(models));
}

void Protocol::Impl::Repository(const SharedExchange& exchange,
                                std::span<const std::string_view> path) {
  if (exchange->request.method() != "POST") return exchange->WrongMethod("POST");
  if (path.size() == 1 && path[0] == "index") {
    StatusOr<bool> only_ready = DecodeIndexBody(exchange->request.body());
    if (!only_ready.ok()) return exchange->Fail(only_ready.status());
    return exchange->Json(IndexDocument(repository->Index(), *only_ready));
  }
  const bool is_change =
      path.size() == 3 && path[0] == "models" && (path[2] == "load" || path[2] == "unload");
  const std::optional<std::string> name = is_change ? http::DecodePercent(path[1]) : std::nullopt;
  if (!name) {
    return exchange->Fail(NotFoundError(StrCat("there is no '", exchange->request.path(), "'")));
  }
  Change(exchange, *name, path[2] == "load");
}

void Protocol::Impl::Change(const SharedExchange& exchange, const std::string& name, bool loads) {
  if (!options.has_control) {
    return exchange->Fail(Status(StatusCode::kPermissionDenied,
                                 "models are not loaded and unloaded by clients: start the server "
                                 "with --model_control=explicit"));
  }
  const Status checked = CheckLoadBody(exchange->request.body());
  if (!checked.ok()) return exchange->Fail(checked);
  const auto done = [exchange](const Status& status) {
    if (status.ok()) return exchange->Json("{}");
    exchange->Fail(status);
  };
  loads ? repository->Load(name, done) : repository->Unload(name, done);
}

void Protocol::Impl::Regions(Exchange& exchange, std::span<const std::string_view> path) {
  const bool has_name = path.size() == 3 && path[0] == "region";
  const std::optional<std::string> name =
      has_name ? http::DecodePercent(path[1]) : std::optional<std::string>("");
  const std::string_view action = path.empty() ? "" : path.back();
  const bool is_status = action == "status";
  const bool is_known = is_status || action == "unregister" || (action == "register" && has_name);
  if (!name || !is_known || (path.size() != 1 && !has_name) || (has_name && name->empty())) {
    return exchange.Fail(NotFoundError(StrCat("there is no '", exchange.request.path(), "'")));
  }
  const std::string_view method = is_status ? "GET" : "POST";
  if (exchange.request.method() != method) return exchange.WrongMethod(method);
  if (!options.regions) {
    return exchange.Fail(
        Status(StatusCode::kPermissionDenied, std::string(CheckHasRegions(nullptr).message())));
  }
  StatusOr<std::string> answer = ChangeRegions(exchange.request, *name, action);
  if (!answer.ok()) return exchange.Fail(answer.status());
  exchange.Json(*std::move(answer));
}

StatusOr<std::string> Protocol::Impl::ChangeRegions(const http::Request& request,
                                                    std::string_view name,
                                                    std::string_view action) {
  if (action == "register") {
    TFRT_ASSIGN_OR_RETURN(RegionInfo region, DecodeRegionBody(request.body(), std::string(name)));
    TFRT_RETURN_IF_ERROR(options.regions->Register(std::move(region)));
  } else if (action == "unregister") {
    name.empty() ? options.regions->UnregisterAll() : options.regions->Unregister(name);
  } else {
    TFRT_ASSIGN_OR_RETURN(const std::vector<RegionInfo> found, options.regions->List(name));
    return RegionsDocument(found);
  }
  return std::string();
}

void Protocol::Impl::Metrics(Exchange& exchange) {
  const http::Server* const now = server.load(std::memory_order_acquire);
  std::optional<http::ServerCounts> server_counts;
  if (now) server_counts = now->counts();
  std::string text = MetricsText(counts, call_counts, server_counts ? &*server_counts : nullptr,
                                 repository->Ready(), repository->Index());
  exchange.responder.Respond(
      http::TextResponse(200, "text/plain; version=0.0.4; charset=utf-8", std::move(text)));
}

void Protocol::Impl::Profile(Exchange& exchange) {
  if (!options.has_control || !options.start_profile) {
    return exchange.Fail(Status(StatusCode::kPermissionDenied,
                                "profiles are off: start the server with --profile_folder and "
                                "--model_control=explicit"));
  }
  std::string_view query = exchange.request.query();
  constexpr std::string_view kKey = "requests=";
  const std::optional<uint64_t> count =
      query.starts_with(kKey) ? ParseCount(query.substr(kKey.size())) : std::nullopt;
  if (!count || *count == 0 || *count > kMaxProfiledRequests) {
    return exchange.Fail(
        InvalidArgumentError(StrCat("expected ?requests=N, of 1 to ", kMaxProfiledRequests)));
  }
  const Status status = options.start_profile(*count);
  if (!status.ok()) return exchange.Fail(status);
  exchange.Json("{}");
}

void Protocol::Impl::Infer(const SharedExchange& exchange, FoundModel found) {
  const http::Request& request = exchange->request;
  if (const auto coding = request.Find("Content-Encoding"); coding && *coding != "identity") {
    return exchange->Fail(
        InvalidArgumentError(StrCat("the body has the coding '", *coding, "', expected none")));
  }
  StatusOr<std::optional<size_t>> json_size = JsonSizeOf(request);
  if (!json_size.ok()) return exchange->Fail(json_size.status());
  const size_t size = request.body().size();
  const std::span json = request.body().first(std::min(size, json_size->value_or(size)));
  if (json.size() <= kMaxJsonDecodedAtOnce && size <= kMaxBodyDecodedAtOnce &&
      (!options.regions || !MentionsRegions(json))) {
    return Decode(exchange, std::move(found), *json_size, std::this_thread::get_id());
  }
  internal::AddTaskTo(host->work_queue(),
                      [self = shared_from_this(), exchange, found = std::move(found),
                       size = *json_size] { self->Decode(exchange, found, size, {}); });
}

void Protocol::Impl::Decode(const SharedExchange& exchange, FoundModel found,
                            std::optional<size_t> json_size, std::thread::id io_thread) {
  const http::Request& request = exchange->request;
  StatusOr<InferBody> decoded = DecodeInferBody(request.body(), json_size, request.shared_body(),
                                                host->allocator(), options.regions.get());
  if (!decoded.ok()) return exchange->Fail(decoded.status());
  StatusOr<std::optional<Clock::time_point>> deadline = DeadlineOf(request, decoded->timeout);
  if (!deadline.ok()) return exchange->Fail(deadline.status());
  auto body = std::make_shared<InferBody>(*std::move(decoded));
  InferRequest infer = std::move(body->request);
  infer.deadline = *deadline;
  infer.cancel = std::make_shared<InferCancel>();
  exchange->responder.OnGone([cancel = infer.cancel] { cancel->Cancel(); });
  const std::shared_ptr<ServedModel> model = found.model;
  model->Submit(
      std::move(infer), [self = shared_from_this(), exchange, body, found = std::move(found),
                         io_thread](StatusOr<InferResult> result) {
        if (!result.ok() || std::this_thread::get_id() != io_thread ||
            !TakesLongToWrite(*body, *result)) {
          return self->Answer(*exchange, *body, found, result);
        }
        // The run was short, but its result is not.
        auto kept = std::make_shared<StatusOr<InferResult>>(std::move(result));
        internal::AddTaskTo(self->host->work_queue(), [self, exchange, body, found, kept] {
          self->Answer(*exchange, *body, found, *kept);
        });
      });
}

void Protocol::Impl::Answer(Exchange& exchange, const InferBody& body, const FoundModel& found,
                            const StatusOr<InferResult>& result) {
  const Status status = result.ok() ? body.regions.Finish(result->outputs) : result.status();
  StatusOr<EncodedResult> encoded =
      status.ok() ? EncodeInferResult(body, found.name, found.version, *result)
                  : StatusOr<EncodedResult>(status);
  if (encoded.ok()) {
    http::Response response = InferResponse(*std::move(encoded));
    response.headers.emplace_back("X-Request-Id", std::string(exchange.request.id()));
    exchange.responder.Respond(std::move(response));
  } else {
    exchange.Fail(encoded.status());
  }
  if (options.on_inference) options.on_inference();
}

void Protocol::Impl::CountCall(const CallAccess& access) {
  call_counts.Add(access);
  const bool is_failure = HttpStatus(access.code) >= 500 && !access.is_health;
  if ((options.logs_requests || is_failure) && options.log) options.log(CallLine(access));
  // As over HTTP: requests that reached a model.
  if (access.is_inference && !access.version.empty() && options.on_inference) {
    options.on_inference();
  }
}

Protocol::Protocol(HostContext* host, ModelRepository* repository, ProtocolOptions options)
    : impl_(std::make_shared<Impl>(host, repository, std::move(options))) {}
Protocol::~Protocol() = default;

void Protocol::Handle(http::Request request, http::Responder responder) {
  impl_->Route(std::make_shared<Exchange>(Exchange{std::move(request), std::move(responder)}));
}

void Protocol::Count(const http::Access& access) {
  impl_->counts.Add(access);
  // That it is not ready yet is no failure of the server.
  const bool is_probe = access.target.starts_with("/v2/health/");
  const bool is_logged = impl_->options.logs_requests || (access.status >= 500 && !is_probe);
  if (is_logged && impl_->options.log) impl_->options.log(AccessLine(access));
}

std::function<void(const CallAccess&)> Protocol::CallCounter() const {
  return [impl = impl_](const CallAccess& access) { impl->CountCall(access); };
}

void Protocol::SetServer(const http::Server* server) {
  impl_->server.store(server, std::memory_order_release);
}

bool Protocol::is_ready() const { return impl_->is_ready(); }

void Protocol::BeginDrain() { impl_->drains.store(true, std::memory_order_relaxed); }

}  // namespace tfrt::serve
