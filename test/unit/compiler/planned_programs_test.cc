// Random programs of tensor kernels give the same results with and without memory planning, on many
// threads and with many runs at once. Meant to find plans that let a tensor be overwritten while
// somebody still needs it.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "lib/compiler/passes/register_passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/compiler/translate.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

// --- kernels that work for a while, in tasks of their own ---

// All have names that memory planning knows, with an element type that no other kernel has.

uint32_t Mix(uint32_t a, uint32_t b) { return (a * 2654435761u ^ (b + 0x9e3779b9u)) + (a >> 13); }

using TensorArgument = Argument<DenseHostTensor>;

// out[i] = Mix(a[i], b[i]), element by element, in a task that gives others a chance to disturb it.
AsyncValueRef<Chain> MixLater(TensorArgument a, TensorArgument b, TensorArgument out, const Chain&,
                              const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx,
                     [a = a.TypedRef(), b = b.TypedRef(), out = out.TypedRef()]() mutable {
                       const auto* a_data = static_cast<const uint32_t*>(a.get().data());
                       const auto* b_data = static_cast<const uint32_t*>(b.get().data());
                       auto* out_data = static_cast<uint32_t*>(*out.get().MutableData());
                       int64_t size = out.get().num_elements();
                       for (int64_t i = 0; i < size; ++i) {
                         if (i == size / 2) std::this_thread::yield();
                         out_data[i] = Mix(a_data[i], b_data[i]);
                       }
                       return Chain();
                     });
}

// The same from the last element to the first, reading all of its input once more at the end: never
// in place.
AsyncValueRef<Chain> ReverseLater(TensorArgument a, TensorArgument out, const Chain&,
                                  const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [a = a.TypedRef(), out = out.TypedRef()]() mutable {
    const auto* a_data = static_cast<const uint32_t*>(a.get().data());
    auto* out_data = static_cast<uint32_t*>(*out.get().MutableData());
    int64_t size = out.get().num_elements();
    for (int64_t i = 0; i < size; ++i) out_data[i] = a_data[size - 1 - i];
    std::this_thread::yield();
    for (int64_t i = 0; i < size; ++i) out_data[i] ^= Mix(a_data[i], 7);
    return Chain();
  });
}

// Elements that differ from each other.
Chain Fill(DenseHostTensor& out, const Chain&, Attribute<uint32_t> seed) {
  auto* out_data = static_cast<uint32_t*>(*out.MutableData());
  for (int64_t i = 0; i < out.num_elements(); ++i) {
    out_data[i] = Mix(static_cast<uint32_t>(i), *seed);
  }
  return Chain();
}

// out = Mix(out, a).
Chain MixInPlace(const DenseHostTensor& a, DenseHostTensor& out, const Chain&) {
  const auto* a_data = static_cast<const uint32_t*>(a.data());
  auto* out_data = static_cast<uint32_t*>(*out.MutableData());
  for (int64_t i = 0; i < out.num_elements(); ++i) out_data[i] = Mix(out_data[i], a_data[i]);
  return Chain();
}

// For an element type that the kernels of these names do not have.
void RegisterStressKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_dht.fill_tensor_with_constant.qint32", TFRT_KERNEL(Fill));
  registry->AddKernel("tfrt_cpu.add.qint32", TFRT_KERNEL(MixLater));
  registry->AddKernel("tfrt_cpu.transpose.qint32", TFRT_KERNEL(ReverseLater));
  registry->AddKernel("tfrt_test.add_inplace.qint32", TFRT_KERNEL(MixInPlace));
}

// --- programs ---

// The text of a program without races: what a tensor holds depends on nothing but the program. Its
// function `f` returns tensors that no plan touches and one chain that all work is done with.
class ProgramText {
 public:
  explicit ProgramText(std::mt19937& random) : random_(random) {}

  std::string Make() {
    size_ = 1 << (4 + Below(8));
    body_ = "  %start = tfrt.new.chain\n";
    for (int n = 3 + Below(20); n > 0; --n) AddStep();
    std::string returned, types;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      if (i % 3 != 0 && i + 1 != tensors_.size()) continue;
      std::string result = NewTensor();
      Use("tfrt_cpu.add.qint32", {i, i}, tensors_.size() - 1);
      returned += (returned.empty() ? "" : ", ") + result;
      types += (types.empty() ? "!tfrt_tensor.tensor" : ", !tfrt_tensor.tensor");
      done_.push_back(tensors_.back().writer);
      tensors_.pop_back();
    }
    std::string all = Merge(done_);
    return StrCat("func.func @f() -> (", types, ", !tfrt.chain) {\n", body_, "  tfrt.return ",
                  returned, ", ", all, " : ", types, ", !tfrt.chain\n}\n");
  }

 private:
  struct Tensor {
    std::string name;
    std::string writer = {};                // the chain of its last writer
    std::vector<std::string> readers = {};  // the chains of those that read it since
  };

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  std::string NewTensor() {
    std::string name = StrCat("%t", next_name_++);
    body_ += StrCat("  ", name, " = tfrt_dht.create_uninitialized_tensor.ui32.1 [", size_, "]\n");
    tensors_.push_back({name});
    return name;
  }

  size_t RecentTensor() {
    return tensors_.size() - 1 - static_cast<size_t>(Below(std::min<int>(tensors_.size(), 5)));
  }

  void AddStep() {
    int kind = tensors_.empty() ? 0 : Below(8);
    if (kind <= 1) {
      std::string name = NewTensor();
      std::string chain = StrCat("%c", next_name_++);
      std::string after = Merge(SomeRecent());
      body_ += StrCat("  ", chain, " = \"tfrt_dht.fill_tensor_with_constant.qint32\"(", name, ", ",
                      after, ") {value = ", next_name_,
                      " : ui32} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain\n");
      tensors_.back().writer = chain;
      recent_.push_back(chain);
    } else if (kind <= 4) {
      size_t a = RecentTensor();
      size_t b = RecentTensor();
      NewTensor();
      Use("tfrt_cpu.add.qint32", {a, b}, tensors_.size() - 1);
    } else if (kind <= 6) {
      size_t a = RecentTensor();
      NewTensor();
      Use("tfrt_cpu.transpose.qint32", {a}, tensors_.size() - 1);
    } else {
      size_t a = RecentTensor();
      size_t out = RecentTensor();
      if (a != out) Use("tfrt_test.add_inplace.qint32", {a}, out);
    }
  }

  // Chains of earlier work that a step waits for without need.
  std::vector<std::string> SomeRecent() {
    std::vector<std::string> chains;
    if (Below(2) == 0) {
      size_t count = std::min<size_t>(recent_.size(), static_cast<size_t>(Below(8)));
      chains.assign(recent_.end() - static_cast<ptrdiff_t>(count), recent_.end());
    }
    return chains;
  }

  std::string Merge(const std::vector<std::string>& chains) {
    if (chains.empty()) return "%start";
    std::string name = StrCat("%c", next_name_++);
    std::string list, types;
    for (const std::string& chain : chains) {
      list += (list.empty() ? "" : ", ") + chain;
      types += types.empty() ? "!tfrt.chain" : ", !tfrt.chain";
    }
    body_ += StrCat("  ", name, " = tfrt.merge.chains ", list, " : ", types, "\n");
    return name;
  }

  void Use(std::string_view kernel, const std::vector<size_t>& inputs, size_t out) {
    std::vector<std::string> chains = SomeRecent();
    for (size_t input : inputs) chains.push_back(tensors_[input].writer);
    if (!tensors_[out].writer.empty()) chains.push_back(tensors_[out].writer);
    for (const std::string& reader : tensors_[out].readers) chains.push_back(reader);
    std::string after = Merge(chains);
    std::string chain = StrCat("%c", next_name_++);
    std::string operands, types;
    for (size_t input : inputs) {
      operands += tensors_[input].name + ", ";
      types += "!tfrt_tensor.tensor, ";
    }
    body_ += StrCat("  ", chain, " = \"", kernel, "\"(", operands, tensors_[out].name, ", ", after,
                    ") : (", types, "!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain\n");
    for (size_t input : inputs) tensors_[input].readers.push_back(chain);
    tensors_[out].writer = chain;
    tensors_[out].readers.clear();
    recent_.push_back(chain);
  }

  std::mt19937& random_;
  int size_ = 0;
  int next_name_ = 0;
  std::string body_;
  std::vector<Tensor> tensors_;
  std::vector<std::string> recent_;
  std::vector<std::string> done_;
};

std::vector<uint8_t> Compile(const std::string& text, bool plan_memory) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  compiler::prepareContext(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  if (!module) return {};
  compiler::registerTfrtPasses();
  if (plan_memory &&
      mlir::failed(compiler::runPassPipeline(*module, compiler::kPlanMemoryPipeline))) {
    ADD_FAILURE() << text;
    return {};
  }
  auto bytes = compiler::convertMlirToBef(*module);
  EXPECT_TRUE(mlir::succeeded(bytes)) << text;
  if (mlir::failed(bytes)) return {};
  return *std::move(bytes);
}

class Host {
 public:
  explicit Host(const std::string& queue)
      : host_([](const DecodedDiagnostic& d) { ADD_FAILURE() << d.status.ToString(); },
              CreateLeakCheckAllocator(), *CreateWorkQueue(queue)) {
    RegisterBasicKernels(&host_.kernel_registry());
    RegisterTensorKernels(&host_.kernel_registry());
    RegisterStressKernels(&host_.kernel_registry());
  }

  RCReference<BefFile> Open(const std::vector<uint8_t>& bytes) {
    auto file = BefFile::Open(BefImage::CopyOf(bytes), &host_);
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    return *std::move(file);
  }

  // All elements of all tensors that `f` returns.
  std::vector<uint32_t> Run(const Function& function) {
    ExecutionContext exec_ctx(RequestContextBuilder(&host_, nullptr).Build());
    std::vector<RCReference<AsyncValue>> results(function.result_types().size());
    function.Execute(exec_ctx, {}, results);
    std::vector<AsyncValue*> values;
    for (auto& result : results) values.push_back(result.get());
    host_.Await(values);
    std::vector<uint32_t> elements;
    for (AsyncValue* value : values) {
      if (value->IsError()) {
        ADD_FAILURE() << value->GetError().ToString();
      } else if (value->IsType<DenseHostTensor>()) {
        auto view = DenseView<uint32_t>::Create(value->get<DenseHostTensor>(), "a result");
        elements.insert(elements.end(), view->elements().begin(), view->elements().end());
      }
    }
    return elements;
  }

  void Quiesce() { host_.Quiesce(); }

 private:
  HostContext host_;
};

TEST(PlannedProgramsTest, GiveTheSameResultsOnManyThreads) {
  Host host("mstd:4");
  Host caller_only("s");
  size_t num_planned = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::string text = ProgramText(random).Make();
    std::vector<uint8_t> plain = Compile(text, /*plan_memory=*/false);
    std::vector<uint8_t> planned = Compile(text, /*plan_memory=*/true);
    if (planned != plain) ++num_planned;
    std::vector<uint32_t> expected;
    {
      auto file = caller_only.Open(plain);
      expected = caller_only.Run(**file->FindFunction("f"));
      auto planned_file = caller_only.Open(planned);
      ASSERT_EQ(caller_only.Run(**planned_file->FindFunction("f")), expected) << text;
    }
    auto file = host.Open(planned);
    const Function& function = **file->FindFunction("f");
    // Every run has a buffer of its own.
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 3; ++caller) {
      callers.emplace_back([&] {
        for (int run = 0; run < 3; ++run) EXPECT_EQ(host.Run(function), expected);
      });
    }
    for (std::thread& caller : callers) caller.join();
    host.Quiesce();
    if (HasFailure()) FAIL() << text;
  }
  EXPECT_GT(num_planned, 100u);
}

}  // namespace
}  // namespace tfrt
