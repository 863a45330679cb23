// libFuzzer: arbitrary bytes as requests for inference over gRPC. scripts/run_fuzzer.sh builds and
// runs it.
//
// The first byte says into which pieces the rest is cut. Beside what sanitizers find, promises of
// lib/serve/rpc are looked at: the cuts change nothing, and results are written as they were read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "lib/serve/rpc/messages.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt::serve::rpc {
namespace {

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

ReceivedMessage Cut(const uint8_t* data, size_t size, size_t piece_bytes) {
  ReceivedMessage message{.pieces = {}, .owner = nullptr, .size_bytes = size};
  for (size_t begin = 0; begin < size; begin += piece_bytes) {
    message.pieces.push_back(
        std::as_bytes(std::span(data, size)).subspan(begin, std::min(piece_bytes, size - begin)));
  }
  return message;
}

bool AreEqual(const InferMessage& a, const InferMessage& b) {
  if (a.model_name != b.model_name || a.model_version != b.model_version || a.id != b.id ||
      a.outputs != b.outputs || a.timeout != b.timeout || a.inputs.size() != b.inputs.size()) {
    return false;
  }
  for (size_t i = 0; i < a.inputs.size(); ++i) {
    const DenseHostTensor &x = a.inputs[i].tensor, &y = b.inputs[i].tensor;
    if (a.inputs[i].name != b.inputs[i].name || x.metadata() != y.metadata() ||
        (x.size_bytes() && std::memcmp(x.data(), y.data(), x.size_bytes()) != 0)) {
      return false;
    }
  }
  return true;
}

void Check(const uint8_t* data, size_t size, size_t piece_bytes) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  InferMessage whole, cut;
  const Status status =
      DecodeInferRequest(Cut(data, size, std::max<size_t>(size, 1)), allocator, &whole);
  const Status of_cut = DecodeInferRequest(Cut(data, size, piece_bytes), allocator, &cut);
  Require(status.code() == of_cut.code() && AreEqual(whole, cut), "cuts change nothing");
  (void)DecodeNames(Cut(data, size, piece_bytes));
  if (!status.ok()) return;
  size_t bytes = 0;
  for (const InferTensor& input : whole.inputs) bytes += input.tensor.size_bytes();
  StatusOr<SentMessage> sent =
      EncodeInferResponse({}, whole.id, {.outputs = std::move(whole.inputs)});
  Require(sent.ok(), "every tensor that was read can be sent");
  size_t sent_bytes = 0;
  for (const OwnedBytes& part : *sent) sent_bytes += part.bytes.size();
  Require(sent_bytes >= bytes, "results have all elements");
}

}  // namespace
}  // namespace tfrt::serve::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  tfrt::serve::rpc::Check(data + 1, size - 1, 1 + data[0] % 32);
  return 0;
}
