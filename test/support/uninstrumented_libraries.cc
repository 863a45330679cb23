// Libraries of others that these tests run are not built for the thread sanitizer, which so misses
// the order that their own atomics make: reports of what happens inside of them are no findings.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions() {
  return "race:libdnnl.so\nrace:libMLIR.so\nrace:libLLVM.so\nrace:libtfrt_compiler.so\n";
}
#endif
