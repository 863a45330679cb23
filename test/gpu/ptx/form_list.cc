#include "test/gpu/ptx/form_list.h"

#include <fstream>

namespace tfrt::gpu::ptx {

std::vector<std::string> ReadForms(const std::string& name, bool compilers_only) {
  std::ifstream file(name);
  std::vector<std::string> forms;
  for (std::string line; std::getline(file, line);) {
    bool is_comment = line.empty() || line[0] == '#';
    if (!is_comment) forms.push_back(line);
    if (is_comment && compilers_only && !forms.empty()) break;
  }
  return forms;
}

std::optional<FormCase> FindCase(const std::string& text) {
  Form form(text);
  for (auto family : {&IntegerCase, &BitCase, &FloatCase, &HalfCase, &ConvertCase, &CompareCase,
                      &MemoryCase, &AtomicCase, &WarpCase, &ControlCase}) {
    if (std::optional<FormCase> found = family(form)) return found;
  }
  return std::nullopt;
}

std::string ModuleText(const FormCase& form_case) {
  std::string head = form_case.head.empty() ? std::string(kFormHead) : form_case.head;
  return head + ".address_size 64\n" + KernelText(form_case, "tiny");
}

}  // namespace tfrt::gpu::ptx
