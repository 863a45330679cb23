#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lib/serve/http/connection.h"

namespace tfrt::serve::http {
namespace {

// A connection may read this much, and as if that much for each request, before it is the turn of
// others.
constexpr int64_t kTurnBytes = 4 << 20;
constexpr int64_t kRequestCost = 32 << 10;
// Extensions of chunks, and trailers.
constexpr size_t kMaxExtraChunkBytes = 8 << 10;
constexpr std::chrono::seconds kLingerTimeout{2};
constexpr Refusal kNoMemory{503, "the bodies of requests fill the memory set for them"};

std::string_view TextOf(std::span<const char> bytes, size_t size) { return {bytes.data(), size}; }

}  // namespace

Connection::Connection(std::shared_ptr<EventLoop> loop, const NewSocket& socket,
                       std::unique_ptr<TlsSession> tls)
    : loop_(std::move(loop)),
      fd_(socket.fd),
      peer_(socket.peer),
      tls_(std::move(tls)),
      is_secure_(tls_ != nullptr),
      phase_(tls_ ? Phase::kHandshake : Phase::kReading),
      since_(std::chrono::steady_clock::now()) {}

Connection::~Connection() {
  if (fd_ >= 0) close(fd_);
}

void Connection::OnEvent(uint32_t events) {
  std::function<void()> gone;
  Outgoing finished;
  bool is_lost = false;
  {
    std::lock_guard lock(mutex_);
    if (phase_ == Phase::kClosed) return;
    if (events & (EPOLLERR | EPOLLHUP)) {
      is_lost = true;
    } else {
      // With TLS, reads may wait for writes.
      if (tls_ || (events & (EPOLLIN | EPOLLRDHUP))) {
        is_readable_ = true;
        has_input_ = true;
      }
      if (events & EPOLLRDHUP) {
        is_half_closed_ = true;
        if (phase_ == Phase::kRunning && !is_gone_) {
          is_gone_ = true;
          gone = std::exchange(on_gone_, nullptr);
        }
      }
      if (phase_ == Phase::kWriting) FlushLocked(&finished);
    }
  }
  if (is_lost) {
    Close();
    return;
  }
  if (gone) gone();
  Process();
}

void Connection::Process() {
  turn_bytes_ = kTurnBytes;
  for (;;) {
    Phase phase;
    {
      std::lock_guard lock(mutex_);
      phase = phase_;
      if (phase == Phase::kRunning || phase == Phase::kWriting) {
        has_input_ = is_readable_ || !pending_.empty();
        is_processing_ = false;
        return;
      }
      is_processing_ = true;
    }
    Step step = Step::kAgain;
    switch (phase) {
      case Phase::kHandshake:
        loop_->HandshakeLater(this);
        step = Step::kBlocked;
        break;
      case Phase::kReading:
        step = turn_bytes_ > 0 ? ReadOnce() : Step::kBlocked;
        break;
      case Phase::kLingering:
        step = turn_bytes_ > 0 ? Linger() : Step::kBlocked;
        break;
      case Phase::kBroken:
        step = Step::kClose;
        break;
      default:  // closed
        return;
    }
    if (step == Step::kAgain) continue;
    {
      // Nobody else changes these phases.
      std::lock_guard lock(mutex_);
      is_processing_ = false;
    }
    if (step == Step::kClose) {
      Close();
    } else if (turn_bytes_ <= 0) {
      loop_->ContinueLater(this);
    }
    return;
  }
}

void Connection::HandshakeStep() {
  {
    std::lock_guard lock(mutex_);
    if (phase_ != Phase::kHandshake) return;
  }
  const ssize_t result = tls_->Handshake();
  if (result == kIoAgain) return;
  if (result <= 0) {
    AddOne(&loop_->state().num_failed_handshakes);
    Close();
    return;
  }
  {
    std::lock_guard lock(mutex_);
    phase_ = Phase::kReading;
    since_ = std::chrono::steady_clock::now();
  }
  Process();
}

void Connection::OnTick(std::chrono::steady_clock::time_point now) {
  const ServerState& state = loop_->state();
  const ServerOptions& options = state.options;
  const auto is_late = [&](std::chrono::milliseconds limit, uint64_t bytes) {
    if (bytes > 0) limit += std::chrono::milliseconds(bytes * 1000 / options.min_bytes_per_second);
    return now - since_ > limit;
  };
  bool must_close = false;
  Refusal refusal;
  {
    std::lock_guard lock(mutex_);
    switch (phase_) {
      case Phase::kHandshake:
        must_close = is_late(options.header_timeout, 0);
        break;
      case Phase::kReading:
        if (request_) {
          if (is_late(options.body_timeout, request_->body_size)) {
            refusal = {408, "the body did not arrive in time"};
          }
        } else if (!pending_.empty()) {
          if (is_late(options.header_timeout, 0)) {
            refusal = {408, "the head did not arrive in time"};
          }
        } else if (state.is_draining.load(std::memory_order_relaxed)) {
          // A request that has arrived is still answered.
          char byte;
          must_close = recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
        } else {
          must_close = is_late(options.idle_timeout, 0);
        }
        break;
      case Phase::kWriting:
        must_close = is_late(options.write_timeout, outgoing_.written);
        break;
      case Phase::kLingering:
        must_close = now - since_ > kLingerTimeout;
        break;
      default:
        break;
    }
  }
  if (must_close) {
    Close();
  } else if (refusal) {
    Refuse(refusal);
    Process();
  }
}

void Connection::RefuseConnection() {
  AddOne(&loop_->state().num_refused_connections);
  Refuse({503, "the server has too many connections"});
  Process();
}

void Connection::Close() {
  std::function<void()> gone;
  Outgoing dropped;
  {
    std::lock_guard lock(mutex_);
    if (phase_ == Phase::kClosed) return;
    if (tls_ && phase_ == Phase::kReading) tls_->Finish();
    phase_ = Phase::kClosed;
    is_gone_ = true;
    gone = std::exchange(on_gone_, nullptr);
    dropped = std::exchange(outgoing_, Outgoing());
    // Others use the descriptor under the mutex alone, and not in this phase.
    close(std::exchange(fd_, -1));
  }
  request_.reset();
  std::string().swap(pending_);
  loop_->Remove(this);
  if (gone) gone();
}

ssize_t Connection::Receive(void* data, size_t size) {
  if (!is_readable_) return kIoAgain;
  ssize_t received;
  if (tls_) {
    received = tls_->Read(data, size);
  } else {
    do {
      received = recv(fd_, data, size, 0);
    } while (received < 0 && errno == EINTR);
    if (received < 0) received = errno == EAGAIN ? kIoAgain : kIoFailed;
    // Fewer bytes than were asked for: the socket is empty. Its end comes with an event.
    if (received > 0 && static_cast<size_t>(received) < size && !is_half_closed_) {
      is_readable_ = false;
    }
  }
  if (received == kIoAgain) is_readable_ = false;
  if (received > 0) turn_bytes_ -= received;
  return received;
}

ssize_t Connection::ReceiveBody(std::byte* data, size_t size, size_t* num_extra) {
  *num_extra = 0;
  if (tls_) return Receive(data, size);
  if (!is_readable_) return kIoAgain;
  // Reading past the body shows in one call whether the socket is empty.
  const std::span<char> scratch = loop_->scratch();
  iovec parts[2] = {{data, size}, {scratch.data(), scratch.size()}};
  ssize_t received;
  do {
    received = readv(fd_, parts, 2);
  } while (received < 0 && errno == EINTR);
  if (received < 0) {
    if (errno != EAGAIN) return kIoFailed;
    is_readable_ = false;
    return kIoAgain;
  }
  turn_bytes_ -= received;
  if (received > 0 && static_cast<size_t>(received) < size + scratch.size() && !is_half_closed_) {
    is_readable_ = false;
  }
  if (static_cast<size_t>(received) > size) {
    *num_extra = static_cast<size_t>(received) - size;
    received = static_cast<ssize_t>(size);
  }
  return received;
}

// Keeps bytes that belong to what follows. They may lie in pending_ themselves.
void Connection::Keep(std::string_view rest) {
  if (!pending_.empty() && rest.data() >= pending_.data() &&
      rest.data() <= pending_.data() + pending_.size()) {
    pending_.erase(0, pending_.size() - rest.size());
  } else {
    pending_.assign(rest);
  }
  if (pending_.empty()) std::string().swap(pending_);  // idle connections hold no memory
}

Connection::Step Connection::ReadOnce() {
  if (!request_) return ReadHead();
  return request_->head.is_chunked ? ReadChunks() : ReadBody();
}

Connection::Step Connection::ReadHead() {
  // Bytes that came with an earlier request, unless they are known to be only a part of a head.
  if (!pending_.empty() && scanner_.end() == 0) return TakeHead(pending_);
  const std::span<char> scratch = loop_->scratch();
  const ssize_t received = Receive(scratch.data(), scratch.size());
  if (received == kIoAgain) return Step::kBlocked;
  if (received <= 0) return Step::kClose;
  if (pending_.empty()) {
    since_ = std::chrono::steady_clock::now();
    return TakeHead(TextOf(scratch, received));
  }
  pending_.append(scratch.data(), static_cast<size_t>(received));
  return TakeHead(pending_);
}

Connection::Step Connection::TakeHead(std::string_view bytes) {
  const HeadLimits& limits = loop_->state().options.head_limits;
  is_head_ = false;
  switch (scanner_.Scan(bytes, limits)) {
    case HeadScanner::Result::kIncomplete:
      if (bytes.data() != pending_.data()) pending_.assign(bytes);
      return Step::kAgain;
    case HeadScanner::Result::kRefused:
      return Refuse(scanner_.refusal());
    case HeadScanner::Result::kComplete:
      break;
  }
  request_ = std::make_unique<Request::Parts>();
  request_->text.assign(bytes.substr(0, scanner_.end()));
  bytes.remove_prefix(scanner_.end());
  scanner_.Reset();
  const Refusal refusal = ParseHead(request_->text, limits, &request_->head);
  is_head_ = request_->head.method == "HEAD";
  wants_keep_alive_ = request_->head.keep_alive;
  request_->id = RequestId(request_->head.Find("x-request-id"));
  if (refusal) return Refuse(refusal);
  request_->received = std::chrono::steady_clock::now();
  request_->peer = peer_;
  request_->is_secure = is_secure_;
  since_ = request_->received;
  return BeginBody(bytes);
}

Connection::Step Connection::BeginBody(std::string_view rest) {
  const ServerState& state = loop_->state();
  const size_t max_body = state.options.max_body_bytes;
  Request::Parts& request = *request_;
  request.body_begin = BodyBegin(request.head, state.options.prefix_header);
  if (request.head.is_chunked) {
    chunks_ = ChunkDecoder(max_body, kMaxExtraChunkBytes);
    if (rest.empty()) {
      Keep(rest);
      return request.head.expects_continue && !SendContinue() ? Step::kClose : Step::kAgain;
    }
    return TakeChunks(rest);
  }
  const uint64_t length = request.head.content_length.value_or(0);
  if (length > max_body) return Refuse({413, "the body is too large"});
  if (length > 0) {
    request.body = state.bodies->Allocate(request.body_begin + length);
    request.body_size = std::min<uint64_t>(length, rest.size());
    if (!request.body || !request.body->Use(request.body_size)) return Refuse(kNoMemory);
    if (!rest.empty()) {
      std::memcpy(request.body->data() + request.body_begin, rest.data(), request.body_size);
    }
  }
  const bool is_waiting = length > 0 && rest.empty() && request.head.expects_continue;
  Keep(rest.substr(request.body_size));
  if (is_waiting && !SendContinue()) return Step::kClose;
  return request.body_size == length ? Dispatch() : Step::kAgain;
}

Connection::Step Connection::ReadBody() {
  Request::Parts& request = *request_;
  const size_t left = *request.head.content_length - request.body_size;
  size_t num_extra = 0;
  std::byte* const end = request.body->data() + request.body_begin + request.body_size;
  const ssize_t received = ReceiveBody(end, left, &num_extra);
  if (received == kIoAgain) return Step::kBlocked;
  if (received <= 0) return Step::kClose;
  const auto size = static_cast<size_t>(received);
  if (!request.body->Use(size)) return Refuse(kNoMemory);
  request.body_size += size;
  if (num_extra > 0) pending_.assign(loop_->scratch().data(), num_extra);
  return size == left ? Dispatch() : Step::kAgain;
}

Connection::Step Connection::ReadChunks() {
  const std::span<char> scratch = loop_->scratch();
  const ssize_t received = Receive(scratch.data(), scratch.size());
  if (received == kIoAgain) return Step::kBlocked;
  if (received <= 0) return Step::kClose;
  return TakeChunks(TextOf(scratch, received));
}

Connection::Step Connection::TakeChunks(std::string_view bytes) {
  while (!bytes.empty() && !chunks_.is_done()) {
    const ChunkDecoder::Step step = chunks_.Next(bytes);
    if (step.refusal) return Refuse(step.refusal);
    if (!AppendToBody(step.data)) return Refuse(kNoMemory);
    bytes.remove_prefix(step.consumed);
  }
  Keep(bytes);
  return chunks_.is_done() ? Dispatch() : Step::kAgain;
}

bool Connection::AppendToBody(std::string_view data) {
  if (data.empty()) return true;
  Request::Parts& request = *request_;
  const size_t capacity = request.body ? request.body->capacity() : 0;
  const size_t end = request.body_begin + request.body_size;
  if (capacity < end + data.size()) {
    std::shared_ptr<BodyBlock> larger =
        loop_->state().bodies->Allocate(std::max(end + data.size(), 2 * capacity));
    if (!larger || !larger->Use(request.body_size)) return false;
    if (request.body_size > 0) {
      std::memcpy(larger->data() + request.body_begin, request.body->data() + request.body_begin,
                  request.body_size);
    }
    request.body = std::move(larger);
  }
  if (!request.body->Use(data.size())) return false;
  std::memcpy(request.body->data() + end, data.data(), data.size());
  request.body_size += data.size();
  return true;
}

bool Connection::SendContinue() {
  // Nothing else is being written. A socket that does not take so few bytes has a client that does
  // not read.
  constexpr std::string_view kText = "HTTP/1.1 100 Continue\r\n\r\n";
  const ssize_t sent = tls_ ? tls_->Write(kText.data(), kText.size())
                            : send(fd_, kText.data(), kText.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(kText.size());
}

Connection::Step Connection::Dispatch() {
  ServerState& state = loop_->state();
  AddOne(&state.num_requests);
  turn_bytes_ -= kRequestCost;
  std::unique_ptr<AccessFacts> facts;
  if (state.options.on_answered) {
    const RequestHead& head = request_->head;
    facts = std::make_unique<AccessFacts>(
        AccessFacts{std::string(head.method), std::string(head.target), request_->id,
                    std::string(head.Find("traceparent").value_or("")), request_->body_size,
                    request_->received});
  }
  Request request(std::move(request_));
  {
    std::lock_guard lock(mutex_);
    phase_ = Phase::kRunning;
    is_gone_ = is_half_closed_;
    facts_ = std::move(facts);
  }
  state.handler(std::move(request), Responder(shared_from_this()));
  return Step::kAgain;
}

Connection::Step Connection::Refuse(Refusal refusal) {
  ServerState& state = loop_->state();
  AddOne(&state.num_refused_requests);
  std::unique_ptr<AccessFacts> facts;
  if (state.options.on_answered) {
    facts = std::make_unique<AccessFacts>();
    facts->received = since_;
    if (request_) {
      facts->method = request_->head.method;
      facts->target = request_->head.target;
      facts->id = request_->id;
    }
  }
  request_.reset();
  std::string().swap(pending_);
  must_linger_ = true;
  {
    std::lock_guard lock(mutex_);
    facts_ = std::move(facts);
  }
  if (state.options.error_response) {
    Send(state.options.error_response(refusal.status, refusal.reason), false, true);
  } else {
    Send(TextResponse(refusal.status, "application/json",
                      "{\"error\":\"" + std::string(refusal.reason) + "\"}"),
         false, true);
  }
  return Step::kAgain;
}

Connection::Step Connection::Linger() {
  if (!must_linger_ && !pending_.empty()) must_linger_ = true;
  std::string().swap(pending_);
  const std::span<char> scratch = loop_->scratch();
  const ssize_t received = Receive(scratch.data(), scratch.size());
  if (received > 0) {
    must_linger_ = true;
    return Step::kAgain;
  }
  // A client that has been read to its last byte gets the response even if the socket is closed.
  return received == kIoAgain && must_linger_ ? Step::kBlocked : Step::kClose;
}

}  // namespace tfrt::serve::http
