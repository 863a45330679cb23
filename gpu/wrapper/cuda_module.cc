// Modules, loaded with what the driver's compiler has to say.
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "tfrt/gpu/wrapper/cuda_handles.h"
#include "tfrt/gpu/wrapper/cuda_status.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda {
namespace {

// Enough for the first errors; the rest follows from them.
constexpr size_t kLogBytes = 8192;

// An option's value that takes the place of a pointer.
void* OptionValue(uintptr_t value) { return reinterpret_cast<void*>(value); }

// The text in a buffer that the driver has filled, as far as it has.
std::string_view LogText(std::string_view buffer) {
  std::string_view text = buffer.substr(0, buffer.find('\0'));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

StatusOr<Module> LoadModule(const Context& context, std::string_view image, std::string_view name) {
  if (image.empty() || image.back() != '\0') {
    return InvalidArgumentError(
        StrCat(name, " does not end in a zero byte (", image.size(), " bytes)"));
  }
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  std::array<char, kLogBytes> log{};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), OptionValue(log.size())};
  CUmodule module = nullptr;
  CUresult result =
      driver.cuModuleLoadDataEx(&module, image.data(), std::size(options), options, values);
  if (result == CUDA_SUCCESS) return Module(context, module);
  Status error = StatusOf(driver, result, StrCat("cuModuleLoadDataEx of ", name));
  std::string_view text = LogText({log.data(), log.size()});
  if (text.empty()) return error;
  return Status(error.code(), StrCat(error.message(), ": ", text));
}

}  // namespace tfrt::gpu::cuda
