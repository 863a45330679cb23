#include "locations.h"

#include <Python.h>
#include <frameobject.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tfrt/support/location_table.h"

namespace tfrt::python {
namespace {

// One call site: a code object and the instruction in it.
struct Site {
  PyCodeObject* code = nullptr;  // held: its address names no other code meanwhile
  int instruction = 0;
  bool is_package = false;
  Location location;
};

constexpr size_t kSites = 2048;
std::array<Site, kSites> sites;  // under the interpreter's lock, as all here
std::string* package_folder = new std::string();
// Never destroyed: errors that outlive the interpreter may still ask.
LocationTable* table = new LocationTable();

size_t SlotOf(PyCodeObject* code, int instruction) {
  auto hash = reinterpret_cast<uintptr_t>(code) / 16 + static_cast<uintptr_t>(instruction) * 31;
  return (hash ^ (hash >> 11)) % kSites;
}

void Fill(Site& site, PyCodeObject* code, int instruction, PyFrameObject* frame) {
  Py_INCREF(code);
  Py_XDECREF(site.code);
  site.code = code;
  site.instruction = instruction;
  const char* file = PyUnicode_AsUTF8(code->co_filename);
  if (!file) {
    PyErr_Clear();
    file = "<unknown>";
  }
  site.is_package = !package_folder->empty() && std::string_view(file).starts_with(*package_folder);
  site.location = table->Add(file, static_cast<uint32_t>(PyFrame_GetLineNumber(frame)));
}

}  // namespace

Location CallerLocation() {
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  Location location;
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    int instruction = PyFrame_GetLasti(frame);
    Site& site = sites[SlotOf(code, instruction)];
    if (site.code != code || site.instruction != instruction) Fill(site, code, instruction, frame);
    Py_DECREF(code);
    location = site.location;
    if (!site.is_package) break;
    PyFrameObject* outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  Py_XDECREF(frame);
  return location;
}

void SetPackageFolder(const char* folder) { *package_folder = folder; }

void ClearLocations() {
  for (Site& site : sites) {
    Py_XDECREF(site.code);
    site = Site();
  }
}

void ReplaceLocations() {
  ClearLocations();
  table = new LocationTable();  // another thread may have had the old one's lock
}

}  // namespace tfrt::python
