// Structured logs: a fact with fields. Owns the form of a line and the one place where secrets are removed from it.
// Never lets a logging error (a cycle, a bigint, a getter that throws) reach the caller.

import type { LOG_LEVELS } from "./settings/server-settings.ts";
import { wallMs } from "./time/measure.ts";

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(fact: string, fields?: LogFields): void;
  info(fact: string, fields?: LogFields): void;
  warn(fact: string, fields?: LogFields): void;
  error(fact: string, fields?: LogFields): void;
  /** A log whose every line also carries these fields. */
  with(fields: LogFields): Log;
  enabled(level: Exclude<LogLevel, "silent">): boolean;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  readonly write: (line: string) => void;
  readonly clock?: () => number;
}

const RANK: Readonly<Record<LogLevel, number>> = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 };
const HIDDEN = "[hidden]";
const TEXT_MAX = 2048;
const ITEMS_MAX = 50;
const DEPTH_MAX = 6;

/** Names that always hold a secret, compared without case, dashes and underscores. */
const SECRET_NAMES = new Set(
  [
    "authorization proxyauthorization xauthorization cookie cookies setcookie csrf csrftoken xsrftoken session sessionid",
    "websession jwt bearer credential credentials passwd password passwords pwd passphrase pin tradepassword fundpassword",
    "oldpassword newpassword passwordhash secret secrets clientsecret apisecret secretkey apikey xmbxapikey privatekey",
    "listenkey mnemonic seedphrase signature sig hmac challenge otp totp totpsecret captcha geetest databaseurl dsn",
    "smscode emailcode mailcode phonecode googlecode verifycode verificationcode authcode captchacode totpcode",
    "recoverycode backupcode resetcode antiphishingcode",
  ]
    .join(" ")
    .split(" "),
);

/** Any name with one of these endings: accessToken, loginToken, x-third-app-token, userPassword, walletSecret. */
const SECRET_ENDING = /(?:token|tokens|password|secret|apikey|privatekey|cookie)$/;

const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic|Digest)\s+[A-Za-z0-9+/=._~-]{6,}/gi, `$1 ${HIDDEN}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g, HIDDEN],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@/]+@/gi, `$1:${HIDDEN}@`],
  [
    /([?&;\s"'](?:[a-z_-]*token|[a-z_-]*password|[a-z_-]*secret|api_?-?key|listenkey|signature|session|code|otp)["']?\s*[=:]\s*["']?)[^\s&;"',}]+/gi,
    `$1${HIDDEN}`,
  ],
  // The name of a user's stream, where a path ends with it.
  [/\/[A-Za-z0-9]{60}(?=$|[/?\s"'])/g, `/${HIDDEN}`],
];

/** True for a field name whose value must never be written. A bare `code` is judged by its value: 123456 is a
 *  verification code, NOT_FOUND is not. */
function isSecret(name: string, value: unknown): boolean {
  const plain = name.toLowerCase().replace(/[-_\s.]/g, "");
  if (plain === "code") return /^\d{4,10}$/.test(String(value));
  return SECRET_NAMES.has(plain) || SECRET_ENDING.test(plain);
}

/** Removes secrets inside a text: credentials in addresses, bearer tokens, query fields. */
export function redactText(text: string): string {
  let clean = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  for (const [pattern, replacement] of SECRET_TEXTS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** A copy for the log: secrets hidden, sizes bounded, only values JSON can write. */
export function redact(value: unknown, depth = 0, seen: ReadonlySet<object> = new Set()): unknown {
  switch (typeof value) {
    case "string":
      return redactText(value);
    case "bigint":
      return value.toString();
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "object":
      return value === null ? null : redactObject(value, depth, seen);
    default:
      return value;
  }
}

function redactObject(value: object, depth: number, seen: ReadonlySet<object>): unknown {
  if (seen.has(value)) return "[cycle]";
  if (depth >= DEPTH_MAX) return "[deep]";
  const within = new Set(seen).add(value);
  if (value instanceof Error) return redactError(value, depth, within);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_MAX).map((item) => redact(item, depth + 1, within));
    return value.length > ITEMS_MAX ? [...items, `… ${value.length - ITEMS_MAX} more`] : items;
  }
  const entries = value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
  const copy: Record<string, unknown> = {};
  for (const [name, item] of entries.slice(0, ITEMS_MAX)) {
    if (item !== undefined) copy[name] = isSecret(name, item) ? HIDDEN : redact(item, depth + 1, within);
  }
  return copy;
}

function redactError(error: Error, depth: number, seen: ReadonlySet<object>): unknown {
  const stack = error.stack
    ?.split("\n")
    .slice(1, 9)
    .map((line) => line.trim());
  const extra = Object.fromEntries(Object.entries(error));
  return {
    name: error.name,
    message: redactText(error.message),
    ...(redactObject(extra, depth + 1, seen) as Record<string, unknown>),
    ...(stack === undefined ? {} : { stack: stack.map(redactText) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1, seen) }),
  };
}

export function createLog(options: LogOptions): Log {
  const clock = options.clock ?? wallMs;
  const threshold = RANK[options.level];
  const build = (inherited: LogFields): Log => {
    const emit = (level: Exclude<LogLevel, "silent">, fact: string, fields: LogFields = {}): void => {
      if (RANK[level] < threshold) return;
      options.write(formatLine(options.format, level, clock(), fact, { ...inherited, ...fields }));
    };
    return {
      debug: (fact, fields) => emit("debug", fact, fields),
      info: (fact, fields) => emit("info", fact, fields),
      warn: (fact, fields) => emit("warn", fact, fields),
      error: (fact, fields) => emit("error", fact, fields),
      with: (fields) => build({ ...inherited, ...fields }),
      enabled: (level) => RANK[level] >= threshold,
    };
  };
  return build({});
}

/** Writes nothing; for tests and tools. */
export const SILENT_LOG: Log = createLog({ level: "silent", format: "json", write: () => undefined });

function formatLine(format: "json" | "text", level: string, timeMs: number, fact: string, fields: LogFields): string {
  let clean: Record<string, unknown>;
  try {
    clean = redact(fields) as Record<string, unknown>;
  } catch (error) {
    clean = { logProblem: String(error) };
  }
  const time = new Date(timeMs).toISOString();
  const head = { time, level, fact };
  // Twice: first for the order of the line, last so that no field can pass itself off as the time or the level.
  if (format === "json") return `${JSON.stringify({ ...head, ...clean, ...head })}\n`;
  const parts = Object.entries(clean).map(([name, value]) => `${name}=${formatValue(value)}`);
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${[fact, ...parts].join(" ")}\n`;
}

function formatValue(value: unknown): string {
  if (typeof value === "string" && /^[^\s"=]+$/.test(value)) return value;
  return JSON.stringify(value);
}
