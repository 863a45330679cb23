// What the settings do, each in a process of its own, as the double reads them once.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "test/gpu/support/raw_driver.h"
#include "test/gpu/support/test_kernels.h"
#include "test/gpu/vendor/driver/activity.h"

namespace tfrt::gpu::test {
namespace {

using namespace tfrt::gpu::cuda;  // NOLINT
using cuda_double::CopyActivity;
using cuda_double::KernelActivity;

#define CHECK_OR_SAY(condition)                                                  \
  do {                                                                           \
    if (!(condition)) {                                                          \
      std::fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
      return false;                                                              \
    }                                                                            \
  } while (false)

// A context with a stream and memory, in the child.
struct Stage {
  explicit Stage(const RawDriver& driver) : d(driver) {
    d.cuCtxCreate_v2(&context, 0, 0);
    d.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0);
    d.cuMemAlloc_v2(&data, 256);
    d.cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr);
    d.cuModuleGetFunction(&idle, module, "idle");
    d.cuModuleGetFunction(&fill, module, "fill");
  }
  CUresult Idle() { return d.cuLaunchKernel(idle, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr); }
  CUresult Fill(uint32_t n = 64) {
    uint32_t value = 5;
    void* parameters[] = {&data, &value, &n};
    return d.cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
  }
  const RawDriver& d;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr data = 0;
  CUmodule module = nullptr;
  CUfunction idle = nullptr, fill = nullptr;
};

class SettingsEffectTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  // Runs `body` in a new process under these settings; it returns whether all is well.
  static void Run(const std::string& settings, const std::function<bool(const RawDriver&)>& body) {
    EXPECT_EXIT(
        {
          setenv("TFRT_GPU_DOUBLE", settings.c_str(), 1);
          std::string why;
          const RawDriver* driver = OpenRawDriver(&why);
          if (!driver) std::fprintf(stderr, "%s\n", why.c_str());
          std::_Exit(driver && body(*driver) ? 0 : 1);
        },
        testing::ExitedWithCode(0), "this is no GPU driver");
  }
  static std::string TemporaryFile(const char* name) {
    return std::filesystem::temp_directory_path() / name;
  }
};

TEST_F(SettingsEffectTest, NthCallFails) {
  Run("fail=cuMemAlloc_v2:2:2", [](const RawDriver& d) {
    Stage stage(d);
    CUdeviceptr address = 0;
    CHECK_OR_SAY(d.cuMemAlloc_v2(&address, 64) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&address, 64) == CUDA_SUCCESS);
    return true;
  });
}

TEST_F(SettingsEffectTest, FaultsCountEachOthersCalls) {
  Run("fail=cuMemAlloc_v2:1:2,fail=cuMemAlloc_v2:2:2", [](const RawDriver& d) {
    CUdeviceptr address = 0;
    CUcontext context = nullptr;
    CHECK_OR_SAY(d.cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS);
    for (CUresult wanted : {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, CUDA_SUCCESS}) {
      CHECK_OR_SAY(d.cuMemAlloc_v2(&address, 64) == wanted);
    }
    return true;
  });
}

TEST_F(SettingsEffectTest, NthLaunchFaults) {
  for (bool of_context : {false, true}) {
    Run(std::string("devices=2,fault=idle:3:700") + (of_context ? ":context" : ""),
        [of_context](const RawDriver& d) {
          Stage stage(d);
          CUcontext healthy = nullptr, made = nullptr;
          CHECK_OR_SAY(d.cuCtxCreate_v2(&healthy, 0, 1) == CUDA_SUCCESS);
          CHECK_OR_SAY(d.cuCtxSetCurrent(stage.context) == CUDA_SUCCESS);
          for (int i = 0; i < 3; ++i) CHECK_OR_SAY(stage.Idle() == CUDA_SUCCESS);
          CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
          CHECK_OR_SAY(stage.Idle() == CUDA_ERROR_ILLEGAL_ADDRESS);
          CHECK_OR_SAY(d.num_reports() == 0);  // it was asked for
          // The end of the process's work; the setting leaves other contexts as good as new.
          CUresult wanted = of_context ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
          CHECK_OR_SAY(d.cuCtxCreate_v2(&made, 0, 0) == wanted);
          CHECK_OR_SAY(d.cuCtxSetCurrent(healthy) == CUDA_SUCCESS);
          CHECK_OR_SAY(d.cuCtxSynchronize() == wanted);
          if (!of_context) {
            // Until a test says that a new process begins.
            CHECK_OR_SAY(d.inject("") == 0);
            CHECK_OR_SAY(d.cuCtxSynchronize() == CUDA_SUCCESS);
          }
          CHECK_OR_SAY(d.cuCtxSetCurrent(stage.context) == CUDA_SUCCESS);
          CHECK_OR_SAY(stage.Idle() == CUDA_ERROR_ILLEGAL_ADDRESS);
          return true;
        });
  }
}

TEST_F(SettingsEffectTest, LostDeviceStaysLost) {
  Run("lost=0:2:46", [](const RawDriver& d) {
    Stage stage(d);
    CUcontext context = nullptr;
    CHECK_OR_SAY(stage.Idle() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(stage.Idle() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_ERROR_DEVICE_UNAVAILABLE);
    CHECK_OR_SAY(d.cuCtxCreate_v2(&context, 0, 0) == CUDA_ERROR_DEVICE_UNAVAILABLE);
    return true;
  });
}

// Whoever copies from it on another device hears of it, too: there are no bytes to copy.
TEST_F(SettingsEffectTest, MemoryOfALostDeviceCannotBeCopied) {
  Run("devices=2,lost=0:1:214", [](const RawDriver& d) {
    Stage lost(d);
    CUcontext context = nullptr, other = nullptr;
    CUdeviceptr from = 0, to = 0;
    CUstream stream = nullptr;
    CHECK_OR_SAY(d.cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&from, 64) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemsetD32Async(from, 1, 16, lost.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(lost.stream) == CUDA_ERROR_ECC_UNCORRECTABLE);
    CHECK_OR_SAY(d.cuCtxCreate_v2(&other, 0, 1) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&to, 64) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemsetD32Async(to, 1, 16, stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemcpyPeerAsync(to, other, from, context, 64, stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stream) == CUDA_ERROR_ECC_UNCORRECTABLE);
    CHECK_OR_SAY(d.num_reports() == 0);
    return true;
  });
}

// But memory of a context that is gone is used after free, and memory of a pool is still there.
TEST_F(SettingsEffectTest, MemoryOfAContextThatIsGone) {
  for (bool is_pooled : {false, true}) {
    Run("devices=2", [is_pooled](const RawDriver& d) {
      CUcontext context = nullptr, other = nullptr;
      CUdeviceptr from = 0, to = 0;
      CUstream first = nullptr, stream = nullptr;
      CHECK_OR_SAY(d.cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamCreateWithPriority(&first, 0, 0) == CUDA_SUCCESS);
      CHECK_OR_SAY((is_pooled ? d.cuMemAllocAsync(&from, 64, first) : d.cuMemAlloc_v2(&from, 64)) ==
                   CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemsetD32Async(from, 1, 16, first) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamSynchronize(first) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuCtxCreate_v2(&other, 0, 0) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemAlloc_v2(&to, 64) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamCreateWithPriority(&stream, 0, 0) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemcpyDtoDAsync_v2(to, from, 64, stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuCtxDestroy_v2(context) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamSynchronize(stream) ==
                   (is_pooled ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS));
      CHECK_OR_SAY(d.num_reports() == (is_pooled ? 0 : 1));
      d.clear_reports();
      return true;
    });
  }
}

TEST_F(SettingsEffectTest, MemoryHasALimit) {
  Run("memory=1M", [](const RawDriver& d) {
    Stage stage(d);
    CUdeviceptr address = 0;
    size_t free_bytes = 0, total = 0;
    CHECK_OR_SAY(d.cuMemGetInfo_v2(&free_bytes, &total) == CUDA_SUCCESS && total == 1 << 20);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&address, free_bytes + 1) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&address, free_bytes) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemFree_v2(address) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&address, free_bytes) == CUDA_SUCCESS);
    return true;
  });
}

TEST_F(SettingsEffectTest, DevicesAreCounted) {
  Run("devices=3,cc=8.6", [](const RawDriver& d) {
    int count = 0, major = 0, minor = 0;
    CHECK_OR_SAY(d.cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 3);
    d.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 2);
    d.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 2);
    CHECK_OR_SAY(major == 8 && minor == 6);
    return true;
  });
}

TEST_F(SettingsEffectTest, CodeForLaterDevicesIsNotLoaded) {
  Run("cc=7.5", [](const RawDriver& d) {
    Stage stage(d);  // with code for sm_70
    CUmodule module = nullptr;
    auto load = [&](const char* image) {
      return d.cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr);
    };
    CHECK_OR_SAY(load(".version 7.0\n.target sm_75\n.address_size 64\n") == CUDA_SUCCESS);
    CHECK_OR_SAY(load(".version 7.0\n.target sm_80\n.address_size 64\n") == CUDA_ERROR_INVALID_PTX);
    return true;
  });
}

// Memory of another device is out of reach until access is enabled.
TEST_F(SettingsEffectTest, PeersNeedAccess) {
  Run("devices=2", [](const RawDriver& d) {
    CUcontext other = nullptr;
    CUdeviceptr far = 0;
    d.cuCtxCreate_v2(&other, 0, 1);
    CHECK_OR_SAY(d.cuMemAlloc_v2(&far, 256) == CUDA_SUCCESS);
    Stage stage(d);
    CHECK_OR_SAY(d.cuCtxEnablePeerAccess(other, 0) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuCtxEnablePeerAccess(other, 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    stage.data = far;
    CHECK_OR_SAY(stage.Fill() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    Stage lonely(d);
    lonely.data = far;
    CHECK_OR_SAY(lonely.Fill() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(lonely.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_OR_SAY(TakeReports(d).size() == 1);
    return true;
  });
}

TEST_F(SettingsEffectTest, NullModeChecksAndCounts) {
  Run("mode=null", [](const RawDriver& d) {
    Stage stage(d);
    d.clear_calls();
    for (int i = 0; i < 100; ++i) CHECK_OR_SAY(stage.Fill() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.num_calls("cuLaunchKernel") == 100 && d.num_calls(nullptr) == 100);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuLaunchKernel(stage.fill, 0, 1, 1, 1, 1, 1, 0, stage.stream, nullptr,
                                  nullptr) == CUDA_ERROR_INVALID_VALUE);
    return true;
  });
}

// Once for each text, however often it is loaded; fused where that is asked for.
TEST_F(SettingsEffectTest, ProductsAndSumsMayBeContracted) {
  static constexpr char kText[] =
      ".version 7.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry square(.param .u64 to) {\n  .reg .b64 %p; .reg .f32 %f<4>;\n"
      "  ld.param.u64 %p, [to];\n  mov.f32 %f0, 0f3f800800; mov.f32 %f1, 0f3f801000;\n"
      "  mul.f32 %f2, %f0, %f0;\n  sub.f32 %f3, %f2, %f1;\n  st.global.f32 [%p], %f3;\n"
      "  ret;\n}\n";
  auto run = [](const std::string& settings, const std::string& said) {
    EXPECT_EXIT(
        {
          setenv("TFRT_GPU_DOUBLE", settings.c_str(), 1);
          std::string why;
          const RawDriver& d = *OpenRawDriver(&why);
          Stage stage(d);
          CUmodule module = nullptr;
          CUfunction square = nullptr;
          for (int i = 0; i < 2; ++i) d.cuModuleLoadDataEx(&module, kText, 0, nullptr, nullptr);
          d.cuModuleGetFunction(&square, module, "square");
          void* parameters[] = {&stage.data};
          d.cuLaunchKernel(square, 1, 1, 1, 1, 1, 1, 0, stage.stream, parameters, nullptr);
          float result = -1;
          d.cuMemcpyDtoHAsync_v2(&result, stage.data, 4, stage.stream);
          std::fprintf(stderr, "result %g.\n", result);
          std::_Exit(d.num_reports() == 0 ? 0 : 1);
        },
        testing::ExitedWithCode(0), said);
  };
  run("contract=off",
      "seed 1\ntfrt test double: note: ptx text, line 9: sub of the mul in line 8: neither says "
      "how it is rounded [^\n]*\nresult 0\\.");
  run("contract=on", "seed 1\nresult 5.96046e-08\\.");
}

// Whoever makes one of them under a lock can be caught.
TEST_F(SettingsEffectTest, BlockingCallsAreCounted) {
  for (const char* mode : {"mode=lazy", "mode=threads"}) {
    Run(mode, [](const RawDriver& d) {
      Stage stage(d);
      std::vector<uint32_t> pageable(64, 1);
      void *from = nullptr, *to = nullptr, *unused = nullptr;
      CUdeviceptr other = 0, last = 0;
      CUmodule module = nullptr;
      for (void** memory : {&from, &to, &unused}) d.cuMemHostAlloc(memory, 256, 0);
      for (CUdeviceptr* memory : {&other, &last}) d.cuMemAlloc_v2(memory, 256);
      auto address = [](void* memory) { return reinterpret_cast<CUdeviceptr>(memory); };
      d.clear_calls();
      // Nothing is going on, so that nobody waits.
      CHECK_OR_SAY(d.cuMemFree_v2(other) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr) ==
                   CUDA_SUCCESS);
      // Asynchronous, and waits that are meant to be some.
      CHECK_OR_SAY(d.cuMemcpyHtoDAsync_v2(stage.data, from, 256, stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemcpyDtoHAsync_v2(to, stage.data, 256, stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.num_blocking_calls(nullptr) == 0);
      CHECK_OR_SAY(d.cuMemcpyAsync(address(to), address(from), 256, stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.num_blocking_calls("cuMemcpyAsync") == 1);
      CHECK_OR_SAY(d.cuMemcpyHtoDAsync_v2(stage.data, pageable.data(), 256, stage.stream) ==
                   CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemcpyDtoHAsync_v2(pageable.data(), stage.data, 256, stage.stream) ==
                   CUDA_SUCCESS);
      CHECK_OR_SAY(d.num_blocking_calls(nullptr) == 3);
      // Of calls that hardware waits in, a device at work.
      std::atomic<bool> ends = false;
      d.cuLaunchHostFunc(
          stage.stream,
          [](void* data) {
            while (!*static_cast<std::atomic<bool>*>(data)) std::this_thread::yield();
          },
          &ends);
      CHECK_OR_SAY(d.cuMemFree_v2(last) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemFreeHost(unused) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuModuleUnload(module) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr) ==
                   CUDA_SUCCESS);
      for (const char* function :
           {"cuMemFree_v2", "cuMemFreeHost", "cuModuleUnload", "cuModuleLoadDataEx"}) {
        CHECK_OR_SAY(d.num_blocking_calls(function) == 1);
      }
      CHECK_OR_SAY(d.num_blocking_calls(nullptr) == 7);
      ends = true;
      CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
      d.clear_calls();
      CHECK_OR_SAY(d.num_blocking_calls(nullptr) == 0);
      return d.num_reports() == 0;
    });
  }
}

TEST_F(SettingsEffectTest, LogHasALinePerCall) {
  std::string path = TemporaryFile("gpu_double_log_test.txt");
  Run("log=" + path, [](const RawDriver& d) {
    Stage stage(d);
    CHECK_OR_SAY(stage.Fill() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    return true;
  });
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  EXPECT_NE(std::string::npos, text.str().find("1 cuInit -> CUDA_SUCCESS\n")) << text.str();
  EXPECT_NE(std::string::npos,
            text.str().find("cuLaunchKernel stream=1 kernel=fill grid=1,1,1 block=64,1,1 clock=1 "
                            "-> CUDA_SUCCESS\n"))
      << text.str();
  EXPECT_NE(std::string::npos, text.str().find("cuMemAlloc_v2 bytes=256 allocation="))
      << text.str();
}

// Calls that are refused before they begin have a line as well.
TEST_F(SettingsEffectTest, LogHasCallsOfHostFunctions) {
  std::string path = TemporaryFile("gpu_double_host_log_test.txt");
  Run("log=" + path, [](const RawDriver& driver) {
    static const RawDriver& d = driver;
    Stage stage(d);
    CUresult code = CUDA_SUCCESS;
    auto call = [](void* code) { *static_cast<CUresult*>(code) = d.cuCtxSynchronize(); };
    CHECK_OR_SAY(d.cuLaunchHostFunc(stage.stream, call, &code) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(code == CUDA_ERROR_NOT_PERMITTED);
    return true;
  });
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  EXPECT_NE(std::string::npos, text.str().find("cuCtxSynchronize -> CUDA_ERROR_NOT_PERMITTED\n"))
      << text.str();
}

TEST_F(SettingsEffectTest, ActivitiesAreInTheVendorsLayout) {
  // Sizes and offsets of CUpti_ActivityKernel9 and CUpti_ActivityMemcpy5.
  EXPECT_EQ(208u, sizeof(KernelActivity));
  EXPECT_EQ(88u, sizeof(CopyActivity));
  EXPECT_EQ(16u, offsetof(KernelActivity, start_ns));
  EXPECT_EQ(40u, offsetof(KernelActivity, device));
  EXPECT_EQ(104u, offsetof(KernelActivity, name));
  EXPECT_EQ(144u, offsetof(KernelActivity, graph_node));
  EXPECT_EQ(8u, offsetof(CopyActivity, bytes));
  EXPECT_EQ(32u, offsetof(CopyActivity, device));
  EXPECT_EQ(64u, offsetof(CopyActivity, graph_node));
  Run("seed=1", [](const RawDriver& d) {
    Stage stage(d);
    uint32_t host[64];
    d.enable_activities(1);
    CHECK_OR_SAY(stage.Fill() == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemcpyDtoHAsync_v2(host, stage.data, 256, stage.stream) == CUDA_SUCCESS);
    std::vector<std::byte> buffer(4096);
    size_t size = d.take_activities(buffer.data(), buffer.size());
    CHECK_OR_SAY(size == sizeof(KernelActivity) + sizeof(CopyActivity));
    KernelActivity kernel;
    CopyActivity copy;
    std::memcpy(&kernel, buffer.data(), sizeof(kernel));
    std::memcpy(&copy, buffer.data() + sizeof(kernel), sizeof(copy));
    CHECK_OR_SAY(kernel.kind == KernelActivity::kKind && std::strcmp(kernel.name, "fill") == 0);
    CHECK_OR_SAY(kernel.block[0] == 64 && kernel.end_ns > kernel.start_ns);
    CHECK_OR_SAY(copy.kind == CopyActivity::kKind && copy.bytes == 256 && copy.copy_kind == 2);
    CHECK_OR_SAY(copy.start_ns >= kernel.end_ns);
    return true;
  });
}

TEST_F(SettingsEffectTest, WrongSettingsAreSaid) {
  EXPECT_EXIT(
      {
        setenv("TFRT_GPU_DOUBLE", "sped=1", 1);
        std::string why;
        std::_Exit(OpenRawDriver(&why) ? 1 : 0);
      },
      testing::ExitedWithCode(0), "TFRT_GPU_DOUBLE: unknown setting 'sped'");
  EXPECT_EXIT(
      {
        setenv("TFRT_GPU_DOUBLE", "fail=cuMemAlloc:1:2", 1);
        std::string why;
        std::_Exit(OpenRawDriver(&why) ? 1 : 0);
      },
      testing::ExitedWithCode(0), "names the unknown function 'cuMemAlloc'");
}

// A program that does not look at its reports does not pass.
TEST_F(SettingsEffectTest, UntakenReportsFailTheProgram) {
  EXPECT_EXIT(
      {
        setenv("TFRT_GPU_DOUBLE", "seed=1", 1);
        std::string why;
        const RawDriver* d = OpenRawDriver(&why);
        Stage stage(*d);
        uint32_t host[64];
        d->cuMemcpyDtoHAsync_v2(host, stage.data, 256, stage.stream);
        std::exit(0);
      },
      testing::ExitedWithCode(70), "1 reports that nobody has taken");
}

// Two streams must come to one point, and only one of them ever will.
TEST_F(SettingsEffectTest, DeadlocksAreDecided) {
  EXPECT_DEATH(
      {
        setenv("TFRT_GPU_DOUBLE", "seed=1", 1);
        std::string why;
        const RawDriver* d = OpenRawDriver(&why);
        Stage stage(*d);
        d->enqueue_together(stage.stream, "all_reduce", 1, 2, [](void*) {}, nullptr, nullptr, 0);
        d->cuStreamSynchronize(stage.stream);
      },
      "deadlock: cuStreamSynchronize waits for what can never run.*\n.*'all_reduce'");
}

TEST_F(SettingsEffectTest, MeetingsHappen) {
  Run("seed=2", [](const RawDriver& d) {
    Stage stage(d);
    CUstream other = nullptr;
    int count = 0;
    auto work = [](void* count) { ++*static_cast<int*>(count); };
    d.cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, 0);
    for (int i = 0; i < 3; ++i) {
      CHECK_OR_SAY(d.enqueue_together(stage.stream, "all_reduce", 1, 2, work, &count, nullptr, 0) ==
                   CUDA_SUCCESS);
      CHECK_OR_SAY(d.enqueue_together(other, "all_reduce", 1, 2, work, &count, nullptr, 0) ==
                   CUDA_SUCCESS);
    }
    CHECK_OR_SAY(d.cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK_OR_SAY(count == 6);
    return true;
  });
}

// One host thread waits in a meeting, and runs what the other one waits for: that one will go on,
// and come to the meeting.
TEST_F(SettingsEffectTest, AThreadThatIsWokenDoesNotWait) {
  Run("mode=lazy", [](const RawDriver& driver) {
    static const RawDriver& d = driver;
    static std::atomic<bool> started{false};
    Stage stage(d);
    CUstream other = nullptr;
    auto nothing = [](void*) {};
    d.cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, 0);
    d.clear_calls();
    std::thread member([&] {
      d.cuCtxSetCurrent(stage.context);
      d.enqueue_together(other, "all_reduce", 1, 2, nothing, nullptr, nullptr, 0);
      d.cuStreamSynchronize(other);
    });
    while (d.num_calls("cuStreamSynchronize") < 1) std::this_thread::yield();
    d.cuLaunchHostFunc(
        stage.stream,
        [](void*) {
          started = true;
          while (d.num_calls("cuStreamSynchronize") < 2) std::this_thread::yield();
          // The call has begun; each of these is a chance for it to begin to wait.
          for (int i = 0; i < 1000; ++i) {
            d.num_live("streams");
            std::this_thread::yield();
          }
        },
        nullptr);
    while (!started) std::this_thread::yield();
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.enqueue_together(stage.stream, "all_reduce", 1, 2, nothing, nullptr, nullptr,
                                    0) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    member.join();
    return true;
  });
}

// A wait for what goes with its context ends.
TEST_F(SettingsEffectTest, DestroyedContextsLetWaitersGo) {
  for (const char* mode : {"mode=lazy", "mode=threads"}) {
    Run(mode, [](const RawDriver& d) {
      Stage stage(d);
      d.clear_calls();
      std::thread member([&] {
        d.cuCtxSetCurrent(stage.context);
        d.enqueue_together(stage.stream, "all_reduce", 1, 2, [](void*) {}, nullptr, nullptr, 0);
        d.cuStreamSynchronize(stage.stream);
      });
      while (d.num_calls("cuStreamSynchronize") < 1) std::this_thread::yield();
      for (int i = 0; i < 1000; ++i) {
        d.num_live("streams");
        std::this_thread::yield();
      }
      CHECK_OR_SAY(d.cuCtxDestroy_v2(stage.context) == CUDA_SUCCESS);
      member.join();
      TakeReports(d);  // of a stream that was destroyed, if the thread came too late
      return true;
    });
  }
}

// Destructors of static objects find the thread's context current, as it was left.
TEST_F(SettingsEffectTest, CallsWhileTheProcessEnds) {
  EXPECT_EXIT(
      {
        setenv("TFRT_GPU_DOUBLE", "seed=1", 1);
        std::string why;
        static const RawDriver* d = OpenRawDriver(&why);
        static Stage stage(*d);
        std::atexit([] {
          CUcontext current = nullptr;
          CUdeviceptr data = 0;
          bool good = d->cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == stage.context &&
                      d->cuMemAlloc_v2(&data, 256) == CUDA_SUCCESS &&
                      stage.Fill() == CUDA_SUCCESS &&
                      d->cuStreamSynchronize(stage.stream) == CUDA_SUCCESS;
          std::fprintf(stderr, "at exit: %s\n", good ? "as before" : "otherwise");
        });
        std::exit(0);
      },
      testing::ExitedWithCode(0), "at exit: as before");
}

TEST_F(SettingsEffectTest, PoolsOfOnesOwnGiveBack) {
  Run("memory=16M", [](const RawDriver& d) {
    Stage stage(d);
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool pool = nullptr;
    CUdeviceptr data = 0;
    size_t before = 0, after = 0, total = 0;
    CHECK_OR_SAY(d.cuMemGetInfo_v2(&before, &total) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemAllocFromPoolAsync(&data, 12 << 20, pool, stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuMemFreeAsync(data, stage.stream) == CUDA_SUCCESS);
    CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
    // Its threshold is 0.
    CHECK_OR_SAY(d.cuMemGetInfo_v2(&after, &total) == CUDA_SUCCESS && after == before);
    // What it may keep, it gives to whoever would have too little.
    uint64_t threshold = UINT64_MAX;
    CHECK_OR_SAY(d.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold) ==
                 CUDA_SUCCESS);
    for (bool from_a_pool : {false, true}) {
      CHECK_OR_SAY(d.cuMemAllocFromPoolAsync(&data, 12 << 20, pool, stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemFreeAsync(data, stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuStreamSynchronize(stage.stream) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemGetInfo_v2(&after, &total) == CUDA_SUCCESS && after < before);
      CHECK_OR_SAY((from_a_pool ? d.cuMemAllocAsync(&data, 12 << 20, stage.stream)
                                : d.cuMemAlloc_v2(&data, 12 << 20)) == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuCtxSynchronize() == CUDA_SUCCESS);
      CHECK_OR_SAY(d.cuMemFree_v2(data) == CUDA_SUCCESS);
    }
    return d.num_reports() == 0;
  });
}

// Two streams that nothing orders, and only one is waited for. Each has memory of its own for a
// while; that the device gives it to the other one later is not the program's doing.
TEST_F(SettingsEffectTest, AddressesComeBackWithoutBlame) {
  Run("memory=4M", [](const RawDriver& d) {
    Stage stage(d);
    CUstream other = nullptr;
    CHECK_OR_SAY(d.cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS);
    CUdeviceptr data = 0, last = 0;
    CUstream last_stream = nullptr;
    int num_behind = 0;  // rounds since the first address has come back
    for (int i = 0; i < 2000 && num_behind < 4; ++i) {
      for (CUstream stream : {stage.stream, other, other}) {
        // Later one block more for one of them, so that addresses change hands in any case.
        if (stream == last_stream && num_behind == 0) continue;
        last_stream = stream;
        CHECK_OR_SAY(d.cuMemAllocAsync(&data, 1 << 20, stream) == CUDA_SUCCESS);
        CHECK_OR_SAY(d.cuMemsetD8Async(data, 1, 16, stream) == CUDA_SUCCESS);
        CHECK_OR_SAY(d.cuMemFreeAsync(data, stream) == CUDA_SUCCESS);
        // Each question runs a command: those of the first stream have all run, unseen.
        while (d.cuStreamQuery(other) != CUDA_SUCCESS) {
        }
        for (int k = 0; k < 3; ++k) d.cuStreamQuery(other);
      }
      CHECK_OR_SAY(d.cuStreamSynchronize(other) == CUDA_SUCCESS);
      num_behind += num_behind > 0 || data < last;
      last = data;
    }
    return num_behind == 4 && TakeReports(d).empty();
  });
}

}  // namespace
}  // namespace tfrt::gpu::test
