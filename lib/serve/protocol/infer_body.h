// The bodies of inference requests and their answers in the Open Inference Protocol. They are JSON,
// or JSON followed by the elements of tensors as bytes (the binary tensor extension).
#ifndef TFRT_LIB_SERVE_PROTOCOL_INFER_BODY_H_
#define TFRT_LIB_SERVE_PROTOCOL_INFER_BODY_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/infer_request.h"
#include "lib/serve/models/shared_regions.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
class HostAllocator;
}

namespace tfrt::serve {

// A request as its body says.
struct InferBody {
  InferRequest request;
  std::string id;  // empty: none
  std::optional<std::chrono::microseconds> timeout;
  // Whether each of request.outputs is returned as bytes. `binary_by_default` holds if these are
  // empty.
  std::vector<bool> is_binary;
  bool binary_by_default = false;
  RegionUse regions;

  // Whether result i is returned as bytes.
  bool IsBinary(size_t i) const { return i < is_binary.size() ? is_binary[i] : binary_by_default; }
};

// Decodes a body. The first `json_size` bytes are JSON (all, without a value), the rest are
// elements. Such elements are used in place, and `owner` kept, where they are aligned for their
// dtype; otherwise they are copied. Everything in the body is checked: it may be hostile. Tensors
// take at most eight times the bytes that the body has. JSON, of which 64 MB are possible, takes 15
// times its bytes while it is parsed. Fails with InvalidArgument and a reason that names the input.
// Unimplemented for types and features that the server does not have. Tensors in shared memory,
// which `regions` limit, have the errors of SharedRegions; null: there is none.
StatusOr<InferBody> DecodeInferBody(std::span<const std::byte> body,
                                    std::optional<size_t> json_size,
                                    std::shared_ptr<const void> owner, HostAllocator* allocator,
                                    const SharedRegions* regions = nullptr);

// An answer: its JSON, and the tensors whose elements follow as bytes, in order.
struct EncodedResult {
  std::string json;
  std::vector<DenseHostTensor> binary;
  std::shared_ptr<ResultBytes> bytes;  // of the result, and of the JSON; may be null
};

// Encodes the results of `body`'s request; those in shared memory have been written. Fails with
// FailedPrecondition for elements that JSON has no text for: NaN and infinities. Fails with
// OutOfRange for JSON of more than 64 MB.
StatusOr<EncodedResult> EncodeInferResult(const InferBody& body, std::string_view model,
                                          std::string_view version, const InferResult& result);

// Decodes the body of a request to register a region of shared memory with this name. Fails with
// InvalidArgument.
StatusOr<RegionInfo> DecodeRegionBody(std::span<const std::byte> body, std::string name);

// Decodes the body of a request for an index, {"ready": true} or nothing, of at most 64 KiB.
// Returns whether only models that are ready are asked for.
StatusOr<bool> DecodeIndexBody(std::span<const std::byte> body);

// Checks the body of a request to load a model, which may be empty. Fails with InvalidArgument if
// it has more than 64 KiB. Fails with Unimplemented if it brings options or files of the model.
Status CheckLoadBody(std::span<const std::byte> body);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_INFER_BODY_H_
