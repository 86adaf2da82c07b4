// The only reader of the environment and of the settings file: every setting is read once, validated and frozen. Never
// throws on a bad value: it collects every problem, so that one start reports all that needs fixing.
import { access, constants, mkdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { dirname, resolve } from "node:path";
import type { CookiePlace } from "@clockwork/kit/session-cookie";
import { ALL_SETTINGS } from "./all-settings.ts";
import { findContradictions } from "./contradictions.ts";
import { hasSubdomains } from "./domains.ts";
import type { Setting } from "./setting.ts";
import { findSettingsFile, NO_FILE, readSettingsFile, type SettingsFile } from "./settings-file.ts";

export interface Problem {
  readonly setting: string;
  readonly message: string;
}

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

/** Our prefix, except for variables of tests and benchmarks. */
const SETTING_LIKE = /^CW_(?!TEST_|E2E_|BENCH_|CHROMIUM$|BUILT_WORKERS$)/;

export interface ReadConfig {
  readonly config: Config;
  readonly problems: readonly Problem[];
  /** Names that look like settings and are none: probably misspelt, never a reason not to start. */
  readonly unknown: readonly string[];
}

/**
 * Reads a given environment, and a file behind it. The config is complete even when there are problems: an invalid value
 * is replaced by its default, so that the later checks (port, folder) can still run and be reported together.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  file: SettingsFile = NO_FILE,
): ReadConfig {
  const problems: Problem[] = [...file.problems];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(ALL_SETTINGS) as [string, Setting<unknown>][]) {
    const variable = environment[setting.name]?.trim();
    const isVariable = variable !== undefined && variable !== "";
    const given = isVariable ? variable : file.texts[setting.name];
    const result = setting.parse(given === undefined || given === "" ? setting.fallback : given);
    if ("value" in result) {
      values[key] = result.value;
      continue;
    }
    const shown = setting.secret === true ? "the value" : JSON.stringify(given?.slice(0, 80));
    const place = isVariable ? "" : ` in ${file.path}`;
    problems.push({ setting: setting.name, message: `${shown}${place} is not ${result.wrong}` });
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

/** The process's own environment, and the settings file it names. */
export function loadConfig(): ReadConfig {
  return readConfig(process.env, readSettingsFile(findSettingsFile(process.env)));
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
