#include "lib/serve/http/chunk_decoder.h"

#include <algorithm>

namespace tfrt::serve::http {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

ChunkDecoder::Step ChunkDecoder::Next(std::string_view input) {
  Step step;
  while (step.consumed < input.size() && state_ != State::kDone) {
    if (state_ == State::kData) {
      const size_t size = std::min<uint64_t>(chunk_, input.size() - step.consumed);
      step.data = input.substr(step.consumed, size);
      step.consumed += size;
      chunk_ -= size;
      if (chunk_ == 0) state_ = State::kDataCr;
      return step;
    }
    if (Refusal refusal = Take(input[step.consumed])) {
      step.refusal = refusal;
      return step;
    }
    ++step.consumed;
  }
  return step;
}

Refusal ChunkDecoder::Take(char c) {
  switch (state_) {
    case State::kSizeBegin:
    case State::kSize: {
      const int digit = HexDigit(c);
      if (digit >= 0 && !must_be_semicolon_) {
        // 15 digits cannot overflow; leading zeros are bounded with them.
        if (++num_digits_ > 15) return {413, "the size of a chunk is too large"};
        chunk_ = chunk_ * 16 + static_cast<uint64_t>(digit);
        state_ = State::kSize;
        return {};
      }
      if (state_ == State::kSizeBegin) return {400, "the size of a chunk is not a number"};
      if (c == '\r' && !must_be_semicolon_) {
        state_ = State::kSizeLf;
      } else if (c == ';') {
        state_ = State::kExtension;
        must_be_semicolon_ = false;
      } else if (c == ' ' || c == '\t') {
        must_be_semicolon_ = true;
        if (++num_extra_ > max_extra_) return {431, "the extensions of chunks are too long"};
      } else {
        return {400, "the size of a chunk is not a number"};
      }
      return {};
    }
    case State::kExtension:
      if (c == '\r') {
        state_ = State::kSizeLf;
        return {};
      }
      if (!IsFieldValue({&c, 1})) return {400, "an extension of a chunk has control characters"};
      if (++num_extra_ > max_extra_) return {431, "the extensions of chunks are too long"};
      return {};
    case State::kSizeLf:
      if (c != '\n') return {400, "the line of a chunk's size does not end with CRLF"};
      if (chunk_ > max_body_ - num_body_) return {413, "the body is too large"};
      num_body_ += chunk_;
      num_digits_ = 0;
      state_ = chunk_ > 0 ? State::kData : State::kTrailerBegin;
      return {};
    case State::kDataCr:
      if (c != '\r') return {400, "the data of a chunk do not end with CRLF"};
      state_ = State::kDataLf;
      return {};
    case State::kDataLf:
      if (c != '\n') return {400, "the data of a chunk do not end with CRLF"};
      state_ = State::kSizeBegin;
      return {};
    case State::kTrailerBegin:
      if (c == '\r') {
        state_ = State::kEndLf;
        return {};
      }
      if (!IsToken({&c, 1})) return {400, "a trailer does not begin with a name"};
      trailer_has_colon_ = false;
      state_ = State::kTrailer;
      [[fallthrough]];
    case State::kTrailer:
      if (++num_extra_ > max_extra_) return {431, "the trailers are too long"};
      if (c == '\r') {
        if (!trailer_has_colon_) return {400, "a trailer has no colon"};
        state_ = State::kTrailerLf;
      } else if (!trailer_has_colon_) {
        if (c == ':') {
          trailer_has_colon_ = true;
        } else if (!IsToken({&c, 1})) {
          return {400, "the name of a trailer is not a token"};
        }
      } else if (!IsFieldValue({&c, 1})) {
        return {400, "a trailer has control characters"};
      }
      return {};
    case State::kTrailerLf:
      if (c != '\n') return {400, "a trailer does not end with CRLF"};
      state_ = State::kTrailerBegin;
      return {};
    case State::kEndLf:
      if (c != '\n') return {400, "the end of the body is not CRLF"};
      state_ = State::kDone;
      return {};
    case State::kData:
    case State::kDone:
      break;
  }
  return {};
}

}  // namespace tfrt::serve::http
