// Lists the registered kernels, for people and for scripts/make_kernel_reference.py.
#ifndef TFRT_LIB_COMPAT_BEF_RUN_KERNEL_LISTING_H_
#define TFRT_LIB_COMPAT_BEF_RUN_KERNEL_LISTING_H_

#include <string>

namespace tfrt {

class KernelRegistry;

// Returns one line per kernel, sorted by name:
//   my.kernel (i32, chain) {f32, i64[]} @1 -> (tensor, chain)
// These are operands, attributes in positional order, the number of functions and regions, and
// results. Empty parts are left out, except for the two pairs of parentheses. The word "any" stands
// for a value of any type, "..." means that any number may follow. A trailing chain that a kernel
// accepts without naming it is not shown. A kernel for sync functions has "sync" after its name;
// one without a signature has "?" instead of it.
std::string KernelListing(const KernelRegistry& registry);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_BEF_RUN_KERNEL_LISTING_H_
