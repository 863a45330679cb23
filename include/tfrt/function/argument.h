// Arguments of traced functions, and their conversion from and to C++ types.
#ifndef TFRT_FUNCTION_ARGUMENT_H_
#define TFRT_FUNCTION_ARGUMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/eager/variable.h"
#include "tfrt/function/options.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

using eager::Location;
using eager::Tensor;
using eager::TensorArgument;
using eager::Variable;

// A parameter that is a value of the program, fixed when the function is traced: a bool, a number,
// an enum or a std::string. Each value has a separate trace. A plain number as parameter is treated
// alike, but gives a warning when it has had several values. A Tensor needs only one trace.
template <typename T>
class Static {
 public:
  Static(T value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  const T& get() const { return value_; }
  operator const T&() const { return value_; }  // NOLINT: implicit by design

 private:
  T value_;
};

// One argument of a call, or a part of one. Borrows its sources; used for one call.
struct Argument {
  enum class Kind : uint8_t {
    kTensor,
    kSpec,    // instead of a tensor, where nothing runs
    kStatic,  // `tag` and `bits`, or `text`
    kVariable,
    kList,  // the next `bits` arguments belong together
  };
  // The type of a static value. Callers represent values of other types by a text of their choice.
  enum Tag : uint8_t { kBool, kSigned, kUnsigned, kFloat, kDouble, kText, kOther };

  static Argument Of(TensorArgument tensor) {
    Argument made;
    made.tensor = std::move(tensor);
    return made;
  }
  static Argument Of(const TensorSpec& spec) {
    Argument made;
    made.kind = Kind::kSpec;
    made.spec = &spec;
    return made;
  }
  static Argument Of(const Variable& variable) {
    Argument made;
    made.kind = Kind::kVariable;
    made.variable = &variable;
    return made;
  }
  static Argument List(size_t size) {
    Argument made;
    made.kind = Kind::kList;
    made.bits = size;
    return made;
  }
  static Argument OfText(std::string_view text, Tag tag = kText) {
    Argument made;
    made.kind = Kind::kStatic;
    made.tag = tag;
    made.text = text;
    return made;
  }
  template <typename T>
  static Argument OfNumber(T value) {
    Argument made;
    made.kind = Kind::kStatic;
    if constexpr (std::is_enum_v<T>) {
      return OfNumber(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      static_assert(sizeof(T) <= sizeof(made.bits));
      made.tag = sizeof(T) == sizeof(float) ? kFloat : kDouble;
      std::memcpy(&made.bits, &value, sizeof(T));
    } else {
      made.tag = std::is_same_v<T, bool> ? kBool : std::is_signed_v<T> ? kSigned : kUnsigned;
      made.bits = static_cast<uint64_t>(value);
    }
    return made;
  }
  template <typename T>
  T Number() const {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(Number<std::underlying_type_t<T>>());
    } else if constexpr (std::is_floating_point_v<T>) {
      T value;
      std::memcpy(&value, &bits, sizeof(T));
      return value;
    } else {
      return static_cast<T>(bits);
    }
  }
  // For kind kTensor in a call: an array becomes a tensor of the thread's scope.
  Tensor AsTensor(Location where) const {
    if (const eager::HostArray* array = tensor.array()) return Tensor::FromArray(*array, where);
    return tensor.state() ? Tensor(FormRef(tensor.state())) : Tensor();
  }

  Kind kind = Kind::kTensor;
  Tag tag = kBool;
  bool is_plain = false;  // static, but not declared as such
  uint64_t bits = 0;
  std::string_view text = {};
  TensorArgument tensor = {};
  const Variable* variable = nullptr;
  const TensorSpec* spec = nullptr;
};

namespace internal {

// Reads the arguments of a trace in order.
struct ArgumentReader {
  std::span<const Argument> arguments;
  Location where = {};
  size_t next = 0;
  const Argument& Next() { return arguments[next++]; }
};

// Defines how a parameter of type P is passed, counted, and restored. A call takes a `Given`,
// Concrete takes an `Asked`.
template <typename P>
struct Parameter {
  static_assert(std::is_arithmetic_v<P> || std::is_enum_v<P>,
                "a traced function takes Tensor, Variable, Static<T>, numbers, std::string, and "
                "std::vector or std::array of Tensor");
  using Given = P;
  using Asked = P;
  static size_t Count(const P&) { return 1; }
  static void Add(P value, Argument*& to) {
    *to = Argument::OfNumber(value);
    to++->is_plain = true;
  }
  static P Take(ArgumentReader& reader) { return reader.Next().Number<P>(); }
};

template <>
struct Parameter<std::string> {
  using Given = const std::string&;
  using Asked = const std::string&;
  static size_t Count(const std::string&) { return 1; }
  static void Add(const std::string& value, Argument*& to) { *to++ = Argument::OfText(value); }
  static std::string Take(ArgumentReader& reader) { return std::string(reader.Next().text); }
};

template <typename T>
struct Parameter<Static<T>> {
  using Given = const Static<T>&;
  using Asked = const Static<T>&;
  static size_t Count(const Static<T>&) { return 1; }
  static void Add(const Static<T>& value, Argument*& to) {
    Parameter<T>::Add(value.get(), to);
    to[-1].is_plain = false;
  }
  static Static<T> Take(ArgumentReader& reader) { return Parameter<T>::Take(reader); }
};

// A tensor, or the known facts of one.
class TensorOrSpec {
 public:
  TensorOrSpec(TensorSpec spec) : spec_(std::move(spec)) {}  // NOLINT: implicit by design
  template <typename T>
    requires std::is_convertible_v<T, TensorArgument>
  TensorOrSpec(T&& tensor)  // NOLINT: implicit by design
      : tensor_(std::forward<T>(tensor)) {}
  Argument Take() { return spec_ ? Argument::Of(*spec_) : Argument::Of(std::move(tensor_)); }

 private:
  std::optional<TensorSpec> spec_;
  TensorArgument tensor_;
};

template <>
struct Parameter<Tensor> {
  using Given = TensorArgument;
  using Asked = TensorOrSpec;
  template <typename T>
  static size_t Count(const T&) {
    return 1;
  }
  static void Add(TensorArgument&& tensor, Argument*& to) {
    *to++ = Argument::Of(std::move(tensor));
  }
  static void Add(TensorOrSpec&& asked, Argument*& to) { *to++ = asked.Take(); }
  static Tensor Take(ArgumentReader& reader) { return reader.Next().AsTensor(reader.where); }
};

template <>
struct Parameter<Variable> {
  using Given = const Variable&;
  using Asked = const Variable&;
  static size_t Count(const Variable&) { return 1; }
  static void Add(const Variable& variable, Argument*& to) { *to++ = Argument::Of(variable); }
  static Variable Take(ArgumentReader& reader) { return *reader.Next().variable; }
};

template <>
struct Parameter<std::vector<Tensor>> {
  using Given = const std::vector<Tensor>&;
  using Asked = const std::vector<Tensor>&;
  static size_t Count(const std::vector<Tensor>& tensors) { return 1 + tensors.size(); }
  static void Add(const std::vector<Tensor>& tensors, Argument*& to) {
    *to++ = Argument::List(tensors.size());
    for (const Tensor& tensor : tensors) *to++ = Argument::Of(TensorArgument(tensor));
  }
  static std::vector<Tensor> Take(ArgumentReader& reader) {
    std::vector<Tensor> tensors(reader.Next().bits);
    for (Tensor& tensor : tensors) tensor = reader.Next().AsTensor(reader.where);
    return tensors;
  }
};

template <size_t N>
struct Parameter<std::array<Tensor, N>> {
  using Given = const std::array<Tensor, N>&;
  using Asked = const std::array<Tensor, N>&;
  static size_t Count(const std::array<Tensor, N>&) { return N; }
  static void Add(const std::array<Tensor, N>& tensors, Argument*& to) {
    for (const Tensor& tensor : tensors) *to++ = Argument::Of(TensorArgument(tensor));
  }
  static std::array<Tensor, N> Take(ArgumentReader& reader) {
    std::array<Tensor, N> tensors;
    for (Tensor& tensor : tensors) tensor = reader.Next().AsTensor(reader.where);
    return tensors;
  }
};

// Converts a function's results to a list of tensors and back.
template <typename R>
struct Results;

template <>
struct Results<Tensor> {
  using Type = Tensor;
  static constexpr size_t kCount = 1;
  static std::vector<Tensor> List(Tensor made) {
    std::vector<Tensor> list;
    list.push_back(std::move(made));
    return list;
  }
  static Tensor Of(std::span<Tensor> list, const Status&) { return std::move(list[0]); }
};
template <size_t N>
struct Results<std::array<Tensor, N>> {
  using Type = std::array<Tensor, N>;
  static constexpr size_t kCount = N;
  static std::vector<Tensor> List(const std::array<Tensor, N>& made) {
    return {made.begin(), made.end()};
  }
  static Type Of(std::span<Tensor> list, const Status&) {
    Type results;
    std::move(list.begin(), list.end(), results.begin());
    return results;
  }
};
template <typename... Ts>
struct Results<std::tuple<Ts...>> {
  static_assert((std::is_same_v<Ts, Tensor> && ...), "a traced function returns tensors");
  using Type = std::tuple<Ts...>;
  static constexpr size_t kCount = sizeof...(Ts);
  static std::vector<Tensor> List(const Type& made) {
    return std::apply([](const Ts&... each) { return std::vector<Tensor>{each...}; }, made);
  }
  static Type Of(std::span<Tensor> list, const Status&) {
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return Type(std::move(list[i])...);
    }(std::index_sequence_for<Ts...>());
  }
};
template <>
struct Results<std::pair<Tensor, Tensor>> {
  using Type = std::pair<Tensor, Tensor>;
  static constexpr size_t kCount = 2;
  static std::vector<Tensor> List(const Type& made) { return {made.first, made.second}; }
  static Type Of(std::span<Tensor> list, const Status&) {
    return {std::move(list[0]), std::move(list[1])};
  }
};
// Stands for as many results as the trace returned.
inline constexpr size_t kAnyNumber = SIZE_MAX;
template <>
struct Results<std::vector<Tensor>> {
  using Type = std::vector<Tensor>;
  static constexpr size_t kCount = kAnyNumber;
  static std::vector<Tensor> List(std::vector<Tensor> made) { return made; }
};
template <>
struct Results<Status> {
  using Type = Status;
  static constexpr size_t kCount = 0;
  static StatusOr<std::vector<Tensor>> List(const Status& made) {
    if (!made.ok()) return made;
    return std::vector<Tensor>();
  }
  static Status Of(std::span<Tensor>, const Status& status) { return status; }
};
template <>
struct Results<void> : Results<Status> {};
template <typename T>
struct Results<StatusOr<T>> : Results<T> {
  static StatusOr<std::vector<Tensor>> List(StatusOr<T> made) {
    if (!made.ok()) return made.status();
    return Results<T>::List(*std::move(made));
  }
};

// The signature R(Ps...) of a lambda, an object with one operator(), or a function, without
// references.
template <typename F>
struct SignatureOf : SignatureOf<decltype(&F::operator())> {};
template <typename R, typename... Ps>
struct SignatureOf<R(Ps...)> {
  using Type = R(std::remove_cvref_t<Ps>...);
};
template <typename R, typename... Ps>
struct SignatureOf<R (*)(Ps...)> : SignatureOf<R(Ps...)> {};
template <typename F, typename R, typename... Ps>
struct SignatureOf<R (F::*)(Ps...)> : SignatureOf<R(Ps...)> {};
template <typename F, typename R, typename... Ps>
struct SignatureOf<R (F::*)(Ps...) const> : SignatureOf<R(Ps...)> {};
template <typename F, typename R, typename... Ps>
struct SignatureOf<R (F::*)(Ps...) noexcept> : SignatureOf<R(Ps...)> {};
template <typename F, typename R, typename... Ps>
struct SignatureOf<R (F::*)(Ps...) const noexcept> : SignatureOf<R(Ps...)> {};

}  // namespace internal
}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_ARGUMENT_H_
