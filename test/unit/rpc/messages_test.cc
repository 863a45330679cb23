// Requests for inference as bytes: what each part becomes, what is refused, and damaged ones.

#include "lib/serve/rpc/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lib/serve/rpc/datatypes.h"
#include "test/unit/rpc/wire.h"
#include "test/unit/serve_models/shared_object.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt::serve::rpc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string BytesOf(const DenseHostTensor& tensor) {
  return {static_cast<const char*>(tensor.data()), tensor.size_bytes()};
}

class MessagesTest : public testing::Test {
 protected:
  Status Decode(std::string_view text, size_t piece_bytes = SIZE_MAX) {
    message_ = {};
    return DecodeInferRequest(Received(text, piece_bytes), allocator_.get(), &message_,
                              regions_.get());
  }
  std::string ErrorOf(std::string_view text) {
    const Status status = Decode(text);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.ToString();
    return std::string(status.message());
  }

  std::unique_ptr<HostAllocator> allocator_ = CreateMallocAllocator();
  std::unique_ptr<SharedRegions> regions_;  // null: off
  InferMessage message_;
};

TEST_F(MessagesTest, ReadsAllFieldsWhereverPiecesEnd) {
  const std::vector<float> elements = {1.5, -2, 3, 4, 5, 6};
  const std::string text = Bytes(1, "m") + Bytes(2, "7") + Bytes(3, "id") +
                           Bytes(4, Bytes(1, "timeout") + Bytes(2, Number(2, 1500))) +
                           Bytes(4, Bytes(1, "other") + Bytes(2, Bytes(3, "text"))) +
                           Bytes(5, Tensor("x", "FP32", {2, 3}) + Bytes(4, Bytes(1, "a"))) +
                           Bytes(5, Tensor("y", "BOOL", {3})) + Bytes(6, Bytes(1, "b")) +
                           Bytes(6, Bytes(1, "a")) + Bytes(7, BitsOf(elements)) +
                           Bytes(7, std::string_view("\1\0\1", 3)) + Number(99, 5) +
                           Varint(98 << 3 | 5) + "1234" + Varint(97 << 3 | 1) + "12345678";
  for (size_t piece_bytes = 1; piece_bytes <= text.size(); ++piece_bytes) {
    const Status status = Decode(text, piece_bytes);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(message_.model_name, "m");
    EXPECT_EQ(message_.model_version, "7");
    EXPECT_EQ(message_.id, "id");
    EXPECT_EQ(message_.timeout, std::chrono::microseconds(1500));
    EXPECT_THAT(message_.outputs, ElementsAre("b", "a"));
    ASSERT_EQ(message_.inputs.size(), 2u);
    EXPECT_EQ(message_.inputs[0].name, "x");
    EXPECT_EQ(message_.inputs[0].tensor.metadata().ToString(), "f32 [2, 3]");
    EXPECT_EQ(BytesOf(message_.inputs[0].tensor), BitsOf(elements));
    EXPECT_EQ(message_.inputs[1].tensor.metadata().ToString(), "i1 [3]");
  }
}

TEST_F(MessagesTest, ReadsContentsOfEachDatatype) {
  const std::string minus_one = Varint(UINT64_MAX);
  struct Case {
    const char* datatype;
    std::string contents, elements;
  };
  for (const Case& c : {
           Case{"BOOL", Bytes(1, Varints({1, 0})), {"\1\0", 2}},
           Case{"UINT8", Bytes(4, Varints({1, 255})), {"\1\xff", 2}},
           Case{"UINT16", Bytes(4, Varints({1, 65535})), BitsOf<uint16_t>({1, 65535})},
           Case{"UINT32", Bytes(4, Varints({1, UINT32_MAX})), BitsOf<uint32_t>({1, UINT32_MAX})},
           Case{"UINT64", Bytes(5, Varints({1, UINT64_MAX})), BitsOf<uint64_t>({1, UINT64_MAX})},
           Case{"INT8", Bytes(2, Varints({127, UINT64_MAX})), BitsOf<int8_t>({127, -1})},
           Case{"INT16", Bytes(2, Varints({7, UINT64_MAX})), BitsOf<int16_t>({7, -1})},
           Case{"INT32", Bytes(2, Varints({7, UINT64_MAX})), BitsOf<int32_t>({7, -1})},
           Case{"INT64", Bytes(3, Varints({7, UINT64_MAX})), BitsOf<int64_t>({7, -1})},
           Case{"FP32", Bytes(6, BitsOf<float>({1.5, -2})), BitsOf<float>({1.5, -2})},
           Case{"FP64", Bytes(7, BitsOf<double>({1.5, -2})), BitsOf<double>({1.5, -2})},
           // Not packed, which old clients may send.
           Case{"INT32", Number(2, 7) + Number(2, UINT64_MAX), BitsOf<int32_t>({7, -1})},
           Case{
               "FP32",
               Varint(6 << 3 | 5) + BitsOf<float>({1.5}) + Varint(6 << 3 | 5) + BitsOf<float>({-2}),
               BitsOf<float>({1.5, -2})},
       }) {
    const std::string text = Bytes(5, Tensor("x", c.datatype, {2}, c.contents));
    for (size_t piece_bytes : {1u, 5u, 1000u}) {
      const Status status = Decode(text, piece_bytes);
      ASSERT_TRUE(status.ok()) << c.datatype << ": " << status.ToString();
      EXPECT_EQ(BytesOf(message_.inputs[0].tensor), c.elements) << c.datatype;
    }
  }
}

TEST_F(MessagesTest, ReadsRawContentsOfEachDatatypeAndOfNoElements) {
  for (const Datatype& type : kDatatypes) {
    const size_t size = 2 * kElementTypes[static_cast<size_t>(type.dtype)].size_bytes;
    ASSERT_TRUE(
        Decode(Bytes(5, Tensor("x", type.name, {2})) + Bytes(7, std::string(size, 1))).ok());
    EXPECT_EQ(message_.inputs[0].tensor.dtype(), type.dtype);
    EXPECT_EQ(BytesOf(message_.inputs[0].tensor), std::string(size, 1));
    ASSERT_TRUE(Decode(Bytes(5, Tensor("x", type.name, {0, 3})) + Bytes(7, "")).ok());
    EXPECT_EQ(message_.inputs[0].tensor.size_bytes(), 0u);
  }
  ASSERT_TRUE(Decode(Bytes(5, Bytes(1, "x") + Bytes(2, "FP32")) + Bytes(7, "1234")).ok());
  EXPECT_EQ(message_.inputs[0].tensor.shape().rank(), 0);
}

TEST_F(MessagesTest, NamesWhatIsWrong) {
  auto tensor = [](std::string_view datatype, std::string_view contents) {
    return Bytes(5, Tensor("x", datatype, {2}, contents));
  };
  const std::string raw = Bytes(5, Tensor("x", "FP32", {2}));
  EXPECT_EQ(ErrorOf("\xff"), "the request is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(Varint(1 << 3 | 3)), "the request is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(Bytes(5, "\xff")), "the field inputs is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(tensor("FP32", "\xff")),
            "the field contents is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(tensor("FP32", Bytes(6, "12345"))),
            "the field contents is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(Bytes(4, "\xff")), "the field parameters is no message of protocol buffers");
  EXPECT_EQ(ErrorOf(tensor("BYTES", Bytes(8, "text"))),
            "input 'x': the datatype 'BYTES' is unknown or not offered");
  EXPECT_EQ(ErrorOf(tensor("FP16", Bytes(6, "12345678"))),
            "input 'x': elements of FP16 must be in raw_input_contents");
  EXPECT_EQ(ErrorOf(tensor("INT32", Bytes(6, "12345678"))),
            "input 'x': int_contents has 0 elements, but the shape needs 2");
  EXPECT_EQ(ErrorOf(tensor("INT8", Bytes(2, Varints({1, 200})))),
            "input 'x': int_contents has numbers that do not fit INT8");
  EXPECT_EQ(ErrorOf(tensor("UINT16", Bytes(4, Varints({1, 65536})))),
            "input 'x': uint_contents has numbers that do not fit UINT16");
  EXPECT_EQ(ErrorOf(raw + Bytes(7, "1234567")),
            "input 'x': raw_input_contents has 7 bytes, but the shape and datatype need 8");
  EXPECT_EQ(ErrorOf(raw + Bytes(7, "") + Bytes(7, "")), "2 raw_input_contents for 1 inputs");
  EXPECT_EQ(ErrorOf(tensor("FP32", Bytes(6, "12345678")) + Bytes(7, "12345678")),
            "input 'x': contents beside raw_input_contents");
  EXPECT_EQ(ErrorOf(tensor("BOOL", "") + Bytes(7, "\1\2")), "input 'x': bytes of BOOL are 0 or 1");
  EXPECT_THAT(ErrorOf(Bytes(5, Tensor("x", "FP32", {UINT64_MAX}))), HasSubstr("input 'x': "));
  EXPECT_THAT(ErrorOf(Bytes(5, Tensor("x", "FP32", {1u << 31, 1u << 31, 1u << 31}))),
              HasSubstr("input 'x': "));
  EXPECT_EQ(ErrorOf(Bytes(5, Tensor("x", "FP32", std::vector<uint64_t>(33, 1)))),
            "input 'x': the shape has more than 32 sizes");
  // A shape alone allocates nothing.
  EXPECT_EQ(ErrorOf(Bytes(5, Tensor("x", "FP32", {1u << 30, 1u << 20}))),
            "input 'x': fp32_contents has 0 elements, but the shape needs 1125899906842624");
  for (uint64_t timeout : {uint64_t{0}, UINT64_MAX}) {
    EXPECT_EQ(ErrorOf(Bytes(4, Bytes(1, "timeout") + Bytes(2, Number(2, timeout)))),
              "the parameter 'timeout' is no number of microseconds above 0");
  }
  std::string many;
  for (int i = 0; i < 4097; ++i) many += Bytes(6, Bytes(1, "y"));
  EXPECT_EQ(ErrorOf(many), "more than 4096 outputs");
  many.clear();
  for (int i = 0; i < 65; ++i) many += Bytes(5, "");
  EXPECT_EQ(ErrorOf(tensor("FP32", "") + Bytes(5, Bytes(1, "x") + many)),
            "an input has more than 64 contents");
  EXPECT_EQ(ErrorOf(Bytes(5, Bytes(4, "\xff"))),
            "the field inputs is no message of protocol buffers");
  // The id is known where a later part is wrong.
  EXPECT_THAT(ErrorOf(Bytes(3, "7") + raw), HasSubstr("fp32_contents has 0"));
  EXPECT_EQ(message_.id, "7");
}

TEST_F(MessagesTest, RefusesWhatTheServerDoesNotHave) {
  const auto parameter = [](std::string_view key) {
    return Bytes(1, key) + Bytes(2, Bytes(3, "region"));
  };
  const Status no_memory =
      UnimplementedError("shared memory is off: start the server with --shared_memory_mb");
  const Status no_sequences = UnimplementedError("sequences of requests are not supported");
  EXPECT_EQ(Decode(Bytes(5, Bytes(4, parameter("shared_memory_region")))), no_memory);
  EXPECT_EQ(Decode(Bytes(6, Bytes(2, parameter("shared_memory_region")))), no_memory);
  EXPECT_EQ(Decode(Bytes(6, Bytes(2, parameter("classification")))),
            UnimplementedError("classification of outputs is not supported"));
  EXPECT_EQ(Decode(Bytes(4, parameter("sequence_id"))), no_sequences);
  EXPECT_EQ(Decode(Bytes(4, Bytes(1, "sequence_id") + Bytes(2, Number(2, 3)))), no_sequences);
  EXPECT_TRUE(Decode(Bytes(4, Bytes(1, "sequence_id") + Bytes(2, Number(2, 0)))).ok());
  EXPECT_TRUE(Decode(Bytes(6, Bytes(1, "y") + Bytes(2, parameter("other")))).ok());
}

// Entries of parameters: the region "r", and maybe a size and an offset.
std::string InRegion(uint32_t field, std::optional<uint64_t> size, uint64_t offset = 0) {
  std::string text = Bytes(field, Bytes(1, "shared_memory_region") + Bytes(2, Bytes(3, "r")));
  if (size) {
    text += Bytes(field, Bytes(1, "shared_memory_byte_size") + Bytes(2, Number(2, *size)));
  }
  if (offset > 0) {
    text += Bytes(field, Bytes(1, "shared_memory_offset") + Bytes(2, Number(5, offset)));
  }
  return text;
}

TEST_F(MessagesTest, TensorsMayBeInSharedMemory) {
  SharedObject object(4096);
  object.Write(16, "12345678");
  regions_ = std::make_unique<SharedRegions>(4096);
  ASSERT_TRUE(regions_->Register({"r", object.key(), 0, 4096}).ok());
  const Status status = Decode(Bytes(5, Tensor("a", "INT8", {2})) +
                               Bytes(5, Tensor("x", "FP32", {2}) + InRegion(4, 8, 16)) +
                               Bytes(5, Tensor("b", "INT8", {1})) + Bytes(7, "ab") + Bytes(7, "c") +
                               Bytes(6, Bytes(1, "p")) + Bytes(6, Bytes(1, "q") + InRegion(2, 80)) +
                               Bytes(6, Bytes(1, "s") + InRegion(2, 8, 80)));
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::vector<std::string> inputs;
  for (const InferTensor& input : message_.inputs) inputs.push_back(BytesOf(input.tensor));
  EXPECT_THAT(inputs, ElementsAre("ab", "12345678", "c"));
  InferResult result;
  for (size_t i : {0, 1, 1}) {
    result.outputs.push_back({"y", message_.inputs[i].tensor.ShareBuffer()});
  }
  ASSERT_TRUE(message_.regions.Finish(result.outputs).ok());
  EXPECT_EQ(object.Read(0, 8), "12345678");
  EXPECT_EQ(object.Read(80, 8), "12345678");
  StatusOr<SentMessage> sent =
      EncodeStreamResponse({.name = "m", .version = "1"}, "7", std::move(result), message_.regions);
  ASSERT_TRUE(sent.ok());
  const std::string in_region = Bytes(1, "y") + Bytes(2, "FP32") + Bytes(3, Varints({2}));
  EXPECT_EQ(
      TextOf(*sent),
      Bytes(
          2,
          Bytes(1, "m") + Bytes(2, "1") + Bytes(3, "7") +
              Bytes(5, Bytes(1, "y") + Bytes(2, "INT8") + Bytes(3, Varints({2}))) +
              Bytes(5, in_region + InRegion(4, 8)) +
              Bytes(5, in_region +
                           Bytes(4, Bytes(1, "shared_memory_region") + Bytes(2, Bytes(3, "r"))) +
                           Bytes(4, Bytes(1, "shared_memory_byte_size") + Bytes(2, Number(2, 8))) +
                           Bytes(4, Bytes(1, "shared_memory_offset") + Bytes(2, Number(2, 80)))) +
              Bytes(6, "ab") + Bytes(6, "") + Bytes(6, "")));
}

TEST_F(MessagesTest, NamesWhatIsWrongWithSharedMemory) {
  regions_ = std::make_unique<SharedRegions>(4096);
  const std::string x = Tensor("x", "FP32", {2});
  EXPECT_EQ(Decode(Bytes(5, x + InRegion(4, 8))),
            NotFoundError("input 'x': the region 'r' is not registered"));
  EXPECT_EQ(ErrorOf(Bytes(5, x + InRegion(4, std::nullopt))),
            "input 'x': shared_memory_region needs shared_memory_byte_size");
  EXPECT_EQ(Decode(Bytes(6, Bytes(1, "y") + InRegion(2, 8))),
            NotFoundError("output 'y': the region 'r' is not registered"));
  EXPECT_EQ(ErrorOf(Bytes(5, x + InRegion(4, 8) + Bytes(5, Bytes(6, "12345678")))),
            "input 'x': contents beside its place in shared memory");
  EXPECT_EQ(ErrorOf(Bytes(5, x + InRegion(4, 8)) + Bytes(7, "12345678")),
            "1 raw_input_contents for 0 inputs");
  EXPECT_EQ(ErrorOf(Bytes(5, x + Bytes(4, Bytes(1, "shared_memory_region")))),
            "the parameter 'shared_memory_region' is no parameter of a tensor");
  StatusOr<RegionInfo> region = DecodeRegion(
      Received(Bytes(1, "n") + Bytes(2, "/k") + Number(3, 5) + Number(4, 7) + Number(9, 1), 1));
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region->name, "n");
  EXPECT_EQ(region->key, "/k");
  EXPECT_EQ(region->offset, 5u);
  EXPECT_EQ(region->size_bytes, 7u);
  EXPECT_EQ(DecodeRegion(Received("\x0a\x05x")).status(),
            InvalidArgumentError("the request is no message of protocol buffers"));
  EXPECT_EQ(TextOf(EncodeRegions({*region})),
            Bytes(1, Bytes(1, "n") +
                         Bytes(2, Bytes(1, "n") + Bytes(2, "/k") + Number(3, 5) + Number(4, 7))));
}

TEST_F(MessagesTest, DamagedRequestsAreErrorsOrRequests) {
  const std::string text =
      Bytes(1, "m") + Bytes(3, "id") + Bytes(4, Bytes(1, "timeout") + Bytes(2, Number(2, 1500))) +
      Bytes(5, Tensor("x", "FP32", {2, 3})) + Bytes(6, Bytes(1, "b")) +
      Bytes(5, Tensor("y", "INT8", {3})) + Bytes(7, std::string(24, 'e')) + Bytes(7, "123");
  const std::string typed = Bytes(1, "m") +
                            Bytes(5, Tensor("x", "INT16", {3}, Bytes(2, Varints({1, 2, 3})))) +
                            Bytes(5, Tensor("y", "FP64", {1}, Bytes(7, "12345678")));
  std::mt19937 random(1);
  int num_ok = 0, num_errors = 0;
  for (const std::string& whole : {text, typed}) {
    ASSERT_TRUE(Decode(whole).ok());
    for (size_t size = 0; size < whole.size(); ++size) {
      const Status status = Decode(whole.substr(0, size), 7);
      ++(status.ok() ? num_ok : num_errors);
    }
    for (int i = 0; i < 5000; ++i) {
      std::string damaged = whole;
      for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      const Status status = Decode(damaged, 1 + random() % 20);
      ++(status.ok() ? num_ok : num_errors);
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidArgument)
          << status.ToString();
    }
  }
  EXPECT_GT(num_errors, 1000);
  EXPECT_GT(num_ok, 1000);
}

TEST_F(MessagesTest, ReadsNames) {
  StatusOr<TwoNames> names = DecodeNames(Received(Bytes(1, "m") + Bytes(2, "3") + Number(9, 1), 1));
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(names->first, "m");
  EXPECT_EQ(names->second, "3");
  EXPECT_FALSE(names->flag);
  EXPECT_TRUE(DecodeNames(Received(Number(2, 1)))->flag);
  EXPECT_EQ(DecodeNames(Received("\x0a\x05x")).status(),
            InvalidArgumentError("the request is no message of protocol buffers"));
}

TEST_F(MessagesTest, ResponsesHaveTheElementsOfTheTensors) {
  ASSERT_TRUE(Decode(Bytes(5, Tensor("x", "FP32", {2})) + Bytes(5, Tensor("e", "INT8", {0})) +
                     Bytes(7, "12345678") + Bytes(7, ""))
                  .ok());
  const void* elements = message_.inputs[0].tensor.data();
  FoundModel model{.name = "m", .version = "3"};
  StatusOr<SentMessage> sent =
      EncodeInferResponse(model, "7", {.outputs = std::move(message_.inputs)});
  ASSERT_TRUE(sent.ok());
  EXPECT_EQ((*sent)[1].bytes.data(), elements);
  const std::string text = TextOf(*sent);
  EXPECT_EQ(FieldOf(text, 1), "m");
  EXPECT_EQ(FieldOf(text, 2), "3");
  EXPECT_EQ(FieldOf(text, 3), "7");
  EXPECT_THAT(FieldsOf(text, 5), ElementsAre(Tensor("x", "FP32", {2}), Tensor("e", "INT8", {0})));
  EXPECT_THAT(FieldsOf(text, 6), ElementsAre("12345678", ""));
}

TEST_F(MessagesTest, StreamsHaveResponsesOrErrors) {
  ASSERT_TRUE(Decode(Bytes(5, Tensor("x", "FP32", {2})) + Bytes(7, "12345678")).ok());
  std::vector<InferTensor> outputs;
  outputs.push_back({"x", message_.inputs[0].tensor.ShareBuffer()});
  const FoundModel model{.name = "m", .version = "3"};
  const std::string alone =
      TextOf(*EncodeInferResponse(model, "7", {.outputs = std::move(message_.inputs)}));
  EXPECT_EQ(TextOf(*EncodeStreamResponse(model, "7", {.outputs = std::move(outputs)})),
            Bytes(2, alone));
  EXPECT_EQ(TextOf(EncodeStreamError("7", "wrong")), Bytes(1, "wrong") + Bytes(2, Bytes(3, "7")));
}

TEST_F(MessagesTest, ResultsThatTheProtocolLacksAreErrors) {
  StatusOr<DenseHostTensor> tensor =
      DenseHostTensor::CreateUninitialized({DType::kComplex64, TensorShape{2}}, allocator_.get());
  InferResult result;
  result.outputs.push_back({"y", *std::move(tensor)});
  EXPECT_EQ(EncodeInferResponse({}, "", std::move(result)).status(),
            InternalError("the result 'y' is complex64 [2], which the protocol lacks"));
}

}  // namespace
}  // namespace tfrt::serve::rpc
