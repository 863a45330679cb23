// Statements about start, error codes and devices.
#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

TFRT_CTS(1, FlagsOfInitMustBeZero, cuInit,
         "The flags parameter must be 0; anything else is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuInit(1));
}
TFRT_CTS(2, InitMayBeRepeated, cuInit,
         "Initialises the driver; another call finds it initialised and succeeds") {
  OK(d().cuInit(0));
  OK(d().cuInit(0));
}
TFRT_CTS(3, VersionHasMajorTimesThousand, cuDriverGetVersion,
         "The version is 1000 * major + 10 * minor of the supported CUDA") {
  int version = 0;
  OK(d().cuDriverGetVersion(&version));
  EXPECT_GE(version, kMinDriverVersion);
  EXPECT_EQ(0, version % 10);
}
TFRT_CTS(4, VersionNeedsAPlace, cuDriverGetVersion,
         "A null pointer for the version is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuDriverGetVersion(nullptr));
}
TFRT_CTS(5, ErrorNameIsTheEnumerators, cuGetErrorName, "Gives the name of the code as a string") {
  const char* name = nullptr;
  OK(d().cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name));
  EXPECT_STREQ("CUDA_ERROR_INVALID_VALUE", name);
  OK(d().cuGetErrorName(CUDA_SUCCESS, &name));
  EXPECT_STREQ("CUDA_SUCCESS", name);
}
TFRT_CTS(6, UnknownErrorHasNoName, cuGetErrorName,
         "A code that is not recognised gives an invalid value and a null string") {
  const char* name = "untouched";
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGetErrorName(static_cast<CUresult>(99999), &name));
  EXPECT_EQ(nullptr, name);
}
TFRT_CTS(7, ErrorStringDescribes, cuGetErrorString, "Gives a description of the code as a string") {
  const char* text = nullptr;
  OK(d().cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  ASSERT_NE(nullptr, text);
  EXPECT_GT(std::strlen(text), 3u);
}
TFRT_CTS(8, UnknownErrorHasNoString, cuGetErrorString,
         "A code that is not recognised gives an invalid value and a null string") {
  const char* text = "untouched";
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGetErrorString(static_cast<CUresult>(99999), &text));
  EXPECT_EQ(nullptr, text);
}
TFRT_CTS(9, CountIsPositive, cuDeviceGetCount, "Gives the number of devices that can be used") {
  int count = 0;
  OK(d().cuDeviceGetCount(&count));
  EXPECT_GE(count, 1);
}
TFRT_CTS(10, DeviceIsItsOrdinal, cuDeviceGet, "Gives a handle for an ordinal in [0, count - 1]") {
  int count = 0;
  OK(d().cuDeviceGetCount(&count));
  for (int i = 0; i < count; ++i) {
    CUdevice device = -1;
    OK(d().cuDeviceGet(&device, i));
    EXPECT_EQ(i, device);
  }
}
TFRT_CTS(11, OrdinalPastTheEndIsInvalid, cuDeviceGet,
         "An ordinal outside [0, count - 1] is an invalid device") {
  int count = 0;
  CUdevice device = -1;
  OK(d().cuDeviceGetCount(&count));
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuDeviceGet(&device, count));
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuDeviceGet(&device, -1));
}
TFRT_CTS(12, NameEndsInZero, cuDeviceGetName,
         "Writes a name that ends in a zero byte, of at most the given length") {
  char name[8];
  std::memset(name, 'x', sizeof(name));
  OK(d().cuDeviceGetName(name, sizeof(name), 0));
  EXPECT_EQ('\0', name[std::string(name, sizeof(name)).find('\0')]);
  EXPECT_LT(std::strlen(name), sizeof(name));
}
TFRT_CTS(13, NameOfNoDevice, cuDeviceGetName, "A device that does not exist is an invalid device") {
  char name[64];
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuDeviceGetName(name, sizeof(name), 12345));
}
TFRT_CTS(14, UuidIsStable, cuDeviceGetUuid_v2, "Gives sixteen bytes that identify the device") {
  CUuuid first = {}, second = {};
  OK(d().cuDeviceGetUuid_v2(&first, 0));
  OK(d().cuDeviceGetUuid_v2(&second, 0));
  EXPECT_EQ(0, std::memcmp(&first, &second, sizeof(first)));
}
TFRT_CTS(15, TotalMemoryIsPositive, cuDeviceTotalMem_v2,
         "Gives the total memory of the device in bytes") {
  size_t bytes = 0;
  OK(d().cuDeviceTotalMem_v2(&bytes, 0));
  EXPECT_GT(bytes, 0u);
}
TFRT_CTS(16, WarpHas32Threads, cuDeviceGetAttribute,
         "WARP_SIZE is the number of threads of a warp") {
  EXPECT_EQ(32, Attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
}
TFRT_CTS(17, AttributesAreConsistent, cuDeviceGetAttribute,
         "Attributes tell the limits of launches and the compute capability") {
  EXPECT_GE(Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 512);
  EXPECT_GE(Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
            Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_GE(Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  EXPECT_GE(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 3);
  EXPECT_GE(Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 1);
}
TFRT_CTS(18, AddressesAreUnified, cuDeviceGetAttribute,
         "UNIFIED_ADDRESSING is 1 if the device shares one address space with the host") {
  EXPECT_EQ(1, Attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING));
}
TFRT_CTS(19, AttributeOfNothing, cuDeviceGetAttribute,
         "An attribute that does not exist is an invalid value") {
  int value = 0;
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0));
  CODE(CUDA_ERROR_INVALID_DEVICE,
       d().cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 12345));
}
TFRT_CTS(20, ADeviceIsNoPeerOfItself, cuDeviceCanAccessPeer,
         "Tells whether one device can reach the memory of another; not of itself") {
  int can_access = -1;
  OK(d().cuDeviceCanAccessPeer(&can_access, 0, 0));
  EXPECT_EQ(0, can_access);
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuDeviceCanAccessPeer(&can_access, 0, 12345));
}
TFRT_CTS(21, DefaultPoolIsAlwaysTheSame, cuDeviceGetDefaultMemPool,
         "Gives the device's default pool, which belongs to the device") {
  CUmemoryPool first = nullptr, second = nullptr;
  OK(d().cuDeviceGetDefaultMemPool(&first, 0));
  OK(d().cuDeviceGetDefaultMemPool(&second, 0));
  EXPECT_NE(nullptr, first);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace tfrt::gpu::test
