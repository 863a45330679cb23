// tfrt.profile: a profiler session as a context manager.

#include "profiler.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "errors.h"
#include "gil.h"
#include "tfrt/profiler/session.h"

namespace tfrt::python {
namespace {

struct PySession {
  profiler::SessionOptions options;
  std::unique_ptr<profiler::Session> session;
  profiler::Session::Counts last = {};

  profiler::Session& Get() {
    if (!session) Raise(FailedPreconditionError("the profiler session is not recording"));
    return *session;
  }
};

nb::object StartProfile(nb::object self) {
  PySession& session = *nb::inst_ptr<PySession>(self);
  if (session.session) Raise(FailedPreconditionError("the profiler session is recording already"));
  session.session = ValueOf(Unlocked([&] { return profiler::Session::Start(session.options); }));
  return self;
}

void Stop(PySession& self) {
  std::unique_ptr<profiler::Session> session = std::move(self.session);
  if (!session) return;
  RaiseIfError(Unlocked([&] {
    Status status = session->Stop();
    self.last = session->counts();
    session.reset();
    return status;
  }));
}

}  // namespace

void BindProfiler(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PySession>(
      module, "profile",
      "Records the program into a profile file under ``with``. ui.perfetto.dev shows the file, "
      "and tfrt_prof makes figures of it. One session at a time in a process.")
      .def(
          "__init__",
          [](PySession* self, nb::object path, const std::string& level, size_t buffer_bytes,
             const std::map<std::string, std::string>& properties) {
            PySession session;
            nb::object text = nb::module_::import_("os").attr("fspath")(path);
            session.options.path = nb::cast<std::string>(text);
            session.options.level = ValueOf(profiler::ParseLevel(level));
            session.options.buffer_bytes = buffer_bytes;
            session.options.properties = {properties.begin(), properties.end()};
            new (self) PySession(std::move(session));
          },
          "path"_a, "level"_a = "kernel", nb::kw_only(), "buffer_bytes"_a = size_t{64} << 20,
          "properties"_a = std::map<std::string, std::string>(),
          "level: model, layer, kernel or metrics. properties: facts about the run, kept in the "
          "file.")
      .def("__enter__", &StartProfile)
      .def("__exit__", [](PySession& self, nb::args) { Stop(self); })
      .def(
          "set_property",
          [](PySession& self, const std::string& key, const std::string& value) {
            self.Get().SetProperty(key, value);
          },
          "key"_a, "value"_a)
      .def_prop_ro(
          "num_events",
          [](PySession& self) {
            return self.session ? self.session->counts().num_events : self.last.num_events;
          },
          "Recorded so far.")
      .def_prop_ro("num_dropped", [](PySession& self) {
        return self.session ? self.session->counts().num_dropped : self.last.num_dropped;
      });
}

}  // namespace tfrt::python
