// What is true of the op of every row: equal ones are merged, text and bytecode keep them, and no
// text brings them down.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/graph/graph_builder.h"
#include "dialects/graph/graph_dialect.h"
#include "lib/compiler/translation/dialects.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/CSE.h"

namespace tfrt::compiler::graph {
namespace {

using AttrKind = OpAttrSpec::Kind;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

class TableOpsTest : public testing::Test {
 protected:
  TableOpsTest() : context_(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerModelDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
    context_.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
      errors_.push_back(diagnostic.str());
      return mlir::success();
    });
    for (const OpDescription* row : AllOpDescriptions()) {
      if (row->name != "constant") rows_.push_back(row);
    }
  }

  mlir::Attribute AttributeOf(AttrKind kind, int choice) {
    mlir::Builder builder(&context_);
    switch (kind) {
      case AttrKind::kBool:
        return builder.getBoolAttr(choice != 0);
      case AttrKind::kI32:
        return builder.getI32IntegerAttr(choice);
      case AttrKind::kI64:
        return builder.getI64IntegerAttr(choice);
      case AttrKind::kF32:
        return builder.getF32FloatAttr(static_cast<float>(choice));
      case AttrKind::kString:
        return builder.getStringAttr(choice == 0 ? "a" : "b");
      case AttrKind::kType:
        return mlir::TypeAttr::get(choice == 0 ? mlir::Type(builder.getF32Type())
                                               : builder.getI64Type());
      case AttrKind::kShape:
      case AttrKind::kI64Array:
        return builder.getDenseI64ArrayAttr({choice});
      case AttrKind::kF32Array:
        return builder.getDenseF32ArrayAttr({static_cast<float>(choice)});
      case AttrKind::kStringArray:
        return builder.getStrArrayAttr({choice == 0 ? "a" : "b"});
      case AttrKind::kFunction:
        return mlir::FlatSymbolRefAttr::get(&context_, choice == 0 ? "f" : "g");
      case AttrKind::kAny:
      case AttrKind::kDense:
        break;
    }
    ADD_FAILURE() << "an attribute that no row but constant's has";
    return {};
  }

  // A function with an argument for each of the row's, and one op of the row for each element of
  // `choices`, which says which attribute the op has.
  Module MakeModule(const OpDescription& row, llvm::ArrayRef<mlir::Type> types,
                    llvm::ArrayRef<int> choices) {
    mlir::OpBuilder builder(&context_);
    mlir::Location location = builder.getUnknownLoc();
    Module module = mlir::ModuleOp::create(builder, location);
    builder.setInsertionPointToStart(module->getBody());
    auto function =
        mlir::func::FuncOp::create(builder, location, "main", builder.getFunctionType(types, {}));
    mlir::Block* block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    llvm::SmallVector<mlir::Value> operands(block->getArguments());
    if (row.has_side_effects()) {
      operands.push_back(BeginEffectsOp::create(builder, location, TokenType::get(&context_)));
    }
    for (int choice : choices) {
      mlir::OperationState state(location, "graph." + std::string(row.name));
      state.addOperands(operands);
      for (const OpAttrSpec& attr : row.attrs) {
        if (!attr.default_value.empty() && choice == 0) continue;
        state.addAttribute(attr.name, AttributeOf(attr.kind, choice));
      }
      if (HasSegments(row)) {
        std::vector<int32_t> segments(operands.size(), 1);
        state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
      }
      std::vector<ValueType> results(row.results.size());
      llvm::SmallVector<ValueType> known;
      llvm::SmallVector<const ValueType*> arguments;
      for (mlir::Type type : types) known.push_back(valueTypeOf(type));
      for (const ValueType& value : known) arguments.push_back(&value);
      auto inferred =
          InferResults(row, arguments, AttributeReader(state.attributes.getDictionary(&context_)),
                       row.results.size());
      if (inferred.ok()) results = *inferred;
      for (ValueType& result : results) {
        if (result.dtype == DType::kUnsupported) result.dtype = DType::kF32;
        state.addTypes(tensorType(result, &context_));
      }
      if (row.has_side_effects()) state.addTypes(TokenType::get(&context_));
      builder.create(state);
    }
    ReturnOp::create(builder, location, mlir::ValueRange());
    return module;
  }
  static bool HasSegments(const OpDescription& row) {
    return std::ranges::count_if(row.arguments, [](const OpArgumentSpec& argument) {
             return argument.kind != OpArgumentSpec::Kind::kRequired;
           }) > 1;
  }
  mlir::Type Tensor(mlir::Type element) { return mlir::UnrankedTensorType::get(element); }
  std::vector<mlir::Type> Floats(const OpDescription& row) {
    return std::vector<mlir::Type>(row.arguments.size(),
                                   Tensor(mlir::Builder(&context_).getF32Type()));
  }

  // Right calls of the row, which differ in attributes; none if these few tries find none.
  std::vector<Module> RightCalls(const OpDescription& row) {
    mlir::Builder builder(&context_);
    const mlir::Type elements[] = {builder.getF32Type(), builder.getI64Type(), builder.getI1Type(),
                                   builder.getIntegerType(8)};
    size_t combinations = 1;
    for (size_t i = 0; i < row.arguments.size() && combinations < 4096; ++i) combinations *= 4;
    std::vector<Module> calls;
    for (size_t number = 0; number < combinations && calls.empty(); ++number) {
      std::vector<mlir::Type> types;
      for (size_t i = 0, rest = number; i < row.arguments.size(); ++i, rest /= 4) {
        types.push_back(Tensor(elements[rest % 4]));
      }
      for (int choice : {0, 1}) {
        Module module = MakeModule(row, types, {choice});
        if (mlir::succeeded(mlir::verify(*module))) calls.push_back(std::move(module));
      }
    }
    return calls;
  }

  static size_t CountOps(mlir::ModuleOp module) {
    size_t count = 0;
    module.walk([&](mlir::Operation* op) { count += descriptionOf(op) != nullptr; });
    return count;
  }
  void Merge(mlir::ModuleOp module) {
    mlir::IRRewriter rewriter(&context_);
    mlir::DominanceInfo dominance(module);
    mlir::eliminateCommonSubExpressions(rewriter, dominance, module);
  }
  static std::string TextOf(mlir::ModuleOp module, bool generic = false) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    mlir::OpPrintingFlags flags;
    if (generic) flags.printGenericOpForm();
    module.print(stream, flags);
    return text;
  }
  Module Parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
  }

  mlir::MLIRContext context_;
  std::vector<const OpDescription*> rows_;
  std::vector<std::string> errors_;
};

// What is known of a value is the caller's, however many others are looked at later.
TEST_F(TableOpsTest, TypesStayAsTheyWere) {
  mlir::OpBuilder builder(&context_);
  Module module = mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  GraphBuilder graph(builder, builder.getUnknownLoc());
  const ValueType& first = graph.typeOf(graph.integers({1, 2, 3}));
  for (int64_t i = 0; i < 1000; ++i) (void)graph.typeOf(graph.integers({i, i}));
  EXPECT_EQ(first.ToString(), "i64 [3] {1, 2, 3}");
}

TEST_F(TableOpsTest, EachRowIsARegisteredOp) {
  for (const OpDescription* row : rows_) {
    mlir::OperationName name("graph." + std::string(row->name), &context_);
    EXPECT_TRUE(name.isRegistered()) << row->name;
    EXPECT_EQ(name.getTypeID(), typeIdOf(*row)) << row->name;
    EXPECT_EQ(name.hasTrait<mlir::OpTrait::AttrSizedOperandSegments>(), HasSegments(*row));
  }
  EXPECT_GT(rows_.size(), 170u);
}

TEST_F(TableOpsTest, EqualOpsWithoutEffectsAreMerged) {
  for (const OpDescription* row : rows_) {
    Module module = MakeModule(*row, Floats(*row), {0, 0});
    ASSERT_EQ(CountOps(*module), 2u) << row->name;
    // What nobody uses would be erased.
    mlir::Operation* terminator =
        module->lookupSymbol<mlir::func::FuncOp>("main").getBody().front().getTerminator();
    module->walk([&](mlir::Operation* op) {
      if (descriptionOf(op)) terminator->insertOperands(0, op->getResults().take_front(1));
    });
    Merge(*module);
    EXPECT_EQ(CountOps(*module), row->has_side_effects() ? 2u : 1u) << row->name;
  }
}

TEST_F(TableOpsTest, OpsWithOtherAttributesAreNot) {
  for (const OpDescription* row : rows_) {
    if (row->attrs.empty()) continue;
    Module module = MakeModule(*row, Floats(*row), {0, 1});
    mlir::Operation* terminator =
        module->lookupSymbol<mlir::func::FuncOp>("main").getBody().front().getTerminator();
    module->walk([&](mlir::Operation* op) {
      if (descriptionOf(op)) terminator->insertOperands(0, op->getResults().take_front(1));
    });
    Merge(*module);
    EXPECT_EQ(CountOps(*module), 2u) << row->name;
  }
}

TEST_F(TableOpsTest, TextAndBytecodeKeepThem) {
  size_t right = 0;
  for (const OpDescription* row : rows_) {
    for (Module& module : RightCalls(*row)) {
      ++right;
      errors_.clear();
      const std::string text = TextOf(*module);
      for (bool generic : {false, true}) {
        Module again = Parse(TextOf(*module, generic));
        ASSERT_TRUE(again) << text << errors_.back();
        EXPECT_EQ(TextOf(*again), text);
      }
      std::string bytes;
      llvm::raw_string_ostream stream(bytes);
      ASSERT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(*module, stream)));
      Module again = Parse(bytes);
      ASSERT_TRUE(again) << text << errors_.back();
      EXPECT_EQ(TextOf(*again), text);
      // A copy has properties of its own.
      Module copy(module->clone());
      EXPECT_EQ(TextOf(*copy), text);
    }
  }
  EXPECT_GT(right, rows_.size());
}

// Changes characters and words of the op's line, and now and then of another one.
std::string Damaged(std::string text, std::mt19937& random) {
  static constexpr std::string_view kPieces[] = {"",
                                                 "%0",
                                                 "%arg0",
                                                 "tensor<*xf32>",
                                                 "tensor<-1xf32>",
                                                 "!graph.token",
                                                 "{",
                                                 "}",
                                                 "<{",
                                                 "i64",
                                                 "array",
                                                 "array<i64: 9>",
                                                 "array<i32: ",
                                                 "-1",
                                                 "2147483647",
                                                 "\"",
                                                 "(",
                                                 ")",
                                                 "->",
                                                 "[",
                                                 "true",
                                                 "unit",
                                                 ": i32",
                                                 "f64",
                                                 "%arg1,",
                                                 "1.5",
                                                 "dense<1> : tensor<f32>"};
  const size_t times = 1 + random() % 2;
  for (size_t i = 0; i < times; ++i) {
    size_t begin = text.find("graph."), end = text.find('\n', begin);
    if (random() % 16 == 0) begin = 0, end = text.size();
    if (begin == std::string::npos || begin >= end) return text;
    const size_t at = begin + random() % (end - begin);
    const size_t word_end = std::min(text.find_first_of(" ,:(){}<>\n", at), text.size());
    switch (random() % 4) {
      case 0:
        text.replace(at, word_end - at, kPieces[random() % std::size(kPieces)]);
        break;
      case 1:
        text.erase(at, 1 + random() % 4);
        break;
      case 2:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      default:
        text.insert(at, text.substr(begin + random() % (end - begin), 1 + random() % 24));
    }
  }
  return text;
}

TEST_F(TableOpsTest, TenThousandDamagedTextsBringNothingDown) {
  std::mt19937 random(30);  // NOLINT: the same texts each time
  std::vector<std::string> texts;
  for (const OpDescription* row : rows_) {
    std::vector<Module> calls = RightCalls(*row);
    if (calls.empty()) calls.push_back(MakeModule(*row, Floats(*row), {0}));
    for (bool generic : {false, true}) texts.push_back(TextOf(*calls.back(), generic));
  }
  size_t parsed = 0, refused = 0;
  for (size_t i = 0; i < 10000; ++i) {
    errors_.clear();
    Module module = Parse(Damaged(texts[i % texts.size()], random));
    if (module) {
      ++parsed;
      Merge(*module);
      EXPECT_FALSE(TextOf(*module).empty());
    } else {
      ++refused;
      EXPECT_FALSE(errors_.empty()) << "refused without a word";
    }
  }
  // Most are refused, some by the parser and some by the row; others stay right.
  EXPECT_GT(parsed, 100u);
  EXPECT_GT(refused, 5000u);
}

}  // namespace
}  // namespace tfrt::compiler::graph
