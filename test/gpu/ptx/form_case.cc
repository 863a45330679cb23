#include "test/gpu/ptx/form_case.h"

#include <algorithm>

namespace tfrt::gpu::ptx {

Form::Form(std::string_view form) : text(form) {
  size_t begin = 0;
  bool first = true;
  while (begin <= form.size()) {
    size_t end = std::min(form.find('.', begin), form.size());
    std::string part(form.substr(begin, end - begin));
    begin = end + 1;
    if (first) {
      opcode = part;
    } else {
      if (BitsOfType(part) > 0) types.push_back(part);
      modifiers.push_back(part);
    }
    first = false;
  }
}

bool Form::Has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

int BitsOfType(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "tf32" || type.ends_with("16x2")) return 32;
  if (type == "bf16") return 16;
  bool known = type.size() >= 2 && std::string_view("busf").find(type[0]) != std::string_view::npos;
  std::string_view digits = known ? type.substr(1) : type;
  if (!known) return 0;
  if (digits == "8") return 8;
  if (digits == "16") return 16;
  if (digits == "32") return 32;
  return digits == "64" ? 64 : 0;
}

int64_t SignedOf(std::string_view type, uint64_t slot) {
  int unused = 64 - BitsOfType(type);
  if (IsSignedType(type)) return static_cast<int64_t>(slot << unused) >> unused;
  return static_cast<int64_t>(slot << unused >> unused);
}

uint64_t Masked(uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

std::string KernelText(const FormCase& form_case, std::string_view name) {
  auto bits = [](std::string_view type) { return std::to_string(std::max(16, BitsOfType(type))); };
  std::string text = form_case.globals + ".visible .entry " + std::string(name) +
                     "(.param .u64 out, .param .u64 in) {\n"
                     "  .reg .b32 %thread, %block, %size, %t0, %t1;\n"
                     "  .reg .b64 %out, %in, %t2;\n"
                     "  .reg .pred %pt;\n"
                     "  ld.param.u64 %out, [out];\n"
                     "  ld.param.u64 %in, [in];\n"
                     "  mov.u32 %thread, %tid.x;\n"
                     "  mov.u32 %block, %ctaid.x;\n"
                     "  mov.u32 %size, %ntid.x;\n"
                     "  mad.lo.s32 %thread, %block, %size, %thread;\n"
                     "  mul.wide.u32 %t2, %thread, 32;\n"
                     "  add.s64 %in, %in, %t2;\n"
                     "  mul.wide.u32 %t2, %thread, 16;\n"
                     "  add.s64 %out, %out, %t2;\n";
  for (size_t i = 0; i < form_case.sources.size(); ++i) {
    const std::string& type = form_case.sources[i];
    std::string name = "%a" + std::to_string(i), offset = std::to_string(8 * i);
    if (type == "pred") {
      text += "  .reg .pred " + name + ";\n  ld.global.b32 %t0, [%in+" + offset +
              "];\n  setp.ne.u32 " + name + ", %t0, 0;\n";
    } else {
      text += "  .reg .b" + bits(type) + " " + name + ";\n  ld.global.b" + bits(type) + " " + name +
              ", [%in+" + offset + "];\n";
    }
  }
  const std::string* results[] = {&form_case.result, &form_case.result2};
  for (int i = 0; i < 2; ++i) {
    const std::string& type = *results[i];
    if (type.empty()) continue;
    text += std::string("  .reg .") + (type == "pred" ? "pred" : "b" + bits(type)) +
            (i == 0 ? " %d;\n" : " %e;\n");
  }
  text += "  " + form_case.body + "\n";
  for (int i = 0; i < 2; ++i) {
    const std::string& type = *results[i];
    std::string name = i == 0 ? "%d" : "%e", offset = i == 0 ? "0" : "8";
    if (type.empty()) continue;
    if (type == "pred") {
      text += "  selp.b32 %t0, 1, 0, " + name + ";\n  st.global.b32 [%out+" + offset + "], %t0;\n";
    } else {
      text += "  st.global.b" + bits(type) + " [%out+" + offset + "], " + name + ";\n";
    }
  }
  return text + "  ret;\n}\n";
}

}  // namespace tfrt::gpu::ptx
