import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileKeyOf, SETTING_GROUPS } from "./all-settings.ts";
import { readConfig } from "./config.ts";
import { renderHelp, renderSample, renderTables } from "./reference.ts";
import { findSettingsFile, parseSettings, readSettingsFile } from "./settings-file.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-settings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const messages = (text: string): readonly string[] =>
  parseSettings(text, "f.yaml").problems.map(({ setting, message }) => `${setting}: ${message}`);

test("[OPS-7] the file gives values by their keys, and a variable wins over its line", () => {
  const file = parseSettings("port: 8080\nhost: 0.0.0.0\nmarket: off\nmode: production\n", "f.yaml");
  expect(file.problems).toEqual([]);
  const { config, problems } = readConfig({ PORT: "9090", CW_MARKET: "" }, file);
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ port: 9090, host: "0.0.0.0", market: "off", mode: "production" });
});

test("[OPS-7] a value of the file is its text: a key of digits loses none, and lists are lists", () => {
  const digits = "1234567890".repeat(6).padEnd(64, "7");
  const text = `secret_key: ${digits}\nsocket_opens_per_minute: 0x10\noperator_email:\n  - one@exchange.example\n  - two@exchange.example\ntrusted_proxies: 10.0.0.0/8, ::1\nkyc_blocked_countries: [NO, IR]\n`;
  const { config, problems } = readConfig({}, parseSettings(text, "f.yaml"));
  expect(problems).toEqual([
    {
      setting: "CW_SOCKET_OPENS_PER_MINUTE",
      message: '"0x10" in f.yaml is not a whole number from 0 to 1000000',
    },
  ]);
  expect(config).toMatchObject({
    secretKey: digits,
    operatorEmails: ["one@exchange.example", "two@exchange.example"],
    trustedProxies: ["10.0.0.0/8", "::1"],
    kycBlockedCountries: ["NO", "IR"],
  });
});

test("[OPS-7] what is wrong in the file is reported at once, each with its line, and no secret is shown", () => {
  expect(messages("port: 80\nprot: 81\nhost: {a: b}\noperator_email: ['a@b.example,c']\nsettings: x\n")).toEqual([
    'CW_SETTINGS: f.yaml:2: there is no setting "prot"',
    "HOST: f.yaml:3: host is neither a text nor a list of texts",
    "CW_OPERATOR_EMAIL: f.yaml:4: operator_email is neither a text nor a list of texts",
    'CW_SETTINGS: f.yaml:5: there is no setting "settings"',
  ]);
  expect(messages("port: 80\nport: 81\n")).toEqual([expect.stringMatching(/^CW_SETTINGS: f\.yaml:2: .*unique/i)]);
  expect(messages("- port\n")).toEqual(["CW_SETTINGS: f.yaml is not a list of lines such as port: 3000"]);
  expect(messages("# nothing\n")).toEqual([]);
  const { problems } = readConfig({}, parseSettings("database_url: mysql://root:hunter2@db\n", "f.yaml"));
  expect(problems).toEqual([{ setting: "DATABASE_URL", message: "the value in f.yaml is not a postgres:// address" }]);
});

test("[OPS-7] a file with secrets that everyone may read is refused; one without, or for its group alone, is not", async () => {
  const path = join(folder, "clockwork.yaml");
  await writeFile(path, "smtp_url: smtps://u:hunter2@mail.example\n");
  const read = async (mode: number) => {
    await chmod(path, mode);
    return readSettingsFile(path).problems.map(({ message }) => message);
  };
  expect(await read(0o640)).toEqual([]);
  const [message, ...rest] = await read(0o644);
  expect([message, rest]).toEqual([expect.stringContaining(`chmod 600 ${path}`), []]);
  expect(message).not.toContain("hunter2");
  await writeFile(path, "port: 80\n");
  expect(await read(0o644)).toEqual([]);
  expect(readSettingsFile(join(folder, "none.yaml")).problems).toEqual([
    { setting: "CW_SETTINGS", message: `${join(folder, "none.yaml")} cannot be read (ENOENT)` },
  ]);
});

test("[OPS-7] CW_SETTINGS names the file, and off reads none", () => {
  expect(findSettingsFile({ CW_SETTINGS: "/etc/clockwork.yaml" })).toBe("/etc/clockwork.yaml");
  expect(findSettingsFile({ CW_SETTINGS: " off " })).toBeUndefined();
});

test("[OPS-7] help, sample and tables name every setting, and the sample without its comment marks is the default", () => {
  const names = SETTING_GROUPS.flatMap(({ settings }) => settings);
  const [help, sample, tables] = [renderHelp(), renderSample(), renderTables()];
  for (const { name, about } of names) {
    expect(help).toContain(`\n  ${name}\n`);
    expect(tables).toContain(`| \`${name}\` |`);
    expect(tables).toContain(about.replaceAll("|", "\\|"));
  }
  expect(parseSettings(sample, "f.yaml")).toEqual({ path: "f.yaml", texts: {}, problems: [] });
  const taken = parseSettings(sample.replace(/^#([a-z_0-9]+: )/gm, "$1"), "f.yaml");
  expect(taken.problems).toEqual([]);
  const inFile = names.filter(({ isVariableOnly }) => isVariableOnly !== true);
  for (const { name } of inFile) expect(sample).toContain(`\n#${fileKeyOf(name)}: `);
  expect(readConfig({}, taken)).toEqual(readConfig({}));
});
