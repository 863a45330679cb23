#ifndef TFRT_TEST_GPU_PTX_FORM_LIST_H_
#define TFRT_TEST_GPU_PTX_FORM_LIST_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "test/gpu/ptx/form_case.h"

namespace tfrt::gpu::ptx {

inline constexpr std::string_view kFormHead = ".version 8.6\n.target sm_90\n";

// The forms of a list; `compilers_only` leaves out the second part, which no compiler has made.
std::vector<std::string> ReadForms(const std::string& file, bool compilers_only = false);
std::optional<FormCase> FindCase(const std::string& form);
// A module with the one kernel "tiny".
std::string ModuleText(const FormCase& form_case);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_FORM_LIST_H_
