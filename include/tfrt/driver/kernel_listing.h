// Which kernels there are, for people and for scripts/make_kernel_reference.py.
#ifndef TFRT_DRIVER_KERNEL_LISTING_H_
#define TFRT_DRIVER_KERNEL_LISTING_H_

#include <string>

namespace tfrt {

class KernelRegistry;

// One line per kernel, sorted by name:
//   my.kernel (i32, chain) {f32, i64[]} @1 -> (tensor, chain)
// Operands, attributes in positional order, the number of functions and regions, results; what a
// kernel has none of is left out, but for the two pairs of parentheses. "any" is a value of any
// type, "..." that any number may follow. A trailing chain that a kernel accepts without naming it
// is not shown. A kernel for sync functions has "sync" behind its name; one without a signature has
// "?" instead of it.
std::string KernelListing(const KernelRegistry& registry);

}  // namespace tfrt

#endif  // TFRT_DRIVER_KERNEL_LISTING_H_
