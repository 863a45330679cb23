// Random programs with right waits on slow streams: each result is that of the same operations one
// by one, and the checker has nothing to report. Under the thread sanitizer a wait that did not
// hold would be a race.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/devices/sim/accelerator.h"
#include "test/support/order_checker/order_checker.h"

namespace tfrt::sim {
namespace {

using Use = Operand::Use;

constexpr size_t kWords = 64;
constexpr size_t kBytes = kWords * sizeof(uint32_t);
using Words = std::array<uint32_t, kWords>;

class Program {
 public:
  explicit Program(uint32_t seed) : random_(seed) {
    Accelerator::Options options{.memory_bytes = 8 * 1024, .observer = &checker_};
    options.delay = {.at_most = std::chrono::microseconds(seed % 3 * 20), .seed = seed};
    device_ = *Accelerator::Create(options);
    streams_ = {&device_->compute(), &device_->h2d(), &device_->d2h(), &device_->d2d()};
    for (Buffer& buffer : buffers_) Allocate(buffer);
  }

  void Run(int num_steps) {
    for (int i = 0; i < num_steps; ++i) Step();
    for (Buffer& buffer : buffers_) Free(buffer);
    Status status = device_->Close();
    EXPECT_TRUE(status.ok()) << status.ToString();
    for (const auto& [result, wanted] : results_) EXPECT_EQ(result, wanted);
    for (const OrderReport& report : checker_.TakeReports()) ADD_FAILURE() << report;
  }

 private:
  struct Buffer {
    void* address = nullptr;
    Words value = {};  // what it holds when all is done that was enqueued
    Event written;
    std::vector<Event> read;  // since then
  };

  uint32_t Below(uint32_t limit) { return random_() % limit; }
  Stream& AnyStream() { return *streams_[Below(4)]; }
  Buffer& AnyBuffer() { return buffers_[Below(buffers_.size())]; }

  void BeforeRead(Stream& stream, const Buffer& buffer) { stream.WaitFor(buffer.written); }
  void BeforeWrite(Stream& stream, const Buffer& buffer) {
    stream.WaitFor(buffer.written);
    for (const Event& event : buffer.read) stream.WaitFor(event);
  }
  static void Written(Stream& stream, Buffer& buffer) {
    buffer.written = stream.Record();
    buffer.read.clear();
  }

  void Allocate(Buffer& buffer) {
    Stream& stream = AnyStream();
    auto block = stream.Allocate("buffer", kBytes);
    ASSERT_TRUE(block.ok()) << block.status().ToString();
    buffer.address = *block;
    buffer.value.fill(Below(1000));
    Copy(stream, buffer);
  }
  void Free(Buffer& buffer) {
    Stream& stream = AnyStream();
    BeforeWrite(stream, buffer);
    EXPECT_TRUE(stream.Free("buffer", buffer.address).ok());
  }
  // buffer.value to the device.
  void Copy(Stream& stream, Buffer& buffer) {
    sources_.push_back(buffer.value);
    stream.CopyToDevice("in", buffer.address, sources_.back().data(), kBytes);
    Written(stream, buffer);
  }

  void Step() {
    Stream& stream = AnyStream();
    Buffer& to = AnyBuffer();
    Buffer& from = AnyBuffer();
    switch (Below(6)) {
      case 0:
        BeforeWrite(stream, to);
        to.value.fill(Below(1000));
        return Copy(stream, to);
      case 1:
        BeforeRead(stream, from);
        results_.emplace_back(Words(), from.value);
        stream.CopyToHost("out", results_.back().first.data(), from.address, kBytes);
        from.read.push_back(stream.Record());
        return;
      case 2:
        Free(to);
        return Allocate(to);
      case 3:
        if (Below(8) == 0) {
          EXPECT_TRUE(from.written.Wait().ok());
        }
        return;
      default:
        return Mix(stream, to, from);
    }
  }

  // to = 3 to + from
  void Mix(Stream& stream, Buffer& to, Buffer& from) {
    BeforeRead(stream, from);
    BeforeWrite(stream, to);
    stream.Launch("mix",
                  {{from.address, kBytes, Use::kRead}, {to.address, kBytes, Use::kReadWrite}},
                  [](std::span<std::byte* const> addresses) {
                    auto* x = reinterpret_cast<const uint32_t*>(addresses[0]);
                    auto* y = reinterpret_cast<uint32_t*>(addresses[1]);
                    for (size_t i = 0; i < kWords; ++i) y[i] = 3 * y[i] + x[i];
                    return OkStatus();
                  });
    for (size_t i = 0; i < kWords; ++i) to.value[i] = 3 * to.value[i] + from.value[i];
    Event done = stream.Record();
    from.read.push_back(done);
    to.written = done;
    to.read.clear();
  }

  std::mt19937 random_;
  OrderChecker checker_{{.report_reads_of_unwritten = true}};
  std::unique_ptr<Accelerator> device_;
  std::vector<Stream*> streams_;
  std::array<Buffer, 6> buffers_;
  // Host memory of copies, which stays where it is.
  std::deque<Words> sources_;
  std::deque<std::pair<Words, Words>> results_;
};

TEST(RandomProgramTest, ResultsAreThoseOfOneThread) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Program(seed).Run(250);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tfrt::sim
