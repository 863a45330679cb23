// Profiles that ONNX Runtime, PyTorch and TensorFlow recorded of one small network (data/), and
// hand-written ones of what needs a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/files/json_profile.h"
#include "lib/profiler/files/xspace_profile.h"
#include "profile_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Profile ReadJsonBytes(std::string_view bytes) {
  const std::string path = TestPath("foreign.json");
  WriteBytes(path, bytes);
  StatusOr<Profile> profile = ReadWith(ReadJsonProfile, path);
  EXPECT_TRUE(profile.ok()) << profile.status().message();
  return profile.ok() ? std::move(*profile) : Profile();
}

// "conv1 [Conv] 5..9" for each layer of a run, from the run's begin in microseconds.
std::vector<std::string> LayersOf(const Profile& profile, const Event& run) {
  std::vector<std::string> layers;
  for (const Event* layer : profile.OfType("layer")) {
    bool is_inside = false;
    for (const Event* outer = layer; outer; outer = profile.ParentOf(*outer)) {
      is_inside = is_inside || outer == &run;
    }
    if (!is_inside) continue;
    layers.push_back(StrCat(profile.NameOf(*layer), " [", profile.Text(*layer, "op"), "] ",
                            (layer->begin_ns - run.begin_ns) / 1000, "..",
                            (layer->end_ns - run.begin_ns) / 1000));
  }
  return layers;
}

// Of each layer, its kernel's name and share of the layer's time.
std::vector<std::string> KernelsOf(const Profile& profile, size_t num_layers) {
  std::vector<std::string> kernels;
  for (const Event* kernel : profile.OfType("graph.kernel")) {
    if (kernels.size() == num_layers) break;
    const Event* layer = profile.Find(kernel->op_id);
    EXPECT_TRUE(layer && layer->begin_ns <= kernel->begin_ns && kernel->end_ns <= layer->end_ns);
    kernels.push_back(StrCat(profile.NameOf(*kernel), " of ", layer ? profile.NameOf(*layer) : "",
                             " ", kernel->duration_ns() * 100 / layer->duration_ns(), " %"));
  }
  return kernels;
}

TEST(ForeignProfileTest, ReadsOnnxRuntime) {
  StatusOr<Profile> profile = ReadWith(ReadJsonProfile, TFRT_TRACES_DIR "/onnxruntime.json");
  ASSERT_TRUE(profile.ok());
  EXPECT_THAT(profile->problems(), IsEmpty());
  EXPECT_EQ(profile->Property("producer"), "onnxruntime");
  EXPECT_EQ(profile->Property("level"), "layer");
  EXPECT_EQ(profile->Property("batch"), "4");
  const std::vector<const Event*> runs = profile->OfType("model.run");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]->duration_ns(), 219'000);
  EXPECT_EQ(profile->Integer(*runs[0], "batch"), 4);
  EXPECT_THAT(
      LayersOf(*profile, *runs[0]),
      ElementsAre("r_nchwc [Conv] 17..144", "ReorderOutput [ReorderOutput] 150..158",
                  "flat [Flatten] 166..173", "dense [MatMul] 176..187", "soft [Softmax] 193..205"));
  EXPECT_THAT(KernelsOf(*profile, 2),
              ElementsAre("Conv of r_nchwc 100 %", "ReorderOutput of ReorderOutput 100 %"));
  const Event* call = profile->OfType("graph.call")[0];
  EXPECT_EQ(profile->Integer(*call, "bytes_read"), 3072 + 1728);
  EXPECT_EQ(profile->Integer(*call, "bytes_written"), 9216);
  EXPECT_EQ(profile->Text(*call, "result"), "f32 [4,16,6,6]");
  EXPECT_EQ(profile->NameOf(*profile->ParentOf(*call)), "r_nchwc");
  EXPECT_EQ(profile->Integer(*profile->OfType("layer")[0], "number"), 6);
}

TEST(ForeignProfileTest, ReadsPyTorch) {
  StatusOr<Profile> profile = ReadWith(ReadJsonProfile, TFRT_TRACES_DIR "/pytorch.json.gz");
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->problems().size(), 1u);
  EXPECT_EQ(profile->problems()[0].text,
            "3 events are of kinds that are not read: 1 of category 'Trace', 2 without a category");
  EXPECT_EQ(profile->Property("producer"), "pytorch");
  EXPECT_EQ(profile->Property("level"), "kernel");
  EXPECT_EQ(profile->Property("batch"), "4");
  const std::vector<const Event*> scopes = profile->OfType("scope");
  ASSERT_EQ(scopes.size(), 2u);
  EXPECT_EQ(profile->NameOf(*scopes[0]), "tiny");
  EXPECT_EQ(scopes[0]->begin_ns, 4575407671311916);
  EXPECT_EQ(scopes[0]->duration_ns(), 32'691'262);
  EXPECT_THAT(
      LayersOf(*profile, *scopes[1]),
      ElementsAre("aten::conv2d [aten::conv2d] 89..15921", "aten::relu [aten::relu] 16071..16115",
                  "aten::flatten [aten::flatten] 16142..16161",
                  "aten::linear [aten::linear] 16203..23814",
                  "aten::softmax [aten::softmax] 23929..27781"));
  EXPECT_THAT(
      KernelsOf(*profile, 5),
      ElementsAre("aten::mkldnn_convolution of aten::conv2d 99 %",
                  "aten::clamp_min of aten::relu 62 %", "aten::view of aten::flatten 69 %",
                  "aten::addmm of aten::linear 99 %", "aten::_softmax of aten::softmax 99 %"));
  const std::vector<const Event*> allocations = profile->OfType("memory.allocate");
  ASSERT_EQ(allocations.size(), 14u);
  EXPECT_EQ(profile->OfType("memory.free").size(), 14u);
  EXPECT_EQ(profile->Integer(*allocations[2], "bytes"), 9216);
  EXPECT_EQ(profile->Integer(*allocations[2], "in_use"), 11136);
  const Event* call = profile->OfType("graph.call")[0];
  EXPECT_EQ(profile->Integer(*call, "bytes_read"), 4 * (4 * 3 * 8 * 8 + 4 * 3 * 3 * 3 + 4));
}

TEST(ForeignProfileTest, ReadsTensorFlow) {
  StatusOr<Profile> profile = ReadWith(ReadXSpace, TFRT_TRACES_DIR "/tensorflow.xplane.pb");
  ASSERT_TRUE(profile.ok());
  EXPECT_THAT(profile->problems(), IsEmpty());
  EXPECT_EQ(profile->Property("producer"), "tensorflow");
  EXPECT_EQ(profile->Property("level"), "layer");
  EXPECT_EQ(profile->Property("batch"), "");  // it tells of no shapes
  const std::vector<const Event*> steps = profile->OfType("step"),
                                  runs = profile->OfType("model.run");
  ASSERT_EQ(steps.size(), 2u);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(profile->Integer(*steps[1], "number"), 1);
  EXPECT_EQ(profile->AncestorAt(*runs[1], StackLevel::kModel), steps[1]);
  EXPECT_EQ(profile->NameOf(*runs[0]), "tiny");
  EXPECT_EQ(runs[0]->duration_ns(), 841'881);
  // On another thread than the run's.
  EXPECT_THAT(LayersOf(*profile, *runs[0]),
              ElementsAre("conv1 [_MklNativeConv2D] 251..443", "relu1 [Relu] 444..450",
                          "dense [_MklMatMul] 456..490", "soft [_MklSoftmax] 491..722"));
  const Event* layer = profile->OfType("layer")[0];
  EXPECT_NE(layer->track, runs[0]->track);
  EXPECT_THAT(profile->TrackOf(*layer).name, HasSubstr("tf_Compute"));
}

TEST(ForeignProfileTest, JoinsWhatADeviceDidToWhoAskedForIt) {
  const Profile profile = ReadJsonBytes(R"json({"schemaVersion":1,"traceEvents":[
    {"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7"}},
    {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":9,"tid":1,"ts":0,"dur":100},
    {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":1,"ts":10,"dur":20,"args":{}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":1,"ts":12,"dur":5,
     "args":{"correlation":55}},
    {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":200,"dur":50,
     "args":{"correlation":55,"device":2,"grid":[4,2,1],"block":[128,1,1]}},
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,
     "ts":260,"dur":1.5,"args":{"bytes":4096,"correlation":56}},
    {"ph":"X","cat":"gpu_memset","name":"Memset","pid":0,"tid":7,"ts":270,"dur":1,
     "args":{"bytes":8}}]})json");
  EXPECT_THAT(profile.problems(), IsEmpty());
  EXPECT_EQ(EventsText(profile),
            "step ProfilerStep#3: 0..100000 number=3\n"
            "layer aten::mm in step ProfilerStep#3: 10000..30000 op=aten::mm number=0\n"
            "graph.kernel aten::mm in layer aten::mm: 10000..30000\n"
            "device.launch cudaLaunchKernel in layer aten::mm: 12000..17000\n"
            "device.kernel gemm in device.launch cudaLaunchKernel: 200000..250000 device=2 "
            "grid=4x2x1 block=128x1x1\n"
            "device.copy Memcpy HtoD (Pageable -> Device): 260000..261500 bytes=4096 from=Pageable "
            "to=Device\n"
            "device.fill Memset: 270000..271000 bytes=8\n");
  const Event* kernel = profile.OfType("device.kernel")[0];
  EXPECT_EQ(kernel->op_id, profile.OfType("layer")[0]->id);
  EXPECT_EQ(kernel->correlation_id, 55u);
  EXPECT_EQ(profile.TrackOf(*kernel).kind, Track::Kind::kStream);
  EXPECT_EQ(profile.TrackOf(*kernel).name, "stream 7");
}

TEST(ForeignProfileTest, ReadsTensorFlowAsJson) {
  const Profile profile =
      ReadJsonBytes(R"json({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},
    "traceEvents":[
    {"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0 Compute"}},
    {"ph":"M","name":"thread_name","pid":1,"tid":14,"args":{"name":"Stream #14(Compute)"}},
    {"ph":"M","name":"thread_name","pid":1,"tid":99,"args":{"name":"TensorFlow Ops"}},
    {"ph":"M","name":"process_name","pid":2,"args":{"name":"/host:CPU"}},
    {"ph":"X","pid":2,"tid":5,"ts":0,"dur":90,"name":"train","args":{"step_num":"7"}},
    {"ph":"X","pid":2,"tid":5,"ts":1,"dur":80,"name":"EagerLocalExecute: __inference_f_12"},
    {"ph":"X","pid":2,"tid":6,"ts":2,"dur":9,"name":"Conv2D",
     "args":{"long_name":"model/conv1:Conv2D"}},
    {"ph":"X","pid":1,"tid":14,"ts":5,"dur":9,"name":"conv_kernel","args":{"correlation_id":"3"}},
    {"ph":"X","pid":1,"tid":99,"ts":5,"dur":9,"name":"Conv2D"},{}]})json");
  EXPECT_EQ(EventsText(profile),
            "step train: 0..90000 number=7\n"
            "model.run f in step train: 1000..81000 batch=0\n"
            "layer model/conv1 in model.run f: 2000..11000 op=Conv2D number=0\n"
            "graph.kernel Conv2D in layer model/conv1: 2000..11000\n"
            "device.kernel conv_kernel: 5000..14000 device=0 grid= block=\n");
}

TEST(ForeignProfileTest, DoesNotGuessWhoseAnEventIs) {
  const Profile profile = ReadJsonBytes(R"json([
    {"cat":"Session","ph":"X","pid":1,"tid":1,"ts":0,"dur":50,"name":"model_run"},
    {"cat":"Session","ph":"X","pid":1,"tid":2,"ts":10,"dur":50,"name":"model_run"},
    {"cat":"Node","ph":"X","pid":1,"tid":3,"ts":5,"dur":2,"name":"a_kernel_time","args":{}},
    {"cat":"Node","ph":"X","pid":1,"tid":3,"ts":20,"dur":5,"name":"b_kernel_time","args":{}},
    {"cat":"Node","ph":"X","pid":1,"tid":3,"ts":45,"dur":10,"name":"c_kernel_time","args":{}},
    {"cat":"Node","ph":"X","pid":1,"tid":1,"ts":48,"dur":10,"name":"d_kernel_time",
     "args":{}}])json");
  ASSERT_EQ(profile.problems().size(), 2u);
  EXPECT_EQ(profile.problems()[0].text,
            "1 events overlap others of their track without being inside of them");
  EXPECT_EQ(profile.problems()[1].text,
            "1 events happened while several runs did: which one they belong to is not known");
  std::vector<std::string> parents;
  for (const Event* layer : profile.OfType("layer")) {
    const Event* parent = profile.ParentOf(*layer);
    parents.push_back(StrCat(profile.NameOf(*layer), parent ? parent->begin_ns : -1));
  }
  EXPECT_THAT(parents, ElementsAre("a0", "b-1", "c10000", "d10000"));
}

TEST(ForeignProfileTest, ReadsAnyChromeProfileAsScopes) {
  const Profile profile = ReadJsonBytes(
      R"json([{"ph":"X","cat":"x","name":"a","pid":"p","tid":"t","ts":1.0015,"dur":2},
          {"ph":"X","cat":"x","name":"b","pid":"p","tid":"t","ts":2,"dur":1e-3},
          {"ph":"C","name":"counter","ts":1},{"ph":"i","name":"moment","ts":1}])json");
  EXPECT_EQ(EventsText(profile), "scope a: 1001..3001\nscope b in scope a: 2000..2001\n");
  EXPECT_EQ(profile.TrackOf(profile.events()[0]).name, "t");
}

// "N events; problems", or the error.
std::string XSpaceOutcome(std::string_view bytes) {
  const std::string path = TestPath("hostile.xplane.pb");
  WriteBytes(path, bytes);
  StatusOr<Profile> profile = ReadWith(ReadXSpace, path);
  if (!profile.ok()) return std::string(profile.status().message());
  std::string text = StrCat(profile->events().size(), " events");
  for (const Problem& problem : profile->problems()) text += StrCat("; ", problem.text);
  return text;
}

TEST(ForeignProfileTest, CountsWhatItLeavesOut) {
  const Profile profile = ReadJsonBytes(
      R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1},)"
      R"({"ph": "B", "name": "b", "ts": 1, "pid": 1, "tid": 1},)"
      R"({"ph": "E", "ts": 2, "pid": 1, "tid": 1}, {"ph": "C", "name": "c", "ts": 1, "pid": 1},)"
      R"({"ph": "B", "name": "b", "ts": 3, "pid": 1, "tid": 1},)"
      R"({"ph": "i", "name": "d", "cat": "marks", "ts": 1, "pid": 1, "tid": 1}]})");
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kUnknown);
  EXPECT_EQ(profile.problems()[0].text,
            "5 events are of kinds that are not read: 1 of category 'marks', 2 of phase 'B', "
            "1 of phase 'C', 1 of phase 'E'");
}

TEST(ForeignProfileTest, CountsWhatItLeavesOutOfAnXSpace) {
  auto field = [](char tag, std::string_view bytes) {
    return StrCat(tag, static_cast<char>(bytes.size()), bytes);
  };
  // A plane has a line with two events, and a device two lines that are no streams.
  const std::string event = field('\x22', "\x10\x01"), events = event + event;
  auto line = [&](std::string_view name) { return field('\x1A', field('\x12', name) + events); };
  const std::string device = field('\x12', "/device:GPU:0");
  const std::string streams = line("Steps") + line("") + line("Stream #1");
  EXPECT_EQ(XSpaceOutcome(field('\x0A', field('\x12', "/host:CUPTI") + line("a")) +
                          field('\x0A', device + streams) +
                          field('\x0A', field('\x12', "/host:metadata"))),
            "2 events; 6 events are of kinds that are not read: 2 of line 'Steps', "
            "2 of plane '/host:CUPTI', 2 without a line");
}

TEST(ForeignProfileTest, StandsHostileXSpaces) {
  const std::string whole = ReadBytes(TFRT_TRACES_DIR "/tensorflow.xplane.pb");
  EXPECT_TRUE(LooksLikeXSpace(std::string_view(whole).substr(0, 64)));
  for (std::string_view other : {"", "\n", "{\"a", "SQLite format 3", "\n\x05\x40\x01"}) {
    EXPECT_FALSE(LooksLikeXSpace(other));
  }
  const std::string path = TestPath("hostile.xplane.pb");
  EXPECT_EQ(XSpaceOutcome("\xFF\xFF\xFF"), path + ": no XSpace: its first plane cannot be read");
  EXPECT_THAT(XSpaceOutcome(whole + "\x0A\x7F"),
              HasSubstr("; the file ends or is broken in plane 3; what follows is not read"));
  // A plane "/host:CPU" with a line, whose event has an offset below zero.
  const std::string event = std::string("\x10") + std::string(9, '\xFF') + "\x01";
  const std::string line = StrCat("\x22", static_cast<char>(event.size()), event);
  const std::string plane = StrCat("\x12\x09/host:CPU\x1A", static_cast<char>(line.size()), line);
  EXPECT_EQ(XSpaceOutcome(StrCat("\x0A", static_cast<char>(plane.size()), plane)),
            "0 events; 1 events have no time, or one that cannot be");
  EXPECT_EQ(XSpaceOutcome("\x12\x04"
                          "oops"),
            "0 events; TensorFlow's profiler says: oops");
  for (size_t size = 0; size < whole.size(); size += 3) {
    XSpaceOutcome(std::string_view(whole).substr(0, size));
    std::string changed = whole;
    changed[size] = static_cast<char>(changed[size] ^ 0x55);
    XSpaceOutcome(changed);
  }
}

}  // namespace
}  // namespace tfrt::profiler
