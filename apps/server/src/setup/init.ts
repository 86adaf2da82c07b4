// `clockwork init production`: writes the settings file and the form of the company's facts, makes the keys that are
// settings, and says what remains. Asks for what is not given where somebody is at the terminal; overwrites nothing.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileKeyOf, SETTING_GROUPS } from "@clockwork/host/settings/all-settings";
import { type Problem, readConfig } from "@clockwork/host/settings/config";
import { findSampleCompany, findUnsafe } from "@clockwork/host/settings/production";
import { renderFile } from "@clockwork/host/settings/reference";
import { readSettingsFile } from "@clockwork/host/settings/settings-file";
import { readFacts } from "@clockwork/site/articles/seed-files";
import { ROOT_FOLDER } from "../root-folder.ts";

interface Terminal {
  readonly isTTY?: boolean;
}

const SETTINGS = SETTING_GROUPS.flatMap(({ settings }) => settings).filter(
  ({ isVariableOnly }) => isVariableOnly !== true,
);
const BY_KEY = new Map(SETTINGS.map((setting) => [fileKeyOf(setting.name), setting]));

/** Asked in this order; an empty answer leaves the setting out. */
const QUESTIONS: readonly (readonly [key: string, question: string])[] = [
  ["public_origin", "The address visitors see, such as https://exchange.example"],
  ["operator_email", "Two administrators, with a comma between their addresses"],
  ["smtp_url", "The mail server, such as smtps://user:password@mail.example:465"],
  ["mail_from", "The sender of mails, such as Name <no-reply@exchange.example>"],
  ["database_url", "PostgreSQL, such as postgres://user:password@host/clockwork (empty: the embedded database)"],
  ["data", "The data folder (empty: /var/lib/clockwork)"],
  ["liveness_url", "The provider that checks living faces (empty: decide later)"],
  ["rates_url", "The source of exchange rates (empty: decide later)"],
];

/** What production needs and nobody has to choose. */
const CHOSEN: Readonly<Record<string, string>> = {
  mode: "production",
  data: "/var/lib/clockwork",
  trusted_proxies: "127.0.0.1,::1",
  market: "off",
  backups: "/var/backups/clockwork",
};

export async function runInit(
  args: readonly string[],
  terminal: Terminal & NodeJS.ReadableStream,
  print: (line: string) => void,
): Promise<number> {
  const [what, ...rest] = args;
  if (what !== "production") throw new Error("init makes one thing: clockwork init production");
  const given = readFlags(rest);
  const file = resolve(given.get("file") ?? "clockwork.yaml");
  given.delete("file");
  const company = join(dirname(file), "company.json");
  if (existsSync(file)) throw new Error(`${file} exists already: edit it, or name another with --file`);
  const values = new Map(Object.entries(CHOSEN));
  for (const [key, text] of given) values.set(key, text);
  if (terminal.isTTY === true) await ask(values, given, terminal, print);
  // Secrets that protect what is stored: not in the data folder, so that no copy of it holds its key.
  if (!values.has("secret_key")) values.set("secret_key", randomBytes(32).toString("hex"));
  if (!values.has("metrics_token")) values.set("metrics_token", randomBytes(24).toString("base64url"));
  if (!values.has("company")) values.set("company", company);
  writeFileSync(file, renderFile(values), { flag: "wx", mode: 0o600 });
  print(`wrote ${file}, which only its owner may read`);
  if (values.get("company") === company && !existsSync(company)) {
    writeFileSync(company, emptyCompany(), { flag: "wx", mode: 0o644 });
    print(`wrote ${company}, to be filled in`);
  }
  for (const line of listRemaining(file)) print(line);
  return 0;
}

function readFlags(args: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const [, name = "", inline] = /^--([a-z_0-9]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const text = inline ?? left.shift();
    if (name === "" || text === undefined || (name !== "file" && !BY_KEY.has(name)))
      throw new Error(
        `${arg} is no setting: clockwork settings lists them all, public_origin is --public_origin ADDRESS`,
      );
    const wrong = name === "file" ? undefined : judge(name, text);
    if (wrong !== undefined) throw new Error(`--${name}: the value is not ${wrong}`);
    found.set(name, text);
  }
  return found;
}

function judge(key: string, text: string): string | undefined {
  const read = BY_KEY.get(key)?.parse(text);
  return read !== undefined && "wrong" in read ? read.wrong : undefined;
}

async function ask(
  values: Map<string, string>,
  given: ReadonlyMap<string, string>,
  terminal: NodeJS.ReadableStream,
  print: (line: string) => void,
): Promise<void> {
  const lines = createInterface({ input: terminal });
  const typed = lines[Symbol.asyncIterator]();
  try {
    for (const [key, question] of QUESTIONS) {
      if (given.has(key)) continue;
      for (;;) {
        print(`${question}:`);
        const { value, done } = await typed.next();
        // The end of what is typed leaves the rest out.
        if (done === true) return;
        const text = value.trim();
        const wrong = text === "" ? undefined : judge(key, text);
        if (wrong !== undefined) print(`  this is not ${wrong}`);
        else {
          if (text !== "") values.set(key, text);
          break;
        }
      }
    }
  } finally {
    lines.close();
  }
}

/** The facts of the sample by name, each empty. */
function emptyCompany(): string {
  const sample = JSON.parse(readFileSync(join(ROOT_FOLDER, "content/company.json"), "utf8")) as Record<string, unknown>;
  const facts = Object.entries(sample)
    .filter(([name]) => name !== "isSample")
    .map(([name, fact]) => [name, Array.isArray(fact) ? [] : ""]);
  return `${JSON.stringify(Object.fromEntries(facts), undefined, 2)}\n`;
}

function judgeCompany(companyFile: string): readonly Problem[] {
  try {
    return findSampleCompany(readFacts(join(ROOT_FOLDER, "content"), companyFile));
  } catch (error) {
    return [{ setting: "CW_COMPANY", message: error instanceof Error ? error.message : String(error) }];
  }
}

function listRemaining(file: string): readonly string[] {
  const { config, problems } = readConfig({}, readSettingsFile(file));
  const wrong = [...problems, ...findUnsafe(config, {}), ...judgeCompany(config.companyFile)].map(
    ({ setting, message }) => `  ${setting}: ${message}`,
  );
  return [
    ...(wrong.length > 0 ? ["what production still refuses:", ...wrong] : ["production accepts these settings"]),
    "what remains:",
    `  keep a copy of ${file} away from this machine: it holds the key of all secrets at rest`,
    "  bring the folders into being, owned by the user the server runs as: deploy/README.md",
    "  TLS and the proxy: deploy/nginx/clockwork.conf or deploy/haproxy/haproxy.cfg",
    "  networks and coins: the file of CW_NETWORKS (docs/runbook.md)",
    `  CW_SETTINGS=${file} clockwork doctor, until nothing is red; then start`,
    "  after the first start: sign in as both administrators, and clockwork backup-keys to another place",
  ];
}
