#include "test/unit/executor/test_kernels.h"

#include <gtest/gtest.h>

#include <atomic>

namespace tfrt {

TestLog& TestLog::Get() {
  static TestLog* log = new TestLog;
  return *log;
}
void TestLog::Add(int32_t entry) {
  std::lock_guard lock(mutex_);
  entries_.push_back(entry);
}
std::vector<int32_t> TestLog::entries() {
  std::lock_guard lock(mutex_);
  return entries_;
}
void TestLog::Clear() {
  std::lock_guard lock(mutex_);
  entries_.clear();
}

namespace {

int32_t ConstI32(Attribute<int32_t> value) { return *value; }
int32_t AddI32(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
int32_t IncI32(int32_t a) { return a + 1; }
Chain Log(int32_t entry) {
  TestLog::Get().Add(entry);
  return {};
}
StatusOr<int32_t> Fail() { return InternalError("failed"); }
AsyncValueRef<int32_t> Later(int32_t value, const ExecutionContext& exec_ctx) {
  auto result = MakeUnconstructedAsyncValueRef<int32_t>();
  EnqueueWork(exec_ctx, [result = result.CopyRef(), value] { result.emplace(value); });
  return result;
}
AsyncValueRef<int32_t> Never() { return MakeUnconstructedAsyncValueRef<int32_t>(); }
void Unique(RemainingArguments arguments, RemainingResults results) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    results.Emplace<bool>(i, arguments.IsUnique(i));
  }
}
void Forget(Result<int32_t>) {}
// Without a word to the frame, and without clearing its results.
void ForgetByHand(AsyncKernelFrame*) {}
constexpr KernelSignature kForgetByHandSignature = {.variadic_arguments = true,
                                                    .variadic_results = true};
void Call(const Function* function, RemainingArguments arguments, RemainingResults results,
          const ExecutionContext& exec_ctx) {
  std::vector<RCReference<AsyncValue>> values(results.size());
  function->Execute(exec_ctx, arguments.values(), values);
  for (size_t i = 0; i < values.size(); ++i) results.Set(i, std::move(values[i]));
}
int32_t Cancel(int32_t value, const ExecutionContext& exec_ctx) {
  exec_ctx.request_ctx()->Cancel();
  return value;
}
std::string CopyText(const std::string& text) { return text; }
void First(RemainingArguments arguments, RemainingResults results) {
  results.Set(0, FormRef(arguments[0]));
}
AsyncValueRef<int32_t> Alias(Argument<int32_t> value) { return value.TypedRef(); }
void Visit(Attribute<int32_t> id, RemainingArguments, RemainingResults results) {
  TestLog::Get().Add(*id);
  for (size_t i = 0; i < results.size(); ++i) results.Emplace<int32_t>(i, 0);
}
void Quiet(RemainingArguments, RemainingResults results) {
  for (size_t i = 0; i < results.size(); ++i) results.Emplace<int32_t>(i, 0);
}
void VisitLate(Attribute<int32_t> id, RemainingArguments, RemainingResults results,
               const ExecutionContext& exec_ctx) {
  TestLog::Get().Add(*id);
  std::vector<AsyncValueRef<int32_t>> late;
  for (size_t i = 0; i < results.size(); ++i) {
    late.push_back(MakeUnconstructedAsyncValueRef<int32_t>());
    results.Set(i, late.back().CopyRCRef());
  }
  EnqueueWork(exec_ctx, [late = std::move(late)] {
    for (const auto& value : late) value.emplace(0);
  });
}
int32_t SyncAdd(int32_t a, int32_t b) { return a + b; }
std::string SyncText(int32_t n) { return std::string(static_cast<size_t>(n), 'x'); }
std::string SyncJoin(const std::string& a, const std::string& b) { return a + b; }
int32_t SyncSize(const std::string& text) { return static_cast<int32_t>(text.size()); }
StatusOr<int32_t> SyncFail() { return InternalError("sync failed"); }
int32_t AggregateSize(AggregateAttribute array) { return static_cast<int32_t>(array.size()); }
int32_t Strings(StringAttribute text, ArrayAttribute<int32_t> array) {
  return static_cast<int32_t>(text.get().size() + array.size());
}

void RegisterTestKernels(KernelRegistry& registry) {
  registry.AddKernel("t.const.i32", TFRT_KERNEL(ConstI32), KernelFlags::kOrderFree);
  registry.AddKernel("t.add", TFRT_KERNEL(AddI32), KernelFlags::kOrderFree);
  registry.AddKernel("t.inc", TFRT_KERNEL(IncI32), KernelFlags::kOrderFree);
  registry.AddKernel("t.log", TFRT_KERNEL(Log));
  registry.AddKernel("t.fail", TFRT_KERNEL(Fail));
  registry.AddKernel("t.later", TFRT_KERNEL(Later));
  registry.AddKernel("t.never", TFRT_KERNEL(Never));
  registry.AddKernel("t.unique", TFRT_KERNEL(Unique), KernelFlags::kOrderFree);
  registry.AddKernel("t.forget", TFRT_KERNEL(Forget));
  registry.AddKernel("t.forget_by_hand", {&ForgetByHand, &kForgetByHandSignature});
  registry.AddKernel("t.call", TFRT_KERNEL(Call), KernelFlags::kAsItsFunctions);
  registry.AddKernel("t.quiet", TFRT_KERNEL(Quiet), KernelFlags::kOrderFree);
  registry.AddKernel("t.cancel", TFRT_KERNEL(Cancel));
  registry.AddKernel("t.first", TFRT_KERNEL(First), KernelFlags::kNonStrict);
  registry.AddKernel("t.strings", TFRT_KERNEL(Strings));
  registry.AddKernel("t.aggregate_size", TFRT_KERNEL(AggregateSize));
  registry.AddKernel("t.copy_text", TFRT_KERNEL(CopyText), KernelFlags::kOrderFree);
  registry.AddKernel("t.alias", TFRT_KERNEL(Alias), KernelFlags::kOrderFree);
  registry.AddKernel("t.visit", TFRT_KERNEL(Visit));
  registry.AddKernel("t.visit_late", TFRT_KERNEL(VisitLate));
  registry.AddKernel("t.visit_any", TFRT_KERNEL(Visit), KernelFlags::kNonStrict);
  registry.AddSyncKernel("t.sync_add", TFRT_SYNC_KERNEL(SyncAdd));
  registry.AddSyncKernel("t.sync_text", TFRT_SYNC_KERNEL(SyncText));
  registry.AddSyncKernel("t.sync_join", TFRT_SYNC_KERNEL(SyncJoin));
  registry.AddSyncKernel("t.sync_size", TFRT_SYNC_KERNEL(SyncSize));
  registry.AddSyncKernel("t.sync_fail", TFRT_SYNC_KERNEL(SyncFail));
}

}  // namespace

TestHost::TestHost(const std::string& queue) {
  TestLog::Get().Clear();
  auto work_queue = CreateWorkQueue(queue);
  EXPECT_TRUE(work_queue.ok()) << work_queue.status().ToString();
  host_ = std::make_unique<HostContext>(
      [this](const DecodedDiagnostic& diagnostic) {
        std::lock_guard lock(mutex_);
        diagnostics_.emplace_back(diagnostic.status.message());
      },
      CreateMallocAllocator(), *std::move(work_queue));
  RegisterTestKernels(host_->kernel_registry());
}

TestHost::~TestHost() { host_.reset(); }

ExecutionContext TestHost::MakeContext(uint32_t max_call_depth) {
  RequestContextBuilder builder(host_.get(), nullptr);
  builder.set_max_call_depth(max_call_depth);
  return ExecutionContext(std::move(builder).Build());
}

StatusOr<RCReference<BefFile>> TestHost::TryLoad(const bef::BefBuilder& builder) {
  TFRT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, builder.Build());
  return BefFile::Open(BefImage::CopyOf(bytes), host_.get());
}

RCReference<BefFile> TestHost::Load(const bef::BefBuilder& builder) {
  StatusOr<RCReference<BefFile>> file = TryLoad(builder);
  if (!file.ok()) {
    ADD_FAILURE() << file.status().ToString();
    std::abort();
  }
  return *std::move(file);
}

std::vector<RCReference<AsyncValue>> TestHost::Run(const BefFile& file, std::string_view name,
                                                   std::vector<RCReference<AsyncValue>> arguments) {
  StatusOr<const Function*> function = file.FindFunction(name);
  if (!function.ok()) {
    ADD_FAILURE() << function.status().ToString();
    return {};
  }
  std::vector<AsyncValue*> borrowed;
  for (auto& argument : arguments) borrowed.push_back(argument.get());
  std::vector<RCReference<AsyncValue>> results((*function)->num_results());
  (*function)->Execute(MakeContext(), borrowed, results);
  std::vector<AsyncValue*> raw;
  for (auto& result : results) raw.push_back(result.get());
  host_->Await(raw);
  host_->Quiesce();
  return results;
}

bef::KernelSpec Const(int32_t value, uint32_t stream) {
  return {.name = "t.const.i32",
          .result_types = {"i32"},
          .attributes = {{"value", bef::I32Attribute(value)}},
          .stream = stream};
}
bef::KernelSpec Op(std::string name, std::vector<uint32_t> operands,
                   std::vector<std::string> result_types, uint32_t stream) {
  return {.name = std::move(name),
          .operands = std::move(operands),
          .result_types = std::move(result_types),
          .stream = stream};
}

}  // namespace tfrt
