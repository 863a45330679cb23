// Profiles: of profiles with known answers, as files, merged and compared.
#include "lib/profiler/pprof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A run 0..100 with a layer 10..60, in which are a kernel 20..50, a block of it 25..45 on another
// thread and one 30..55 that overlaps the kernel's end; a moment; a stall 70..80.
Profile Example() {
  ProfileBuilder builder;
  for (const char* text : {"model", "conv1", "Conv", ""}) builder.AddString(text);
  builder.AddType({.name = "model.run", .level = StackLevel::kModel});
  builder.AddType({.name = "layer", .level = StackLevel::kOp, .is_op = true});
  builder.AddType({.name = "graph.kernel", .level = StackLevel::kKernel});
  builder.AddType({.name = "parallel_for.block", .level = StackLevel::kKernel});
  builder.AddType({.name = "moment", .kind = RecordKind::kEvent});
  builder.AddType({.name = "await", .level = StackLevel::kModel, .kind = RecordKind::kStall});
  builder.AddTrack({.name = "main", .number = 1});
  builder.AddTrack({.number = 2});
  builder.AddProperty("model", "tiny");
  auto add = [&](TypeId type, StringId name, TrackId track, uint64_t id, uint64_t parent,
                 int64_t begin, int64_t end) {
    builder.AddEvent({.type = type,
                      .name = name,
                      .track = track,
                      .id = id,
                      .parent_id = parent,
                      .begin_ns = begin,
                      .end_ns = end});
  };
  add(0, 0, 0, 1, 0, 0, 100);
  add(1, 1, 0, 2, 1, 10, 60);
  add(2, 2, 0, 3, 2, 20, 50);
  add(3, 3, 1, 4, 3, 25, 45);
  add(2, 2, 0, 5, 2, 30, 55);
  add(4, 3, 0, 6, 3, 30, 30);
  add(5, 3, 0, 7, 1, 70, 80);
  return builder.Build();
}

// "main > f: 1 20 thread=main", one for each sample.
std::vector<std::string> SamplesText(const Pprof& pprof) {
  std::vector<std::string> lines;
  for (const Pprof::Sample& sample : pprof.samples) {
    std::string line;
    for (size_t i = sample.path.size(); i-- > 0;) {
      line += StrCat(line.empty() ? "" : " > ", pprof.functions[sample.path[i]].name);
    }
    line += ":";
    for (int64_t value : sample.values) line += StrCat(" ", value);
    for (const Pprof::Label& label : sample.labels) {
      line += StrCat(" ", label.key, "=", label.text);
    }
    lines.push_back(line);
  }
  return lines;
}

bool HasPublishedFormat() {
  return std::system(
             "protoc --version > /dev/null 2>&1 && "
             "test -e '" TFRT_PPROF_PROTO_DIR "/profile.proto'") == 0;
}

TEST(PprofTest, CountsSelfTime) {
  const Pprof pprof = PprofOf(Example());
  EXPECT_THAT(
      SamplesText(pprof),
      ElementsAre("model.run model: 1 40 level=model thread=main",
                  "model.run model > layer conv1: 1 15 level=op thread=main",
                  "model.run model > layer conv1 > graph.kernel Conv: 2 55 level=kernel "
                  "thread=main",
                  "model.run model > layer conv1 > graph.kernel Conv > parallel_for.block: 1 20 "
                  "level=kernel thread=thread 2",
                  "model.run model > await: 1 10 level=stall thread=main"));
  EXPECT_EQ(pprof.duration_ns, 100);
  EXPECT_THAT(pprof.comments, ElementsAre("model: tiny"));
}

TEST(PprofTest, GivesBackWhatWasWritten) {
  const std::string path = TestPath("pprof.pb.gz");
  for (uint32_t seed = 0; seed < 10; ++seed) {
    ProfileBuilder builder;
    TellRandomStream(seed, 50, builder);
    const Pprof pprof = PprofOf(builder.Build());
    ASSERT_EQ(WritePprof(pprof, path), OkStatus());
    StatusOr<Pprof> read = ReadPprof(path);
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(SamplesText(*read), SamplesText(pprof));
    EXPECT_EQ(EncodePprof(*read), EncodePprof(pprof));
    EXPECT_TRUE(LooksLikePprof(ReadBytes(path).substr(0, 512)));
  }
}

// protoc reads what it says, by the profile.proto that pprof itself comes with.
TEST(PprofTest, IsWhatThePublishedFormatSays) {
  if (!HasPublishedFormat()) GTEST_SKIP() << "no protoc, or no profile.proto";
  const std::string path = TestPath("plain.pb");
  WriteBytes(path, EncodePprof(PprofOf(Example())));
  const std::string text = TestPath("pprof.txt");
  ASSERT_EQ(
      std::system(StrCat("protoc -I" TFRT_PPROF_PROTO_DIR " --decode=perftools.profiles.Profile "
                         "profile.proto < ",
                         path, " > ", text)
                      .c_str()),
      0);
  const std::string decoded = ReadBytes(text);
  EXPECT_THAT(decoded, HasSubstr("sample_type {\n  type: 3\n  unit: 4\n}"));
  EXPECT_THAT(decoded, HasSubstr("string_table: \"graph.kernel Conv\""));
  EXPECT_THAT(decoded, HasSubstr("sample {\n  location_id: 3\n  location_id: 2\n"
                                 "  location_id: 1\n  value: 2\n  value: 55\n"));
  EXPECT_THAT(decoded, HasSubstr("duration_nanos: 100"));
  for (std::string_view unknown : {"\n15:", "\n16:", "  9:"}) {
    EXPECT_EQ(decoded.find(unknown), std::string::npos);
  }
}

// Of another tool: locations with inlined functions, one without any, values that are not packed.
TEST(PprofTest, ReadsOtherToolsProfiles) {
  if (!HasPublishedFormat()) GTEST_SKIP() << "no protoc, or no profile.proto";
  const std::string text = TestPath("other.txt"), path = TestPath("other.pb");
  WriteBytes(text,
             "sample_type { type: 1 unit: 2 } "
             "sample { location_id: 7 location_id: 9 value: 5 label { key: 3 num: 4 } } "
             "location { id: 7 line { function_id: 1 } line { function_id: 2 } } "
             "location { id: 9 address: 0xBEEF } "
             "function { id: 1 name: 4 } function { id: 2 name: 5 filename: 6 } "
             "string_table: ['', 'cpu', 'nanoseconds', 'bytes', 'inlined', 'caller', 'f.cc']");
  ASSERT_EQ(
      std::system(StrCat("protoc -I" TFRT_PPROF_PROTO_DIR " --encode=perftools.profiles.Profile "
                         "profile.proto < ",
                         text, " > ", path)
                      .c_str()),
      0);
  StatusOr<Pprof> pprof = ReadPprof(path);
  ASSERT_TRUE(pprof.ok()) << pprof.status().message();
  EXPECT_THAT(SamplesText(*pprof), ElementsAre("0xbeef > caller > inlined: 5 bytes="));
  EXPECT_EQ(pprof->samples[0].labels[0].number, 4);
  EXPECT_EQ(pprof->functions[1].file, "f.cc");
}

TEST(PprofTest, StandsHostileFiles) {
  auto error = [](std::string_view bytes) {
    return std::string(ParsePprof(bytes).status().message());
  };
  EXPECT_EQ(error(""), "no pprof: it has no table of texts or no types of values");
  EXPECT_THAT(error("\xFF\xFF"), HasSubstr("no pprof: "));
  const std::string start = std::string("\x0A\x00", 2) + std::string("\x32\x00", 2);
  EXPECT_EQ(error(start), "");
  EXPECT_EQ(error(std::string("\x0A\x02\x08\x05") + std::string("\x32\x00", 2)),
            "text 5 is not among the 1 of the table");
  EXPECT_EQ(error(start + "\x12\x02\x08\x07"), "a sample is in location 7, which is not there");
  EXPECT_EQ(error(start + "\x12\x04\x10\x01\x10\x02"),
            "a sample has 2 values, the pprof has 1 types of values");
  EXPECT_EQ(error(start + "\x22\x06\x08\x03\x22\x02\x08\x04"),
            "location 3 is in function 4, which is not there");
  const std::string whole = EncodePprof(PprofOf(Example()));
  for (size_t i = 0; i < whole.size(); ++i) {
    error(std::string_view(whole).substr(0, i));
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    error(changed);
  }
  const std::string path = TestPath("cut.pb.gz");
  ASSERT_EQ(WritePprof(PprofOf(Example()), path), OkStatus());
  WriteBytes(path, ReadBytes(path).substr(0, 100));
  EXPECT_THAT(std::string(ReadPprof(path).status().message()),
              HasSubstr(": what gzip packed ends or is broken behind byte "));
  EXPECT_FALSE(LooksLikePprof("{\"a"));
  EXPECT_FALSE(LooksLikePprof(""));
}

Pprof WithFunction(std::string name, int64_t time, std::string level = {}) {
  Pprof pprof{.types = {{"time", "nanoseconds"}}, .functions = {{"main"}, {std::move(name)}}};
  pprof.samples.push_back({.path = {1, 0}, .values = {time}});
  if (!level.empty()) pprof.samples[0].labels.push_back({.key = "level", .text = level});
  return pprof;
}

TEST(PprofTest, AddsUpAFleet) {
  const std::vector<Pprof> fleet = {WithFunction("f", 3), WithFunction("g", 4),
                                    WithFunction("f", 5)};
  StatusOr<Pprof> sum = MergePprofs(fleet);
  ASSERT_TRUE(sum.ok());
  EXPECT_THAT(SamplesText(*sum), ElementsAre("main > f: 8", "main > g: 4"));
  const std::vector<Pprof> turned = {fleet[2], fleet[1], fleet[0]};
  EXPECT_EQ(EncodePprof(*MergePprofs(turned)), EncodePprof(*sum));
  EXPECT_EQ(MergePprofs({}).status().message(), "there are no pprofs to add up");
  Pprof other = fleet[0];
  other.types[0].unit = "count";
  EXPECT_EQ(MergePprofs(std::vector{fleet[0], other}).status().message(),
            "pprofs have different values: time in nanoseconds; and time in count");
}

TEST(PprofTest, ComparesByPath) {
  const std::vector<NamedPprof> two = {{"old", WithFunction("f", 8'000'000)},
                                       {"new", WithFunction("f", 6'000'000)}};
  StatusOr<Table> table = DiffPprofs(two);
  ASSERT_TRUE(table.ok()) << table.status().message();
  EXPECT_THAT(table->rows, ElementsAre(std::vector<Cell>{"main > f", 8.0, 6.0, -2.0, -0.25}));
  EXPECT_EQ(table->columns[1].unit, "ms");
  EXPECT_EQ(table->columns[4].base, "all time of old");
  EXPECT_EQ(DiffPprofs(std::span(two).first(1)).status().message(),
            "a comparison needs two pprofs or more, there are 1");
  std::vector<NamedPprof> mixed = two;
  mixed[1].pprof.types[0].unit = "count";
  EXPECT_EQ(DiffPprofs(mixed).status().message(),
            "new: its values are time in count, those of old are time in nanoseconds");
  EXPECT_EQ(TopFunctions(Pprof()).status().message(), "a pprof has no types of values");
}

TEST(PprofTest, SaysWhoseTimeItIs) {
  const Pprof pprof = PprofOf(Example());
  StatusOr<Table> owners = OwnerShares(pprof);
  ASSERT_TRUE(owners.ok());
  auto share = [](int64_t part) { return static_cast<double>(part) / 140; };
  EXPECT_THAT(owners->rows, ElementsAre(std::vector<Cell>{"executor", 55e-6, share(55)},
                                        std::vector<Cell>{"kernels", 75e-6, share(75)},
                                        std::vector<Cell>{"waiting", 10e-6, share(10)},
                                        std::vector<Cell>{"other", 0.0, 0.0}));
  StatusOr<Table> top = TopFunctions(pprof);
  ASSERT_TRUE(top.ok());
  EXPECT_EQ(top->rows[0],
            (std::vector<Cell>{"graph.kernel Conv", 55e-6, share(55), 75e-6, share(75)}));
  auto owner = [](std::string name) {
    const Pprof sampled = WithFunction(std::move(name), 1);
    return OwnerOf(sampled, sampled.samples[0]);
  };
  EXPECT_EQ(owner("tfrt::BefExecutor::Run"), PprofOwner::kExecutor);
  EXPECT_EQ(owner("dnnl::impl::gemm"), PprofOwner::kKernels);
  EXPECT_EQ(owner("futex_wait"), PprofOwner::kWaiting);
  EXPECT_EQ(owner("malloc"), PprofOwner::kOther);
}

}  // namespace
}  // namespace tfrt::profiler
