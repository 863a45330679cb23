#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tfrt/profiler/json_trace.h"
#include "tfrt/profiler/xspace_trace.h"
#include "trace_text.h"
#include <iostream>
namespace tfrt::profiler {
namespace {
TEST(ForeignTraceTest, Show) {
  for (const char* name : {"onnxruntime.json", "pytorch.json.gz"}) {
    StatusOr<Trace> trace = ReadWith(ReadJsonTrace, std::string(TFRT_TRACES_DIR "/") + name);
    ASSERT_TRUE(trace.ok());
    for (auto& [k,v] : trace->properties()) std::cout << k << "=" << v << "\n";
    for (auto& p : trace->problems()) std::cout << p.text << "\n";
    std::cout << EventsText(*trace) << "\n";
  }
    StatusOr<Trace> trace = ReadWith(ReadXSpace, std::string(TFRT_TRACES_DIR "/tensorflow.xplane.pb"));
    ASSERT_TRUE(trace.ok());
    for (auto& [k,v] : trace->properties()) std::cout << k << "=" << v << "\n";
    for (auto& p : trace->problems()) std::cout << p.text << "\n";
    std::cout << EventsText(*trace) << "\n";
}
}
}
