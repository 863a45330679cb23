// TFRT_ISA_CLONES: compiles one function for several instruction sets of x86-64; the loader picks
// one.
//
// Put it on functions that are not templates. Their loops must call only functions that are inlined
// into them (always_inline, in an anonymous namespace). Functions that remain calls run as the
// baseline does, and the linker merges templates by name. Never compile a whole file for one
// instruction set. A template in it may be merged with its copies elsewhere, and an older CPU gets
// an illegal instruction.
//
// The clones compute the same bits. The library is compiled with -ffp-contract=off, so none of them
// fuses a multiplication with an addition. Sums have as many lanes in all of them.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ISA_CLONES_H_
#define TFRT_LIB_OPS_MATHS_CPU_ISA_CLONES_H_

#include <cstddef>  // defines __GLIBC__, where it is that

// Sanitizers cannot run the resolver, which the loader calls before they are set up.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TFRT_ISA_CLONES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TFRT_ISA_CLONES
#endif
#endif
#ifndef TFRT_ISA_CLONES
#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__)
#define TFRT_ISA_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TFRT_ISA_CLONES
#endif
#endif

// For loops whose outputs are either the very inputs, element by element, or apart from them.
#define TFRT_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TFRT_INDEPENDENT_ITERATIONS TFRT_PRAGMA(clang loop vectorize(assume_safety))
#else
#define TFRT_INDEPENDENT_ITERATIONS TFRT_PRAGMA(GCC ivdep)
#endif

#endif  // TFRT_LIB_OPS_MATHS_CPU_ISA_CLONES_H_
