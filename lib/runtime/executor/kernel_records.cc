#include "kernel_records.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "program.h"

namespace tfrt::internal {

namespace {

// In bytes, about: a file may say anything, and names are kept for ever.
constexpr size_t kMaxNodeNames = 1024;

// Adds the names in a location. The outermost name, which is the node's, comes first; those of the
// file and its op type ("model.onnx: Conv") lie below. A fused location gives all nodes.
void AddNodeNames(const bef::BefView::LocationNode& location, std::string* names) {
  if (names->size() >= kMaxNodeNames) return;
  if (location.kind == bef::LocationKind::kFused) {
    for (const auto& part : location.children) AddNodeNames(part, names);
    return;
  }
  if (location.kind == bef::LocationKind::kCallSite && !location.children.empty()) {
    return AddNodeNames(location.children[0], names);
  }
  if (location.kind != bef::LocationKind::kName) return;
  const bool has_node_name =
      !location.children.empty() && location.children[0].kind == bef::LocationKind::kName;
  std::string name(location.text.substr(0, kMaxNodeNames));
  // A node without a name is called by its op type.
  if (!has_node_name) {
    size_t colon = name.rfind(": ");
    if (colon != name.npos) name = "(" + name.substr(colon + 2) + ")";
  }
  if (!names->empty()) *names += " + ";
  *names += name;
}

}  // namespace

const tracing::Name* RecordNames::Make(const Program& program) const {
  auto* made = new tracing::Name[1 + 2 * program.kernels.size()];
  made[0] = tracing::InternName(program.name);
  std::unordered_map<uint32_t, tracing::Name> by_location;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const ProgramKernel& kernel = program.kernels[i];
    tracing::Name* names = made + 1 + 2 * i;
    names[0] = names[1] = tracing::InternName(program.kernel_name(kernel));
    if (!kernel.is_op) continue;
    // Many kernels may name one location, which may be large.
    auto [known, is_new] = by_location.try_emplace(kernel.location);
    if (is_new) {
      std::string node;
      AddNodeNames(program.view->ReadLocation(kernel.location), &node);
      if (!node.empty()) known->second = tracing::InternName(node);
    }
    if (known->second) names[1] = known->second;
  }
  const tracing::Name* present = nullptr;
  // release: publishes the names. acquire: another thread's may be there already.
  if (names_.compare_exchange_strong(present, made, std::memory_order_release,
                                     std::memory_order_acquire)) {
    return made;
  }
  delete[] made;
  return present;
}

namespace {
bool IsLate(AsyncValue* value) { return value && !value->IsAvailable(); }
}  // namespace

uint64_t EndKernelRecord(tracing::RecordScope* scope, std::span<AsyncValue* const> results) {
  uint64_t id = scope->id();
  bool is_late = id != 0 && std::ranges::any_of(results, IsLate);
  if (is_late) scope->SetReadyLater();
  scope->End();
  return is_late ? id : 0;
}

void TellWhenReady(uint64_t id, std::span<AsyncValue*> results) {
  bool any_late = false;
  for (size_t i = 0; i < results.size(); ++i) {
    AsyncValue* value = results[i];
    if (value->IsAvailable()) continue;
    any_late = true;
    // One value may be several results. This one is the indirect value of an earlier place.
    if (std::ranges::find(results.first(i), value) != results.begin() + i) continue;
    RCReference<IndirectAsyncValue> told = MakeIndirectAsyncValue();
    for (AsyncValue*& same : results.subspan(i + 1)) {
      if (same != value) continue;
      value->DropRef();
      same = told.CopyRef().release();
    }
    results[i] = told.CopyRef().release();
    value->AndThen([id, told = std::move(told), target = TakeRef(value)]() mutable {
      tracing::RecordReady(id);
      told->ForwardTo(std::move(target));
    });
  }
  if (!any_late) tracing::RecordReady(id);  // all have come since the kernel returned
}

}  // namespace tfrt::internal
