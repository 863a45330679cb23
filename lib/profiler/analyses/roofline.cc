#include "roofline.h"

namespace tfrt::profiler {

std::string_view BoundName(Bound bound) {
  switch (bound) {
    case Bound::kMemory:
      return "memory";
    case Bound::kCompute:
      return "compute";
    case Bound::kUnknown:
      break;
  }
  return "unknown";
}

double RidgeOf(const Chart::Roof& roof) {
  return roof.peak > 0 && roof.bandwidth > 0 ? roof.peak / roof.bandwidth : 0;
}

double ArithmeticIntensity(double flops, double bytes_read, double bytes_written) {
  const double bytes = bytes_read + bytes_written;
  return bytes > 0 ? flops / bytes : 0;
}

double ArithmeticThroughput(double flops, double nanoseconds) {
  return nanoseconds > 0 ? flops / nanoseconds : 0;  // one in a nanosecond is 10^9 in a second
}

Bound BoundOf(double intensity, const Chart::Roof& roof) {
  const double ridge = RidgeOf(roof);
  if (ridge == 0 || intensity <= 0) return Bound::kUnknown;
  return intensity < ridge ? Bound::kMemory : Bound::kCompute;
}

}  // namespace tfrt::profiler
