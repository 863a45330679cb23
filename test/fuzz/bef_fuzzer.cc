// libFuzzer: arbitrary bytes as a BEF file. scripts/run_fuzzer.sh builds and runs it.
#include "test/fuzz/run_bef.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tfrt::BefRunner runner;
  runner.Run({data, size});
  return 0;
}
