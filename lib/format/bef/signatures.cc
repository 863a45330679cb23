#include "tfrt/bef/signatures.h"

#include <limits>
#include <string_view>

#include "byte_reader.h"
#include "signatures_verifier.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

// How a size is written: 0 unknown, 1 a name that follows, else the size and 2.
constexpr uint64_t kUnknownDim = 0;
constexpr uint64_t kSymbolDim = 1;
constexpr uint64_t kFirstKnownDim = 2;

void EmitValues(const std::vector<SignatureValue>& values, Buffer* out) {
  out->EmitVbr(values.size());
  for (const SignatureValue& value : values) {
    out->EmitText(value.name);
    out->EmitByte(static_cast<uint8_t>(value.dtype));
    out->EmitVbr(value.dims ? value.dims->size() + 1 : 0);
    if (!value.dims) continue;
    for (const SignatureDim& dim : *value.dims) {
      if (dim.size >= 0) {
        out->EmitVbr(static_cast<uint64_t>(dim.size) + kFirstKnownDim);
      } else if (dim.symbol.empty()) {
        out->EmitVbr(kUnknownDim);
      } else {
        out->EmitVbr(kSymbolDim);
        out->EmitText(dim.symbol);
      }
    }
  }
}

// The Walk functions read the section and hand what is in it to `sink`.
template <typename Sink>
bool WalkDim(ByteReader* in, Sink& sink) {
  uint64_t code;
  std::string_view symbol;
  if (!in->ReadVbr(&code)) return false;
  if (code == kSymbolDim && (!in->ReadText(&symbol) || symbol.empty())) return false;
  if (code > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return false;
  sink.AddDim(code < kFirstKnownDim ? -1 : static_cast<int64_t>(code - kFirstKnownDim), symbol);
  return true;
}

template <typename Sink>
bool WalkValues(ByteReader* in, bool are_results, Sink& sink) {
  uint32_t count;
  if (!in->ReadCount(&count, /*size=*/3)) return false;
  if (!sink.BeginValues(count, are_results)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view name;
    uint8_t code;
    uint32_t rank;  // and 1; 0 for unknown
    if (!in->ReadText(&name) || !in->ReadByte(&code) || !in->ReadVbr32(&rank)) return false;
    if (DTypeFromCode(code) == DType::kUnsupported || rank > in->remaining() + 1) return false;
    sink.AddValue(name, DTypeFromCode(code), rank > 0);
    for (uint32_t d = 1; d < rank; ++d) {
      if (!WalkDim(in, sink)) return false;
    }
  }
  return true;
}

template <typename Sink>
bool WalkSignatures(ByteReader* in, Sink& sink) {
  std::string_view producer;
  uint32_t count;
  if (!in->ReadText(&producer) || !in->ReadCount(&count, /*size=*/2)) return false;
  sink.SetProducer(producer);
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view key, value;
    if (!in->ReadText(&key) || !in->ReadText(&value)) return false;
    sink.AddMetadata(key, value);
  }
  if (!in->ReadCount(&count, /*size=*/3)) return false;
  int64_t last = -1;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t function;
    if (!in->ReadVbr32(&function) || function <= last) return false;
    last = function;
    sink.AddFunction(function);
    if (!WalkValues(in, false, sink) || !WalkValues(in, true, sink)) return false;
  }
  return in->empty();
}

class Decoder {
 public:
  explicit Decoder(Signatures* signatures) : signatures_(*signatures) {}

  void SetProducer(std::string_view producer) { signatures_.producer = producer; }
  void AddMetadata(std::string_view key, std::string_view value) {
    signatures_.metadata.emplace_back(key, value);
  }
  void AddFunction(uint32_t function) { signatures_.functions.push_back({.function = function}); }
  bool BeginValues(uint32_t, bool are_results) {
    FunctionSignature& function = signatures_.functions.back();
    values_ = are_results ? &function.results : &function.inputs;
    return true;
  }
  void AddValue(std::string_view name, DType dtype, bool is_ranked) {
    values_->push_back({std::string(name), dtype, std::nullopt});
    if (is_ranked) values_->back().dims.emplace();
  }
  void AddDim(int64_t size, std::string_view symbol) {
    values_->back().dims->push_back({size, std::string(symbol)});
  }

 private:
  Signatures& signatures_;
  std::vector<SignatureValue>* values_ = nullptr;
};

class Verifier {
 public:
  explicit Verifier(std::span<const FunctionInfo> functions) : functions_(functions) {}

  void SetProducer(std::string_view) {}
  void AddMetadata(std::string_view, std::string_view) {}
  void AddFunction(uint32_t function) { function_ = function; }
  bool BeginValues(uint32_t count, bool are_results) {
    auto wrong = [&](auto... reason) {
      error = StrCat("function ", function_, reason...);
      return false;
    };
    if (function_ >= functions_.size()) return wrong(" of ", functions_.size());
    const FunctionInfo& info = functions_[function_];
    if (!are_results) {
      const size_t available = info.argument_types.size();
      if (count <= available) return true;
      return wrong(" has ", available, " arguments, fewer than ", count, " inputs");
    }
    if (count == info.result_types.size()) return true;
    return wrong(" has ", info.result_types.size(), " results, not ", count);
  }
  void AddValue(std::string_view, DType, bool) {}
  void AddDim(int64_t, std::string_view) {}

  std::string error;  // beyond damaged bytes

 private:
  const std::span<const FunctionInfo> functions_;
  uint32_t function_ = 0;
};

Status Damaged(const ByteReader& in) {
  return InvalidArgumentError(
      StrCat("section Signatures in BEF file is damaged near its byte ", in.position()));
}

}  // namespace

std::string ToString(const SignatureValue& type) {
  std::string text = StrCat(DTypeName(type.dtype), " [");
  if (!type.dims) return text + "*]";
  for (size_t i = 0; i < type.dims->size(); ++i) {
    const SignatureDim& dim = (*type.dims)[i];
    if (i > 0) text += ",";
    if (dim.size >= 0) {
      text += StrCat(dim.size);
    } else {
      text += dim.symbol.empty() ? "?" : dim.symbol;
    }
  }
  return text + "]";
}

void EncodeSignatures(const Signatures& signatures, Buffer* payload) {
  payload->EmitText(signatures.producer);
  payload->EmitVbr(signatures.metadata.size());
  for (const auto& [key, value] : signatures.metadata) {
    payload->EmitText(key);
    payload->EmitText(value);
  }
  payload->EmitVbr(signatures.functions.size());
  for (const FunctionSignature& function : signatures.functions) {
    payload->EmitVbr(function.function);
    EmitValues(function.inputs, payload);
    EmitValues(function.results, payload);
  }
}

StatusOr<Signatures> DecodeSignatures(std::span<const uint8_t> payload) {
  ByteReader in(payload);
  Signatures signatures;
  Decoder decoder(&signatures);
  if (!WalkSignatures(&in, decoder)) return Damaged(in);
  return signatures;
}

Status VerifySignatures(std::span<const uint8_t> payload, std::span<const FunctionInfo> functions) {
  ByteReader in(payload);
  Verifier verifier(functions);
  if (WalkSignatures(&in, verifier)) return OkStatus();
  if (verifier.error.empty()) return Damaged(in);
  return InvalidArgumentError(StrCat("invalid Signatures section in BEF file: ", verifier.error));
}

}  // namespace tfrt::bef
