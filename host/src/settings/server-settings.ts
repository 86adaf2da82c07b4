// Where the process serves and stores, who may reach it, and what it logs. Declared here as data; config.ts reads them.
import {
  addressSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  originSetting,
  parseNetwork,
  parseOrigin,
  textSetting,
} from "./setting.ts";

export const MODES = ["local", "development", "production"] as const;
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export const LOG_FORMATS = ["auto", "json", "text"] as const;
export const ON_OFF = ["on", "off"] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
export const PATH_PATTERN = /^[^\u0000-\u001f]{1,1024}$/;

export const SERVER_SETTINGS = {
  settingsFile: {
    ...textSetting(
      "CW_SETTINGS",
      "",
      "The settings file. Without it clockwork.yaml in the working directory is read where there is one; off reads none. Variables win over the file",
      PATH_PATTERN,
      "a file path, or off",
    ),
    isVariableOnly: true,
  },
  mode: choiceSetting(
    "CW_MODE",
    "local",
    "local: a default run with test funds, messages kept in an outbox; development adds hot reload; production has neither and refuses to start with what is unsafe",
    MODES,
  ),
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
    "The data folder: journal, snapshots, embedded database, keys, lock",
    PATH_PATTERN,
    "a folder path",
  ),
  databaseUrl: addressSetting(
    "DATABASE_URL",
    "PostgreSQL for the tables, such as postgres://user:password@host:5432/clockwork; without it the embedded database is used",
    ["postgres:", "postgresql:"],
  ),
  publicOrigin: originSetting(
    "CW_PUBLIC_ORIGIN",
    "The origin visitors see; https turns on HSTS. The server answers to this name, to CW_FAST_ORIGINS, to CW_PARTNER_DOMAINS, to localhost and to numbers; any other name in Host is refused with 421 (/healthz and /readyz answer to every name)",
  ),
  allowedOrigins: listSetting(
    "CW_ALLOWED_ORIGINS",
    "Further origins that may call the API and open sockets",
    "origins",
    parseOrigin,
  ),
  trustedProxies: listSetting(
    "CW_TRUSTED_PROXIES",
    "Proxies whose X-Forwarded-For is believed",
    "addresses or networks such as 10.0.0.0/8",
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
  logLevel: choiceSetting("CW_LOG_LEVEL", "info", "The least important fact that is still logged", LOG_LEVELS),
  logFormat: choiceSetting(
    "CW_LOG_FORMAT",
    "auto",
    "auto: text in development or on a terminal, else JSON",
    LOG_FORMATS,
  ),
  pagePriority: choiceSetting(
    "CW_PAGE_PRIORITY",
    "low",
    "low: pages are drawn below the priority of trading; normal: as any other work, where other programs keep every core busy",
    ["low", "normal"],
  ),
  replayOthers: choiceSetting(
    "CW_REPLAY_OTHER_RELEASES",
    "off",
    "on, for one start: commands that sources before 1.0.0 wrote are replayed by this one, unless that changes a balance, order or position in the tables",
    ON_OFF,
  ),
};
