// libtfrt_gpu_plan_shim.so: stands for the CUDA driver while cuDNN plans for an absent GPU.
//
// cuDNN loads the driver by its name and asks it a little before it plans. A few functions answer.
// All others refuse, as the toolkit's stub of the driver does. Nothing runs on it. It has the
// driver's name inside only (its soname): a search for the driver's file does not find it.
//
// The names are those that cuDNN 9.19 looks up by itself. The test of the oracle fails if one is
// missing.

namespace {
constexpr int kSuccess = 0;
constexpr int kStubLibrary = 34;  // CUDA_ERROR_STUB_LIBRARY
constexpr int kVersion = 13000;   // of the driver: 13.0

// Handles that nothing reads.
int some_library;
int some_kernel;
}  // namespace

// NOLINTBEGIN: names and signatures are the vendor's
extern "C" {

[[gnu::visibility("default")]] int cuInit(unsigned) { return kSuccess; }
[[gnu::visibility("default")]] int cuDriverGetVersion(int* version) {
  *version = kVersion;
  return kSuccess;
}
// Code that was compiled at run time is loaded for its size; it never runs.
[[gnu::visibility("default")]] int cuLibraryLoadData(void** library, const void*, ...) {
  *library = &some_library;
  return kSuccess;
}
[[gnu::visibility("default")]] int cuLibraryUnload(void*) { return kSuccess; }
[[gnu::visibility("default")]] int cuLibraryGetKernel(void** kernel, void*, const char*) {
  *kernel = &some_kernel;
  return kSuccess;
}

#define TFRT_REFUSE(name) \
  [[gnu::visibility("default")]] int name() { return kStubLibrary; }
TFRT_REFUSE(cuCtxGetCurrent)
TFRT_REFUSE(cuCtxGetLimit)
TFRT_REFUSE(cuCtxPopCurrent)
TFRT_REFUSE(cuCtxPushCurrent)
TFRT_REFUSE(cuDeviceGet)
TFRT_REFUSE(cuDeviceGetCount)
TFRT_REFUSE(cuGetErrorName)
TFRT_REFUSE(cuGetErrorString)
TFRT_REFUSE(cuGetExportTable)
TFRT_REFUSE(cuGetProcAddress)
TFRT_REFUSE(cuGetProcAddress_v2)
TFRT_REFUSE(cuKernelGetAttribute)
TFRT_REFUSE(cuKernelSetAttribute)
TFRT_REFUSE(cuLaunchCooperativeKernel)
TFRT_REFUSE(cuLaunchKernel)
TFRT_REFUSE(cuLaunchKernelEx)
TFRT_REFUSE(cuLibraryLoadFromFile)
TFRT_REFUSE(cuLinkAddData)
TFRT_REFUSE(cuLinkComplete)
TFRT_REFUSE(cuLinkCreate)
TFRT_REFUSE(cuLinkDestroy)
TFRT_REFUSE(cuOccupancyMaxPotentialClusterSize)
TFRT_REFUSE(cuStreamGetCtx)
#undef TFRT_REFUSE

}  // extern "C"
// NOLINTEND
