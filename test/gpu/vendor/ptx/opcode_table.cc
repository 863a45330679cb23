#include <algorithm>

#include "encoder.h"

namespace tfrt::gpu::ptx {
namespace {

constexpr std::span<const OpcodeEntry> (*kFamilies[])() = {
    &IntegerOpcodes, &BitOpcodes,     &CarryOpcodes,   &FloatOpcodes,  &ApproximateOpcodes,
    &CompareOpcodes, &ConvertOpcodes, &MoveOpcodes,    &MemoryOpcodes, &AtomicOpcodes,
    &WarpOpcodes,    &BarrierOpcodes, &ControlOpcodes,
};

// Instructions of PTX that no family has.
constexpr std::string_view kOtherOpcodes[] = {
    "alloca",       "applypriority", "clusterlaunchcontrol",
    "cp",           "createpolicy",  "discard",
    "getctarank",   "istypep",       "ldmatrix",
    "mapa",         "mbarrier",      "mma",
    "movmatrix",    "multimem",      "setmaxnreg",
    "stackrestore", "stacksave",     "st_async",
    "stmatrix",     "suld",          "suq",
    "sured",        "sust",          "tcgen05",
    "tensormap",    "tex",           "tld4",
    "txq",          "vabsdiff",      "vabsdiff2",
    "vabsdiff4",    "vadd",          "vadd2",
    "vadd4",        "vavrg2",        "vavrg4",
    "vmad",         "vmax",          "vmax2",
    "vmax4",        "vmin",          "vmin2",
    "vmin4",        "vset",          "vset2",
    "vset4",        "vshl",          "vshr",
    "vsub",         "vsub2",         "vsub4",
    "wgmma",        "wmma",
};

}  // namespace

const OpcodeEntry* FindOpcode(std::string_view name) {
  for (auto family : kFamilies) {
    for (const OpcodeEntry& entry : family()) {
      if (entry.name == name) return &entry;
    }
  }
  return nullptr;
}

bool IsOtherOpcode(std::string_view name) {
  return std::find(std::begin(kOtherOpcodes), std::end(kOtherOpcodes), name) !=
         std::end(kOtherOpcodes);
}

}  // namespace tfrt::gpu::ptx
