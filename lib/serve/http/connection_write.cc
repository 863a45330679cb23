#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <shared_mutex>
#include <utility>

#include "lib/serve/http/connection.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

std::span<const std::byte> BytesOf(const Piece& piece) {
  if (!piece.owned.empty()) return std::as_bytes(std::span(piece.owned));
  return piece.bytes;
}

// Returns the value of a Date header for now. The text is made anew once a second per thread.
std::string_view DateText() {
  static thread_local time_t made_at = 0;
  static thread_local char text[32] = "";
  const time_t now = time(nullptr);
  if (now != made_at) {
    constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    tm parts{};
    gmtime_r(&now, &parts);
    // Not strftime, whose names depend on the program's locale.
    const auto two = [](int number) {
      return std::string{static_cast<char>('0' + number / 10),
                         static_cast<char>('0' + number % 10)};
    };
    const std::string made =
        StrCat(kDays[parts.tm_wday], ", ", two(parts.tm_mday), " ", kMonths[parts.tm_mon], " ",
               1900 + parts.tm_year, " ", two(parts.tm_hour), ":", two(parts.tm_min), ":",
               two(parts.tm_sec), " GMT");
    made.copy(text, sizeof(text) - 1);
    made_at = now;
  }
  return text;
}

bool MayHaveBody(int status) { return status >= 200 && status != 204 && status != 304; }

bool HasGoodHeaders(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (!IsToken(name) || !IsFieldValue(value)) return false;
  }
  return response.status >= 200 && response.status <= 999;
}

std::string HeadText(const Response& response, uint64_t length, bool keep_alive) {
  std::string text = StrCat("HTTP/1.1 ", response.status, " ", ReasonPhrase(response.status),
                            "\r\nDate: ", DateText(), "\r\n");
  for (const auto& [name, value] : response.headers) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  if (MayHaveBody(response.status)) {
    text.append("Content-Length: ").append(std::to_string(length)).append("\r\n");
  }
  // HTTP/1.0 clients that asked for it must be told, too.
  text.append(keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
  return text;
}

}  // namespace

void Connection::Answer(Response response) {
  const bool is_draining = loop_->state().is_draining.load(std::memory_order_relaxed);
  Send(std::move(response), wants_keep_alive_ && !is_draining, false);
}

void Connection::Send(Response response, bool keep_alive, bool is_refusal) {
  if (!HasGoodHeaders(response)) {
    response = TextResponse(500, "application/json",
                            "{\"error\":\"the response has a header or a status that may not be "
                            "sent\"}");
  }
  uint64_t length = 0;
  for (const Piece& piece : response.body) length += BytesOf(piece).size();
  Outgoing out;
  out.head = HeadText(response, length, keep_alive);
  if (!is_head_ && MayHaveBody(response.status)) out.body = std::move(response.body);

  // Objects that the program gave are destroyed without the lock.
  Outgoing finished;
  std::function<void()> on_gone;
  std::unique_ptr<AccessFacts> facts;
  bool was_gone = false;
  bool must_post = false;
  ServerState& state = loop_->state();
  // From before the client has its answer: a server that ends then still reports it.
  std::shared_lock hook_lock(state.hook_mutex);
  {
    std::lock_guard lock(mutex_);
    on_gone = std::exchange(on_gone_, nullptr);
    facts = std::move(facts_);
    was_gone = is_gone_;
    if (phase_ != Phase::kClosed && phase_ != Phase::kBroken) {
      keep_alive_ = keep_alive;
      outgoing_ = std::move(out);
      phase_ = Phase::kWriting;
      since_ = std::chrono::steady_clock::now();
      FlushLocked(&finished);
      must_post = !is_processing_ && !is_refusal && NeedsLoopLocked();
    }
  }
  if (must_post) loop_->Post(shared_from_this());
  if (!facts || state.has_ended) return;
  const std::string peer = PeerText(peer_);
  state.options.on_answered({.method = facts->method,
                             .target = facts->target,
                             .id = facts->id,
                             .peer = peer,
                             .trace_parent = facts->trace_parent,
                             .status = response.status,
                             .received_bytes = facts->received_bytes,
                             .sent_bytes = length,
                             .duration = std::chrono::steady_clock::now() - facts->received,
                             .client_is_gone = was_gone});
}

bool Connection::NeedsLoopLocked() const {
  return phase_ == Phase::kBroken || phase_ == Phase::kLingering ||
         (phase_ == Phase::kReading && has_input_);
}

void Connection::FlushLocked(Outgoing* finished) {
  while (outgoing_.next <= outgoing_.body.size()) {
    const ssize_t written = WriteSome();
    if (written == kIoAgain) return;
    if (written == kIoFailed) {
      phase_ = Phase::kBroken;
      break;
    }
    outgoing_.written += static_cast<uint64_t>(written);
    size_t left = static_cast<size_t>(written);
    while (outgoing_.next <= outgoing_.body.size()) {
      const size_t size = outgoing_.next == 0 ? outgoing_.head.size()
                                              : BytesOf(outgoing_.body[outgoing_.next - 1]).size();
      if (left < size - outgoing_.offset) {
        outgoing_.offset += left;
        break;
      }
      left -= size - outgoing_.offset;
      outgoing_.offset = 0;
      ++outgoing_.next;
    }
  }
  *finished = std::exchange(outgoing_, Outgoing());
  since_ = std::chrono::steady_clock::now();
  if (phase_ == Phase::kBroken) return;
  if (keep_alive_) {
    phase_ = Phase::kReading;
    return;
  }
  if (tls_) tls_->Finish();
  shutdown(fd_, SHUT_WR);
  phase_ = Phase::kLingering;
}

ssize_t Connection::WriteSome() { return tls_ ? WriteTls() : WritePlain(); }

ssize_t Connection::WritePlain() {
  constexpr size_t kMaxParts = 64;
  iovec parts[kMaxParts];
  size_t num_parts = 0;
  size_t offset = outgoing_.offset;
  for (size_t i = outgoing_.next; i <= outgoing_.body.size() && num_parts < kMaxParts; ++i) {
    const std::span<const std::byte> bytes =
        i == 0 ? std::as_bytes(std::span(outgoing_.head)) : BytesOf(outgoing_.body[i - 1]);
    if (bytes.size() > offset) {
      parts[num_parts++] = {const_cast<std::byte*>(bytes.data()) + offset, bytes.size() - offset};
    }
    offset = 0;
  }
  if (num_parts == 0) return 0;
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = num_parts;
  ssize_t sent;
  do {
    sent = sendmsg(fd_, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return sent;
  return errno == EAGAIN ? kIoAgain : kIoFailed;
}

ssize_t Connection::WriteTls() {
  // One record has at most 16 KiB. Short parts are joined, so that a head and a small body are one
  // record and one packet.
  constexpr size_t kRecordBytes = 16 << 10;
  char joined[kRecordBytes];
  size_t size = 0;
  size_t offset = outgoing_.offset;
  for (size_t i = outgoing_.next; i <= outgoing_.body.size() && size < kRecordBytes; ++i) {
    const std::span<const std::byte> bytes =
        i == 0 ? std::as_bytes(std::span(outgoing_.head)) : BytesOf(outgoing_.body[i - 1]);
    if (size == 0 && bytes.size() - offset >= kRecordBytes) {
      const ssize_t sent = tls_->Write(bytes.data() + offset, kRecordBytes);
      return sent == 0 ? kIoFailed : sent;
    }
    const size_t taken = std::min(bytes.size() - offset, kRecordBytes - size);
    if (taken > 0) std::memcpy(joined + size, bytes.data() + offset, taken);
    size += taken;
    offset = 0;
  }
  if (size == 0) return 0;
  const ssize_t sent = tls_->Write(joined, size);
  return sent == 0 ? kIoFailed : sent;
}

bool Connection::is_gone() {
  std::lock_guard lock(mutex_);
  return is_gone_;
}

void Connection::OnGone(std::function<void()> callback) {
  {
    std::lock_guard lock(mutex_);
    if (!is_gone_) {
      std::swap(on_gone_, callback);
      return;  // a callback that was replaced is destroyed after the lock
    }
  }
  callback();
}

Responder::Responder(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

Responder& Responder::operator=(Responder&& other) noexcept {
  if (this == &other) return *this;
  Responder old(std::move(*this));  // answers its request if nobody has
  connection_ = std::move(other.connection_);
  return *this;
}

Responder::~Responder() {
  if (connection_) {
    Respond(TextResponse(500, "application/json", "{\"error\":\"the request was not answered\"}"));
  }
}

void Responder::Respond(Response response) {
  if (const std::shared_ptr<Connection> connection = std::move(connection_)) {
    connection->Answer(std::move(response));
  }
}

bool Responder::is_gone() const { return connection_ && connection_->is_gone(); }

void Responder::OnGone(std::function<void()> callback) {
  if (connection_) connection_->OnGone(std::move(callback));
}

}  // namespace tfrt::serve::http
