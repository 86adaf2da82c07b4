// A card of `/preferences`: what this browser does in addition to showing a notice. Pushes and the system's own
// notifications need its permission.
import { Card } from "@clockwork/ui/card";
import { Switch } from "@clockwork/ui/switch";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { describeSupport, type NoticeWays, readWays, systemPermission, writeWays } from "#session/notice-ways.ts";
import { endPush } from "#session/push-end.ts";
import { type PushState, readPush, startPush } from "#session/web-push.ts";
import { useAccountText } from "#words/account-text.ts";

export function DeviceCard() {
  const text = useAccountText();
  const [ways, setWays] = useState<NoticeWays>({ sound: false, system: false });
  const [refusal, setRefusal] = useState<"refused" | "pushFailed">();
  const [push, setPush] = useState<PushState>("missing");
  const calls = useCalls();
  useEffect(() => {
    setWays(readWays());
    void readPush().then(setPush);
  }, []);
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
    setRefusal(system && !isAllowed ? "refused" : undefined);
    keep({ ...ways, system: system && isAllowed });
  };
  const choosePush = async (isOn: boolean) => {
    const failure = isOn ? await startPush(await calls()) : await endPush().then(() => undefined);
    setRefusal(failure === undefined ? undefined : failure === "denied" ? "refused" : "pushFailed");
    setPush(await readPush());
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
        <Switch isSelected={push === "on"} isDisabled={push === "missing"} onChange={(next) => void choosePush(next)}>
          {text("device.push")}
        </Switch>
        {push === "missing" && <p className="text-[13px] text-muted">{text("device.pushMissing")}</p>}
      </div>
      <p role="status" className="mt-2 text-[13px] text-muted">
        {refusal === undefined ? "" : text(`device.${refusal}`)}
      </p>
    </Card>
  );
}
