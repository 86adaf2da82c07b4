// A card of `/preferences`: what this browser does in addition to showing a notice. The system's own notifications need
// its permission.
import { Card } from "@clockwork/ui/card";
import { Switch } from "@clockwork/ui/switch";
import { useEffect, useState } from "react";
import { describeSupport, type NoticeWays, readWays, systemPermission, writeWays } from "#session/notice-ways.ts";
import { useAccountText } from "#words/account-text.ts";

export function DeviceCard() {
  const text = useAccountText();
  const [ways, setWays] = useState<NoticeWays>({ sound: false, system: false });
  const [isRefused, setRefused] = useState(false);
  useEffect(() => setWays(readWays()), []);
  const keep = (next: NoticeWays) => {
    writeWays(next);
    setWays(next);
  };
  const chooseSound = (sound: boolean) => {
    keep({ ...ways, sound });
    if (sound) describeSupport({ title: "", body: "" });
  };
  const chooseSystem = async (system: boolean) => {
    const permission =
      system && systemPermission() === "default" ? await Notification.requestPermission() : systemPermission();
    const isAllowed = permission === "granted";
    setRefused(system && !isAllowed);
    keep({ ...ways, system: system && isAllowed });
  };
  return (
    <Card className="mt-4 max-w-[720px]" title={text("device.title")}>
      <div className="flex flex-col gap-3">
        <Switch isSelected={ways.sound} onChange={chooseSound}>
          {text("device.sound")}
        </Switch>
        <Switch isSelected={ways.system} onChange={(next) => void chooseSystem(next)}>
          {text("device.system")}
        </Switch>
      </div>
      <p role="status" className="mt-2 text-[13px] text-muted">
        {isRefused ? text("device.refused") : ""}
      </p>
    </Card>
  );
}
