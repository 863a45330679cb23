#include "lib/base/tracing/device_observer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tfrt::tracing {
namespace {

class Log : public DeviceObserver {
 public:
  void OnDeviceInUse() override { text += "in use;"; }
  void BeforeCommand(std::string_view op) override { text += "before " + std::string(op) + ";"; }
  void AfterCommand() override { text += "after;"; }
  std::string text;
};

TEST(DeviceObserverTest, IsToldOfDevicesAndCommands) {
  static Log log, later;
  static DeviceGate gate{0}, second{0};
  {
    CommandScope nobody("a");
  }
  SetDeviceObserver(&log);
  EXPECT_EQ(log.text, "");
  NoteDeviceInUse(&gate);
  EXPECT_EQ(log.text, "in use;");
  EXPECT_FALSE(IsDeviceObserved(gate));
  OpenDeviceGates(true);
  EXPECT_EQ(IsDeviceObserved(gate), kRecordsExist);
  NoteDeviceInUse(&second);  // a runtime that comes later
  EXPECT_EQ(IsDeviceObserved(second), kRecordsExist);
  log.text.clear();
  {
    CommandScope command("b");
    EXPECT_EQ(log.text, "before b;");
    // A scope ends with the observer that it began with.
    SetDeviceObserver(nullptr);
    EXPECT_FALSE(IsDeviceObserved(gate));
    EXPECT_FALSE(IsDeviceObserved(second));
  }
  EXPECT_EQ(log.text, "before b;after;");
  SetDeviceObserver(&later);  // a device has been in use since
  EXPECT_EQ(later.text, "in use;");
  SetDeviceObserver(nullptr);
  // More runtimes than there is room for go without.
  static DeviceGate many[kMaxDeviceGates] = {};
  for (DeviceGate& one : many) NoteDeviceInUse(&one);
  OpenDeviceGates(true);
  EXPECT_EQ(many[0].load(), 1);
  EXPECT_EQ(many[kMaxDeviceGates - 1].load(), 0);
  OpenDeviceGates(false);
}

}  // namespace
}  // namespace tfrt::tracing
