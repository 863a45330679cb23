#include "module.h"

#include <algorithm>
#include <cstring>

#include "module_parser.h"
#include "program.h"

namespace tfrt::gpu::ptx {
namespace {

// More static shared memory than this an assembler refuses.
constexpr uint64_t kMaxStaticSharedBytes = 48 * 1024;

// The functions that `entry` may come to, itself first.
std::vector<uint32_t> Reachable(const Program& program, uint32_t entry) {
  std::vector<uint32_t> reached = {entry};
  std::vector<bool> seen(program.functions.size());
  seen[entry] = true;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (uint32_t callee : program.functions[reached[i]].callees) {
      if (!seen[callee]) reached.push_back(callee);
      seen[callee] = true;
    }
  }
  return reached;
}

// False if the kernel's shared memory is larger than it may be.
bool LayOutShared(Program& program, uint32_t entry_index) {
  std::vector<uint32_t> variables;
  for (uint32_t function : Reachable(program, program.entry_functions[entry_index])) {
    const std::vector<uint32_t>& used = program.functions[function].shared_variables;
    variables.insert(variables.end(), used.begin(), used.end());
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  SharedLayout layout;
  uint64_t offset = 0;
  uint32_t dynamic_alignment = 1;
  Entry& entry = program.entries[entry_index];
  for (uint32_t index : variables) {
    const SharedVariable& variable = program.shared[index];
    if (variable.dynamic) {
      entry.uses_dynamic_shared = true;
      dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
      continue;
    }
    offset = (offset + variable.alignment - 1) / variable.alignment * variable.alignment;
    layout.offsets.emplace_back(index, static_cast<uint32_t>(offset));
    offset += variable.size;
    if (offset > kMaxStaticSharedBytes) return false;
  }
  layout.static_bytes = static_cast<uint32_t>(offset);
  layout.dynamic_offset = layout.static_bytes;
  if (entry.uses_dynamic_shared) {
    layout.dynamic_offset =
        (layout.static_bytes + dynamic_alignment - 1) / dynamic_alignment * dynamic_alignment;
  }
  entry.static_shared_bytes = layout.static_bytes;
  program.layouts.push_back(std::move(layout));
  return true;
}

void FillAttributes(Program& program, uint32_t entry_index) {
  const Function& function = program.functions[program.entry_functions[entry_index]];
  Entry& entry = program.entries[entry_index];
  entry.local_bytes = function.frame_bytes;
  // PTX names each value anew; an assembler uses few registers again and again. Nothing that it
  // would launch is to be refused for their number.
  entry.registers = std::clamp<uint32_t>(function.num_registers, 8, 32);
}

}  // namespace

std::string ParseError::Log() const {
  const char* kind = this->kind == ParseErrorKind::kUnsupported ? "not supported" : "error";
  return "ptx text, line " + std::to_string(line) + "; " + kind + ": " + message;
}

Module::Module(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
Module::~Module() = default;

std::variant<std::unique_ptr<const Module>, ParseError> Module::Parse(std::string_view text,
                                                                      bool contracts) {
  text = text.substr(0, text.find('\0'));
  ModuleParser parser(text, contracts);
  std::unique_ptr<Program> program = parser.Parse();
  if (program == nullptr) return parser.error();
  for (uint32_t i = 0; i < program->entries.size(); ++i) {
    if (!LayOutShared(*program, i)) {
      return ParseError{ParseErrorKind::kSyntax, 1,
                        "kernel '" + program->entries[i].name + "' uses more than " +
                            std::to_string(kMaxStaticSharedBytes) +
                            " bytes of static shared memory"};
    }
    FillAttributes(*program, i);
  }
  return std::unique_ptr<const Module>(new Module(std::move(program)));
}

std::span<const Entry> Module::entries() const { return program_->entries; }
std::span<const Variable> Module::variables() const { return program_->variables; }
int Module::version() const { return program_->version; }
int Module::target() const { return program_->target; }

std::string Module::ContractionNote() const {
  const Contractions& found = program_->contractions;
  if (found.count == 0 || found.happen) return "";
  return "ptx text, " + found.first +
         ": neither says how it is rounded (.rn), so an assembler may " +
         "fuse them and round once; here both round" +
         (found.count > 1 ? "; " + std::to_string(found.count) + " such pairs" : "");
}

const Entry* Module::FindEntry(std::string_view name) const {
  for (const Entry& entry : program_->entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::optional<size_t> Module::FindVariable(std::string_view name) const {
  for (size_t i = 0; i < program_->variables.size(); ++i) {
    if (program_->variables[i].name == name) return i;
  }
  return std::nullopt;
}

std::vector<std::byte> Module::InitialBytes(size_t index,
                                            std::span<const uint64_t> addresses) const {
  const VariableBytes& initial = program_->initial[index];
  std::vector<std::byte> bytes = initial.bytes;
  bytes.resize(program_->variables[index].size);
  for (const Relocation& relocation : initial.relocations) {
    uint64_t address =
        relocation.is_function ? FunctionAddress(relocation.index) : addresses[relocation.index];
    address += static_cast<uint64_t>(relocation.addend);
    std::memcpy(bytes.data() + relocation.offset, &address, relocation.size);
  }
  return bytes;
}

}  // namespace tfrt::gpu::ptx
