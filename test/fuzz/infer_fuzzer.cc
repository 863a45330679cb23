// libFuzzer: arbitrary bytes as bodies of requests for inference over HTTP. scripts/run_fuzzer.sh
// builds and runs it.
//
// The first two bytes say how many of the others are JSON, little-endian; 0xFFFF: the request does
// not say. Beside what sanitizers find, promises of lib/serve/protocol are looked at: elements are
// the same in place and copied, and what was read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/serve/protocol/infer_body.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt::serve {
namespace {

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

HostAllocator* Allocator() {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  return allocator;
}

StatusOr<InferBody> Decode(std::string_view text, std::optional<size_t> json_size,
                           std::shared_ptr<const void> owner) {
  return DecodeInferBody(std::as_bytes(std::span(text)), json_size, std::move(owner), Allocator());
}

bool AreEqual(const std::vector<InferTensor>& a, const std::vector<InferTensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const DenseHostTensor &x = a[i].tensor, &y = b[i].tensor;
    if (a[i].name != b[i].name || x.metadata() != y.metadata() ||
        (x.size_bytes() > 0 && std::memcmp(x.data(), y.data(), x.size_bytes()) != 0)) {
      return false;
    }
  }
  return true;
}

// Writes the inputs as results and reads these as inputs.
void ReadAgain(const InferBody& body, bool is_binary) {
  InferBody asked{.request = {}, .id = body.id, .timeout = {}, .is_binary = {}};
  asked.binary_by_default = is_binary;
  InferResult result;
  for (const InferTensor& input : body.request.inputs) {
    result.outputs.push_back({input.name, input.tensor.ShareBuffer()});
  }
  StatusOr<EncodedResult> encoded = EncodeInferResult(asked, "m", "1", result);
  // Elements may be NaN or infinite if they came as bytes.
  Require(encoded.ok() || !is_binary, "every tensor that was read can be sent as bytes");
  if (!encoded.ok()) return;
  constexpr std::string_view kOutputs = "\"outputs\":[";
  std::string text = encoded->json;
  // Behind the id, which may have it, too.
  const size_t begin = body.id.empty() ? text.find(kOutputs) : text.find("\",\"outputs\":[") + 2;
  text.replace(begin, kOutputs.size(), "\"inputs\":[");
  const size_t json_size = text.size();
  for (const DenseHostTensor& tensor : encoded->binary) {
    text.append(static_cast<const char*>(tensor.data()), tensor.size_bytes());
  }
  StatusOr<InferBody> again = Decode(text, json_size, nullptr);
  Require(again.ok(), "what was written can be read");
  Require(AreEqual(again->request.inputs, body.request.inputs), "it is what was read first");
  Require(again->id == body.id, "the id is the request's");
}

void Check(const uint8_t* data, size_t size) {
  size_t given = data[0] + size_t{256} * data[1];
  const std::optional<size_t> json_size = given == 0xFFFF ? std::nullopt : std::optional(given);
  const auto text =
      std::make_shared<std::string>(reinterpret_cast<const char*>(data) + 2, size - 2);
  StatusOr<InferBody> in_place = Decode(*text, json_size, text);
  StatusOr<InferBody> copied = Decode(*text, json_size, nullptr);
  Require(in_place.status() == copied.status(), "errors do not depend on where elements lie");
  (void)DecodeIndexBody(std::as_bytes(std::span(*text)));
  (void)CheckLoadBody(std::as_bytes(std::span(*text)));
  if (!in_place.ok()) return;
  Require(AreEqual(in_place->request.inputs, copied->request.inputs), "copies are equal");
  Require(in_place->is_binary.size() == in_place->request.outputs.size(),
          "each result is asked for in one form");
  ReadAgain(*in_place, /*is_binary=*/true);
  ReadAgain(*in_place, /*is_binary=*/false);
}

}  // namespace
}  // namespace tfrt::serve

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= 2) tfrt::serve::Check(data, size);
  return 0;
}
