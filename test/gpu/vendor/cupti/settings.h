// Settings of the double of CUPTI: see control.h.
#ifndef TFRT_TEST_GPU_VENDOR_CUPTI_SETTINGS_H_
#define TFRT_TEST_GPU_VENDOR_CUPTI_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tfrt::gpu::cupti_double {

struct Settings {
  uint32_t version = 130001;
  uint32_t subscribe_code = 0;
  std::string other;
  std::map<uint32_t, uint32_t> enable_codes;  // by kind
  bool is_late = false;
};

// Empty, or what is wrong.
std::string ParseSettings(std::string_view text, Settings* settings);

}  // namespace tfrt::gpu::cupti_double

#endif  // TFRT_TEST_GPU_VENDOR_CUPTI_SETTINGS_H_
