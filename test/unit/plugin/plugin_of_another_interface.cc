// A library that was compiled against the headers of another version, or of one that named none.
#include <cstdint>

extern "C" {
#ifdef PLUGIN_INTERFACE
__attribute__((visibility("default"))) extern const uint32_t tfrt_kernel_interface;
const uint32_t tfrt_kernel_interface = PLUGIN_INTERFACE;
#endif

// Never called: what it would do to the registry is not known.
__attribute__((visibility("default"))) void RegisterKernels(void*) { __builtin_trap(); }
}
