// Statements about faults of kernels. Each runs in a process of its own: on hardware the process is
// of no more use for the driver afterwards.
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

class FaultCts : public Cts {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new process, not a fork of this one
    Cts::SetUp();
  }
  // Runs `body`, which gives a text about what is wrong, or an empty one, in a new process.
  template <typename Body>
  void InChild(Body body) {
    if (IsSkipped()) return;
    EXPECT_EXIT(
        {
          std::string wrong = body();
          TakeReports(d());  // the double tells of faults as well
          if (!wrong.empty()) std::fprintf(stderr, "%s\n", wrong.c_str());
          std::_Exit(wrong.empty() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
  }
  // The operands of + are evaluated in any order, those of a list in theirs.
  std::string InOrder(std::initializer_list<std::string> texts) {
    std::string all;
    for (const std::string& text : texts) all += text;
    return all;
  }
  std::string Expect(CUresult wanted, CUresult got, const char* what) {
    if (wanted == got) return "";
    return std::string(what) + " gave " + std::string(ResultName(got)) + ", not " +
           std::string(ResultName(wanted)) + "\n";
  }
};
#undef TFRT_CTS
#define TFRT_CTS(number, name, function, promise)                                        \
  static_assert(sizeof(&tfrt::gpu::test::RawDriver::function) > 0);                      \
  static const AddStatement add_statement_##number({number, #name, #function, promise}); \
  TEST_F(FaultCts, S##number##_##name)

TFRT_CTS(290, FaultsComeAtWaits, cuStreamSynchronize,
         "Errors of earlier, asynchronous launches are returned by the wait") {
  InChild([&] {
    CUstream stream = MakeStream();
    CUfunction poke = Kernel("poke");
    return InOrder(
        {Expect(CUDA_SUCCESS, Launch(stream, poke, 1, 1, CUdeviceptr{64}), "the launch"),
         Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(stream), "the wait")});
  });
}
TFRT_CTS(
    291, FaultsAreSticky, cuMemAlloc_v2,
    "After an illegal address the context can no longer be used: every call returns the error") {
  InChild([&] {
    CUstream stream = MakeStream(), other = MakeStream();
    CUdeviceptr address = 0;
    CUevent event = nullptr;
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{64});
    return InOrder(
        {Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuCtxSynchronize(), "the context's wait"),
         Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuMemAlloc_v2(&address, 64), "an allocation"),
         Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuEventCreate(&event, 0), "a new event"),
         Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(other), "another stream"),
         Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamQuery(stream), "a query")});
  });
}
TFRT_CTS(292, TrapsAreFaults, cuLaunchKernel,
         "A kernel that traps fails; the context cannot be used afterwards") {
  InChild([&] {
    CUstream stream = MakeStream();
    Launch(stream, Kernel("stop"), 1, 1);
    CUresult code = d().cuStreamSynchronize(stream);
    std::string wrong;
    if (code != CUDA_ERROR_LAUNCH_FAILED && code != CUDA_ERROR_ILLEGAL_INSTRUCTION)
      wrong = "a trap gave " + std::string(ResultName(code));
    return wrong + Expect(code, d().cuStreamQuery(stream), "a later query");
  });
}
TFRT_CTS(293, MisalignmentIsAFault, cuLaunchKernel,
         "An access whose address is no multiple of its size is a misaligned address") {
  InChild([&] {
    CUstream stream = MakeStream();
    CUdeviceptr data = Allocate(64);
    Launch(stream, Kernel("poke"), 1, 1, data + 2);
    return Expect(CUDA_ERROR_MISALIGNED_ADDRESS, d().cuStreamSynchronize(stream), "the wait");
  });
}
TFRT_CTS(294, FaultsReachEvents, cuEventSynchronize,
         "Errors of earlier launches are returned by waits for events as well") {
  InChild([&] {
    CUstream stream = MakeStream();
    CUevent event = MakeEvent();
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{64});
    d().cuEventRecord(event, stream);
    return Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuEventSynchronize(event), "the wait");
  });
}
TFRT_CTS(295, NullIsNoAddress, cuLaunchKernel,
         "The null address is no memory: a write to it is an illegal address") {
  InChild([&] {
    CUstream stream = MakeStream();
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{0});
    return Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(stream),
                  "a write to the null address");
  });
}
TFRT_CTS(310, FaultsEndTheProcess, cuCtxCreate_v2,
         "After an illegal address any further work of the process returns the same error: that of "
         "other contexts, which have seen none, and new ones") {
  InChild([&] {
    CUcontext other = nullptr, another = nullptr;
    CUdeviceptr address = 0;
    std::string wrong = Expect(CUDA_SUCCESS, d().cuCtxCreate_v2(&other, 0, 0), "a second context");
    CUstream healthy = MakeStream();
    CUevent reached = MakeEvent();
    wrong += InOrder({Expect(CUDA_SUCCESS, d().cuEventRecord(reached, healthy), "the record"),
                      Expect(CUDA_SUCCESS, d().cuEventSynchronize(reached), "its wait")});
    d().cuCtxSetCurrent(context_);
    CUstream stream = MakeStream();
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{64});
    wrong += Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(stream), "the wait");
    d().cuCtxSetCurrent(other);
    return wrong +
           InOrder(
               {Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuEventQuery(reached), "an earlier event"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(healthy), "a stream"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuMemAlloc_v2(&address, 64), "memory"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuCtxSynchronize(), "the context"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuCtxCreate_v2(&another, 0, 0), "a new one"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuDevicePrimaryCtxRetain(&another, 0),
                       "the primary one")});
  });
}
TFRT_CTS(311, FaultsOutliveTheirContext, cuCtxDestroy_v2,
         "A context that has failed can be destroyed; the process cannot work on afterwards") {
  InChild([&] {
    CUcontext failed = nullptr, another = nullptr;
    CUdeviceptr address = 0;
    std::string wrong = Expect(CUDA_SUCCESS, d().cuCtxCreate_v2(&failed, 0, 0), "the context");
    CUstream stream = MakeStream();
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{64});
    wrong +=
        InOrder({Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuStreamSynchronize(stream), "the wait"),
                 Expect(CUDA_SUCCESS, d().cuCtxDestroy_v2(failed), "its end")});
    d().cuCtxSetCurrent(context_);
    return wrong +
           InOrder(
               {Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuMemAlloc_v2(&address, 64), "memory"),
                Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuCtxCreate_v2(&another, 0, 0), "a new one"),
                Expect(CUDA_SUCCESS, d().cuDevicePrimaryCtxRelease_v2(0), "the primary's end")});
  });
}
TFRT_CTS(312, FaultsReachWhoWaitsForThem, cuStreamWaitEvent,
         "A stream of another context that waits for the one that fails does not go on: its copy "
         "does not run, and its event answers the error") {
  InChild([&] {
    CUcontext other = nullptr;
    std::string wrong = Expect(CUDA_SUCCESS, d().cuCtxCreate_v2(&other, 0, 0), "a second context");
    CUstream healthy = MakeStream();
    CUevent last = MakeEvent();
    CUdeviceptr from = Upload({1});
    uint32_t* to = Pinned(1);
    *to = 7;
    d().cuCtxSetCurrent(context_);
    CUstream stream = MakeStream();
    CUevent behind = MakeEvent();
    Launch(stream, Kernel("poke"), 1, 1, CUdeviceptr{64});
    // A device may have come to the fault when these are called; each answers it then.
    d().cuEventRecord(behind, stream);
    d().cuStreamWaitEvent(healthy, behind, 0);
    d().cuCtxSetCurrent(other);
    d().cuMemcpyDtoHAsync_v2(to, from, 4, healthy);
    d().cuEventRecord(last, healthy);
    wrong += Expect(CUDA_ERROR_ILLEGAL_ADDRESS, d().cuEventSynchronize(last), "the wait");
    return wrong + (*to == 1 ? "the copy has run\n" : "");
  });
}

}  // namespace
}  // namespace tfrt::gpu::test
