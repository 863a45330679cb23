#include "tfrt/tracing/device_observer.h"

#include <gtest/gtest.h>

#include <string>

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
  EXPECT_FALSE(IsDeviceObserved());
  {
    CommandScope nobody("a");
  }
  SetDeviceObserver(&log);
  EXPECT_EQ(log.text, "");
  NoteDeviceInUse();
  EXPECT_EQ(log.text, "in use;");
  OpenDeviceGate(true);
  EXPECT_EQ(IsDeviceObserved(), kRecordsExist);
  {
    CommandScope command("b");
    EXPECT_EQ(log.text, "in use;before b;");
    // A scope ends with the observer that it began with.
    SetDeviceObserver(nullptr);
    EXPECT_FALSE(IsDeviceObserved());
  }
  EXPECT_EQ(log.text, "in use;before b;after;");
  SetDeviceObserver(&later);  // a device has been in use since
  EXPECT_EQ(later.text, "in use;");
  SetDeviceObserver(nullptr);
}

}  // namespace
}  // namespace tfrt::tracing
