// tfrt._tfrt: the runtime for Python.

#include <nanobind/nanobind.h>

#include "compiler.h"
#include "context.h"
#include "custom_op.h"
#include "function.h"
#include "gil.h"
#include "interrupts.h"
#include "items.h"
#include "locations.h"
#include "model.h"
#include "ops.h"
#include "profiler.h"
#include "promotion.h"
#include "tensor.h"
#include "tfrt/async/async_value.h"
#include "tfrt/support/ref_count.h"
#include "usual_calls.h"
#include "variable.h"

namespace tfrt::python {
namespace {

// Called by `atexit`: when all threads but daemons are over, and the interpreter is whole.
void End() {
  // Daemons keep what they have: that is no leak.
  nanobind::object threads = nanobind::module_::import_("threading").attr("active_count")();
  if (nanobind::cast<int>(threads) > 1) nanobind::set_leak_warnings(false);
  EndContexts();
  EndModels();
  EndInterrupts();
  BeginEnd();
  DropObjectsOfFunctions();
  ClearLocations();
  DropIndices();
}

void AfterFork() {
  AfterForkInChild();
  ForgetInterrupts();
  ReplaceLocations();
  ForgetContexts();
}

}  // namespace
}  // namespace tfrt::python

NB_MODULE(_tfrt, module) {
  using namespace tfrt::python;
  module.doc() = "The runtime of tfrt. The package tfrt is what to import.";
  module.attr("__version__") = TFRT_VERSION;
  InitGil();
  InitInterrupts();
  BindDType(module);
  BindContext(module);
  BindTensor(module);
  BindVariable(module);
  BindItems(module);
  BindOps(module);
  BindPromotion(module);
  BindUsualCalls(module);
  BindCustomOp(module);
  BindModel(module);
  BindFunction(module);
  BindControlFlow(module);
  BindCompiler(module);
  BindProfiler(module);
  // AsyncValues and other counted objects that live; zeros, unless the build counts them.
  module.def("_live_objects", [] {
    return nanobind::make_tuple(tfrt::NumLiveAsyncValues(), tfrt::NumLiveRefCounted());
  });
  module.def("_set_package_folder", [](const char* folder) { SetPackageFolder(folder); });
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&End));
  nanobind::module_::import_("os").attr("register_at_fork")(nanobind::arg("after_in_child") =
                                                                nanobind::cpp_function(&AfterFork));
}
