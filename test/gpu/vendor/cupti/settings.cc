#include "settings.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cupti_double {
namespace {

bool ReadNumber(std::string_view text, uint32_t* value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string ParseSettings(std::string_view text, Settings* settings) {
  while (!text.empty()) {
    const std::string_view setting = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), setting.size() + 1));
    const std::string_view key = setting.substr(0, setting.find('='));
    const std::string_view value = setting.substr(std::min(setting.size(), key.size() + 1));
    uint32_t number = 0, code = 0;
    const size_t colon = value.find(':');
    if (key == "other") {
      settings->other = value;
    } else if (key == "enable" && colon != value.npos &&
               ReadNumber(value.substr(0, colon), &number) &&
               ReadNumber(value.substr(colon + 1), &code)) {
      settings->enable_codes[number] = code;
    } else if (key == "version" && ReadNumber(value, &number)) {
      settings->version = number;
    } else if (key == "subscribe" && ReadNumber(value, &number)) {
      settings->subscribe_code = number;
    } else if (key == "late" && ReadNumber(value, &number)) {
      settings->is_late = number != 0;
    } else {
      return StrCat("unknown setting '", setting, "'");
    }
  }
  return {};
}

}  // namespace tfrt::gpu::cupti_double
