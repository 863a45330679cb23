#include "tfrt/bef/extras.h"

#include <string_view>

#include "lib/bef/byte_reader.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

constexpr uint8_t kHasCost = 1;
constexpr uint8_t kMaxVisibility = 2;

void EmitText(std::string_view text, Buffer* out) {
  out->EmitVbr(text.size());
  out->EmitBytes(text);
}

void EmitAttributes(const std::vector<TextAttribute>& attributes, Buffer* out) {
  out->EmitVbr(attributes.size());
  for (const TextAttribute& attribute : attributes) {
    EmitText(attribute.name, out);
    EmitText(attribute.text, out);
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

bool ReadText(ByteReader* in, std::string* text) {
  uint32_t size;
  std::string_view view;
  if (!in->ReadCount(&size) || !in->ReadText(size, &view)) return false;
  *text = view;
  return true;
}

bool ReadAttributes(ByteReader* in, std::vector<TextAttribute>* attributes) {
  uint32_t count;
  if (!in->ReadCount(&count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    TextAttribute attribute;
    if (!ReadText(in, &attribute.name) || !ReadText(in, &attribute.text)) return false;
    attributes->push_back(std::move(attribute));
  }
  return true;
}

// The next number of a strictly ascending list; `last` is the one before, -1 at the start.
bool ReadAscending(ByteReader* in, int64_t* last, uint32_t* number) {
  if (!in->ReadVbr32(number) || *number <= *last) return false;
  *last = *number;
  return true;
}

bool ReadKernel(ByteReader* in, int64_t* last, KernelExtras* kernel) {
  uint8_t flags;
  uint32_t num_groups;
  if (!ReadAscending(in, last, &kernel->kernel)) return false;
  if (!in->ReadByte(&flags) || flags > kHasCost) return false;
  if (flags & kHasCost) {
    uint64_t cost;
    if (!in->ReadVbr(&cost)) return false;
    kernel->cost = UnZigZag(cost);
  }
  if (!in->ReadCount(&num_groups)) return false;
  for (uint32_t i = 0; i < num_groups; ++i) {
    SymbolGroup group;
    uint64_t packed;
    if (!ReadText(in, &group.name) || !in->ReadVbr(&packed)) return false;
    group.is_array = packed & 1;
    if (packed >> 33 || (!group.is_array && packed != 2)) return false;
    group.count = static_cast<uint32_t>(packed >> 1);
    kernel->symbols.push_back(std::move(group));
  }
  return ReadAttributes(in, &kernel->attributes);
}

bool ReadFunction(ByteReader* in, int64_t* last, FunctionExtras* function) {
  uint32_t num_kernels;
  if (!ReadAscending(in, last, &function->function)) return false;
  if (!in->ReadByte(&function->visibility) || function->visibility > kMaxVisibility) return false;
  if (!ReadAttributes(in, &function->attributes)) return false;
  if (!in->ReadCount(&num_kernels)) return false;
  int64_t last_kernel = -1;
  for (uint32_t i = 0; i < num_kernels; ++i) {
    KernelExtras kernel;
    if (!ReadKernel(in, &last_kernel, &kernel)) return false;
    function->kernels.push_back(std::move(kernel));
  }
  return true;
}

bool ReadExtras(ByteReader* in, Extras* extras) {
  uint32_t num_functions;
  if (!ReadAttributes(in, &extras->module_attributes)) return false;
  if (!in->ReadCount(&num_functions)) return false;
  int64_t last_function = -1;
  for (uint32_t i = 0; i < num_functions; ++i) {
    FunctionExtras function;
    if (!ReadFunction(in, &last_function, &function)) return false;
    extras->functions.push_back(std::move(function));
  }
  return in->empty();
}

bool ReadNonStrict(ByteReader* in, NonStrictMarks* marks) {
  uint32_t num_functions;
  if (!in->ReadCount(&num_functions)) return false;
  int64_t last_function = -1;
  for (uint32_t i = 0; i < num_functions; ++i) {
    NonStrictFunction function;
    uint32_t num_kernels;
    if (!ReadAscending(in, &last_function, &function.function)) return false;
    if (!in->ReadCount(&num_kernels) || num_kernels == 0) return false;
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
        EmitText(group.name, payload);
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
  if (!ReadExtras(&in, &extras)) return Damaged(SectionId::kExtras, in);
  return extras;
}

}  // namespace tfrt::bef
