// libFuzzer: arbitrary bytes as the requests of one HTTP connection. scripts/run_fuzzer.sh builds
// and runs it.
//
// The first byte says into which parts the rest is cut. Beside what sanitizers find, promises of
// lib/serve/http are looked at: the cuts change nothing, what was read can be written, and then
// reads as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/serve/http/chunk_decoder.h"
#include "lib/serve/http/head_parser.h"
#include "lib/serve/http/message.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

constexpr HeadLimits kLimits{.max_request_line = 200, .max_head = 1000, .max_headers = 10};
constexpr size_t kMaxBody = 1000, kMaxExtra = 100;

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool LiesIn(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

// Returns a head as others would send it on.
std::string Print(const RequestHead& head) {
  std::string text = StrCat(head.method, " ", head.target, " HTTP/1.", head.minor_version, "\r\n");
  for (const HeaderView& header : head.headers) {
    text += StrCat(header.name, ": ", header.value, "\r\n");
  }
  return text + "\r\n";
}

void CheckHead(std::string_view text, const RequestHead& head) {
  Require(!head.is_chunked || !head.content_length, "a body has one length");
  const bool path_is_borrowed = LiesIn(head.path, text) || head.path == "/";
  Require(LiesIn(head.target, text) && path_is_borrowed && LiesIn(head.query, head.target),
          "heads borrow their text");
  for (const HeaderView& header : head.headers) {
    Require(IsToken(header.name) && IsFieldValue(header.value), "headers can be sent on");
    (void)DecodePercent(header.value);
  }
  (void)DecodePercent(head.path);
  // Spaces that were trimmed may have made the original longer than this, never shorter.
  const std::string printed = Print(head);
  RequestHead again;
  const HeadLimits limits{.max_request_line = 1000, .max_head = 5000, .max_headers = 10};
  Require(!ParseHead(printed, limits, &again), "what was read can be read again");
  Require(again.path == head.path && again.query == head.query &&
              again.content_length == head.content_length && again.is_chunked == head.is_chunked &&
              again.keep_alive == head.keep_alive && again.headers.size() == head.headers.size(),
          "what was read reads as the same");
}

// Reads requests from parts of `step` bytes, as a connection does. Returns all that it understood.
std::string Read(std::string_view stream, size_t step) {
  std::string log;
  HeadScanner scanner;
  std::string pending;
  ChunkDecoder chunks;
  bool in_chunks = false;
  uint64_t body_left = 0;
  while (!stream.empty()) {
    pending += stream.substr(0, step);
    stream.remove_prefix(std::min(step, stream.size()));
    while (!pending.empty()) {
      if (body_left > 0) {
        const size_t taken = std::min<uint64_t>(body_left, pending.size());
        log += pending.substr(0, taken);
        pending.erase(0, taken);
        body_left -= taken;
        continue;
      }
      if (in_chunks) {
        const ChunkDecoder::Step done = chunks.Next(pending);
        if (done.refusal) return StrCat(log, "!", done.refusal.reason);
        Require(LiesIn(done.data, pending) && done.consumed <= pending.size(),
                "data are of the input");
        log += done.data;
        pending.erase(0, done.consumed);
        in_chunks = !chunks.is_done();
        continue;
      }
      const HeadScanner::Result result = scanner.Scan(pending, kLimits);
      if (result == HeadScanner::Result::kRefused) {
        return StrCat(log, "!", scanner.refusal().reason);
      }
      if (result == HeadScanner::Result::kIncomplete) break;
      const std::string text = pending.substr(0, scanner.end());
      pending.erase(0, scanner.end());
      scanner.Reset();
      RequestHead head;
      if (const Refusal refusal = ParseHead(text, kLimits, &head)) {
        return StrCat(log, "!", refusal.reason);
      }
      CheckHead(text, head);
      log += StrCat("\n", Print(head));
      if (head.content_length.value_or(0) > kMaxBody) return log;
      body_left = head.content_length.value_or(0);
      in_chunks = head.is_chunked;
      chunks = ChunkDecoder(kMaxBody, kMaxExtra);
    }
  }
  return log;
}

}  // namespace
}  // namespace tfrt::serve::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfrt::serve::http;
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  Require(Read(stream, stream.size() + 1) == Read(stream, data[0] % 16 + 1),
          "parts read as the whole does");
  return 0;
}
