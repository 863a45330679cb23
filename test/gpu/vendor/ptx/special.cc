#include "special.h"

namespace tfrt::gpu::ptx {
namespace {

struct NamedSpecial {
  std::string_view name;
  SpecialRegister value;
};

constexpr NamedSpecial kSpecials[] = {
    {"%tid.x", {Special::kTidX, Type::kU32}},
    {"%tid.y", {Special::kTidY, Type::kU32}},
    {"%tid.z", {Special::kTidZ, Type::kU32}},
    {"%ntid.x", {Special::kNtidX, Type::kU32}},
    {"%ntid.y", {Special::kNtidY, Type::kU32}},
    {"%ntid.z", {Special::kNtidZ, Type::kU32}},
    {"%ctaid.x", {Special::kCtaidX, Type::kU32}},
    {"%ctaid.y", {Special::kCtaidY, Type::kU32}},
    {"%ctaid.z", {Special::kCtaidZ, Type::kU32}},
    {"%nctaid.x", {Special::kNctaidX, Type::kU32}},
    {"%nctaid.y", {Special::kNctaidY, Type::kU32}},
    {"%nctaid.z", {Special::kNctaidZ, Type::kU32}},
    {"%laneid", {Special::kLaneid, Type::kU32}},
    {"%warpid", {Special::kWarpid, Type::kU32}},
    {"%nwarpid", {Special::kNwarpid, Type::kU32}},
    {"WARP_SZ", {Special::kWarpSize, Type::kU32}},
    {"%smid", {Special::kSmid, Type::kU32}},
    {"%nsmid", {Special::kNsmid, Type::kU32}},
    {"%gridid", {Special::kGridid, Type::kU64}},
    {"%lanemask_eq", {Special::kLanemaskEq, Type::kU32}},
    {"%lanemask_le", {Special::kLanemaskLe, Type::kU32}},
    {"%lanemask_lt", {Special::kLanemaskLt, Type::kU32}},
    {"%lanemask_ge", {Special::kLanemaskGe, Type::kU32}},
    {"%lanemask_gt", {Special::kLanemaskGt, Type::kU32}},
    {"%clock", {Special::kClock, Type::kU32}},
    {"%clock_hi", {Special::kClockHigh, Type::kU32}},
    {"%clock64", {Special::kClock64, Type::kU64}},
    {"%globaltimer", {Special::kGlobaltimer, Type::kU64}},
    {"%globaltimer_lo", {Special::kGlobaltimerLow, Type::kU32}},
    {"%globaltimer_hi", {Special::kGlobaltimerHigh, Type::kU32}},
    {"%dynamic_smem_size", {Special::kDynamicSharedSize, Type::kU32}},
    {"%total_smem_size", {Special::kTotalSharedSize, Type::kU32}},
    // Every block is a cluster of its own.
    {"%cluster_ctarank", {Special::kZero, Type::kU32}},
    {"%cluster_nctarank", {Special::kOne, Type::kU32}},
    {"%cluster_ctaid.x", {Special::kZero, Type::kU32}},
    {"%cluster_ctaid.y", {Special::kZero, Type::kU32}},
    {"%cluster_ctaid.z", {Special::kZero, Type::kU32}},
    {"%cluster_nctaid.x", {Special::kOne, Type::kU32}},
    {"%cluster_nctaid.y", {Special::kOne, Type::kU32}},
    {"%cluster_nctaid.z", {Special::kOne, Type::kU32}},
};

}  // namespace

std::optional<SpecialRegister> FindSpecial(std::string_view name) {
  for (const NamedSpecial& entry : kSpecials) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

}  // namespace tfrt::gpu::ptx
