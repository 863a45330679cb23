// OpRegistry: eager ops by name: what runs them, attached to the descriptions of the op table.
#ifndef TFRT_CORE_RUNTIME_OP_REGISTRY_H_
#define TFRT_CORE_RUNTIME_OP_REGISTRY_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/status.h"
#include "tfrt/tracing/name.h"

namespace tfrt {

// True if the attribute, one of `attrs`, is of this kind.
bool IsOpAttrOfKind(const OpAttrsRef& attrs, const OpAttr& attr, OpAttrSpec::Kind kind);

struct OpOutcome;
struct OpRun;
// Runs an op on a device whose OpRunner does not have it, as OpRunner::Run (op_runner.h) would.
// `run.op.state` is what the op has captured. Thread-safe.
using OpComposite = OpOutcome (*)(const OpRun& run);

// The functions that run an op. They must live as long as the program.
struct OpImplementation {
  // Null: made of the description's shape rule; if that is none, what the results are like depends
  // on data.
  OpMetadataFunction metadata = nullptr;
  OpFunction function = nullptr;  // on host memory; null: the host does not have it
  // Null, or tried first by calls that need nothing else than the one result. For ops of two
  // arguments without attributes, host values and side effects.
  OpQuickFunction quick = nullptr;
  OpAttrsParser parser = nullptr;  // TFRT_OP_ATTRS; null: each call reads the attributes
};

// An op of the program's own: its description and its implementation in one. The texts are
// literals, or outlive the registry.
struct CustomOp {
  std::string_view name;          // "my.Scale"
  std::string_view summary = {};  // one sentence, Markdown
  std::vector<OpArgumentSpec> arguments = {};
  std::vector<OpAttrSpec> attrs = {};
  std::vector<std::string_view> results = {};  // their names
  OpFlags flags = OpFlags::kNone;
  OpMetadataFunction metadata = nullptr;
  OpFunction function = nullptr;
  // A function with captures in place of `function`: MakeOpClosure.
  OpClosure closure = {};
  // Not null: every device has the op, and this runs it on those whose OpRunner does not.
  OpComposite composite = nullptr;
};

// The implementation half of an op under one of its names, attached to its description. Copies
// share what it owns. Immutable once it is in a registry; thread-safe.
struct OpDefinition : OpBinding {
  // Implements a row of the op table; asserts that it has this spelling.
  OpDefinition(std::string_view spelling, const OpImplementation& implementation);
  // The op of `row`, which must outlive this, under another of its names.
  OpDefinition(const OpSpelling& spelling, const OpDefinition& row);
  // With a description of its own.
  OpDefinition(CustomOp op);  // NOLINT: implicit by design

  // The attributes' names in it are canonical, those below are the spelling's. Never null; of the
  // table, or as long as a copy of this.
  const OpDescription* description;
  // How calls of this name look: views of the description, or of what a spelling makes of it.
  std::string_view summary;
  std::span<const OpArgumentSpec> arguments;
  std::span<const OpAttrSpec> attrs;
  std::span<const std::string_view> results;
  OpFlags flags;  // the description's, where each call looks
  OpMetadataFunction metadata;
  OpFunction function;  // on host memory; null: the host does not have the op
  OpQuickFunction quick;
  OpComposite composite = nullptr;  // null: only devices whose OpRunner has it do
  OpAttrsParser parser = nullptr;   // null: each call reads the attributes
  // Not null: calls name attributes as this spelling does, which differs from the description.
  const OpSpelling* spelling = nullptr;
  // True if the op has no metadata function, so that the results' metadata are inferred from the
  // description. If some arguments are host values this happens when their elements are available,
  // otherwise from the arguments' metadata.
  bool infers_metadata = false;
  // ComputeOpMetadata may know the results.
  bool has_early_metadata = false;
  // A caller that needs only the op's effects does not see the results, so they cannot carry a late
  // error.
  bool hides_results = false;
  // Given by the registry: its number, from 0.
  uint32_t id = 0;

  bool has_side_effects() const { return HasFlag(flags, OpFlags::kSideEffects); }
  // For a row: returns the values of the attributes that calls may leave out.
  OpAttrsRef defaults() const;
  // Returns the name under which calls are recorded.
  tracing::Name recorded_name() const { return recorded_name_.Of(name); }

 private:
  struct Own;
  // `infers`: the results are what the description says.
  OpDefinition(const OpSpelling& spelling, const OpImplementation& implementation, bool infers);

  tracing::LazyName recorded_name_;
  std::shared_ptr<const Own> own_;
};

// Filled before it is used; read-only and thread-safe afterwards.
class OpRegistry {
 public:
  OpRegistry() = default;
  OpRegistry(const OpRegistry&) = delete;
  OpRegistry& operator=(const OpRegistry&) = delete;

  // The first registration of a name wins; a second one is the first_error().
  void Add(CustomOp op) { Insert(OpDefinition(std::move(op))); }
  void Add(const OpDefinition& op) { Insert(op); }
  // An op of the table (tfrt/opinfo/op_description.h) under one of its spellings.
  void Implement(std::string_view spelling, const OpImplementation& implementation) {
    Insert(OpDefinition(spelling, implementation));
  }
  // AlreadyExists, or OK.
  const Status& first_error() const { return first_error_; }

  // Null if there is none. Pointers stay valid as long as the registry.
  const OpDefinition* Find(std::string_view name) const {
    auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  // By id.
  const std::deque<OpDefinition>& ops() const { return ops_; }

 private:
  void Insert(OpDefinition op);

  std::deque<OpDefinition> ops_;
  std::unordered_map<std::string_view, const OpDefinition*> by_name_;
  Status first_error_;
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_REGISTRY_H_
