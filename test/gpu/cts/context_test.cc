// Statements about contexts.
#include <thread>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

TFRT_CTS(22, PrimaryIsOne, cuDevicePrimaryCtxRetain,
         "The primary context is one per device and process; retaining it again gives the same") {
  CUcontext again = nullptr;
  OK(d().cuDevicePrimaryCtxRetain(&again, 0));
  EXPECT_EQ(context_, again);
  OK(d().cuDevicePrimaryCtxRelease_v2(0));
}
TFRT_CTS(23, RetainingDoesNotMakeCurrent, cuDevicePrimaryCtxRetain,
         "Retaining does not push the context onto the stack") {
  OK(d().cuCtxSetCurrent(nullptr));
  CUcontext again = nullptr, current = nullptr;
  OK(d().cuDevicePrimaryCtxRetain(&again, 0));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(nullptr, current);
  OK(d().cuDevicePrimaryCtxRelease_v2(0));
}
TFRT_CTS(24, PrimaryIsActiveWhileRetained, cuDevicePrimaryCtxGetState,
         "Tells whether the primary context is active") {
  unsigned flags = 99;
  int active = -1;
  OK(d().cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(1, active);
  OK(d().cuCtxSetCurrent(nullptr));
  OK(d().cuDevicePrimaryCtxRelease_v2(0));
  OK(d().cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(0, active);
  OK(d().cuDevicePrimaryCtxRetain(&context_, 0));
}
TFRT_CTS(25, ReleasingTooOften, cuDevicePrimaryCtxRelease_v2,
         "Releasing a primary context that is not active is an invalid context") {
  OK(d().cuCtxSetCurrent(nullptr));
  OK(d().cuDevicePrimaryCtxRelease_v2(0));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuDevicePrimaryCtxRelease_v2(0));
  OK(d().cuDevicePrimaryCtxRetain(&context_, 0));
}
TFRT_CTS(26, FlagsOfPrimaryAreKept, cuDevicePrimaryCtxSetFlags_v2,
         "Sets the flags with which the primary context is made") {
  unsigned flags = 0;
  int active = 0;
  OK(d().cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_BLOCKING_SYNC));
  OK(d().cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(CU_CTX_SCHED_BLOCKING_SYNC, flags & CU_CTX_SCHED_MASK);
  OK(d().cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_AUTO));
}
TFRT_CTS(27, BadFlagsOfPrimary, cuDevicePrimaryCtxSetFlags_v2,
         "The scheduling flags exclude each other; others are an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuDevicePrimaryCtxSetFlags_v2(0, 0x7));
}
TFRT_CTS(28, CreatingMakesCurrent, cuCtxCreate_v2,
         "Makes a context and makes it current in the calling thread") {
  CUcontext made = nullptr, current = nullptr;
  OK(d().cuCtxCreate_v2(&made, CU_CTX_SCHED_AUTO, 0));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(made, current);
  EXPECT_NE(context_, made);
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(29, CreatingPushes, cuCtxCreate_v2,
         "The context that was current before is restored when the new one is popped") {
  CUcontext made = nullptr, popped = nullptr, current = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  OK(d().cuCtxPopCurrent_v2(&popped));
  EXPECT_EQ(made, popped);
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(30, CreatingForNoDevice, cuCtxCreate_v2,
         "A device that does not exist is an invalid device") {
  CUcontext made = nullptr;
  CODE(CUDA_ERROR_INVALID_DEVICE, d().cuCtxCreate_v2(&made, 0, 12345));
}
TFRT_CTS(31, DestroyingPops, cuCtxDestroy_v2,
         "If the context is current in the calling thread, it is also popped from its stack") {
  CUcontext made = nullptr, current = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  OK(d().cuCtxDestroy_v2(made));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
}
TFRT_CTS(32, PrimaryCannotBeDestroyed, cuCtxDestroy_v2,
         "Primary contexts are not destroyed by this function: an invalid context") {
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuCtxDestroy_v2(context_));
}
TFRT_CTS(33, DestroyingNothing, cuCtxDestroy_v2, "A null context is an invalid context") {
  CUresult code = d().cuCtxDestroy_v2(nullptr);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_INVALID_VALUE);
}
TFRT_CTS(34, CurrentIsOfTheThread, cuCtxGetCurrent,
         "The current context belongs to the calling thread; a new thread has none") {
  std::thread([&] {
    CUcontext current = context_;
    CODE(CUDA_SUCCESS, d().cuCtxGetCurrent(&current));
    EXPECT_EQ(nullptr, current);
  }).join();
}
TFRT_CTS(35, SetReplacesTheTop, cuCtxSetCurrent,
         "Binds the context to the thread, in the place of the one on top of its stack") {
  CUcontext made = nullptr, current = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  OK(d().cuCtxSetCurrent(context_));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
  OK(d().cuCtxPopCurrent_v2(&current));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);  // below it: the one of the beginning
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(36, SettingNullUnbinds, cuCtxSetCurrent,
         "With a null context nothing is current any more") {
  CUcontext current = context_;
  OK(d().cuCtxSetCurrent(nullptr));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(nullptr, current);
}
TFRT_CTS(37, PushedIsCurrent, cuCtxPushCurrent_v2,
         "Pushes the context onto the stack of the calling thread") {
  CUcontext current = nullptr;
  OK(d().cuCtxSetCurrent(nullptr));
  OK(d().cuCtxPushCurrent_v2(context_));
  OK(d().cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
}
TFRT_CTS(38, PoppingGivesTheTop, cuCtxPopCurrent_v2,
         "Pops the current context and returns its handle") {
  CUcontext popped = nullptr;
  OK(d().cuCtxPopCurrent_v2(&popped));
  EXPECT_EQ(context_, popped);
}
TFRT_CTS(39, PoppingNothing, cuCtxPopCurrent_v2,
         "Without a current context there is nothing to pop: an invalid context") {
  CUcontext popped = nullptr;
  OK(d().cuCtxSetCurrent(nullptr));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuCtxPopCurrent_v2(&popped));
}
TFRT_CTS(40, DeviceOfTheCurrentContext, cuCtxGetDevice, "Gives the device of the current context") {
  CUdevice device = -1;
  OK(d().cuCtxGetDevice(&device));
  EXPECT_EQ(0, device);
}
TFRT_CTS(41, DeviceWithoutContext, cuCtxGetDevice,
         "Without a current context: an invalid context") {
  CUdevice device = -1;
  OK(d().cuCtxSetCurrent(nullptr));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuCtxGetDevice(&device));
}
TFRT_CTS(42, ContextWaitIsForAllStreams, cuCtxSynchronize,
         "Blocks until the context has completed all that was requested before") {
  CUstream a = MakeStream(), b = MakeStream(CU_STREAM_DEFAULT);
  Occupy(a);
  OK(d().cuCtxSynchronize());
  CODE(CUDA_SUCCESS, d().cuStreamQuery(a));
  CODE(CUDA_SUCCESS, d().cuStreamQuery(b));
}
TFRT_CTS(43, GreaterPrioritiesAreLower, cuCtxGetStreamPriorityRange,
         "Least and greatest priority; greater ones are lower numbers") {
  int least = 99, greatest = 99;
  OK(d().cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  OK(d().cuCtxGetStreamPriorityRange(nullptr, nullptr));
}
TFRT_CTS(44, PeerFlagsAreReserved, cuCtxEnablePeerAccess, "The flags are reserved and must be 0") {
  CUcontext made = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuCtxEnablePeerAccess(context_, 1));
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(45, OwnMemoryNeedsNoPeerAccess, cuCtxEnablePeerAccess,
         "A context is no peer of itself: its device cannot be accessed so") {
  CODE(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, d().cuCtxEnablePeerAccess(context_, 0));
}
TFRT_CTS(46, WithoutContextNothingIsMade, cuStreamCreateWithPriority,
         "What needs a context fails without a current one: an invalid context") {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUdeviceptr address = 0;
  OK(d().cuCtxSetCurrent(nullptr));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuStreamCreateWithPriority(&stream, 0, 0));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuEventCreate(&event, 0));
  CODE(CUDA_ERROR_INVALID_CONTEXT, d().cuMemAlloc_v2(&address, 16));
}

TFRT_CTS(47, WorkOfDestroyedStreams, cuCtxSynchronize,
         "Waits for all that was asked for before, also of streams that were destroyed since") {
  CUstream stream = MakeStream(CU_STREAM_DEFAULT), other = MakeStream();
  CUdeviceptr waited = Allocate(256), ordered = Allocate(256);
  OK(d().cuMemsetD8Async(waited, 1, 256, stream));
  OK(d().cuMemsetD8Async(ordered, 1, 256, stream));
  // On the double, two questions are enough for two commands to run.
  for (int i = 0; i < 2; ++i) OK(d().cuStreamQuery(other));
  OK(d().cuStreamDestroy_v2(stream));
  MakeStream();                                       // when the double forgets what it can
  OK(d().cuMemsetD8Async(ordered, 2, 256, nullptr));  // behind the work of all blocking streams
  OK(d().cuCtxSynchronize());
  OK(d().cuMemFree_v2(waited));
  OK(d().cuMemFree_v2(ordered));
}

}  // namespace
}  // namespace tfrt::gpu::test
