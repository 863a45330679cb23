#include "variable_parser.h"

#include <bit>
#include <cstring>

namespace tfrt::gpu::ptx {
namespace {

constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 30;
constexpr int kMaxInitializerDepth = 16;

class InitializerParser {
 public:
  InitializerParser(TokenStream& tokens, const Declarator& declarator, const FindSymbol& find,
                    VariableBytes& bytes)
      : tokens_(tokens), declarator_(declarator), find_(find), bytes_(bytes) {}

  bool Parse(int depth) {
    if (depth > kMaxInitializerDepth) return tokens_.Fail("an initialiser of too many levels");
    if (!tokens_.Accept("{")) return ParseElement();
    if (tokens_.Accept("}")) return true;
    do {
      if (!Parse(depth + 1)) return false;
    } while (tokens_.Accept(","));
    return tokens_.Expect("}");
  }

 private:
  uint64_t element_bytes() const { return static_cast<uint64_t>(BytesOf(declarator_.type)); }

  bool Append(uint64_t value) {
    uint64_t offset = bytes_.bytes.size();
    if (!declarator_.unsized && offset + element_bytes() > declarator_.size) {
      return tokens_.Fail("more values than '" + std::string(declarator_.name) + "' has elements");
    }
    bytes_.bytes.resize(offset + element_bytes());
    std::memcpy(bytes_.bytes.data() + offset, &value, element_bytes());
    return true;
  }

  bool ParseElement() {
    const Token& token = tokens_.Peek();
    bool minus = token.Is("-") && (tokens_.Peek(1).kind == TokenKind::kFloat32 ||
                                   tokens_.Peek(1).kind == TokenKind::kFloat64);
    const Token& number = tokens_.Peek(minus ? 1 : 0);
    if (number.kind == TokenKind::kFloat32 || number.kind == TokenKind::kFloat64) {
      tokens_.Next();
      if (minus) tokens_.Next();
      return AppendFloat(number, minus);
    }
    if (token.kind == TokenKind::kIdentifier) return ParseAddress();
    if (IsFloat(declarator_.type) && BitsOf(declarator_.type) > 16) {
      return tokens_.FailAtToken("a floating-point number");
    }
    std::optional<TokenStream::Integer> value = tokens_.ParseInteger();
    if (!value) return false;
    if (tokens_.Peek().Is("(")) return tokens_.Unsupported("masks of addresses are not supported");
    return Append(value->value);
  }

  bool AppendFloat(const Token& number, bool minus) {
    double value = number.kind == TokenKind::kFloat32
                       ? std::bit_cast<float>(static_cast<uint32_t>(number.value))
                       : std::bit_cast<double>(number.value);
    if (minus) value = -value;
    if (declarator_.type == Type::kF64) return Append(std::bit_cast<uint64_t>(value));
    if (declarator_.type != Type::kF32)
      return tokens_.Fail("a floating-point number for an integer");
    if (number.kind == TokenKind::kFloat32 && !minus) return Append(number.value);
    return Append(std::bit_cast<uint32_t>(static_cast<float>(value)));
  }

  // name, name + 4, generic(name) + 4
  bool ParseAddress() {
    std::string_view name = tokens_.Next().text;
    bool generic = name == "generic" && tokens_.Accept("(");
    if (generic && (name = tokens_.ExpectIdentifier("a variable")).empty()) return false;
    Symbol symbol = find_(name);
    Relocation relocation;
    relocation.offset = bytes_.bytes.size();
    relocation.size = static_cast<uint8_t>(element_bytes());
    relocation.index = symbol.index;
    relocation.is_function = symbol.kind == Symbol::Kind::kFunction;
    if (!relocation.is_function && symbol.kind != Symbol::Kind::kVariable) {
      return tokens_.Fail("'" + std::string(name) + "' is no variable or function with an address");
    }
    if (BitsOf(declarator_.type) != 64 || IsFloat(declarator_.type)) {
      return tokens_.Fail("an address for elements of type ." +
                          std::string(TypeName(declarator_.type)));
    }
    if (tokens_.Peek().Is("+") || tokens_.Peek().Is("-")) {
      std::optional<TokenStream::Integer> addend = tokens_.ParseInteger();
      if (!addend) return false;
      relocation.addend = static_cast<int64_t>(addend->value);
    }
    if (generic && !tokens_.Expect(")")) return false;
    if (generic && (tokens_.Peek().Is("+") || tokens_.Peek().Is("-"))) {
      std::optional<TokenStream::Integer> addend = tokens_.ParseInteger();
      if (!addend) return false;
      relocation.addend += static_cast<int64_t>(addend->value);
    }
    if (!Append(0)) return false;
    bytes_.relocations.push_back(relocation);
    return true;
  }

  TokenStream& tokens_;
  const Declarator& declarator_;
  const FindSymbol& find_;
  VariableBytes& bytes_;
};

}  // namespace

bool ParseVariableType(TokenStream& tokens, Declarator& declarator) {
  uint32_t lanes = 1;
  uint32_t alignment = 0;
  for (;;) {
    if (tokens.AcceptDirective("align")) {
      std::optional<TokenStream::Integer> value = tokens.ParseInteger();
      if (!value) return false;
      if (value->value == 0 || value->value > 4096 || !std::has_single_bit(value->value)) {
        return tokens.Fail("an alignment of " + std::to_string(value->value) +
                           ", which is no power of two up to 4096");
      }
      alignment = static_cast<uint32_t>(value->value);
    } else if (tokens.AcceptDirective("v2")) {
      lanes = 2;
    } else if (tokens.AcceptDirective("v4")) {
      lanes = 4;
    } else if (tokens.AcceptDirective("attribute")) {
      if (!tokens.Expect("(")) return false;
      return tokens.Unsupported("attributes of variables are not supported");
    } else {
      break;
    }
  }
  if (tokens.Peek().kind != TokenKind::kDirective) return tokens.FailAtToken("a type");
  declarator.type = ParseType(tokens.Peek().text);
  if (declarator.type == Type::kNone || declarator.type == Type::kPred) {
    std::string_view name = tokens.Peek().text;
    bool known = name == "b128" || name == "texref" || name == "samplerref" || name == "surfref";
    std::string message = "'." + std::string(name) + "' is no type of a variable";
    return known ? tokens.Unsupported(message) : tokens.Fail(message);
  }
  tokens.Next();
  declarator.alignment = static_cast<uint32_t>(BytesOf(declarator.type)) * lanes;
  declarator.size = declarator.alignment;
  if (alignment != 0) declarator.alignment = alignment;
  return true;
}

bool ParseDeclarator(TokenStream& tokens, Declarator& declarator) {
  declarator.name = tokens.ExpectIdentifier("the name of a variable");
  if (declarator.name.empty()) return false;
  while (tokens.Accept("[")) {
    if (tokens.Accept("]")) {
      declarator.unsized = true;
      continue;
    }
    std::optional<TokenStream::Integer> count = tokens.ParseInteger();
    if (!count || !tokens.Expect("]")) return false;
    if (count->value > kMaxVariableBytes || declarator.size * count->value > kMaxVariableBytes) {
      return tokens.Unsupported("'" + std::string(declarator.name) + "' is larger than " +
                                std::to_string(kMaxVariableBytes) + " bytes");
    }
    declarator.size *= count->value;
  }
  if (declarator.unsized) declarator.size = 0;
  return true;
}

bool ParseInitializer(TokenStream& tokens, Declarator& declarator, const FindSymbol& find,
                      VariableBytes& bytes) {
  if (!InitializerParser(tokens, declarator, find, bytes).Parse(0)) return false;
  if (declarator.unsized) declarator.size = bytes.bytes.size();
  return true;
}

}  // namespace tfrt::gpu::ptx
