// The only reader of the environment: every setting is declared here once, read once, validated and frozen. Never
// throws on a bad value: it collects every problem, so that one start shows all that needs fixing.
import { access, constants, mkdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { dirname, resolve } from "node:path";
import type { CookiePlace } from "@clockwork/kit/session-cookie";
import { ARCHIVE_SETTINGS } from "./archive-settings.ts";
import { CHAIN_SETTINGS } from "./chain-settings.ts";
import { CONTENT_SETTINGS } from "./content-settings.ts";
import { findContradictions } from "./contradictions.ts";
import { hasSubdomains } from "./domains.ts";
import { MARKET_SETTINGS } from "./market-settings.ts";
import { readProvider } from "./openid-provider.ts";
import {
  addressSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  originSetting,
  parseNetwork,
  parseOrigin,
  type Setting,
  textSetting,
} from "./setting.ts";

const SIMULATED_REVIEWERS = ["auto", "off"] as const;
export const MODES = ["local", "development", "production"] as const;
export const CAPTCHA_KINDS = ["on", "off"] as const;
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export const LOG_FORMATS = ["auto", "json", "text"] as const;

export interface Problem {
  readonly setting: string;
  readonly message: string;
}

const SETTINGS = {
  port: integerSetting("PORT", "3000", "TCP port to serve on; 0 takes any free one", 0, 65_535),
  host: textSetting(
    "HOST",
    "localhost",
    "Name or address to listen on; localhost answers on IPv4 and IPv6, 0.0.0.0 to the whole network",
    /^[A-Za-z0-9.:_-]{1,253}$/,
    "a host name or an IP address",
  ),
  folder: textSetting(
    "CW_DATA",
    "./data",
    "Folder of the journal, the snapshots and the embedded database",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^[^\u0000-\u001f]{1,1024}$/,
    "a folder path",
  ),
  databaseUrl: addressSetting(
    "DATABASE_URL",
    "PostgreSQL to use, such as postgres://user:password@host:5432/clockwork; empty uses the embedded database",
    ["postgres:", "postgresql:"],
  ),
  mode: choiceSetting(
    "CW_MODE",
    "local",
    "local keeps messages in an outbox for whoever tries the product; development adds hot reload; production has neither",
    MODES,
  ),
  replayOthers: choiceSetting(
    "CW_REPLAY_OTHER_RELEASES",
    "off",
    "on: commands from before rules were numbered, written by another release, are replayed by this one, unless that changes a balance, order or position in the tables; for one start",
    CAPTCHA_KINDS,
  ),
  logLevel: choiceSetting("CW_LOG_LEVEL", "info", "The least important fact that is still logged", LOG_LEVELS),
  logFormat: choiceSetting(
    "CW_LOG_FORMAT",
    "auto",
    "auto: text in development or on a terminal, else JSON",
    LOG_FORMATS,
  ),
  publicOrigin: originSetting(
    "CW_PUBLIC_ORIGIN",
    "Origin visitors see, such as https://exchange.example; https turns on HSTS",
  ),
  allowedOrigins: listSetting(
    "CW_ALLOWED_ORIGINS",
    "Further origins that may call the API and open sockets",
    parseOrigin,
  ),
  trustedProxies: listSetting(
    "CW_TRUSTED_PROXIES",
    "Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed",
    parseNetwork,
  ),
  metricsToken: textSetting(
    "CW_METRICS_TOKEN",
    "",
    "Bearer token for /metrics; without one only direct calls from this machine are answered",
    /^[\x21-\x7e]{16,256}$/,
    "16 to 256 printable characters without spaces",
    true,
  ),
  bodyLimitBytes: integerSetting("CW_BODY_LIMIT_BYTES", "65536", "Largest request body", 1024, 16_777_216),
  headerLimitBytes: integerSetting("CW_HEADER_LIMIT_BYTES", "16384", "Largest request head", 4096, 65_536),
  requestTimeoutMs: integerSetting(
    "CW_REQUEST_TIMEOUT_MS",
    "15000",
    "A request must have arrived whole by then",
    100,
    600_000,
  ),
  handlerTimeoutMs: integerSetting("CW_HANDLER_TIMEOUT_MS", "30000", "An answer must have begun by then", 100, 600_000),
  connectionsMax: integerSetting("CW_CONNECTIONS_MAX", "20000", "Open TCP connections in all", 1, 1_000_000),
  pagePriority: choiceSetting(
    "CW_PAGE_PRIORITY",
    "low",
    "how pages are drawn: below the priority of trading, or as any other work",
    ["low", "normal"],
  ),
  shutdownMs: integerSetting(
    "CW_SHUTDOWN_MS",
    "10000",
    "Running requests get this long to end at shutdown",
    0,
    600_000,
  ),
  weightPerMinute: integerSetting(
    "CW_RATE_WEIGHT_PER_MINUTE",
    "6000",
    "API request weight per minute, of each address and of each account; 0 turns the limit off",
    0,
    1_000_000_000,
  ),
  socketsPerAddress: integerSetting("CW_SOCKETS_PER_ADDRESS", "64", "WebSocket connections per address", 1, 1_000_000),
  socketsMax: integerSetting("CW_SOCKETS_MAX", "10000", "WebSocket connections in all", 1, 1_000_000),
  socketOpensPerMinute: integerSetting(
    "CW_SOCKET_OPENS_PER_MINUTE",
    "300",
    "WebSocket connections one address may open per minute; 0 turns the limit off",
    0,
    1_000_000,
  ),
  socketMessagesPerSecond: integerSetting(
    "CW_SOCKET_MESSAGES_PER_SECOND",
    "5",
    "Control messages per socket and second",
    1,
    10_000,
  ),
  socketSubscriptionsMax: integerSetting("CW_SOCKET_SUBSCRIPTIONS", "1024", "Subscriptions per socket", 1, 100_000),
  socketBufferBytes: integerSetting(
    "CW_SOCKET_BUFFER_BYTES",
    "262144",
    "Unsent bytes per socket before its updates are conflated",
    131_072,
    67_108_864,
  ),
};

/** The settings of accounts for outside systems. */
const ACCOUNT_SETTINGS = {
  secretKey: textSetting(
    "CW_SECRET_KEY",
    "",
    "64 hexadecimal digits that encrypt secrets at rest; without it a key file in the data folder is used",
    /^[0-9a-fA-F]{64}$/,
    "64 hexadecimal digits",
    true,
  ),
  operatorEmails: {
    ...listSetting(
      "CW_OPERATOR_EMAIL",
      "Addresses of administrators; each is made once ever, with a new account whose password is printed. Name two: what gives value or rights needs a second person",
      (text) => (/^[^\s@]{1,64}@[^\s@]{3,180}$/.test(text) ? text.toLowerCase() : undefined),
    ),
    fallback: "operator@clockwork.local",
  },
  passwordPriority: choiceSetting(
    "CW_PASSWORD_PRIORITY",
    "idle",
    "how passwords are hashed: only when nothing else wants the processor, or as any other work",
    ["idle", "normal"],
  ),
  simulatedReviewer: choiceSetting(
    "CW_SIMULATED_REVIEWER",
    "auto",
    "auto: outside production a simulated person, marked as such, decides about proposals and identities within seconds; off: people alone",
    SIMULATED_REVIEWERS,
  ),
  cookieDomain: textSetting(
    "CW_COOKIE_DOMAIN",
    "",
    "Parent domain the corrected token cookies are set on, such as exchange.example; by itself CW_DOMAIN, without either the host",
    /^(?:[a-z0-9-]+\.)+[a-z]{2,63}$/,
    "a domain name",
  ),
  smtpUrl: addressSetting(
    "CW_SMTP_URL",
    "Mail server, such as smtps://user:password@mail.example:465; without one nothing is mailed",
    ["smtp:", "smtps:"],
  ),
  mailFrom: textSetting(
    "CW_MAIL_FROM",
    "Clockwork <no-reply@localhost>",
    "Sender of mails",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header with control characters is an injection.
    /^[^\u0000-\u001f]{3,200}$/,
    "a sender such as Name <mail@exchange.example>",
  ),
  translateUrl: addressSetting(
    "CW_TRANSLATE_URL",
    "Where comments are translated, asked as LibreTranslate is; without one they come back as written",
    ["http:", "https:"],
  ),
  translateKey: textSetting(
    "CW_TRANSLATE_KEY",
    "",
    "Key for that provider, sent as api_key",
    /^[\x21-\x7e]{1,256}$/,
    "1 to 256 printable characters without spaces",
    true,
  ),
  smsUrl: addressSetting(
    "CW_SMS_URL",
    "Gateway that takes SMS as a JSON POST of {to, text}; without one no SMS leaves",
    ["http:", "https:"],
  ),
  pushUrl: addressSetting(
    "CW_PUSH_URL",
    "Gateway that takes pushes to phones as a JSON POST of {to, title, text}; without one none leaves",
    ["http:", "https:"],
  ),
  broadcastPerMinute: integerSetting(
    "CW_BROADCAST_PER_MINUTE",
    "600",
    "Mails and pushes of broadcasts that are queued in a minute",
    6,
    60_000,
  ),
  openid: listSetting(
    "CW_OPENID_PROVIDERS",
    "Sites to sign in through, each as name|issuer|client id|client secret",
    (text) => (readProvider(text) === undefined ? undefined : text),
    true,
  ),
  kycBlockedCountries: listSetting(
    "CW_KYC_BLOCKED_COUNTRIES",
    "Countries (two letters) nobody is verified from",
    (text) => (/^[A-Z]{2}$/.test(text) ? text : undefined),
  ),
  kycStrict: choiceSetting(
    "CW_KYC_STRICT",
    "off",
    "on: nobody withdraws before the first identity level",
    CAPTCHA_KINDS,
  ),
  livenessUrl: addressSetting(
    "CW_LIVENESS_URL",
    "Provider that checks living faces (POST /sessions, GET /sessions/{token}); without one the check is simulated and called so",
    ["https:", "http:"],
  ),
  livenessKey: textSetting(
    "CW_LIVENESS_KEY",
    "",
    "Bearer token for that provider",
    /^[\x21-\x7e]{8,256}$/,
    "8 to 256 printable characters without spaces",
    true,
  ),
  captcha: choiceSetting(
    "CW_CAPTCHA",
    "on",
    "off answers programs without a puzzle; refused in production",
    CAPTCHA_KINDS,
  ),
  geetestId: textSetting(
    "CW_GEETEST_ID",
    "",
    "GeeTest captcha id; replaces the embedded puzzle",
    /^[\w-]{8,64}$/,
    "an id",
  ),
  geetestScript: textSetting(
    "CW_GEETEST_SCRIPT_URL",
    "https://static.geetest.com/v4/gt4.js",
    "Script of the GeeTest widget; its host is allowed in pages only while GeeTest is configured",
    /^https?:\/\/[\w.:-]+\/[\w./-]+$/,
    "an address of a script",
  ),
  geetestApi: textSetting(
    "CW_GEETEST_API_URL",
    "https://gcaptcha4.geetest.com",
    "GeeTest's own service, asked whether an answer is its own",
    /^https?:\/\/[\w.:-]+\/?$/,
    "an origin",
  ),
  geetestKey: textSetting("CW_GEETEST_KEY", "", "GeeTest captcha key", /^[\w-]{8,128}$/, "a key", true),
};

/** Our prefix, except for settings of tests and benchmarks. */
const SETTING_LIKE = /^CW_(?!TEST_|E2E_|BENCH_|CHROMIUM$)/;

const ALL_SETTINGS = {
  ...SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...CONTENT_SETTINGS,
  ...MARKET_SETTINGS,
  ...CHAIN_SETTINGS,
  ...ARCHIVE_SETTINGS,
};
type Settings = typeof ALL_SETTINGS;
type SettingValue<S> = S extends Setting<infer Value> ? Value : never;
type Values = { -readonly [Key in keyof Settings]: SettingValue<Settings[Key]> };

export type Config = Readonly<Values>;

/** Where a session's cookies are set, and how they are named there. */
export function cookiePlaceOf(config: Pick<Config, "cookieDomain" | "publicOrigin">): CookiePlace {
  const origin = config.publicOrigin === undefined ? undefined : new URL(config.publicOrigin);
  const place = { parentDomain: config.cookieDomain, isSecure: origin?.protocol === "https:" };
  return origin === undefined ? place : { ...place, publicHost: origin.hostname };
}

/**
 * Reads a given environment. The config is complete even when there are problems: an invalid value is replaced by its
 * default, so that the later checks (port, folder) can still run and be reported together.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): {
  readonly config: Config;
  readonly problems: readonly Problem[];
  /** Names that look like settings and are none: probably misspelt, never a reason not to start. */
  readonly unknown: readonly string[];
} {
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(ALL_SETTINGS) as [string, Setting<unknown>][]) {
    const given = environment[setting.name]?.trim();
    const result = setting.parse(given === undefined || given === "" ? setting.fallback : given);
    if ("value" in result) {
      values[key] = result.value;
      continue;
    }
    const shown = setting.secret === true ? "the value" : JSON.stringify(given?.slice(0, 80));
    problems.push({ setting: setting.name, message: `${shown} is not ${result.wrong}` });
    const fallback = setting.parse(setting.fallback);
    values[key] = "value" in fallback ? fallback.value : undefined;
  }
  values.folder = resolve(String(values.folder));
  // Pages served at one of our own addresses may call the others.
  values.allowedOrigins = Object.freeze([
    ...new Set([...(values.allowedOrigins as readonly string[]), ...(values.fastOrigins as readonly string[])]),
  ]);
  // The futures API has a name of its own below the domain, and sessions must be valid there too.
  if (values.cookieDomain === "" && hasSubdomains(String(values.domain))) values.cookieDomain = values.domain;
  problems.push(...findContradictions(values as unknown as Values));
  const known = new Set<string>(Object.values(ALL_SETTINGS).map(({ name }) => name));
  const unknown = Object.keys(environment).filter((name) => SETTING_LIKE.test(name) && !known.has(name));
  return { config: Object.freeze(values) as unknown as Config, problems, unknown };
}

/** The process's own environment. */
export function loadConfig(): ReturnType<typeof readConfig> {
  return readConfig(process.env);
}

/** Checks the environment the config names: is the port free, can the folder be written? */
export async function probeConfig(config: Config): Promise<readonly Problem[]> {
  const found = await Promise.all([probePort(config.host, config.port), probeFolder(config.folder)]);
  const memory = describeMemory(config.memoryMinMb, Math.min(totalmem(), process.constrainedMemory() || totalmem()));
  return [...found, memory].filter((problem) => problem !== undefined);
}

/** What the machine, or the container, has must carry the core's tables, the pages and the database's cache. */
export function describeMemory(minMb: number, bytes: number): Problem | undefined {
  const mb = Math.floor(bytes / 1e6);
  if (mb >= minMb) return undefined;
  const message = `${mb} MB of memory are here, ${minMb} are needed: give the machine more, or lower the setting for a try`;
  return { setting: "CW_MEMORY_MIN_MB", message };
}

/** One row per setting, for the documentation. */
export function describeConfig(): readonly { name: string; fallback: string; about: string; secret: boolean }[] {
  return Object.values(ALL_SETTINGS).map(({ name, fallback, about, secret }: Setting<unknown>) => ({
    name,
    fallback,
    about,
    secret: secret === true,
  }));
}

function probePort(host: string, port: number): Promise<Problem | undefined> {
  if (port === 0) return Promise.resolve(undefined);
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(describePortError(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}

export function describePortError(error: NodeJS.ErrnoException, host: string, port: number): Problem {
  switch (error.code) {
    case "EADDRINUSE":
      return {
        setting: "PORT",
        message: `port ${port} on ${host} is taken; stop the other program or choose another PORT`,
      };
    case "EACCES":
      return { setting: "PORT", message: `port ${port} may not be opened by this user; choose one above 1023` };
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { setting: "HOST", message: `${host} is not an address of this machine` };
    default:
      return { setting: "PORT", message: `port ${port} on ${host} cannot be opened (${error.code ?? error.message})` };
  }
}

async function probeFolder(folder: string): Promise<Problem | undefined> {
  const setting = "CW_DATA";
  try {
    await mkdir(folder, { recursive: true });
    if (!(await stat(folder)).isDirectory()) return { setting, message: `${folder} is not a folder` };
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST" || code === "ENOTDIR")
      return { setting, message: `${folder} is in the way: it is not a folder` };
    if (code === "ENOENT" || code === "EACCES" || code === "EROFS" || code === "EPERM") {
      return {
        setting,
        message: `folder ${folder} cannot be written; check the rights of it or of ${dirname(folder)}`,
      };
    }
    return { setting, message: `folder ${folder} cannot be used (${code ?? String(error)})` };
  }
}
