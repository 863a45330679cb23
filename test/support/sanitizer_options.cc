// Options of the sanitizers for all unit tests.
#if defined(__SANITIZE_THREAD__)
// Libraries of others that tests run are not built for the thread sanitizer, which so misses the
// order that their own atomics make: reports of what happens inside of them are no findings.
extern "C" const char* __tsan_default_suppressions() {
  return "race:libdnnl.so\nrace:libMLIR.so\nrace:libLLVM.so\nrace:libtfrt_compiler.so\n";
}
#elif defined(__SANITIZE_ADDRESS__)
// Tests ask for more memory than there is, and expect an error that says so.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif
