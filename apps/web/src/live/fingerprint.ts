// The device fingerprint: seventeen fields in a fixed order with the hash of the others last, kept for a day.
// Collects through a source it is given; a part the browser refuses is empty text, never an error.
import {
  FINGERPRINT_AUDIO_TIMEOUT_TEXT,
  FINGERPRINT_CACHE_MS,
  FINGERPRINT_PLUGIN_MAX,
  STORAGE_KEY,
} from "@clockwork/kit/constants";
import { gmtOffsetText } from "@clockwork/kit/time";
import type { Clock } from "./clock.ts";
import type { KeyValueStorage } from "./domains.ts";

export interface FingerprintRecord {
  readonly screen_resolution: string;
  readonly available_screen_resolution: string;
  readonly system_version: string;
  readonly brand_model: string;
  readonly system_lang: string;
  readonly timezone: string;
  readonly timezoneOffset: number;
  readonly user_agent: string;
  readonly list_plugin: string;
  readonly canvas_code: string;
  readonly webgl_vendor: string;
  readonly webgl_renderer: string;
  readonly audio: string;
  readonly platform: string;
  readonly web_timezone: string;
  readonly device_name: string;
  readonly fingerprint: string;
}

/** The browser's properties. Every part may fail. */
export interface FingerprintSource {
  screen(): { width: number; height: number; availableWidth: number; availableHeight: number };
  userAgent(): string;
  language(): string;
  platform(): string;
  /** Minutes west of UTC, as browsers count. */
  timezoneOffsetMinutes(): number;
  timezoneName(): string;
  plugins(): readonly string[];
  canvas(): string;
  webgl(): { vendor: string; renderer: string };
  audio(): Promise<string>;
}

export interface FingerprintParts {
  readonly source: FingerprintSource;
  readonly clock: Clock;
  readonly storage: KeyValueStorage | undefined;
  readonly audioTimeoutMs?: number;
  /** Awaited between the costly parts, so that no one task holds up the page. */
  readonly pause?: () => Promise<void>;
}

const AUDIO_TIMEOUT_MS = 1_000;

/** The record of today, from storage where it is younger than a day. */
export async function loadFingerprint(parts: FingerprintParts): Promise<FingerprintRecord> {
  const kept = readKept(parts);
  if (kept !== undefined) return kept;
  const record = await collectFingerprint(parts);
  try {
    parts.storage?.setItem(STORAGE_KEY.fingerprint, JSON.stringify({ savedAtMs: parts.clock.now(), record }));
  } catch {
    // Without storage it is collected again next time.
  }
  return record;
}

function readKept(parts: FingerprintParts): FingerprintRecord | undefined {
  try {
    const kept: unknown = JSON.parse(parts.storage?.getItem(STORAGE_KEY.fingerprint) ?? "null");
    if (typeof kept !== "object" || kept === null || !("savedAtMs" in kept) || !("record" in kept)) return undefined;
    const ageMs = parts.clock.now() - Number(kept.savedAtMs);
    const fresh = ageMs >= 0 && ageMs < FINGERPRINT_CACHE_MS;
    return fresh && isRecord(kept.record) ? kept.record : undefined;
  } catch {
    return undefined;
  }
}

/** Stored text may be from an older release or tampered with: the hash must fit. */
function isRecord(value: unknown): value is FingerprintRecord {
  if (typeof value !== "object" || value === null) return false;
  const { fingerprint, ...rest } = value as FingerprintRecord;
  return fingerprint === hashFields(rest);
}

export async function collectFingerprint(parts: FingerprintParts): Promise<FingerprintRecord> {
  const { source } = parts;
  const screen = attempt(() => source.screen(), { width: 0, height: 0, availableWidth: 0, availableHeight: 0 });
  const userAgent = attempt(() => source.userAgent(), "");
  const offsetMinutes = attempt(() => source.timezoneOffsetMinutes(), 0);
  const device = describeDevice(userAgent);
  const canvasCode = attempt(() => hashText(source.canvas()), "");
  await parts.pause?.();
  const webgl = attempt(() => source.webgl(), { vendor: "", renderer: "" });
  await parts.pause?.();
  const timezoneName = attempt(() => source.timezoneName(), "");
  await parts.pause?.();
  const fields = {
    screen_resolution: `${screen.width}x${screen.height}`,
    available_screen_resolution: `${screen.availableWidth}x${screen.availableHeight}`,
    system_version: device.systemVersion,
    brand_model: device.brandModel,
    system_lang: attempt(() => source.language(), ""),
    timezone: gmtOffsetText(-offsetMinutes),
    timezoneOffset: offsetMinutes,
    user_agent: userAgent,
    list_plugin: attempt(() => source.plugins().slice(0, FINGERPRINT_PLUGIN_MAX).join(","), ""),
    canvas_code: canvasCode,
    webgl_vendor: webgl.vendor,
    webgl_renderer: webgl.renderer,
    audio: await readAudio(parts),
    platform: attempt(() => source.platform(), ""),
    web_timezone: timezoneName,
    device_name: device.deviceName,
  };
  return { ...fields, fingerprint: hashFields(fields) };
}

/** Audio contexts of some browsers never answer. */
function readAudio(parts: FingerprintParts): Promise<string> {
  return new Promise((resolve) => {
    const cancel = parts.clock.after(parts.audioTimeoutMs ?? AUDIO_TIMEOUT_MS, () => {
      resolve(FINGERPRINT_AUDIO_TIMEOUT_TEXT);
    });
    const settle = (text: string) => {
      cancel();
      resolve(text);
    };
    attempt(() => parts.source.audio(), Promise.resolve("")).then(settle, () => settle(""));
  });
}

function attempt<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export interface DeviceDescription {
  readonly systemVersion: string;
  readonly brandModel: string;
  readonly deviceName: string;
}

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone OS ([0-9_]+)/, "iOS"],
  [/iPad; CPU OS ([0-9_]+)/, "iPadOS"],
  [/Android ([0-9.]+)/, "Android"],
  [/Windows NT ([0-9.]+)/, "Windows"],
  [/Mac OS X ([0-9_.]+)/, "macOS"],
  [/CrOS [a-z0-9_]+ ([0-9.]+)/, "ChromeOS"],
  [/Linux()/, "Linux"],
];
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\/([0-9]+)/, "Edge"],
  [/OPR\/([0-9]+)/, "Opera"],
  [/SamsungBrowser\/([0-9]+)/, "Samsung Internet"],
  [/(?:Firefox|FxiOS)\/([0-9]+)/, "Firefox"],
  [/(?:Chrome|CriOS)\/([0-9]+)/, "Chrome"],
  [/Version\/([0-9]+)[0-9.]* (?:Mobile\/[0-9A-Za-z]+ )?Safari/, "Safari"],
];

/** "Android 14", "Pixel 8", "Chrome 131 on Android 14": names a user recognises in the list of devices. */
export function describeDevice(userAgent: string): DeviceDescription {
  const systemVersion = firstMatch(SYSTEMS, userAgent) ?? "Unknown system";
  const browser = firstMatch(BROWSERS, userAgent) ?? "Unknown browser";
  const model = /Android [0-9.]+; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(userAgent)?.[1];
  const apple = /\((iPhone|iPad|Macintosh)/.exec(userAgent)?.[1];
  return { systemVersion, brandModel: model ?? apple ?? "PC", deviceName: `${browser} on ${systemVersion}` };
}

function firstMatch(table: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  for (const [pattern, name] of table) {
    const match = pattern.exec(userAgent);
    if (match !== null) return `${name} ${(match[1] ?? "").replaceAll("_", ".")}`.trim();
  }
  return undefined;
}

/** The device as the request headers name it: the cheap fields from the first call on, the record when it is there. */
export interface Device {
  /** The record; asking for it is a reason to collect it. */
  ready(): Promise<FingerprintRecord>;
  deviceId(): string;
  cwDeviceId(): string;
  systemVersion(): string;
  deviceName(): string;
}

type CheapFields = Pick<FingerprintRecord, "fingerprint" | "system_version" | "device_name">;

/** The fields that need no drawing or playing, under their own hash. */
function cheapFields(source: FingerprintSource): CheapFields {
  const userAgent = attempt(() => source.userAgent(), "");
  const screen = attempt(() => source.screen(), undefined);
  const { systemVersion, deviceName } = describeDevice(userAgent);
  const fingerprint = hashFields({ userAgent, screen, platform: attempt(() => source.platform(), "") });
  return { fingerprint, system_version: systemVersion, device_name: deviceName };
}

export interface DeviceParts extends FingerprintParts {
  /**
   * Decides when to collect at the latest; a first call that has to name the device is earlier. At once when left out.
   */
  readonly begin?: (collect: () => void) => void;
}

/** `cwDeviceId` is the fingerprint too: it outlives the clearing of storage, which a random id would not. */
export function createDevice(parts: DeviceParts): Device {
  let record = readKept(parts);
  let loading: Promise<FingerprintRecord> | undefined;
  const ready = () => {
    loading ??= loadFingerprint(parts).then((loaded) => {
      record = loaded;
      return loaded;
    });
    return loading;
  };
  if (parts.begin === undefined) void ready();
  else parts.begin(() => void ready());
  let early: CheapFields | undefined;
  const name = (field: keyof CheapFields) => {
    if (record !== undefined) return record[field];
    // No call waits for the expensive parts; the next one carries the whole record's hash.
    void ready();
    early ??= cheapFields(parts.source);
    return early[field];
  };
  return {
    ready,
    deviceId: () => name("fingerprint"),
    cwDeviceId: () => name("fingerprint"),
    systemVersion: () => name("system_version"),
    deviceName: () => name("device_name"),
  };
}

function hashFields(fields: object): string {
  return hashText(JSON.stringify(fields));
}

const FNV_PRIME = 0x100000001b3n;
const FNV_BASES = [0xcbf29ce484222325n, 0x84222325cbf29ce4n] as const;

/** 128 bits of two FNV-1a runs: names a device, keeps no secret, and works where pages have no crypto (plain http). */
export function hashText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return FNV_BASES.map((base) => {
    let hash: bigint = base;
    for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
    return hash.toString(16).padStart(16, "0");
  }).join("");
}
