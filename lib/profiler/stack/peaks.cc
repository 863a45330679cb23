// Peaks as they follow from what a processor is.
#include <cmath>
#include <string>
#include <utility>

#include "tables.h"
#include "tfrt/profiler/machine.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

std::string_view VectorUnitsName(VectorUnits::Kind kind) {
  switch (kind) {
    case VectorUnits::Kind::kSse:
      return "SSE";
    case VectorUnits::Kind::kAvx2:
      return "AVX2";
    case VectorUnits::Kind::kAvx512:
      return "AVX-512";
    case VectorUnits::Kind::kNeon:
      return "NEON";
    case VectorUnits::Kind::kScalar:
      break;
  }
  return "no vectors";
}

OperationsPerCycle OperationsPerCycleOf(const VectorUnits& units) {
  double bits = 0;  // multiplied and added in a cycle, by all units
  switch (units.kind) {
    case VectorUnits::Kind::kScalar:
      return {.f32 = 2, .f64 = 2};
    // A unit that adds and one that multiplies are as much as one that does both.
    case VectorUnits::Kind::kSse:
      bits = 128;
      break;
    case VectorUnits::Kind::kNeon:
      bits = 2 * 128;
      break;
    case VectorUnits::Kind::kAvx2:
      bits = 2 * 256;
      break;
    case VectorUnits::Kind::kAvx512:
      bits = units.has_half_rate_512 ? 512 : 2 * 512;
      break;
  }
  return {.f32 = 2 * bits / 32,
          .f64 = 2 * bits / 64,
          .int8 = units.has_int8_dot_products ? 2 * bits / 8 : 0};
}

std::string QuotaText(const Processor& processor) {
  if (UsableCores(processor) == static_cast<double>(processor.num_cores)) return "";
  return StrCat(", of which a quota gives ", FixedText(processor.cpu_quota, 2));
}

Peaks ComputePeaks(const Processor& processor) {
  const OperationsPerCycle operations = OperationsPerCycleOf(processor.units);
  const double cycles = UsableCores(processor) * processor.clock_hz;
  Peaks peaks{.f32 = operations.f32 * cycles,
              .f64 = operations.f64 * cycles,
              .int8 = operations.int8 * cycles,
              .num_threads = static_cast<size_t>(std::ceil(UsableCores(processor))),
              .source = "computed"};
  peaks.notes.push_back(StrCat(processor.num_cores, " cores", QuotaText(processor), " of ",
                               FixedText(processor.clock_hz * 1e-9, 2, "GHz"), " (",
                               processor.clock_source, "), ", FixedText(operations.f32, 0),
                               " operations a cycle in f32 (",
                               VectorUnitsName(processor.units.kind), ")"));
  if (operations.int8 == 0) {
    peaks.notes.emplace_back(
        "no peak for int8: the processor has no instructions for its dot products");
  }
  return peaks;
}

std::vector<Chart::Roof> RoofsOf(const Peaks& measured, const Peaks& computed) {
  std::vector<Chart::Roof> roofs;
  for (const Peaks* peaks : {&measured, &computed}) {
    const double bandwidth = peaks->bandwidth > 0 ? peaks->bandwidth : measured.bandwidth;
    for (const auto& [name, peak] : {std::pair("f32", peaks->f32), std::pair("f64", peaks->f64),
                                     std::pair("int8", peaks->int8)}) {
      if (peak <= 0 || bandwidth <= 0) continue;
      roofs.push_back({.name = StrCat(name, ", ", peaks->source),
                       .peak = peak * 1e-9,
                       .bandwidth = bandwidth * 1e-9});
    }
  }
  return roofs;
}

}  // namespace tfrt::profiler
