#include "tfrt/bef/extras.h"

#include <limits>
#include <string_view>

#include "byte_reader.h"
#include "extras_verifier.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

constexpr uint8_t kHasCost = 1;
constexpr uint8_t kMaxVisibility = 2;

void EmitAttributes(const std::vector<TextAttribute>& attributes, Buffer* out) {
  out->EmitVbr(attributes.size());
  for (const TextAttribute& attribute : attributes) {
    out->EmitText(attribute.name);
    out->EmitText(attribute.text);
  }
}

// Signed numbers so that small ones of either sign are short.
uint64_t ZigZag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
int64_t UnZigZag(uint64_t value) { return static_cast<int64_t>(value >> 1 ^ (0 - (value & 1))); }

Status Damaged(SectionId section, const ByteReader& in) {
  return InvalidArgumentError(StrCat("section ", SectionName(section), " in BEF file is damaged ",
                                     "near its byte ", in.position()));
}

// The next number of a strictly ascending list; `last` is the one before, -1 at the start.
bool ReadAscending(ByteReader* in, int64_t* last, uint32_t* number) {
  if (!in->ReadVbr32(number) || *number <= *last) return false;
  *last = *number;
  return true;
}

// The Walk functions read the Extras section and hand what is in it to `sink`.
template <typename Sink>
bool WalkAttributes(ByteReader* in, Sink& sink) {
  uint32_t count;
  if (!in->ReadCount(&count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view name, text;
    if (!in->ReadText(&name) || !in->ReadText(&text)) return false;
    sink.AddAttribute(name, text);
  }
  return true;
}

template <typename Sink>
bool WalkKernel(ByteReader* in, int64_t* last, Sink& sink) {
  uint8_t flags;
  uint32_t kernel, num_groups;
  if (!ReadAscending(in, last, &kernel)) return false;
  if (!in->ReadByte(&flags) || flags > kHasCost) return false;
  std::optional<int64_t> cost;
  if (flags & kHasCost) {
    uint64_t bits;
    if (!in->ReadVbr(&bits)) return false;
    cost = UnZigZag(bits);
  }
  sink.AddKernel(kernel, cost);
  if (!in->ReadCount(&num_groups)) return false;
  for (uint32_t i = 0; i < num_groups; ++i) {
    std::string_view name;
    uint64_t packed;
    if (!in->ReadText(&name) || !in->ReadVbr(&packed)) return false;
    const bool is_array = packed & 1;
    if (packed >> 33 || (!is_array && packed != 2)) return false;
    sink.AddGroup(name, is_array, static_cast<uint32_t>(packed >> 1));
  }
  return WalkAttributes(in, sink);
}

template <typename Sink>
bool WalkFunction(ByteReader* in, int64_t* last, Sink& sink) {
  uint32_t function, num_kernels;
  uint8_t visibility;
  if (!ReadAscending(in, last, &function)) return false;
  if (!in->ReadByte(&visibility) || visibility > kMaxVisibility) return false;
  sink.AddFunction(function, visibility);
  if (!WalkAttributes(in, sink)) return false;
  if (!in->ReadCount(&num_kernels)) return false;
  int64_t last_kernel = -1;
  for (uint32_t i = 0; i < num_kernels; ++i) {
    if (!WalkKernel(in, &last_kernel, sink)) return false;
  }
  return true;
}

template <typename Sink>
bool WalkExtras(ByteReader* in, Sink& sink) {
  uint32_t num_functions;
  if (!WalkAttributes(in, sink)) return false;
  if (!in->ReadCount(&num_functions)) return false;
  int64_t last_function = -1;
  for (uint32_t i = 0; i < num_functions; ++i) {
    if (!WalkFunction(in, &last_function, sink)) return false;
  }
  return in->empty();
}

// Attributes belong to what was added last, at first to the module.
class ExtrasDecoder {
 public:
  explicit ExtrasDecoder(Extras* extras)
      : extras_(*extras), attributes_(&extras->module_attributes) {}

  void AddAttribute(std::string_view name, std::string_view text) {
    attributes_->push_back({std::string(name), std::string(text)});
  }
  void AddFunction(uint32_t function, uint8_t visibility) {
    extras_.functions.push_back({.function = function, .visibility = visibility});
    attributes_ = &extras_.functions.back().attributes;
  }
  void AddKernel(uint32_t kernel, std::optional<int64_t> cost) {
    extras_.functions.back().kernels.push_back({.kernel = kernel, .cost = cost});
    attributes_ = &extras_.functions.back().kernels.back().attributes;
  }
  void AddGroup(std::string_view name, bool is_array, uint32_t count) {
    extras_.functions.back().kernels.back().symbols.push_back({std::string(name), is_array, count});
  }

 private:
  Extras& extras_;
  std::vector<TextAttribute>* attributes_;
};

class ExtrasVerifier {
 public:
  explicit ExtrasVerifier(std::vector<ExtrasEntry>* entries) : entries_(*entries) {}

  void AddAttribute(std::string_view, std::string_view) {}
  void AddFunction(uint32_t function, uint8_t) {
    entries_.push_back({function, 0, ExtrasEntry::kFunctionItself});
  }
  void AddKernel(uint32_t kernel, std::optional<int64_t>) {
    entries_.push_back({entries_.back().function, 0, kernel});
  }
  void AddGroup(std::string_view, bool, uint32_t count) {
    uint32_t& sum = entries_.back().num_symbols;
    if (__builtin_add_overflow(sum, count, &sum)) sum = std::numeric_limits<uint32_t>::max();
  }

 private:
  std::vector<ExtrasEntry>& entries_;
};

bool ReadNonStrict(ByteReader* in, NonStrictMarks* marks) {
  uint32_t num_functions;
  if (!in->ReadCount(&num_functions, /*size=*/3)) return false;
  marks->reserve(num_functions);
  int64_t last_function = -1;
  for (uint32_t i = 0; i < num_functions; ++i) {
    NonStrictFunction function;
    uint32_t num_kernels;
    if (!ReadAscending(in, &last_function, &function.function)) return false;
    if (!in->ReadCount(&num_kernels) || num_kernels == 0) return false;
    function.kernels.reserve(num_kernels);
    int64_t last_kernel = -1;
    for (uint32_t k = 0; k < num_kernels; ++k) {
      uint32_t kernel;
      if (!ReadAscending(in, &last_kernel, &kernel)) return false;
      function.kernels.push_back(kernel);
    }
    marks->push_back(std::move(function));
  }
  return in->empty();
}

}  // namespace

void EncodeNonStrict(const NonStrictMarks& marks, Buffer* payload) {
  payload->EmitVbr(marks.size());
  for (const NonStrictFunction& function : marks) {
    payload->EmitVbr(function.function);
    payload->EmitVbr(function.kernels.size());
    for (uint32_t kernel : function.kernels) payload->EmitVbr(kernel);
  }
}

void EncodeExtras(const Extras& extras, Buffer* payload) {
  EmitAttributes(extras.module_attributes, payload);
  payload->EmitVbr(extras.functions.size());
  for (const FunctionExtras& function : extras.functions) {
    payload->EmitVbr(function.function);
    payload->EmitByte(function.visibility);
    EmitAttributes(function.attributes, payload);
    payload->EmitVbr(function.kernels.size());
    for (const KernelExtras& kernel : function.kernels) {
      payload->EmitVbr(kernel.kernel);
      payload->EmitByte(kernel.cost ? kHasCost : 0);
      if (kernel.cost) payload->EmitVbr(ZigZag(*kernel.cost));
      payload->EmitVbr(kernel.symbols.size());
      for (const SymbolGroup& group : kernel.symbols) {
        payload->EmitText(group.name);
        payload->EmitVbr(2 * static_cast<uint64_t>(group.count) + group.is_array);
      }
      EmitAttributes(kernel.attributes, payload);
    }
  }
}

StatusOr<NonStrictMarks> DecodeNonStrict(std::span<const uint8_t> payload) {
  ByteReader in(payload);
  NonStrictMarks marks;
  if (!ReadNonStrict(&in, &marks)) return Damaged(SectionId::kNonStrict, in);
  return marks;
}

StatusOr<Extras> DecodeExtras(std::span<const uint8_t> payload) {
  ByteReader in(payload);
  Extras extras;
  ExtrasDecoder decoder(&extras);
  if (!WalkExtras(&in, decoder)) return Damaged(SectionId::kExtras, in);
  return extras;
}

StatusOr<std::vector<ExtrasEntry>> VerifyExtras(std::span<const uint8_t> payload) {
  ByteReader in(payload);
  std::vector<ExtrasEntry> entries;
  ExtrasVerifier verifier(&entries);
  if (!WalkExtras(&in, verifier)) return Damaged(SectionId::kExtras, in);
  return entries;
}

}  // namespace tfrt::bef
