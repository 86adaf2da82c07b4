// Owns reading of the settings file: a flat YAML map of keys to texts or lists. Every scalar is taken as its text, so that
// a key of digits loses none of them and `off` is not a truth value. Never throws: it collects every problem.
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { fileKeyOf, SETTING_GROUPS } from "./all-settings.ts";
import type { Problem } from "./config.ts";

export interface SettingsFile {
  /** Undefined where none is read. */
  readonly path: string | undefined;
  /** Texts by the names of the variables. */
  readonly texts: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

export const NO_FILE: SettingsFile = { path: undefined, texts: {}, problems: [] };

const DEFAULT_NAME = "clockwork.yaml";
const SIZE_MAX = 1_000_000;
const FILE_SETTINGS = SETTING_GROUPS.flatMap(({ settings }) => settings).filter(
  ({ isVariableOnly }) => isVariableOnly !== true,
);
const BY_KEY = new Map(FILE_SETTINGS.map((setting) => [fileKeyOf(setting.name), setting]));

/** The file that `CW_SETTINGS` names, else the one in the working directory; undefined where there is none to read. */
export function findSettingsFile(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = environment.CW_SETTINGS?.trim() ?? "";
  if (named === "off") return undefined;
  if (named !== "") return resolve(named);
  return existsSync(DEFAULT_NAME) ? resolve(DEFAULT_NAME) : undefined;
}

export function readSettingsFile(path: string | undefined): SettingsFile {
  if (path === undefined) return NO_FILE;
  try {
    const { mode, size } = statSync(path);
    if (size > SIZE_MAX) return broken(path, `${path} is larger than a settings file can be`);
    const read = parseSettings(readFileSync(path, "utf8"), path);
    const secrets = FILE_SETTINGS.filter(({ name, secret }) => secret === true && read.texts[name] !== undefined);
    // Windows has no such bits.
    if (secrets.length === 0 || process.platform === "win32" || (mode & 0o007) === 0) return read;
    const message = `${path} holds secrets (${secrets.map(({ name }) => fileKeyOf(name)).join(", ")}) and every user of this machine may read it: chmod 600 ${path}`;
    return { ...read, problems: [...read.problems, { setting: "CW_SETTINGS", message }] };
  } catch (error) {
    return broken(path, `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

export function parseSettings(text: string, path: string): SettingsFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: "failsafe", lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): string => `${path}:${lines.linePos(offset).line}`;
  const [fault] = document.errors;
  if (fault !== undefined) return broken(path, `${placeOf(fault.pos[0])}: ${fault.message}`);
  const { contents } = document;
  if (contents === null) return { path, texts: {}, problems: [] };
  if (!isMap<Node, Node | null>(contents)) return broken(path, `${path} is not a list of lines such as port: 3000`);
  const texts: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const { key, value } of contents.items) {
    const name = isScalar<string>(key) ? key.value : "";
    const place = placeOf(key.range?.[0] ?? 0);
    const setting = BY_KEY.get(name);
    const given = readValue(value);
    if (setting === undefined)
      problems.push({ setting: "CW_SETTINGS", message: `${place}: there is no setting ${JSON.stringify(name)}` });
    else if (given === undefined)
      problems.push({ setting: setting.name, message: `${place}: ${name} is neither a text nor a list of texts` });
    else if (given !== "") texts[setting.name] = given;
  }
  return { path, texts, problems };
}

/** A text, or a list as one; undefined for anything else, and for an item that would be two. */
function readValue(node: Node | null): string | undefined {
  if (node === null) return "";
  if (isScalar<string>(node)) return node.value.trim();
  if (!isSeq<Node>(node)) return undefined;
  const items = node.items.map((item) => (isScalar<string>(item) ? item.value.trim() : ","));
  return items.some((item) => item.includes(",")) ? undefined : items.join(",");
}

function broken(path: string, message: string): SettingsFile {
  return { path, texts: {}, problems: [{ setting: "CW_SETTINGS", message }] };
}
