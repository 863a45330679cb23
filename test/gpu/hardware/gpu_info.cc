// Says which driver and which device the runtime would use, as one line of JSON.
//
// usage: gpu_info [ORDINAL]
// Ends with 1, and the reason on standard error, if there is none.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gpu/wrapper/cuda_driver.h"
#include "tfrt/support/str_cat.h"

namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::gpu::cuda::CUdevice;
using tfrt::gpu::cuda::Driver;

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

StatusOr<std::string> Describe(int ordinal) {
  using namespace tfrt::gpu::cuda;  // NOLINT: the names of attributes
  TFRT_ASSIGN_OR_RETURN(const Driver* driver, Driver::Get());
  TFRT_ASSIGN_OR_RETURN(CUdevice device, driver->FindDevice(ordinal));
  TFRT_ASSIGN_OR_RETURN(std::string name, driver->DeviceName(device));
  TFRT_ASSIGN_OR_RETURN(size_t memory, driver->DeviceMemoryBytes(device));
  TFRT_ASSIGN_OR_RETURN(
      int major, driver->DeviceAttribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  TFRT_ASSIGN_OR_RETURN(
      int minor, driver->DeviceAttribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  return StrCat("{\"device\": ", Quoted(name), ", \"compute_capability\": \"", major, ".", minor,
                "\", \"memory_bytes\": ", memory, ", \"cuda\": \"", VersionText(driver->version()),
                "\", \"driver\": ", Quoted(driver->path()), "}");
}

}  // namespace

int main(int argc, char** argv) {
  int ordinal = argc > 1 ? std::atoi(argv[1]) : 0;
  StatusOr<std::string> description = Describe(ordinal);
  if (!description.ok()) {
    std::fprintf(stderr, "gpu_info: %s\n", description.status().ToString().c_str());
    return 1;
  }
  std::printf("%s\n", description->c_str());
  return 0;
}
