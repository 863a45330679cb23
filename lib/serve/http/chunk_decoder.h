// ChunkDecoder: bodies with the transfer coding "chunked" (RFC 9112, section 7.1).
#ifndef TFRT_LIB_SERVE_HTTP_CHUNK_DECODER_H_
#define TFRT_LIB_SERVE_HTTP_CHUNK_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/serve/http/head_parser.h"

namespace tfrt::serve::http {

// Decodes a body that arrives in parts. Extensions and trailers are checked and left out.
class ChunkDecoder {
 public:
  // The meaning of the first bytes of the input.
  struct Step {
    size_t consumed = 0;    // bytes of the input
    std::string_view data;  // bytes of the body among them; their end
    Refusal refusal;        // then nothing else is valid
  };
  // Extensions and trailers of a body have at most `max_extra_bytes` altogether.
  explicit ChunkDecoder(size_t max_body_bytes = 0, size_t max_extra_bytes = 0)
      : max_body_(max_body_bytes), max_extra_(max_extra_bytes) {}

  // Decodes up to the end of one run of data, of the body, or of the input. Call it again with the
  // rest of the input until that is empty or is_done().
  Step Next(std::string_view input);
  bool is_done() const { return state_ == State::kDone; }

 private:
  enum class State : uint8_t {
    kSizeBegin,
    kSize,
    kExtension,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailerBegin,
    kTrailer,
    kTrailerLf,
    kEndLf,
    kDone,
  };
  Refusal Take(char c);

  State state_ = State::kSizeBegin;
  bool must_be_semicolon_ = false;  // after a space that follows a size
  bool trailer_has_colon_ = false;
  uint64_t chunk_ = 0;  // bytes of the chunk that are still to come
  size_t num_digits_ = 0;
  size_t num_extra_ = 0;
  uint64_t num_body_ = 0;
  size_t max_body_, max_extra_;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_CHUNK_DECODER_H_
