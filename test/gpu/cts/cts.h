// The conformance suite of the driver: numbered statements of what its documentation promises,
// tried on the raw table. The same program runs on a GPU, where it tells whether we have read the
// documentation right, and on the test double, where it tells whether the double is like that.
#ifndef TFRT_TEST_GPU_CTS_CTS_H_
#define TFRT_TEST_GPU_CTS_CTS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/abi/cuda_result.h"
#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/test_kernels.h"

namespace tfrt::gpu::test {

using namespace tfrt::gpu::cuda;  // NOLINT: every line of the suite is about it

// A statement: `number` is its own for ever, `function` is what it is about, and `promise` says in
// our words what the function's documentation says.
struct Statement {
  int number;
  const char* name;
  const char* function;
  const char* promise;
};
std::vector<Statement>& AllStatements();

struct AddStatement {
  explicit AddStatement(Statement statement) { AllStatements().push_back(statement); }
};

// Each statement begins with the primary context of device 0, made for it, current in its thread.
// On the double it ends without a report; what it leaves behind goes with the context.
class Cts : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  const RawDriver& d() const { return *driver_; }

  // Objects for statements that are about something else.
  CUstream MakeStream(unsigned flags = CU_STREAM_NON_BLOCKING);
  CUevent MakeEvent(unsigned flags = CU_EVENT_DISABLE_TIMING);
  CUdeviceptr Allocate(size_t size_bytes);
  // Device memory with these elements, written and waited for.
  CUdeviceptr Upload(const std::vector<uint32_t>& elements);
  // Waits for the stream and reads n elements.
  std::vector<uint32_t> Download(CUstream stream, CUdeviceptr from, size_t n);
  uint32_t* Pinned(size_t n);
  CUmodule LoadKernels();
  // Of a module that is loaded once for the statement; its code is loaded as well.
  CUfunction Kernel(const char* name);
  template <typename... Arguments>
  CUresult Launch(CUstream stream, CUfunction function, unsigned blocks, unsigned threads,
                  Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return d().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, pointers, nullptr);
  }
  // Enough work that a GPU is not done when the next call is made, as far as one can ask for that.
  void Occupy(CUstream stream);
  int Attribute(CUdevice_attribute attribute);

  CUcontext context_ = nullptr;

 private:
  const RawDriver* driver_ = nullptr;
  CUmodule module_ = nullptr;
  CUdeviceptr busy_ = 0;
};

// For messages: EXPECT_EQ of codes prints their names.
void PrintTo(CUresult result, std::ostream* out);

#define TFRT_CTS(number, name, function, promise)                                        \
  static_assert(sizeof(&tfrt::gpu::test::RawDriver::function) > 0);                      \
  static const AddStatement add_statement_##number({number, #name, #function, promise}); \
  TEST_F(Cts, S##number##_##name)

#define OK(call) ASSERT_EQ(CUDA_SUCCESS, (call))
#define CODE(code, call) EXPECT_EQ(code, (call))

}  // namespace tfrt::gpu::test

namespace tfrt::gpu::cuda {
inline void PrintTo(CUresult result, std::ostream* out) { tfrt::gpu::test::PrintTo(result, out); }
}  // namespace tfrt::gpu::cuda

#endif  // TFRT_TEST_GPU_CTS_CTS_H_
