import { describe, expect, test } from "vitest";
import { createBridge, detectBridge, type ShellWindow } from "./bridge.ts";
import { detectShell } from "./detect.ts";

function fakeAndroid() {
  const sent: { id: number; ask: string; data: unknown }[] = [];
  const target: ShellWindow = { ClockworkAndroid: { postMessage: (text) => sent.push(JSON.parse(text)) } };
  return { target, sent, reply: (value: unknown) => target.clockworkShellReply?.(JSON.stringify(value)) };
}

describe("detection", () => {
  test("[SITE-15] shells are detected by user agent, flutter before the system it runs on", () => {
    expect(detectShell("Mozilla/5.0 ClockworkIos/1.2")).toBe("ios");
    expect(detectShell("Mozilla/5.0 ClockworkAndroid/1.2")).toBe("android");
    expect(detectShell("Mozilla/5.0 ClockworkAndroid/1.2 ClockworkFlutter/3.0")).toBe("flutter");
    expect(detectShell("Mozilla/5.0 (iPhone)")).toBeUndefined();
    expect(detectShell("NotClockworkIos/x")).toBeUndefined();
  });

  test("[SITE-15] and by their bridge object", () => {
    expect(detectBridge({})).toBeUndefined();
    expect(detectBridge({ webkit: { messageHandlers: { clockwork: { postMessage: () => undefined } } } })).toBe("ios");
    expect(detectBridge({ flutter_inappwebview: { callHandler: async () => undefined } })).toBe("flutter");
    expect(detectBridge(fakeAndroid().target)).toBe("android");
  });
});

describe("asks", () => {
  test("[SITE-15] each answer reaches its own request, in any order", async () => {
    const { target, sent, reply } = fakeAndroid();
    const bridge = createBridge(target);
    const token = bridge.ask("takeToken", {});
    const shared = bridge.ask("share", { title: "t", url: "https://x.example" });
    expect(sent.map(({ ask }) => ask)).toEqual(["takeToken", "share"]);
    reply({ id: sent[1]?.id, ok: true, data: { shared: true } });
    reply({ id: sent[0]?.id, ok: true, data: { token: "abc" } });
    expect(await shared).toEqual({ shared: true });
    expect(await token).toEqual({ token: "abc" });
  });

  test("[SITE-15] a refusal, a broken answer and a silent shell all end in nothing", async () => {
    const { target, sent, reply } = fakeAndroid();
    const bridge = createBridge(target, 20);
    const refused = bridge.ask("safeArea", {});
    reply({ id: sent[0]?.id, ok: false });
    expect(await refused).toBeUndefined();
    target.clockworkShellReply?.("{broken");
    target.clockworkShellReply?.("null");
    reply({ id: 999, ok: true });
    expect(await bridge.ask("pushToken", {})).toBeUndefined();
  });

  test("[SITE-15] in a plain browser every request resolves at once to nothing", async () => {
    const bridge = createBridge({});
    expect(bridge.shell).toBeUndefined();
    expect(await bridge.ask("setTitle", { title: "x" })).toBeUndefined();
  });
});
