#include <cstdio>
#include <string>

#include "kernel_groups.h"
#include "lib/base/support/read_file.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Chain PrintLine(const char* text) {
  std::printf("%s\n", text);
  std::fflush(stdout);
  return {};
}

Chain PrintHello() { return PrintLine("hello host executor!"); }
Chain PrintString(const std::string& text) { return PrintLine(StrCat("string = ", text).c_str()); }
Chain PrintBool(Argument<Chain>, bool value) { return PrintLine(value ? "true" : "false"); }

std::string GetString(StringAttribute value) { return std::string(*value); }

std::string AppendString(const std::string& a, const std::string& b) { return a + b; }

bool StringEqual(const std::string& a, const std::string& b) { return a == b; }

// True if `format` may be given to printf with one int: exactly one integer conversion, without
// length modifier, of a bounded width. A format comes from the program and must not be trusted.
bool IsIntegerFormat(std::string_view format) {
  int num_conversions = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '\0') return false;
    if (format[i] != '%') continue;
    if (++i < format.size() && format[i] == '%') continue;
    while (i < format.size() && std::string_view("-+ #0").find(format[i]) != format.npos) ++i;
    size_t digits_begin = i;
    while (i < format.size() && std::string_view("0123456789.").find(format[i]) != format.npos) ++i;
    if (i - digits_begin > 6 || i == format.size()) return false;
    if (std::string_view("diouxXc").find(format[i]) == format.npos) return false;
    ++num_conversions;
  }
  return num_conversions == 1;
}

StatusOr<std::string> FormatString(const std::string& format, int32_t value) {
  if (!IsIntegerFormat(format)) {
    return InvalidArgumentError(
        StrCat("format '", format, "' needs exactly one integer conversion"));
  }
  int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) return InternalError(StrCat("format '", format, "' cannot be printed"));
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

StatusOr<std::string> ReadStringFromFile(const std::string& path) {
  StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return InternalError(StrCat("failed to read from file ", path));
  return text;
}

}  // namespace

void RegisterStringTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.print_hello", TFRT_KERNEL(PrintHello));
  registry->AddKernel("tfrt_test.print_string", TFRT_KERNEL(PrintString));
  registry->AddKernel("tfrt_test.print_bool", TFRT_KERNEL(PrintBool));
  registry->AddKernel("tfrt_test.get_string", TFRT_KERNEL(GetString), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.append_string", TFRT_KERNEL(AppendString),
                      KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.string_equal", TFRT_KERNEL(StringEqual), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_test.format_string", TFRT_KERNEL(FormatString));
  registry->AddKernel("tfrt_test.read_string_from_file", TFRT_KERNEL(ReadStringFromFile));
  registry->AddSyncKernel("tfrt_test.get_string_sync", TFRT_SYNC_KERNEL(GetString));
}

}  // namespace tfrt
