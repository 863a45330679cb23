// Bodies of requests and answers, most of them hostile.

#include "lib/serve/protocol/infer_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "lib/serve/protocol/data_types.h"
#include "test/unit/serve_models/shared_object.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class InferBodyTest : public testing::Test {
 protected:
  StatusOr<InferBody> Decode(const std::string& text, std::optional<size_t> json_size = {}) {
    auto owner = std::make_shared<std::string>(text);
    return DecodeInferBody(std::as_bytes(std::span(owner->data(), owner->size())), json_size, owner,
                           allocator_.get(), regions_.get());
  }
  // A body with one input of JSON data.
  StatusOr<InferBody> DecodeInput(const std::string& datatype, const std::string& shape,
                                  const std::string& data) {
    return Decode(StrCat(R"({"inputs":[{"name":"x","datatype":")", datatype, R"(","shape":)", shape,
                         R"(,"data":)", data, "}]}"));
  }
  // JSON followed by bytes.
  StatusOr<InferBody> DecodeBinary(const std::string& json, std::string_view bytes) {
    return Decode(StrCat(json, bytes), json.size());
  }
  std::string ErrorOf(const StatusOr<InferBody>& body) {
    return body.ok() ? "OK" : std::string(body.status().message());
  }
  template <typename T>
  std::vector<T> ElementsOf(const StatusOr<InferBody>& body) {
    if (!body.ok()) {
      ADD_FAILURE() << body.status().ToString();
      return {};
    }
    const DenseHostTensor& tensor = body->request.inputs[0].tensor;
    EXPECT_EQ(tensor.dtype(), DTypeOf<T>());
    std::vector<T> elements;
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      elements.push_back(static_cast<const T*>(tensor.data())[i]);
    }
    return elements;
  }
  // Encodes one tensor as the output "y".
  StatusOr<EncodedResult> Encode(DenseHostTensor tensor, bool is_binary = false) {
    InferBody body;
    body.id = "i\"d";
    body.binary_by_default = is_binary;
    InferResult result;
    result.outputs.push_back({"y", std::move(tensor)});
    return EncodeInferResult(body, "m", "3", result);
  }

  std::unique_ptr<HostAllocator> allocator_ = CreateMallocAllocator();
  std::unique_ptr<SharedRegions> regions_;  // null: off
};

TEST_F(InferBodyTest, ReadsEachDatatype) {
  EXPECT_THAT(ElementsOf<bool>(DecodeInput("BOOL", "[3]", "[true,false,1]")),
              ElementsAre(true, false, true));
  EXPECT_THAT(ElementsOf<uint8_t>(DecodeInput("UINT8", "[2]", "[0,255]")), ElementsAre(0, 255));
  EXPECT_THAT(ElementsOf<uint16_t>(DecodeInput("UINT16", "[1]", "[65535]")), ElementsAre(65535));
  EXPECT_THAT(ElementsOf<uint32_t>(DecodeInput("UINT32", "[1]", "[4294967295]")),
              ElementsAre(4294967295u));
  EXPECT_THAT(ElementsOf<uint64_t>(DecodeInput("UINT64", "[2]", "[18446744073709551615,7]")),
              ElementsAre(UINT64_MAX, 7u));
  EXPECT_THAT(ElementsOf<int8_t>(DecodeInput("INT8", "[2]", "[-128,127]")), ElementsAre(-128, 127));
  EXPECT_THAT(ElementsOf<int16_t>(DecodeInput("INT16", "[1]", "[-32768]")), ElementsAre(-32768));
  EXPECT_THAT(ElementsOf<int32_t>(DecodeInput("INT32", "[1]", "[-5]")), ElementsAre(-5));
  EXPECT_THAT(ElementsOf<int64_t>(DecodeInput("INT64", "[1]", "[-9223372036854775808]")),
              ElementsAre(INT64_MIN));
  EXPECT_THAT(ElementsOf<float>(DecodeInput("FP32", "[3]", "[1.5,-2,1e-50]")),
              ElementsAre(1.5f, -2.0f, 0.0f));
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_THAT(ElementsOf<float>(DecodeInput("FP32", "[2]", "[3.4028235e38,-3.4028235e38]")),
              ElementsAre(kLargest, -kLargest));
  EXPECT_THAT(ElementsOf<double>(DecodeInput("FP64", "[2]", "[1e300,3]")), ElementsAre(1e300, 3.0));
  EXPECT_EQ(static_cast<float>(ElementsOf<Fp16>(DecodeInput("FP16", "[1]", "[0.5]"))[0]), 0.5f);
  EXPECT_EQ(static_cast<float>(ElementsOf<Bf16>(DecodeInput("BF16", "[1]", "[-2]"))[0]), -2.0f);
}

TEST_F(InferBodyTest, DataIsFlatOrNestedAsTheShape) {
  const std::vector<int32_t> expected = {1, 2, 3, 4};
  EXPECT_EQ(ElementsOf<int32_t>(DecodeInput("INT32", "[2,2]", "[1,2,3,4]")), expected);
  EXPECT_EQ(ElementsOf<int32_t>(DecodeInput("INT32", "[2,2]", "[[1,2],[3,4]]")), expected);
  EXPECT_EQ(ElementsOf<int32_t>(DecodeInput("INT32", "[]", "[7]")), std::vector<int32_t>{7});
  EXPECT_TRUE(ElementsOf<int32_t>(DecodeInput("INT32", "[0,5]", "[]")).empty());
  EXPECT_TRUE(ElementsOf<int32_t>(DecodeInput("INT32", "[2,0]", "[[],[]]")).empty());
}

TEST_F(InferBodyTest, IntegersMayBeWrittenAsNumbersOfFloatingPoint) {
  EXPECT_THAT(ElementsOf<int8_t>(DecodeInput("INT8", "[4]", "[-128.0,127.0,1e1,-0.0]")),
              ElementsAre(-128, 127, 10, 0));
  EXPECT_THAT(ElementsOf<uint64_t>(DecodeInput("UINT64", "[2]", "[9007199254740992.0,1e19]")),
              ElementsAre(uint64_t{1} << 53, 10'000'000'000'000'000'000u));
  EXPECT_THAT(ElementsOf<int64_t>(DecodeInput("INT64", "[1]", "[-9223372036854775808.0]")),
              ElementsAre(INT64_MIN));
  EXPECT_THAT(ElementsOf<bool>(DecodeInput("BOOL", "[3]", "[1.0,0.0,true]")),
              ElementsAre(true, false, true));
}

TEST_F(InferBodyTest, RefusesDataThatIsNotTheShapes) {
  const struct {
    const char *datatype, *shape, *data, *error;
  } cases[] = {
      {"INT32", "[3]", "[1,2]", "input x has 2 elements of data, but its shape has 3"},
      {"INT32", "[1]", "[1,2]", "input x has more elements of data, but its shape has 1"},
      {"INT32", "[2,2]", "[[1,2,3],[4]]",
       "input x has 3 parts of data in dimension 1, but its shape has 2"},
      {"INT32", "[2,2]", "[[1,2],[3,4],[]]",
       "input x has 0 parts of data in dimension 1, but its shape has 2"},
      {"INT32", "[2,1,1]", "[[1],[2]]", "input x has data that is not nested as its shape"},
      {"INT32", "[2]", "[[1],[2]]", "input x has data deeper than its shape"},
      {"INT32", "[2]", "[1,[2]]", "input x has numbers beside arrays in its data"},
      {"INT32", "[1]", "[1.5]", "input x has an element 0 of data that is no INT32"},
      {"INT8", "[2]", "[1,128]", "input x has an element 1 of data that is no INT8"},
      {"UINT64", "[1]", "[-1]", "input x has an element 0 of data that is no UINT64"},
      {"INT8", "[1]", "[128.0]", "input x has an element 0 of data that is no INT8"},
      {"INT8", "[1]", "[-129.0]", "input x has an element 0 of data that is no INT8"},
      {"UINT8", "[1]", "[-1.0]", "input x has an element 0 of data that is no UINT8"},
      {"UINT8", "[1]", "[0.5]", "input x has an element 0 of data that is no UINT8"},
      {"INT64", "[1]", "[9223372036854775808.0]",
       "input x has an element 0 of data that is no INT64"},
      {"UINT64", "[1]", "[18446744073709551616.0]",
       "input x has an element 0 of data that is no UINT64"},
      {"BOOL", "[1]", "[2.0]", "input x has an element 0 of data that is no BOOL"},
      {"BOOL", "[1]", "[0.5]", "input x has an element 0 of data that is no BOOL"},
      {"FP32", "[1]", "[3.4028236e38]", "input x has an element 0 of data that is no FP32"},
      {"FP32", "[1]", "[1e39]", "input x has an element 0 of data that is no FP32"},
      {"FP16", "[1]", "[65520]", "input x has an element 0 of data that is no FP16"},
      {"FP32", "[1]", "[\"1\"]", "input x has an element 0 of data that is no FP32"},
      {"FP32", "[1]", "[null]", "input x has an element 0 of data that is no FP32"},
      {"BOOL", "[1]", "[2]", "input x has an element 0 of data that is no BOOL"},
      {"INT32", "[-1]", "[]", "input x: a size of shape is no integer from 0"},
      {"INT32", "[18446744073709551615]", "[]", "input x has a size of shape above 2^63 - 1"},
      {"INT32", "[1.0]", "[1]", "input x: a size of shape is no integer from 0"},
      {"INT32", "7", "[1]", "input x: shape is no array"},
      {"INT32", "[1]", "1", "input x: data is no array"},
      {"INT32", "[1099511627776]", "[1]",
       "input x has fewer elements of data than its shape, 1099511627776"},
      {"COMPLEX64", "[1]", "[1]", "input x has the datatype 'COMPLEX64', which is unknown"},
      {"BYTES", "[1]", "[\"a\"]", "input x is BYTES: no model of this server takes text"},
  };
  for (const auto& refused : cases) {
    EXPECT_EQ(ErrorOf(DecodeInput(refused.datatype, refused.shape, refused.data)), refused.error);
  }
  EXPECT_THAT(ErrorOf(DecodeInput("INT32", "[4294967296,4294967296]", "[1]")),
              HasSubstr("input x has no shape: "));
  std::string sizes = "[1";
  for (int i = 0; i < 300; ++i) sizes += ",1";
  EXPECT_EQ(ErrorOf(DecodeInput("INT32", sizes + "]", "[1]")),
            "input x has too many sizes of shape");
}

TEST_F(InferBodyTest, RefusesWhatIsNoRequest) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "the JSON is no object"},
      {"{}", "the request has no inputs"},
      {R"({"inputs":{}})", "inputs is no array"},
      {R"({"inputs":[],"inputs":[]})", "inputs occurs twice"},
      {R"({"inputs":[],"outputs":[],"outputs":[]})", "outputs occurs twice"},
      {R"({"inputs":[1]})", "an input is no object"},
      {R"({"inputs":[{}]})", "an input has no name"},
      {R"({"inputs":[{"name":1}]})", "the name of an input is no string"},
      {R"({"inputs":[{"name":"x","datatype":"FP32"}]})", "input x has no shape"},
      {R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1]}]})", "input x has no data"},
      {R"({"inputs":[{"name":"x","parameters":1}]})", "parameters of an input is no object"},
      {R"({"inputs":[],"outputs":[{}]})", "an output has no name"},
      {R"({"inputs":[],"id":1})", "id is no string"},
      {R"({"inputs":[],"parameters":{"timeout":-1}})", "timeout is no integer from 0"},
      {R"({"inputs":[],"parameters":{"binary_data_output":1}})",
       "binary_data_output is neither true nor false"},
      {R"({"inputs":[],"parameters":{"sequence_id":3}})",
       "sequences of requests are not supported"},
      {R"({"inputs":[{"name":"x","parameters":{"shared_memory_region":"r"}}]})",
       "shared memory is off: start the server with --shared_memory_mb"},
      {R"({"inputs":[],"outputs":[{"name":"y","parameters":{"classification":3}}]})",
       "classification of outputs is not supported"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorOf(Decode(text)), error) << text;
  EXPECT_THAT(ErrorOf(Decode("")), HasSubstr("the JSON cannot be parsed: "));
  EXPECT_THAT(ErrorOf(Decode("{\"inputs\":[],\"id\":\"\xFF\"}")), HasSubstr("cannot be parsed"));
}

TEST_F(InferBodyTest, DepthIsBounded) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_EQ(ErrorOf(Decode(deep)), "the JSON has more than 32 levels");
  EXPECT_EQ(ErrorOf(Decode(R"({"inputs":[],"more":)" + deep + "}")),
            "the JSON has more than 32 levels");
  EXPECT_TRUE(Decode(R"({"inputs":[],"more":[[[[]]]]})").ok());
}

TEST_F(InferBodyTest, SizesAreBounded) {
  // Not even copied.
  const std::vector<std::byte> spaces((size_t{64} << 20) + 1, std::byte{' '});
  EXPECT_EQ(ErrorOf(DecodeInferBody(spaces, std::nullopt, nullptr, allocator_.get())),
            "the JSON has 67108865 bytes, but may have 67108864: send tensors as bytes");
  const std::span<const std::byte> part = std::span(spaces).first((size_t{64} << 10) + 1);
  const std::string error = "the body has 65537 bytes, but may have 65536: it brings no models";
  EXPECT_EQ(DecodeIndexBody(part).status().message(), error);
  EXPECT_EQ(CheckLoadBody(part).message(), error);
}

TEST_F(InferBodyTest, EveryPrefixIsRefused) {
  const std::string text =
      R"({"id":"1","parameters":{"timeout":5},"inputs":[{"name":"x","datatype":"FP32",)"
      R"("shape":[2],"data":[1,2.5]}],"outputs":[{"name":"y","parameters":{"binary_data":true}}]})";
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(Decode(text.substr(0, size)).ok()) << size;
  }
  StatusOr<InferBody> body = Decode(text);
  ASSERT_TRUE(body.ok());
  EXPECT_EQ(body->id, "1");
  EXPECT_EQ(body->timeout, std::chrono::microseconds(5));
  EXPECT_THAT(body->request.outputs, ElementsAre("y"));
  EXPECT_THAT(body->is_binary, ElementsAre(true));
}

std::string BinaryInput(std::string_view datatype, std::string_view shape, size_t size) {
  return StrCat(R"({"inputs":[{"name":"x","datatype":")", datatype, R"(","shape":)", shape,
                R"(,"parameters":{"binary_data_size":)", size, "}}]}");
}

TEST_F(InferBodyTest, ReadsElementsAsBytes) {
  const int16_t elements[] = {1, -2, 300};
  const std::string_view bytes(reinterpret_cast<const char*>(elements), 6);
  std::string json = BinaryInput("INT16", "[3]", 6);
  for (int spaces = 0; spaces < 2; ++spaces) {  // at an even and an odd place
    EXPECT_THAT(ElementsOf<int16_t>(DecodeBinary(json, bytes)), ElementsAre(1, -2, 300));
    json += ' ';
  }
  EXPECT_TRUE(ElementsOf<float>(DecodeBinary(BinaryInput("FP32", "[0,3]", 0), "")).empty());
  EXPECT_EQ(
      ElementsOf<Bf16>(DecodeBinary(BinaryInput("BF16", "[1]", 2), bytes.substr(0, 2))).size(), 1u);
  EXPECT_TRUE(DecodeBinary(R"({"inputs":[]})", "").ok());
}

TEST_F(InferBodyTest, MembersThatAreNullCountAsMissing) {
  // As KServe's client sends tensors without elements.
  EXPECT_TRUE(ElementsOf<float>(Decode(R"({"inputs":[{"name":"x","datatype":"FP32","shape":[0],)"
                                       R"("data":null,"parameters":{"binary_data_size":0}}]})"))
                  .empty());
  EXPECT_TRUE(ElementsOf<float>(
                  Decode(R"({"id":null,"parameters":{"timeout":null},"outputs":null,"inputs":)"
                         R"([{"name":"x","datatype":"FP32","shape":[0],"data":[],)"
                         R"("parameters":null}]})"))
                  .empty());
  EXPECT_TRUE(Decode(R"({"inputs":[],"outputs":[{"name":"y","parameters":null}]})").ok());
  EXPECT_EQ(
      ErrorOf(Decode(R"({"inputs":[{"name":"x","datatype":"FP32","shape":[0],"data":null}]})")),
      "input x has no data");
  EXPECT_EQ(ErrorOf(Decode(R"({"inputs":null})")), "the request has no inputs");
}

// What the HTTP server does for bodies whose head tells the size of the JSON.
TEST_F(InferBodyTest, AlignedElementsAreUsedInPlace) {
  struct alignas(64) Block {
    std::byte bytes[512];
  };
  const std::string json =
      R"({"inputs":[{"name":"a","datatype":"FP32","shape":[2],)"
      R"("parameters":{"binary_data_size":8}},)"
      R"({"name":"b","datatype":"FP64","shape":[1],"parameters":{"binary_data_size":8}}]})";
  for (size_t offset = 0; offset < 64; ++offset) {
    auto owner = std::make_shared<Block>();
    std::byte* const begin = owner->bytes + offset;
    std::memcpy(begin, json.data(), json.size());
    const std::byte* const data = begin + json.size();
    const double elements[2] = {1, 2};
    std::memcpy(begin + json.size(), elements, sizeof(elements));
    StatusOr<InferBody> body = DecodeInferBody(std::span(begin, json.size() + sizeof(elements)),
                                               json.size(), owner, allocator_.get());
    ASSERT_TRUE(body.ok()) << body.status().ToString();
    const auto address = reinterpret_cast<uintptr_t>(data);
    const DenseHostTensor& a = body->request.inputs[0].tensor;
    const DenseHostTensor& b = body->request.inputs[1].tensor;
    EXPECT_EQ(a.data() == data, address % 4 == 0);
    EXPECT_EQ(b.data() == data + 8, address % 8 == 0);
    EXPECT_EQ(*static_cast<const double*>(b.data()), 2);
    // The tensors keep the body.
    EXPECT_EQ(owner.use_count(), 1 + (address % 4 == 0) + (address % 8 == 0));
  }
}

std::string Region(std::string_view parameters) {
  return StrCat(R"({"inputs":[{"name":"x","datatype":"INT32","shape":[2],"parameters":{)",
                parameters, "}}]}");
}

TEST_F(InferBodyTest, TensorsMayBeInSharedMemory) {
  SharedObject object(4096);
  regions_ = std::make_unique<SharedRegions>(4096);
  ASSERT_TRUE(regions_->Register({"r", object.key(), 0, 4096}).ok());
  const int32_t elements[] = {5, -6};
  object.Write(16, {reinterpret_cast<const char*>(elements), 8});
  StatusOr<InferBody> body = Decode(
      R"({"inputs":[{"name":"x","datatype":"INT32","shape":[2],"parameters":)"
      R"({"shared_memory_region":"r","shared_memory_byte_size":8,"shared_memory_offset":16}}],)"
      R"("outputs":[{"name":"a"},{"name":"y","parameters":{"binary_data":false,)"
      R"("shared_memory_region":"r","shared_memory_byte_size":80}},{"name":"z","parameters":)"
      R"({"shared_memory_region":"r","shared_memory_byte_size":8,"shared_memory_offset":80}}]})");
  EXPECT_THAT(ElementsOf<int32_t>(body), ElementsAre(5, -6));
  InferResult result;
  for (const char* name : {"a", "y", "z"}) {
    result.outputs.push_back({name, body->request.inputs[0].tensor.ShareBuffer()});
  }
  ASSERT_TRUE(body->regions.Finish(result.outputs).ok());
  EXPECT_EQ(object.Read(0, 8), object.Read(16, 8));
  EXPECT_EQ(object.Read(80, 8), object.Read(16, 8));
  EXPECT_EQ(
      EncodeInferResult(*body, "m", "1", result)->json,
      R"({"model_name":"m","model_version":"1","outputs":[)"
      R"({"name":"a","datatype":"INT32","shape":[2],"data":[5,-6]},)"
      R"({"name":"y","datatype":"INT32","shape":[2],"parameters":)"
      R"({"shared_memory_region":"r","shared_memory_byte_size":8}},)"
      R"({"name":"z","datatype":"INT32","shape":[2],"parameters":{"shared_memory_region":"r",)"
      R"("shared_memory_byte_size":8,"shared_memory_offset":80}}]})");
}

TEST_F(InferBodyTest, RefusesTensorsThatAreNotInSharedMemory) {
  regions_ = std::make_unique<SharedRegions>(4096);
  const std::pair<const char*, const char*> cases[] = {
      {R"("shared_memory_region":"r","shared_memory_byte_size":8)",
       "input x: the region 'r' is not registered"},
      {R"("shared_memory_region":"r")",
       "input x: shared_memory_region needs shared_memory_byte_size"},
      {R"("shared_memory_offset":0)", "input x: there is no shared_memory_region"},
      {R"("shared_memory_region":5)", "shared_memory_region is no string"},
      {R"("shared_memory_byte_size":-8)", "shared_memory_byte_size is no integer from 0"},
      {R"("shared_memory_offset":"1")", "shared_memory_offset is no integer from 0"},
      {R"("shared_memory_region":"r","shared_memory_byte_size":8,"binary_data_size":8)",
       "input x has data beside its place in shared memory"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(ErrorOf(Decode(Region(text))), error) << text;
  EXPECT_EQ(ErrorOf(Decode(R"({"inputs":[],"outputs":[{"name":"y","parameters":)"
                           R"({"shared_memory_region":"r","shared_memory_byte_size":8}}]})")),
            "output y: the region 'r' is not registered");
}

TEST_F(InferBodyTest, ReadsRequestsForARegion) {
  const auto decode = [](std::string_view text) {
    return DecodeRegionBody(std::as_bytes(std::span(text)), "n");
  };
  StatusOr<RegionInfo> region = decode(R"({"key":"/k","offset":3,"byte_size":5})");
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region->name, "n");
  EXPECT_EQ(region->key, "/k");
  EXPECT_EQ(region->offset, 3u);
  EXPECT_EQ(region->size_bytes, 5u);
  EXPECT_EQ(decode(R"({"key":7})").status().message(), "key is no string");
  EXPECT_EQ(decode(R"({"offset":-1})").status().message(), "offset is no integer from 0");
  EXPECT_EQ(decode(R"({"byte_size":1.5})").status().message(), "byte_size is no integer from 0");
}

TEST_F(InferBodyTest, RefusesBytesThatAreNotTheShapes) {
  EXPECT_EQ(ErrorOf(DecodeBinary(BinaryInput("FP32", "[2]", 7), "1234567")),
            "input x has 7 bytes of data, but its shape has 8");
  EXPECT_EQ(ErrorOf(DecodeBinary(BinaryInput("FP32", "[2]", 8), "1234567")),
            "input x has 8 bytes of data, but 7 are left");
  EXPECT_EQ(ErrorOf(DecodeBinary(BinaryInput("FP32", "[1]", 4), "12345")),
            "the body has 1 bytes more than the inputs' binary_data_size");
  EXPECT_EQ(ErrorOf(DecodeBinary(BinaryInput("BOOL", "[2]", 2), std::string_view("\1\2", 2))),
            "input x has a byte that is no BOOL, neither 0 nor 1");
  EXPECT_EQ(ErrorOf(DecodeBinary(BinaryInput("BYTES", "[1]", 4), "1234")),
            "input x is BYTES: no model of this server takes text");
  EXPECT_EQ(
      ErrorOf(DecodeBinary(R"({"inputs":[{"name":"x","datatype":"INT8","shape":[1],"data":[1],)"
                           R"("parameters":{"binary_data_size":1}}]})",
                           "1")),
      "input x has both data and binary_data_size");
  EXPECT_EQ(ErrorOf(Decode("{}", 3)),
            "Inference-Header-Content-Length is 3, but the body has 2 bytes");
  EXPECT_THAT(ErrorOf(DecodeBinary(BinaryInput("FP32", "[4611686018427387904]", 0), "")),
              HasSubstr("Cannot allocate tensor"));
}

template <typename T>
DenseHostTensor Tensor(HostAllocator* allocator, const TensorShape& shape,
                       const std::vector<T>& elements) {
  auto tensor = DenseHostTensor::CreateUninitialized({DTypeOf<T>(), shape}, allocator);
  auto* data = static_cast<T*>(tensor->buffer()->data());
  for (size_t i = 0; i < elements.size(); ++i) data[i] = elements[i];
  return *std::move(tensor);
}

TEST_F(InferBodyTest, WritesJsonAndBytes) {
  StatusOr<EncodedResult> encoded =
      Encode(Tensor<float>(allocator_.get(), TensorShape{1, 3}, {0.1f, -2, 1e30f}));
  ASSERT_TRUE(encoded.ok());
  EXPECT_EQ(encoded->json,
            R"({"model_name":"m","model_version":"3","id":"i\"d","outputs":[{"name":"y",)"
            R"("datatype":"FP32","shape":[1,3],"data":[0.1,-2,1e+30]}]})");
  EXPECT_TRUE(encoded->binary.empty());

  encoded = Encode(Tensor<Fp16>(allocator_.get(), TensorShape{2}, {Fp16(1.5f), Fp16(2.0f)}), true);
  ASSERT_TRUE(encoded.ok());
  EXPECT_THAT(encoded->json, HasSubstr(R"("shape":[2],"parameters":{"binary_data_size":4}})"));
  EXPECT_EQ(encoded->binary.size(), 1u);

  EXPECT_THAT(Encode(Tensor<bool>(allocator_.get(), TensorShape{2}, {true, false}))->json,
              HasSubstr(R"("datatype":"BOOL","shape":[2],"data":[true,false])"));
  EXPECT_THAT(Encode(Tensor<uint64_t>(allocator_.get(), TensorShape{1}, {UINT64_MAX}))->json,
              HasSubstr("[18446744073709551615]"));
  EXPECT_THAT(Encode(Tensor<int8_t>(allocator_.get(), TensorShape{1}, {-7}))->json,
              HasSubstr(R"("datatype":"INT8","shape":[1],"data":[-7])"));
}

TEST_F(InferBodyTest, WhatHasNoTextIsRefused) {
  const char* error =
      "output y has a NaN or an infinity, which JSON cannot write: ask for binary_data";
  for (float element : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    DenseHostTensor tensor = Tensor<float>(allocator_.get(), TensorShape{1}, {element});
    EXPECT_EQ(Encode(tensor.ShareBuffer()).status(), FailedPreconditionError(error));
    EXPECT_TRUE(Encode(std::move(tensor), true).ok());
  }
  EXPECT_EQ(
      Encode(Tensor<std::complex<float>>(allocator_.get(), TensorShape{1}, {{1, 2}})).status(),
      UnimplementedError("output y is complex64, which the protocol does not have"));
}

TEST_F(InferBodyTest, JsonOfResultsIsBounded) {
  constexpr int64_t kSize = 5'000'000;  // of 15 bytes each
  auto tensor =
      DenseHostTensor::CreateUninitialized({DType::kF32, TensorShape{kSize}}, allocator_.get());
  ASSERT_TRUE(tensor.ok());
  std::fill_n(static_cast<float*>(tensor->buffer()->data()), kSize, -1.1754944e-38f);
  const Status status = Encode(tensor->ShareBuffer()).status();
  EXPECT_EQ(status, OutOfRangeError("output y has more than 67108864 bytes as JSON: ask for "
                                    "binary_data"));
  EXPECT_TRUE(Encode(*std::move(tensor), /*is_binary=*/true).ok());
}

TEST_F(InferBodyTest, TextsOfResultsCount) {
  const auto sum = std::make_shared<ResultBytes::Sum>(0);
  InferResult result{.outputs = {}, .bytes = std::make_shared<ResultBytes>(sum, 1000)};
  StatusOr<EncodedResult> encoded = EncodeInferResult({}, "m", "1", result);
  result = {};
  EXPECT_EQ(sum->load(), 1000 + encoded->json.size());
  encoded = InternalError("");
  EXPECT_EQ(sum->load(), 0u);
}

TEST_F(InferBodyTest, ReadsRequestsForAnIndex) {
  const auto decode = [](std::string_view text) {
    return DecodeIndexBody(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_FALSE(*decode(""));
  EXPECT_FALSE(*decode("{}"));
  EXPECT_TRUE(*decode(R"({"ready":true})"));
  EXPECT_EQ(decode(R"({"ready":1})").status(),
            InvalidArgumentError("ready is neither true nor false"));
}

TEST_F(InferBodyTest, ModelsAreNotLoadedFromRequests) {
  const auto check = [](std::string_view text) {
    return CheckLoadBody(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_TRUE(check("").ok());
  EXPECT_TRUE(check(R"({"parameters":{"unload_dependents":false}})").ok());
  EXPECT_EQ(check(R"({"parameters":{"file:1/model.onnx":"AA"}})"),
            UnimplementedError("file:1/model.onnx is not supported: options and files of a model "
                               "come from its folder"));
  EXPECT_EQ(check("[]"), InvalidArgumentError("the JSON is no object"));
}

TEST(DataTypesTest, NamesStandForOneType) {
  for (size_t code = 0; code < kNumElementTypes; ++code) {
    const DType dtype = DTypeFromCode(static_cast<uint8_t>(code));
    const std::string_view name = DataTypeName(dtype);
    if (!name.empty()) EXPECT_EQ(DataTypeFromName(name), dtype);
  }
  EXPECT_EQ(DataTypeName(DType::kComplex64), "");
  EXPECT_EQ(DataTypeFromName(""), DType::kUnsupported);
}

}  // namespace
}  // namespace tfrt::serve
