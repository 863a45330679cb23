#include "tfrt/bef/bef_builder.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "function_encoder.h"
#include "tfrt/bef/bef_buffer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {

uint32_t FunctionSpec::AddKernel(KernelSpec kernel) {
  if (counted_kernels > kernels.size()) counted_kernels = counted_results = 0;
  for (; counted_kernels < kernels.size(); ++counted_kernels) {
    counted_results += static_cast<uint32_t>(kernels[counted_kernels].result_types.size());
  }
  kernels.push_back(std::move(kernel));
  return static_cast<uint32_t>(argument_types.size()) + counted_results;
}

uint32_t FunctionSpec::num_registers() const {
  size_t count = argument_types.size();
  for (const KernelSpec& kernel : kernels) count += kernel.result_types.size();
  return static_cast<uint32_t>(count);
}

namespace {

// A list without repetitions in first-come order.
class UniqueList {
 public:
  void Add(const std::string& text) {
    if (ids_.emplace(text, static_cast<uint32_t>(texts_.size())).second) texts_.push_back(text);
  }
  uint32_t Id(const std::string& text) const { return ids_.at(text); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> ids_;
};

// Attributes without repetitions in first-come order. Points to the values.
class UniqueAttributes {
 public:
  uint32_t Add(const AttributeValue& value) {
    std::vector<uint32_t>& candidates = by_hash_[HashValue(value)];
    for (uint32_t id : candidates) {
      if (*values_[id] == value) return id;
    }
    candidates.push_back(static_cast<uint32_t>(values_.size()));
    values_.push_back(&value);
    return candidates.back();
  }
  const std::vector<const AttributeValue*>& values() const { return values_; }

 private:
  std::vector<const AttributeValue*> values_;
  std::unordered_map<size_t, std::vector<uint32_t>> by_hash_;
};

// A function or region at its place in the function list.
struct ListedFunction {
  const FunctionSpec* spec;
  const LocationValue* location;
};

// The attributes of one kernel in name order.
struct KernelAttributes {
  std::vector<uint32_t> ids;
  std::vector<const std::string*> names;
};

// First phase: walks the module in post-order and fills the lists of the file.
class Collector {
 public:
  explicit Collector(bool optional_sections) : optional_sections_(optional_sections) {}

  void AddFunction(const FunctionSpec& function) {
    if (function.kind != FunctionKind::kNative) AddBlock(function);
    AddTypes(function.argument_types);
    if (function.kind == FunctionKind::kNative) AddTypes(function.result_types);
    List(function, function.name, function.location);
  }
  // The position of a function or region in the function list.
  uint32_t IdOf(const FunctionSpec& spec) const { return list_ids_.at(&spec); }

  std::set<std::string> strings;
  UniqueList types;
  UniqueList kernels;
  UniqueAttributes attributes;
  std::vector<ListedFunction> functions;
  std::unordered_map<std::string, uint32_t>
      function_ids;  // without regions; a later one of a name wins
  std::unordered_map<const KernelSpec*, KernelAttributes> kernel_attributes;

 private:
  void AddBlock(const FunctionSpec& block) {
    for (const KernelSpec& kernel : block.kernels) {
      for (const FunctionSpec& region : kernel.regions) AddBlock(region);
      AddTypes(kernel.result_types);
      kernels.Add(kernel.name);
      strings.insert(kernel.name);
      AddAttributes(kernel);
      for (const FunctionSpec& region : kernel.regions) {
        AddTypes(region.argument_types);
        List(region, "", kernel.location);
      }
    }
  }

  void AddAttributes(const KernelSpec& kernel) {
    std::vector<const NamedAttribute*> sorted;
    for (const NamedAttribute& attribute : kernel.attributes) sorted.push_back(&attribute);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->name < b->name; });
    KernelAttributes& result = kernel_attributes[&kernel];
    for (const NamedAttribute* attribute : sorted) {
      if (optional_sections_) {
        strings.insert(attribute->name);
        AddScalarTypes(attribute->value);
      }
      result.ids.push_back(attributes.Add(attribute->value));
      result.names.push_back(&attribute->name);
    }
    if (!optional_sections_) return;
    strings.insert(kernel.symbol_array_names.begin(), kernel.symbol_array_names.end());
  }

  void AddScalarTypes(const AttributeValue& value) {
    if (value.kind == AttributeKind::kScalar) AddTypes({value.type});
    for (const AttributeValue& element : value.elements) AddScalarTypes(element);
  }

  void AddTypes(const std::vector<std::string>& added) {
    for (const std::string& type : added) {
      types.Add(type);
      strings.insert(type);
    }
  }

  void List(const FunctionSpec& spec, const std::string& name, const LocationValue& location) {
    strings.insert(name);
    if (!name.empty()) function_ids[name] = static_cast<uint32_t>(functions.size());
    list_ids_[&spec] = static_cast<uint32_t>(functions.size());
    functions.push_back({&spec, &location});
  }

  const bool optional_sections_;
  std::unordered_map<const FunctionSpec*, uint32_t> list_ids_;
};

// Second phase: the sections.
class Writer {
 public:
  Writer(const Collector& lists, const BuildOptions& options) : lists_(lists), options_(options) {}

  // All but the weights.
  Status Write(const std::vector<TextAttribute>& module_attributes, Signatures signatures) {
    signatures_ = std::move(signatures);
    TFRT_RETURN_IF_ERROR(WriteStrings());
    TFRT_ASSIGN_OR_RETURN(attributes_,
                          EncodeAttributes(lists_.attributes.values(), file_, options_.v0_exact));
    TFRT_RETURN_IF_ERROR(Append(SectionId::kAttributes, attributes_.payload));
    TFRT_RETURN_IF_ERROR(WriteNames(SectionId::kKernels, lists_.kernels));
    TFRT_RETURN_IF_ERROR(WriteNames(SectionId::kTypes, lists_.types));
    extras_.module_attributes = module_attributes;
    index_.EmitVbr(lists_.functions.size());
    names_.EmitVbr(lists_.functions.size());
    registers_.EmitVbr(lists_.functions.size());
    for (uint32_t i = 0; i < lists_.functions.size(); ++i) TFRT_RETURN_IF_ERROR(AddFunction(i));
    TFRT_RETURN_IF_ERROR(Append(SectionId::kFunctionIndex, index_));
    TFRT_RETURN_IF_ERROR(Append(SectionId::kFunctions, bodies_));
    if (locations_.any()) {
      TFRT_RETURN_IF_ERROR(Append(SectionId::kLocationStrings, locations_.strings()));
      // Positions from kMinVirtualLocation on would read as virtual locations.
      TFRT_RETURN_IF_ERROR(
          Append(SectionId::kLocations, locations_.locations(), kMinVirtualLocation));
    }
    if (options_.optional_sections) {
      TFRT_RETURN_IF_ERROR(WriteAttributeTypes());
      TFRT_RETURN_IF_ERROR(Append(SectionId::kAttributeNames, names_));
      TFRT_RETURN_IF_ERROR(Append(SectionId::kRegisterTypes, registers_));
    }
    if (!options_.v0_exact) TFRT_RETURN_IF_ERROR(WriteOwnSections());
    return OkStatus();
  }

  // Hands out the file, with the weights behind it.
  Status Flush(std::span<const WeightSpec> weights, const ByteSink& sink) {
    if (!weights.empty() && options_.v0_exact) {
      return InvalidArgumentError("version 0 of the format has no weights");
    }
    auto write = [&](std::span<const uint8_t> bytes) {
      if (sink(bytes.data(), bytes.size())) return OkStatus();
      return InternalError("cannot write the BEF file");
    };
    if (weights.empty()) return write(std::move(file_).Take());
    // The length of the header moves the payload, and the payload's position its length. A larger
    // size that was tried before is kept, with padding at the end, so that this ends.
    uint64_t size = 0, position = 0;
    WeightsLayout layout;
    do {
      size = std::max(size, layout.payload_size);
      position = file_.PayloadPosition(size, kWeightAlignment);
      TFRT_ASSIGN_OR_RETURN(layout, LayOutWeights(weights, position));
    } while (layout.payload_size > size);
    file_.AppendSectionHeader(SectionId::kWeights, size, kWeightAlignment);
    TFRT_RETURN_IF_ERROR(write(std::move(file_).Take()));
    TFRT_RETURN_IF_ERROR(write(layout.table.bytes()));
    uint64_t end = layout.table.size();
    const std::vector<uint8_t> padding(kLargeWeightAlignment, kPadding);
    auto pad_to = [&](uint64_t place) {
      Status status = OkStatus();
      for (; end < place && status.ok(); end += std::min<uint64_t>(place - end, padding.size())) {
        status = write(std::span(padding).first(std::min<uint64_t>(place - end, padding.size())));
      }
      return status;
    };
    for (size_t i = 0; i < weights.size(); ++i) {
      TFRT_RETURN_IF_ERROR(pad_to(layout.positions[i]));
      TFRT_RETURN_IF_ERROR(write(weights[i].bytes));
      end += weights[i].bytes.size();
    }
    return pad_to(size);
  }

 private:
  // Every offset into a section was made while the section was no longer than it is now: if this
  // accepts it, none was cut off.
  Status Append(SectionId id, const Buffer& payload, uint64_t limit = kMaxSectionBytes) {
    limit = std::min(limit, options_.max_section_bytes);
    if (payload.size() > limit) {
      return InvalidArgumentError(StrCat("the section ", SectionName(id), " takes ", payload.size(),
                                         " bytes, more than its offsets can reach (", limit, ")"));
    }
    file_.AppendSection(id, payload);
    return OkStatus();
  }

  Status WriteStrings() {
    Buffer payload;
    for (const std::string& text : lists_.strings) {
      if (text.find('\0') != std::string::npos) {
        return InvalidArgumentError(
            StrCat("the name '", text.c_str(), "' goes on behind a NUL character"));
      }
      string_offsets_[text] = static_cast<uint32_t>(payload.size());
      payload.EmitBytes(std::string_view(text));
      payload.EmitByte(0);
    }
    return Append(SectionId::kStrings, payload);
  }

  Status WriteNames(SectionId id, const UniqueList& names) {
    Buffer payload;
    payload.EmitVbr(names.texts().size());
    for (const std::string& text : names.texts()) payload.EmitVbr(string_offsets_.at(text));
    return Append(id, payload);
  }

  Status WriteAttributeTypes() {
    Buffer payload;
    const std::vector<const AttributeValue*>& values = lists_.attributes.values();
    payload.EmitVbr(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      payload.EmitVbr(attributes_.offsets[i]);
      payload.EmitVbr(static_cast<uint8_t>(EncodedType(*values[i])));
    }
    return Append(SectionId::kAttributeTypes, payload);
  }

  Status WriteOwnSections() {
    if (!nonstrict_.empty()) {
      Buffer payload;
      EncodeNonStrict(nonstrict_, &payload);
      TFRT_RETURN_IF_ERROR(Append(SectionId::kNonStrict, payload));
    }
    if (!extras_.empty()) {
      Buffer payload;
      EncodeExtras(extras_, &payload);
      TFRT_RETURN_IF_ERROR(Append(SectionId::kExtras, payload));
    }
    if (!signatures_.empty()) {
      Buffer payload;
      EncodeSignatures(signatures_, &payload);
      TFRT_RETURN_IF_ERROR(Append(SectionId::kSignatures, payload));
    }
    return OkStatus();
  }

  void EmitTypes(const std::vector<uint32_t>& ids) {
    index_.EmitVbr(ids.size());
    for (uint32_t id : ids) index_.EmitVbr(id);
  }
  std::vector<uint32_t> TypeIds(const std::vector<std::string>& types) const {
    std::vector<uint32_t> ids;
    for (const std::string& type : types) ids.push_back(lists_.types.Id(type));
    return ids;
  }

  // Index entry, body and optional tables of one function.
  Status AddFunction(uint32_t id) {
    const FunctionSpec& spec = *lists_.functions[id].spec;
    bool native = spec.kind == FunctionKind::kNative;
    index_.EmitByte(static_cast<uint8_t>(spec.kind));
    index_.EmitVbr(bodies_.size());
    index_.EmitVbr(string_offsets_.at(spec.name));
    EmitTypes(TypeIds(spec.argument_types));
    if (native) {
      EmitTypes(TypeIds(spec.result_types));
    } else {
      TFRT_RETURN_IF_ERROR(AddBody(spec, *lists_.functions[id].location));
    }
    AddExtras(id, spec);
    return OkStatus();
  }

  Status AddBody(const FunctionSpec& spec, const LocationValue& location) {
    FunctionBody body;
    body.location = locations_.Add(location);
    body.root_stream = spec.root_stream;
    body.num_arguments = static_cast<uint32_t>(spec.argument_types.size());
    std::vector<uint32_t> register_types = TypeIds(spec.argument_types);
    names_.EmitVbr(spec.kernels.size() + 1);
    for (const KernelSpec& kernel : spec.kernels) {
      TFRT_ASSIGN_OR_RETURN(EncodedKernel encoded,
                            EncodeKernel(spec, kernel, register_types.size()));
      for (uint32_t type : TypeIds(kernel.result_types)) {
        encoded.results.push_back(static_cast<uint32_t>(register_types.size()));
        register_types.push_back(type);
      }
      body.kernels.push_back(std::move(encoded));
    }
    body.num_registers = static_cast<uint32_t>(register_types.size());
    body.returns = spec.returns;

    registers_.EmitVbr(register_types.size());
    for (uint32_t type : register_types) registers_.EmitVbr(type);
    std::vector<uint32_t> result_types;
    for (uint32_t result : spec.returns) {
      if (result >= register_types.size()) {
        return InvalidArgumentError(StrCat("function '", spec.name, "' returns register ", result,
                                           " of ", register_types.size()));
      }
      result_types.push_back(register_types[result]);
    }
    EmitTypes(result_types);
    EncodeFunctionBody(body, &bodies_);
    return OkStatus();
  }

  StatusOr<EncodedKernel> EncodeKernel(const FunctionSpec& spec, const KernelSpec& kernel,
                                       size_t num_defined) {
    EncodedKernel encoded;
    encoded.kernel_id = lists_.kernels.Id(kernel.name);
    encoded.location = locations_.Add(kernel.location);
    encoded.stream = kernel.stream;
    encoded.operands = kernel.operands;
    for (uint32_t operand : kernel.operands) {
      if (operand < num_defined) continue;
      return InvalidArgumentError(StrCat("kernel '", kernel.name, "' in function '", spec.name,
                                         "' uses register ", operand, " before it is defined"));
    }
    const KernelAttributes& attributes = lists_.kernel_attributes.at(&kernel);
    for (uint32_t id : attributes.ids) encoded.attributes.push_back(attributes_.offsets[id]);
    for (const std::string* name : attributes.names) {
      if (options_.optional_sections) names_.EmitVbr(string_offsets_.at(*name));
    }
    for (const std::string& callee : kernel.callees) {
      auto it = lists_.function_ids.find(callee);
      if (it == lists_.function_ids.end()) {
        return InvalidArgumentError(StrCat("function '", callee, "' is not defined"));
      }
      encoded.functions.push_back(it->second);
    }
    for (const FunctionSpec& region : kernel.regions)
      encoded.functions.push_back(lists_.IdOf(region));
    return encoded;
  }

  void AddExtras(uint32_t id, const FunctionSpec& spec) {
    NonStrictFunction nonstrict{id, {}};
    FunctionExtras extras;
    if (spec.extras) extras = *spec.extras;
    extras.function = id;
    extras.kernels.clear();
    for (uint32_t k = 0; k < spec.kernels.size(); ++k) {
      if (spec.kernels[k].nonstrict) nonstrict.kernels.push_back(k);
      if (!spec.kernels[k].extras) continue;
      extras.kernels.push_back(*spec.kernels[k].extras);
      extras.kernels.back().kernel = k;
    }
    if (spec.signature) {
      signatures_.functions.push_back(*spec.signature);
      signatures_.functions.back().function = id;
    }
    if (!nonstrict.kernels.empty()) nonstrict_.push_back(std::move(nonstrict));
    if (spec.extras || !extras.kernels.empty()) extras_.functions.push_back(std::move(extras));
  }

  const Collector& lists_;
  const BuildOptions options_;
  FileWriter file_;
  std::map<std::string, uint32_t> string_offsets_;
  EncodedAttributes attributes_;
  LocationEncoder locations_;
  Buffer index_, bodies_, names_, registers_;
  NonStrictMarks nonstrict_;
  Extras extras_;
  Signatures signatures_;
};

}  // namespace

Status BefBuilder::Write(const ByteSink& sink, const BuildOptions& options) const {
  Collector lists(options.optional_sections);
  for (const FunctionSpec& function : functions_) lists.AddFunction(function);
  Writer writer(lists, options);
  TFRT_RETURN_IF_ERROR(writer.Write(
      module_attributes_,
      {.producer = producer_, .metadata = {metadata_.begin(), metadata_.end()}, .functions = {}}));
  return writer.Flush(weights_, sink);
}

StatusOr<std::vector<uint8_t>> BefBuilder::Build(const BuildOptions& options) const {
  std::vector<uint8_t> file;
  TFRT_RETURN_IF_ERROR(Write(
      [&](const void* data, size_t size) {
        auto* bytes = static_cast<const uint8_t*>(data);
        file.insert(file.end(), bytes, bytes + size);
        return true;
      },
      options));
  return file;
}

}  // namespace tfrt::bef
