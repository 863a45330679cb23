#include "window_attrs.h"

namespace tfrt {

NdWindowAttributes WindowAttributesOf(const OpAttrsRef& attrs) {
  auto numbers = [&](std::string_view name) {
    return attrs.GetArray<int64_t>(name).value_or(std::span<const int64_t>());
  };
  return {.channels_last = attrs.Get<bool>("channels_last").value_or(false),
          .padding = attrs.GetString("padding").value_or("explicit"),
          .dilations = numbers("dilations"),
          .pads = numbers("pads"),
          .strides = numbers("strides")};
}

}  // namespace tfrt
