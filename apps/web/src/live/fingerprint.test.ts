import { FINGERPRINT_CACHE_MS } from "@clockwork/kit/constants";
import { describe, expect, test } from "vitest";
import type { KeyValueStorage } from "./domains.ts";
import {
  collectFingerprint,
  createDevice,
  describeDevice,
  type FingerprintSource,
  hashText,
  loadFingerprint,
} from "./fingerprint.ts";
import { browserFingerprint } from "./fingerprint-browser.ts";
import { ManualClock, settle } from "./test-clock.ts";

const source: FingerprintSource = {
  screen: () => ({ width: 1920, height: 1080, availableWidth: 1920, availableHeight: 1040 }),
  userAgent: () =>
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
  language: () => "en-US",
  platform: () => "Linux armv8l",
  timezoneOffsetMinutes: () => -480,
  timezoneName: () => "Asia/Singapore",
  plugins: () => ["PDF Viewer", "Chrome PDF Viewer"],
  canvas: () => "data:image/png;base64,AAAA",
  webgl: () => ({ vendor: "Maker", renderer: "Chip" }),
  audio: async () => "124.04",
};

function memory(): KeyValueStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

const FIELDS = [
  "screen_resolution",
  "available_screen_resolution",
  "system_version",
  "brand_model",
  "system_lang",
  "timezone",
  "timezoneOffset",
  "user_agent",
  "list_plugin",
  "canvas_code",
  "webgl_vendor",
  "webgl_renderer",
  "audio",
  "platform",
  "web_timezone",
  "device_name",
  "fingerprint",
];

describe("the record", () => {
  test("[AUTH-10] has exactly the seventeen fields, in order, the hash last", async () => {
    const record = await collectFingerprint({ source, clock: new ManualClock(), storage: undefined });
    expect(Object.keys(record)).toEqual(FIELDS);
    expect(record).toMatchObject({
      screen_resolution: "1920x1080",
      available_screen_resolution: "1920x1040",
      system_version: "Android 14",
      brand_model: "Pixel 8",
      timezone: "GMT+08:00",
      timezoneOffset: -480,
      list_plugin: "PDF Viewer,Chrome PDF Viewer",
      canvas_code: hashText("data:image/png;base64,AAAA"),
      audio: "124.04",
      device_name: "Chrome 131 on Android 14",
    });
    const { fingerprint, ...rest } = record;
    expect(fingerprint).toBe(hashText(JSON.stringify(rest)));
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });

  test("[AUTH-10] any field that differs makes another fingerprint", async () => {
    const clock = new ManualClock();
    const one = await collectFingerprint({ source, clock, storage: undefined });
    const other = await collectFingerprint({ source: { ...source, canvas: () => "x" }, clock, storage: undefined });
    expect(other.fingerprint).not.toBe(one.fingerprint);
  });

  test("[AUTH-10] at most 500 plugins are listed", async () => {
    const plugins = () => Array.from({ length: 600 }, (_, index) => `p${index}`);
    const record = await collectFingerprint({
      source: { ...source, plugins },
      clock: new ManualClock(),
      storage: undefined,
    });
    expect(record.list_plugin.split(",")).toHaveLength(500);
  });

  test("[AUTH-10] audio that does not answer in time reads audioTimeout", async () => {
    const clock = new ManualClock();
    const pending = collectFingerprint({
      source: { ...source, audio: () => new Promise(() => {}) },
      clock,
      storage: undefined,
      audioTimeoutMs: 700,
    });
    await settle();
    clock.advance(700);
    expect((await pending).audio).toBe("audioTimeout");
  });

  test("[AUTH-10] parts the browser refuses are empty, never an error", async () => {
    const refuse = () => {
      throw new Error("refused");
    };
    const refusing = Object.fromEntries(
      Object.keys(source).map((name) => [name, refuse]),
    ) as unknown as FingerprintSource;
    const record = await collectFingerprint({ source: refusing, clock: new ManualClock(), storage: undefined });
    expect(Object.keys(record)).toEqual(FIELDS);
    expect(record).toMatchObject({ audio: "", canvas_code: "", screen_resolution: "0x0", list_plugin: "" });
    const failing = { ...source, audio: () => Promise.reject(new Error("no")) };
    expect((await collectFingerprint({ source: failing, clock: new ManualClock(), storage: undefined })).audio).toBe(
      "",
    );
  });
});

test("[AUTH-10] what is cheap names the device from the first call on, the whole record once it is there", async () => {
  const device = createDevice({ source, clock: new ManualClock(), storage: undefined });
  expect(device.deviceId()).toMatch(/^[0-9a-f]{32}$/);
  expect([device.systemVersion(), device.deviceName()]).toEqual(["Android 14", "Chrome 131 on Android 14"]);
  const { fingerprint } = await device.ready();
  expect([device.deviceId(), device.cwDeviceId()]).toEqual([fingerprint, fingerprint]);
  expect([device.systemVersion(), device.deviceName()]).toEqual(["Android 14", "Chrome 131 on Android 14"]);
});

test("[AUTH-10] nothing is collected before the page starts it or a call has to name the device", async () => {
  let collected = 0;
  const counting = { ...source, canvas: () => `${++collected}` };
  let collect = () => {};
  const begin = (run: () => void) => {
    collect = run;
  };
  const parts = { source: counting, clock: new ManualClock(), storage: undefined, begin };
  const answer = createDevice(parts);
  expect(collected).toBe(0);
  collect();
  await answer.ready();
  expect(collected).toBe(1);
  const requested = createDevice(parts);
  const early = requested.deviceId();
  expect(early).not.toBe("");
  expect(collected).toBe(2);
  const { fingerprint } = await requested.ready();
  expect(requested.deviceId()).toBe(fingerprint);
  expect(early).not.toBe(fingerprint);
  collect();
  expect(collected).toBe(2);
});

test("[AUTH-10] where there is no browser every part of it is refused, and the record is still whole", async () => {
  const parts = { source: browserFingerprint, clock: new ManualClock(), storage: undefined };
  const record = await collectFingerprint(parts);
  expect(Object.keys(record)).toEqual(FIELDS);
  expect(record).toMatchObject({ screen_resolution: "0x0", canvas_code: "", webgl_vendor: "", audio: "" });
});

describe("the day it is kept", () => {
  test("[AUTH-10] it is collected once a day", async () => {
    const clock = new ManualClock();
    const storage = memory();
    let collected = 0;
    const counting = {
      ...source,
      canvas: () => {
        collected += 1;
        return String(collected);
      },
    };
    const load = () => loadFingerprint({ source: counting, clock, storage });
    const first = await load();
    clock.advance(FINGERPRINT_CACHE_MS - 1);
    expect(await load()).toEqual(first);
    expect(Object.keys(await load())).toEqual(FIELDS);
    expect(collected).toBe(1);
    clock.advance(1);
    expect(await load()).not.toEqual(first);
    expect(collected).toBe(2);
  });

  test("[AUTH-10] stored data is accepted only when its hash fits", async () => {
    const clock = new ManualClock();
    const genuine = await collectFingerprint({ source, clock, storage: undefined });
    for (const text of [
      "{",
      "null",
      "{}",
      JSON.stringify({ savedAtMs: clock.now(), record: { ...genuine, audio: "x" } }),
    ]) {
      const storage = memory();
      storage.setItem("cw_fingerprint", text);
      expect(await loadFingerprint({ source, clock, storage })).toEqual(genuine);
    }
  });

  test("[AUTH-10] a storage that throws causes no error", async () => {
    const refuse = () => {
      throw new Error("forbidden");
    };
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse };
    expect(Object.keys(await loadFingerprint({ source, clock: new ManualClock(), storage }))).toEqual(FIELDS);
  });
});

test.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "iOS 17.5",
    "iPhone",
    "Safari 17 on iOS 17.5",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
    "Windows 10.0",
    "PC",
    "Edge 131 on Windows 10.0",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
    "macOS 10.15.7",
    "Macintosh",
    "Safari 17 on macOS 10.15.7",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Linux", "PC", "Firefox 133 on Linux"],
  ["", "Unknown system", "PC", "Unknown browser on Unknown system"],
])("[AUTH-10] %s is described", (userAgent, systemVersion, brandModel, deviceName) => {
  expect(describeDevice(userAgent)).toEqual({ systemVersion, brandModel, deviceName });
});
