#include <cstdio>

#include "lib/runtime/tensor/btf.h"
#include "test/unit/kernels_tensor/kernel_runner.h"
#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

// Takes no blocking work.
class RefusingQueue : public ConcurrentWorkQueue {
 public:
  std::string name() const override { return "refusing"; }
  void AddTask(TaskFunction task) override { queue_->AddTask(std::move(task)); }
  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool) override { return task; }
  void Await(std::span<AsyncValue* const> values) override { queue_->Await(values); }
  void Quiesce() override { queue_->Quiesce(); }
  void AddTicket() override { queue_->AddTicket(); }
  void EndTicket(TaskFunction task) override { queue_->EndTicket(std::move(task)); }
  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return queue_->IsInWorkerThread(); }

 private:
  std::unique_ptr<ConcurrentWorkQueue> queue_ = CreateSingleThreadedWorkQueue();
};

class BtfKernelsTest : public testing::Test {
 protected:
  BtfKernelsTest() : path_(testing::TempDir() + "btf_kernels_test.btf") {
    auto dense = MakeDense<float>(TensorShape{2}, {1, 2});
    auto coo = MakeCoo<float>(TensorShape{2, 3}, {1, 2}, {7});
    const Tensor* tensors[] = {&dense, &*coo};
    EXPECT_TRUE(WriteBtfFile(path_, tensors).ok());
  }
  ~BtfKernelsTest() override { std::remove(path_.c_str()); }

  Values Arguments(int32_t index) const {
    return {MakeAvailableAsyncValueRef<std::string>(path_).ReleaseRCRef(), Scalar(index)};
  }
  const std::string path_;
};

TEST_F(BtfKernelsTest, ReadsInBlockingTasks) {
  KernelRunner runner(CreateMallocAllocator(), CreateMultiThreadedWorkQueue(2, 2));
  RegisterBtfKernels(&runner.host().kernel_registry());
  for (int i = 0; i < 10; ++i) {
    Values dense = runner.Run("btf.read_dense_tensor.f32.1", Arguments(0));
    Values coo = runner.Run("btf.read_coo_tensor.f32.2", Arguments(1));
    EXPECT_EQ(Elements<float>(dense[0]), (std::vector<float>{1, 2}));
    EXPECT_TRUE(dense[0]->get<DenseHostTensor>().buffer()->IsExclusiveDataOwner());
    EXPECT_EQ(coo[0]->get<CooHostTensor>().LinearIndex(0), 5);
  }
}

TEST_F(BtfKernelsTest, EveryDTypeAndRank) {
  KernelRunner runner;
  RegisterBtfKernels(&runner.host().kernel_registry());
  for (const char* kind :
       {"dense_tensor.f32", "dense_tensor.i32", "dense_tensor.i64", "dense_tensor.i8",
        "dense_tensor.ui8", "coo_tensor.f32", "coo_tensor.i32", "coo_tensor.i8"}) {
    for (int rank = 0; rank <= 4; ++rank) {
      std::string kernel = "btf.read_" + std::string(kind) + "." + std::to_string(rank);
      EXPECT_EQ(
          runner.Error(kernel, Arguments(2)),
          "invalid tensor index 2 to read tensor from path " + path_ + " which contains 2 tensors");
    }
  }
}

TEST_F(BtfKernelsTest, AQueueMayRefuse) {
  KernelRunner runner(CreateMallocAllocator(), std::make_unique<RefusingQueue>());
  RegisterBtfKernels(&runner.host().kernel_registry());
  EXPECT_EQ(runner.Error("btf.read_dense_tensor.f32.1", Arguments(0)),
            "the work queue takes no blocking work to read " + path_);
}

}  // namespace
}  // namespace tfrt
