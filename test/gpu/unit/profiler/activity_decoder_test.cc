// Records made by hand, of each kind and version, whole and damaged, become events; also as the
// vendor's own library goes through them, where it is installed.
#include "gpu/profiler/activity_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/wrapper/cupti.h"
#include "test/gpu/unit/profiler/activity_buffer.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::gpu {
namespace {

using namespace cupti;  // NOLINT: records of it
using profiler::Problem;
using profiler::Profile;
using profiler::ProfileBuilder;
using testing::HasSubstr;
using testing::IsEmpty;

int walked_version = kCuptiVersion13 + 1;

size_t SizeOf(CUpti_ActivityKind kind) {
  const bool is_13 = walked_version >= kCuptiVersion13;
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return is_13 ? 216 : 208;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return is_13 ? 96 : 88;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return 40;
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return 24;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return is_13 ? sizeof(CUpti_ActivitySynchronization2) : sizeof(CUpti_ActivitySynchronization);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return is_13 ? sizeof(CUpti_ActivityOverhead3) : sizeof(CUpti_ActivityOverhead);
    default:
      return static_cast<uint32_t>(kind) == 99 ? 16 : 0;  // one that the decoder does not know
  }
}

CUptiResult NextRecord(uint8_t* buffer, size_t valid_bytes, CUpti_Activity** record) {
  uint8_t* next = buffer;
  if (*record) {
    const size_t size = SizeOf((*record)->kind);
    if (size == 0) return CUPTI_ERROR_INVALID_KIND;
    next = reinterpret_cast<uint8_t*>(*record) + size;
  }
  if (next >= buffer + valid_bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

CUptiResult CallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    *name = "cudaLaunchKernel_v7000";
    return CUPTI_SUCCESS;
  }
  const char* const kNames[] = {nullptr, "cuLaunchKernel", "cuEventQuery", "cuMemFree_v2"};
  if (id >= std::size(kNames)) return CUPTI_ERROR_INVALID_PARAMETER;
  *name = kNames[id];
  return *name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

class ActivityDecoderTest : public testing::Test {
 protected:
  ActivityDecoderTest() {
    table_.cuptiActivityGetNextRecord = NextRecord;
    table_.cuptiGetCallbackName = CallbackName;
    UseVersion(kCuptiVersion13 + 1);
  }
  // All is empty again.
  void UseVersion(int version) {
    walked_version = version;
    builder_.emplace();
    stream_.emplace(&*builder_);
    decoder_.emplace(ActivityDecoder::Sources{
        .table = &table_, .version = version, .op_names = &names_, .graph_ops = &graph_ops_});
  }
  void AddLinks(uint32_t correlation, uint64_t op_id, uint64_t record_id, const char* name) {
    buffer_.Add(MakeExternal(kOpIdKind, ToExternalId(op_id), correlation));
    buffer_.Add(MakeExternal(kRecordIdKind, ToExternalId(record_id), correlation));
    buffer_.Add(MakeExternal(kOpNameKind, ToExternalId(names_.NumberOf(name)), correlation));
  }
  void Decode() {
    // In memory of its own length, so that a sanitizer sees who reads behind it.
    const std::vector<uint8_t> exact(buffer_.bytes());
    decoder_->Decode(exact, *stream_);
    buffer_.bytes().clear();
  }
  Profile Finish() {
    decoder_->Finish(*stream_);
    return builder_->Build();
  }
  // The record that events of ops have as their parent.
  void AddParent(uint64_t id) {
    const auto type = stream_->Type({.name = "op", .level = profiler::StackLevel::kOp});
    stream_->consumer().AddEvent({.type = type,
                                  .name = stream_->String("relu"),
                                  .track = stream_->TrackOf({.number = 51}),
                                  .id = id,
                                  .begin_ns = 1,
                                  .end_ns = 2});
  }

  Table table_;
  OpNames names_;
  GraphOps graph_ops_;
  std::optional<ProfileBuilder> builder_;
  std::optional<profiler::EventStream> stream_;
  std::optional<ActivityDecoder> decoder_;
  ActivityBuffer buffer_;
};

TEST_F(ActivityDecoderTest, KernelsHaveTheOpThatLaunchedThem) {
  AddParent(900);
  AddLinks(11, 77, 900, "tf.Relu");
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 1, 11, 100, 150));
  auto kernel = MakeKernel("_Z4reluPf", 11, 1000, 3000);
  kernel.queued = 400;
  kernel.submitted = 900;
  buffer_.Add(kernel);
  Decode();
  Profile profile = Finish();
  EXPECT_THAT(profile.problems(), IsEmpty());
  ASSERT_EQ(profile.OfType("device.kernel").size(), 1u);
  const profiler::Event& event = *profile.OfType("device.kernel")[0];
  EXPECT_EQ(profile.NameOf(event), "relu(float*)");
  EXPECT_EQ(event.begin_ns, 1000);
  EXPECT_EQ(event.end_ns, 3000);
  EXPECT_EQ(event.op_id, 77u);
  ASSERT_NE(profile.ParentOf(event), nullptr);
  EXPECT_EQ(profile.ParentOf(event)->id, 900u);
  EXPECT_EQ(profile.TypeOf(event).level, profiler::StackLevel::kDevice);
  EXPECT_EQ(profile.Text(event, "grid"), "4x1x1");
  EXPECT_EQ(profile.Text(event, "block"), "128x2x1");
  EXPECT_EQ(profile.Integer(event, "registers"), 40);
  EXPECT_EQ(profile.Integer(event, "shared_bytes"), 1024);
  EXPECT_EQ(profile.Integer(event, "local_bytes"), 16);
  EXPECT_EQ(profile.Integer(event, "queued_ns"), 600);
  EXPECT_EQ(profile.Integer(event, "submitted_ns"), 100);
  EXPECT_EQ(profile.Integer(event, "stream"), 7);
  EXPECT_EQ(profile.Text(event, "op"), "tf.Relu");
  EXPECT_EQ(profile.TrackOf(event).kind, profiler::Track::Kind::kStream);
  EXPECT_EQ(profile.TrackOf(event).name, "gpu:0 stream 7");
  ASSERT_EQ(profile.OfType("device.launch").size(), 1u);
  const profiler::Event& launch = *profile.OfType("device.launch")[0];
  EXPECT_EQ(profile.NameOf(launch), "cuLaunchKernel");
  EXPECT_EQ(launch.correlation_id, event.correlation_id);
  EXPECT_EQ(launch.op_id, 77u);
  EXPECT_EQ(profile.TrackOf(launch).kind, profiler::Track::Kind::kThread);
  EXPECT_EQ(profile.TrackOf(launch).number, 51);
}

TEST_F(ActivityDecoderTest, CopiesAndFills) {
  AddLinks(1, 5, 0, "");
  CUpti_ActivityMemcpy6 copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.bytes = uint64_t{5} << 32;
  copy.start = 10;
  copy.end = 20;
  copy.deviceId = 1;
  copy.correlationId = 1;
  buffer_.Add(copy);
  CUpti_ActivityMemcpyPtoP4 peer = {};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.srcKind = peer.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  peer.srcDeviceId = 2;
  peer.dstDeviceId = 3;
  peer.bytes = 64;
  peer.start = 30;
  peer.end = 40;
  peer.correlationId = 1;
  buffer_.Add(peer);
  CUpti_ActivityMemset4 fill = {};
  fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill.value = 7;
  fill.bytes = 128;
  fill.start = 50;
  fill.end = 60;
  fill.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  fill.correlationId = 1;
  buffer_.Add(fill);
  Decode();
  Profile profile = Finish();
  auto copies = profile.OfType("device.copy");
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(profile.TypeOf(*copies[0]).kind, profiler::RecordKind::kCopy);
  EXPECT_EQ(profile.Integer(*copies[0], "bytes"), int64_t{5} << 32);
  EXPECT_EQ(profile.Text(*copies[0], "from"), "host (pinned)");
  EXPECT_EQ(profile.Text(*copies[0], "to"), "gpu:1");
  EXPECT_EQ(profile.Text(*copies[1], "from"), "gpu:2");
  EXPECT_EQ(profile.Text(*copies[1], "to"), "gpu:3");
  EXPECT_EQ(copies[1]->op_id, 5u);
  ASSERT_EQ(profile.OfType("device.fill").size(), 1u);
  EXPECT_EQ(profile.Integer(*profile.OfType("device.fill")[0], "bytes"), 128);
  EXPECT_EQ(profile.Integer(*profile.OfType("device.fill")[0], "value"), 7);
}

TEST_F(ActivityDecoderTest, NamesOfMemory) {
  const std::pair<uint8_t, const char*> kNames[] = {
      {0, "unknown"},       {1, "host (pageable)"}, {2, "host (pinned)"},    {3, "gpu:0"},
      {4, "gpu:0 (array)"}, {5, "managed"},         {6, "gpu:0 (variable)"}, {7, "managed"},
      {200, "unknown"}};
  for (auto [kind, name] : kNames) {
    CUpti_ActivityMemcpy6 copy = {};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.srcKind = kind;
    copy.start = copy.end = 1;
    buffer_.Add(copy);
  }
  Decode();
  Profile profile = Finish();
  std::vector<std::string> names;
  for (const profiler::Event* event : profile.OfType("device.copy")) {
    names.emplace_back(profile.Text(*event, "from"));
  }
  ASSERT_EQ(names.size(), std::size(kNames));
  std::vector<std::string> expected;
  for (auto [kind, name] : kNames) expected.push_back(name);
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(expected));
}

TEST_F(ActivityDecoderTest, CallsWaitsAndOverhead) {
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 2, 1, 10, 11));  // a question
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 3, 2, 20, 21));
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 77, 3, 30, 31));  // newer than the names
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_RUNTIME, 1, 4, 40, 41));
  for (uint32_t type = 0; type < 6; ++type) {
    CUpti_ActivitySynchronization2 sync = {};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.type = static_cast<CUpti_ActivitySynchronizationType>(type);
    sync.start = 100 + type;
    sync.end = 200;
    sync.contextId = 9;
    sync.streamId = type == 3 ? 12 : ~uint32_t{0};
    buffer_.Add(sync);
  }
  for (uint32_t kind = 0; kind < 10; ++kind) {
    CUpti_ActivityOverhead3 overhead = {};
    overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    overhead.overheadKind = static_cast<CUpti_ActivityOverheadKind>(kind < 2 ? kind : kind << 16);
    overhead.objectKind =
        kind % 2 == 0 ? CUPTI_ACTIVITY_OBJECT_THREAD : CUPTI_ACTIVITY_OBJECT_DEVICE;
    overhead.objectId[0] = 50;
    overhead.objectId[1] = 51;
    overhead.start = 300 + kind;
    overhead.end = 400;
    buffer_.Add(overhead);
  }
  Decode();
  Profile profile = Finish();
  EXPECT_THAT(profile.problems(), IsEmpty());
  std::vector<std::string> calls, waits, overheads;
  for (const profiler::Event* event : profile.OfType("device.call")) {
    calls.emplace_back(profile.NameOf(*event));
  }
  EXPECT_THAT(calls,
              testing::ElementsAre("cuMemFree_v2", "driver function 77", "cudaLaunchKernel"));
  for (const profiler::Event* event : profile.OfType("device.sync")) {
    waits.emplace_back(profile.NameOf(*event));
    EXPECT_EQ(profile.Integer(*event, "context"), 9);
    EXPECT_EQ(profile.Integer(*event, "stream"), waits.size() == 4 ? 12 : -1);
  }
  EXPECT_THAT(waits, testing::ElementsAre("wait", "wait for an event", "stream waits for an event",
                                          "wait for a stream", "wait for a context", "wait"));
  for (const profiler::Event* event : profile.OfType("device.overhead")) {
    overheads.emplace_back(profile.NameOf(*event));
  }
  EXPECT_THAT(overheads, testing::ElementsAre("overhead", "driver compiles", "profiler instruments",
                                              "profiler makes resources", "module is loaded",
                                              "function is loaded", "command buffer is full",
                                              "profiler asks for a buffer",
                                              "profiler of managed memory begins", "overhead"));
}

// CUDA 12's records are shorter; what follows is found all the same.
TEST_F(ActivityDecoderTest, RecordsOfOlderLibraries) {
  UseVersion(24);
  AddLinks(3, 8, 0, "op");
  auto kernel = MakeKernel("k", 3, 100, 200);
  buffer_.Add<CUpti_ActivityKernel9>(kernel);
  CUpti_ActivityMemcpy5 copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.start = 300;
  copy.end = 400;
  copy.correlationId = 3;
  buffer_.Add(copy);
  CUpti_ActivitySynchronization sync = {};
  sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  sync.start = sync.end = 1;
  buffer_.Add(sync);
  CUpti_ActivityOverhead overhead = {};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.start = overhead.end = 1;
  buffer_.Add(overhead);
  Decode();
  Profile profile = Finish();
  EXPECT_THAT(profile.problems(), IsEmpty());
  ASSERT_EQ(profile.events().size(), 4u);
  EXPECT_EQ(profile.OfType("device.kernel").at(0)->op_id, 8u);
  EXPECT_EQ(profile.OfType("device.copy").at(0)->op_id, 8u);
}

// Whatever comes first: links, the call, the command; in one buffer or in several.
TEST_F(ActivityDecoderTest, TheOrderOfRecordsIsNoMatter) {
  for (int order = 0; order < 6; ++order) {
    for (bool is_split : {false, true}) {
      std::vector<int> parts = {0, 1, 2};
      for (int i = 0; i < order; ++i) std::ranges::next_permutation(parts);
      for (int part : parts) {
        if (part == 0) AddLinks(1, 42, 0, "op");
        if (part == 1) buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 1, 1, 10, 20));
        if (part == 2) buffer_.Add(MakeKernel("k", 1, 100, 200));
        if (is_split) Decode();
      }
      if (!is_split) Decode();
      Profile profile = Finish();
      ASSERT_EQ(profile.OfType("device.kernel").size(), 1u);
      // A call that comes before its ids settles the matter, unless they are in its buffer.
      if (!is_split || parts[0] == 0 || (parts[0] == 2 && parts[1] == 0)) {
        EXPECT_EQ(profile.OfType("device.kernel")[0]->op_id, 42u) << order << is_split;
      }
      UseVersion(kCuptiVersion13);
    }
  }
}

TEST_F(ActivityDecoderTest, WhatNobodyClaimsIsGivenAfterAWhile) {
  buffer_.Add(MakeKernel("foreign", 5, 100, 200));
  Decode();
  for (int i = 1; i < ActivityDecoder::kMaxAge; ++i) decoder_->Age(*stream_);
  AddParent(1);
  decoder_->Age(*stream_);
  Profile profile = builder_->Build();
  ASSERT_EQ(profile.OfType("device.kernel").size(), 1u);
  EXPECT_EQ(profile.OfType("device.kernel")[0]->op_id, 0u);
  EXPECT_EQ(profile.ParentOf(*profile.OfType("device.kernel")[0]), nullptr);
}

TEST_F(ActivityDecoderTest, HoldsBackSoManyAtMost) {
  const size_t count = ActivityDecoder::kMaxHeld + 10;
  for (size_t i = 0; i < count; ++i) {
    buffer_.Add(MakeKernel("k", static_cast<uint32_t>(i + 1), 100 + i, 200 + i));
  }
  Decode();
  EXPECT_EQ(builder_->Build().events().size(), 10u);
}

// Other parts of a program use the same kinds of external ids.
TEST_F(ActivityDecoderTest, ForeignExternalIdsAreNotOurs) {
  buffer_.Add(MakeExternal(kOpIdKind, 1234, 1));
  buffer_.Add(MakeExternal(kRecordIdKind, ~uint64_t{0}, 1));
  buffer_.Add(MakeExternal(kOpNameKind, 0xffffffff, 1));
  buffer_.Add(MakeExternal(kOpNameKind, ToExternalId(0xffffffff), 2));  // a name that nobody gave
  buffer_.Add(MakeExternal(static_cast<CUpti_ExternalCorrelationKind>(2), ToExternalId(1), 1));
  buffer_.Add(MakeKernel("a", 1, 100, 200));
  buffer_.Add(MakeKernel("b", 2, 300, 400));
  Decode();
  Profile profile = Finish();
  for (const profiler::Event* event : profile.OfType("device.kernel")) {
    EXPECT_EQ(event->op_id, 0u);
    EXPECT_EQ(profile.Text(*event, "op"), "");
    EXPECT_EQ(profile.ParentOf(*event), nullptr);
  }
}

TEST_F(ActivityDecoderTest, CommandsOfGraphsHaveTheOpThatMadeTheirNode) {
  AddParent(900);
  const uint32_t relu = names_.NumberOf("tf.Relu");
  graph_ops_.Add(70, {.op_id = 5, .record_id = 800, .op_name = relu});
  graph_ops_.AddClone(71, 70);
  graph_ops_.AddClone(73, 72);  // of a node that nobody knows
  AddLinks(1, 99, 900, "launch");
  auto kernel = MakeKernel("k", 1, 100, 200);
  kernel.graphNodeId = 71;
  buffer_.Add(kernel);
  kernel.graphNodeId = 73;
  kernel.start = 300;
  kernel.end = 400;
  buffer_.Add(kernel);
  Decode();
  Profile profile = Finish();
  auto kernels = profile.OfType("device.kernel");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]->op_id, 5u);
  EXPECT_EQ(profile.Text(*kernels[0], "op"), "tf.Relu");
  EXPECT_EQ(profile.Integer(*kernels[0], "graph_node"), 71);
  EXPECT_EQ(profile.ParentOf(*kernels[0])->id, 900u);  // what launched the graph
  EXPECT_EQ(kernels[1]->op_id, 99u);
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kNoParent);
  EXPECT_EQ(profile.problems()[0].text,
            "1 commands of CUDA graphs have no op: start the session before the graphs are "
            "captured");
}

TEST_F(ActivityDecoderTest, WhatIsNotUnderstoodIsCounted) {
  struct [[gnu::packed, gnu::aligned(8)]] Unknown {
    uint32_t kind = 99;
    uint32_t pad[3] = {};
  };
  buffer_.Add(Unknown());
  buffer_.Add(Unknown());
  buffer_.Add(MakeKernel("no times", 1, 0, 0));
  buffer_.Add(MakeKernel("late", 1, 1, ~uint64_t{0}));
  buffer_.Add(MakeKernel("good", 1, 1, 2));
  auto cut = MakeKernel("cut", 1, 1, 2);
  buffer_.Add(cut);
  buffer_.bytes().resize(buffer_.bytes().size() - 8);
  Decode();
  Profile profile = Finish();
  ASSERT_EQ(profile.events().size(), 1u);
  EXPECT_EQ(profile.NameOf(profile.events()[0]), "good");
  ASSERT_EQ(profile.problems().size(), 3u);
  EXPECT_EQ(profile.problems()[0].text,
            "2 activity records of the GPU are of kinds that are not read");
  EXPECT_EQ(profile.problems()[1].text,
            "1 activity records of the GPU are cut off or damaged: use the CUPTI of the driver's "
            "CUDA version");
  EXPECT_EQ(profile.problems()[2].text, "2 activity records of the GPU have no times");
}

// No truncation and no changed byte makes more of it than problems. Kernels have no names here: a
// pointer out of nowhere is what no reader survives.
TEST_F(ActivityDecoderTest, DamageIsSurvived) {
  AddLinks(1, 42, 7, "op");
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 1, 1, 10, 20));
  CUpti_ActivityMemcpy6 copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.start = copy.end = 5;
  buffer_.Add(copy);
  CUpti_ActivityMemset4 fill = {};
  fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill.start = fill.end = 5;
  buffer_.Add(fill);
  CUpti_ActivitySynchronization2 sync = {};
  sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  buffer_.Add(sync);
  const std::vector<uint8_t> whole = buffer_.bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    buffer_.bytes().assign(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    Decode();
  }
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    buffer_.bytes() = whole;
    uint8_t& byte = buffer_.bytes()[random() % whole.size()];
    byte = static_cast<uint8_t>(random());
    // Not into a kernel.
    CUpti_Activity* record = nullptr;
    bool has_kernel = false;
    while (NextRecord(buffer_.bytes().data(), whole.size(), &record) == CUPTI_SUCCESS &&
           whole.size() - static_cast<size_t>(reinterpret_cast<uint8_t*>(record) -
                                              buffer_.bytes().data()) >=
               8) {
      has_kernel |= record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
                    record->kind == CUPTI_ACTIVITY_KIND_KERNEL;
    }
    if (!has_kernel) Decode();
  }
  EXPECT_FALSE(Finish().problems().empty());
}

// Commands of one stream that overlap are what the library says; nothing is lost.
TEST_F(ActivityDecoderTest, OverlappingKernelsStay) {
  buffer_.Add(MakeKernel("a", 1, 100, 300));
  buffer_.Add(MakeKernel("b", 2, 200, 400));
  Decode();
  EXPECT_EQ(Finish().OfType("device.kernel").size(), 2u);
}

TEST_F(ActivityDecoderTest, TimesAreMovedToOurClock) {
  decoder_.emplace(ActivityDecoder::Sources{.table = &table_,
                                            .version = kCuptiVersion13,
                                            .op_names = &names_,
                                            .graph_ops = &graph_ops_,
                                            .clock_offset_ns = -50});
  buffer_.Add(MakeKernel("k", 1, 100, 300));
  Decode();
  Profile profile = Finish();
  EXPECT_EQ(profile.events()[0].begin_ns, 50);
  EXPECT_EQ(profile.events()[0].end_ns, 250);
}

// The vendor's library goes through records without a device and without a driver.
TEST_F(ActivityDecoderTest, AsTheVendorsLibraryReads) {
  const std::string path = TFRT_TEST_CUPTI_LIBRARY;
  if (path.empty()) GTEST_SKIP() << "no libcupti.so.13 was found";
  const std::string folder = path.substr(0, path.rfind('/'));
  StatusOr<const Library*> library =
      Library::Open({.before_loader = {{folder, "the test"}}, .loader = false});
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  ASSERT_GE((*library)->version(), kCuptiVersion13);
  table_ = (*library)->table();
  UseVersion((*library)->version());
  AddLinks(1, 42, 0, "op");
  buffer_.Add(MakeCall(CUPTI_ACTIVITY_KIND_DRIVER, 307, 1, 10, 20));
  buffer_.Add(MakeKernel("k", 1, 100, 200));
  CUpti_ActivityMemcpy6 copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.start = 300;
  copy.end = 400;
  copy.correlationId = 1;
  buffer_.Add(copy);
  CUpti_ActivityMemcpyPtoP4 peer = {};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.start = 500;
  peer.end = 510;
  buffer_.Add(peer);
  CUpti_ActivityMemset4 fill = {};
  fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill.start = 600;
  fill.end = 610;
  buffer_.Add(fill);
  CUpti_ActivitySynchronization2 sync = {};
  sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  sync.start = 700;
  sync.end = 710;
  buffer_.Add(sync);
  CUpti_ActivityOverhead3 overhead = {};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.start = 800;
  overhead.end = 810;
  buffer_.Add(overhead);
  buffer_.Add(MakeKernel("last", 1, 900, 910));
  Decode();
  Profile profile = Finish();
  EXPECT_THAT(profile.problems(), IsEmpty());
  ASSERT_EQ(profile.events().size(), 8u);
  ASSERT_EQ(profile.OfType("device.kernel").size(), 2u);
  EXPECT_EQ(profile.NameOf(*profile.OfType("device.kernel")[1]), "last");
  EXPECT_EQ(profile.OfType("device.kernel")[0]->op_id, 42u);
  EXPECT_EQ(profile.NameOf(*profile.OfType("device.launch").at(0)), "cuLaunchKernel");
}

}  // namespace
}  // namespace tfrt::gpu
