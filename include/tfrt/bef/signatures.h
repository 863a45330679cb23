// Section 66: the inputs and results of a model's functions, by their public names, and the
// metadata of the model's producer.
#ifndef TFRT_BEF_SIGNATURES_H_
#define TFRT_BEF_SIGNATURES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/bef/bef_buffer.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// A size that is known, or has a name (the same for all sizes that must be equal), or neither.
struct SignatureDim {
  int64_t size = -1;   // -1: unknown
  std::string symbol;  // empty: no name
  bool operator==(const SignatureDim&) const = default;
};

struct SignatureValue {
  std::string name;
  DType dtype = DType::kUnsupported;
  std::optional<std::vector<SignatureDim>> dims;  // nullopt: of unknown rank
  bool operator==(const SignatureValue&) const = default;
};

// Returns "f32 [batch,3]"; "?" for an unknown size without a name, "[*]" for an unknown rank.
std::string ToString(const SignatureValue& type);

// The signature of one function. The function may have more arguments than inputs: the additional
// ones (weights) are not passed by its caller.
struct FunctionSignature {
  uint32_t function = 0;
  std::vector<SignatureValue> inputs;   // the first arguments
  std::vector<SignatureValue> results;  // all results
  bool operator==(const FunctionSignature&) const = default;
};

struct Signatures {
  std::string producer;                                       // "pytorch 2.1"; may be empty
  std::vector<std::pair<std::string, std::string>> metadata;  // ordered by key
  std::vector<FunctionSignature> functions;                   // ascending by function
  bool operator==(const Signatures&) const = default;
  bool empty() const { return producer.empty() && metadata.empty() && functions.empty(); }
};

void EncodeSignatures(const Signatures& signatures, Buffer* payload);

// Checks everything that can be checked without the rest of the file. BefView::Open checks the
// functions and the numbers of their arguments and results as well.
StatusOr<Signatures> DecodeSignatures(std::span<const uint8_t> payload);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_SIGNATURES_H_
