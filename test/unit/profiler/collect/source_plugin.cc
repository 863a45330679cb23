// A plug-in with one source, for tests. It has no code of the library's: names and types are all
// that it shares.
#include "tfrt/profiler/source_plugin.h"

#include <memory>
#include <string>
#include <utility>

namespace {

using tfrt::profiler::EventStream;
using tfrt::profiler::Level;
using tfrt::profiler::Source;

int num_registered = 0;

class TestSource final : public Source {
 public:
  tfrt::Status Start(Level) override { return tfrt::OkStatus(); }
  void Drain(EventStream& stream) override {
    if (std::exchange(has_told_, true)) return;
    stream.consumer().AddType({.name = "plugin.event." + std::to_string(num_registered)});
  }
  void Stop() override {}

 private:
  bool has_told_ = false;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterProfilerSources(
    tfrt::profiler::SourceRegistrar registrar) {
  ++num_registered;
  registrar("test plug-in", [] { return std::unique_ptr<Source>(new TestSource); });
}
