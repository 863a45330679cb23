#include "test/gpu/unit/profiler/double_fixture.h"

#include <dlfcn.h>

#include <cstdlib>

#include "gpu/wrapper/cupti.h"
#include "tfrt/profiler/source.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

// out[0] = x.
constexpr char kAdd[] = R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry add(.param .u64 out, .param .f32 x) {
  .reg .b64 %a;
  .reg .f32 %x;
  ld.param.u64 %a, [out];
  ld.param.f32 %x, [x];
  cvta.to.global.u64 %a, %a;
  st.global.f32 [%a], %x;
  ret;
}
)";

// Never destroyed, as libraries are; the last one is the sessions'.
std::vector<const cupti::Library*>& SessionLibraries() {
  static auto& libraries = *new std::vector<const cupti::Library*>;
  return libraries;
}

class DoubleSource final : public profiler::Source {
 public:
  Status Start(profiler::Level level) override {
    CuptiCollector::Options options = CuptiCollector::OptionsFromEnvironment();
    options.library = SessionLibraries().back();
    return CuptiCollector::Get().Start(level, options);
  }
  void Drain(profiler::EventStream& stream) override { CuptiCollector::Get().Drain(stream); }
  void Stop() override { CuptiCollector::Get().Stop(); }
};

template <typename F>
void Find(void* library, const char* name, F** function) {
  void* found = dlsym(library, name);
  ASSERT_NE(found, nullptr) << name;
  std::memcpy(function, &found, sizeof(found));
}

}  // namespace

void ProfiledDoubleTest::SetUpTestSuite() {
  setenv("TFRT_GPU_DOUBLE", "mode=lazy,seed=1,devices=2,memory=64M", /*overwrite=*/0);
  setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, /*overwrite=*/1);
  profiler::RegisterSource("cupti",
                           [] { return std::unique_ptr<profiler::Source>(new DoubleSource); });
}

void ProfiledDoubleTest::SetUp() {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  StatusOr<const cuda::Driver*> driver = cuda::Driver::Get();
  ASSERT_TRUE(driver.ok()) << driver.status().ToString();
  driver_ = *driver;
  StatusOr<const cupti::Library*> library = cupti::Library::Get();
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  void* opened = dlopen((*library)->path().c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(opened, nullptr);
  Find(opened, "tfrtCuptiDoubleConfigure", &configure_);
  Find(opened, "tfrtCuptiDoubleNumPushed", &num_pushed_);
  Configure("");
  unsetenv("TFRT_GPU_PROFILE_BUFFER_MB");
  queue_ = CreateWorkQueue("mstd:1").value();
}

void ProfiledDoubleTest::Configure(const char* settings, int version) {
  const cupti::Library& opened = **cupti::Library::Get();
  SessionLibraries().push_back(new cupti::Library(opened.table(), version, opened.path()));
  const std::string all = StrCat("version=", version, *settings ? "," : "", settings);
  ASSERT_EQ(configure_(all.c_str()), 0);
}

void ProfiledDoubleTest::TearDown() {
  if (session_) (void)session_->Stop();
  DropContext();
  EXPECT_EQ(CuptiCollector::Get().state(), CuptiCollector::State::kOff);
  if (num_pushed_) EXPECT_EQ(num_pushed_(), 0);
}

void ProfiledDoubleTest::MakeContext() {
  context_ = Context::RetainPrimary(driver_->table(), driver_->FindDevice(0).value(),
                                    {.queue = queue_.get()})
                 .value();
  stream_ = context_->CreateStream().value();
  add_ = context_->LoadModule(std::string_view(kAdd, sizeof(kAdd)))
             .value()
             ->GetFunction("add")
             .value();
  memory_ = context_->Allocate(*stream_, 256).value();
}

void ProfiledDoubleTest::DropContext() {
  memory_.reset();
  stream_.reset();
  if (queue_) queue_->Quiesce();
  context_.reset();
}

void ProfiledDoubleTest::StartSession(profiler::Level level) {
  auto session =
      profiler::Session::Start({.level = level, .buffer_bytes = size_t{1} << 20},
                               std::make_unique<profiler::ForwardingConsumer>(&builder_));
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  session_ = *std::move(session);
}

profiler::Profile ProfiledDoubleTest::StopSession() {
  if (stream_) EXPECT_TRUE(stream_->Wait().ok());
  EXPECT_TRUE(session_->Stop().ok());
  session_.reset();
  return builder_.Build();
}

Status ProfiledDoubleTest::Launch() {
  MemoryRange bytes = memory_->bytes();
  float x = 1;
  LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(x)};
  return stream_->Launch(*add_, {.grid = {1, 1, 1}, .block = {1, 1, 1}}, arguments).status();
}

void ProfiledDoubleTest::RunOp(const char* name) {
  tracing::RecordScope op(kTestOp, name);
  op_ids_.push_back(tracing::CurrentContext().op_id);
  LaunchScope scope(name, Location());
  ASSERT_TRUE(stream_->Fill(memory_->Bytes(0, 256), 0).ok());
  ASSERT_TRUE(Launch().ok());
  ASSERT_TRUE(stream_->Copy(memory_->Bytes(128, 64), memory_->Bytes(0, 64)).ok());
}

}  // namespace tfrt::gpu
