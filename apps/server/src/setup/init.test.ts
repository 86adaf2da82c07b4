import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { readConfig } from "@clockwork/host/settings/config";
import { findUnsafe } from "@clockwork/host/settings/production";
import { readSettingsFile } from "@clockwork/host/settings/settings-file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInit } from "./init.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, "clockwork.yaml");
const FLAGS = [
  "--public_origin",
  "https://tick.test",
  "--operator_email=anna@tick.test, ben@tick.test",
  "--smtp_url",
  "smtps://tick:f83kPq0z@mail.tick.test",
  "--mail_from=Tick <no-reply@tick.test>",
  "--liveness_url=https://faces.tick.test",
  "--rates_url=https://rates.tick.test",
];

async function init(args: readonly string[], typed?: string): Promise<readonly string[]> {
  const terminal = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  terminal.end(typed ?? "");
  const lines: string[] = [];
  expect(await runInit(["production", `--file=${file()}`, ...args], terminal, (line) => lines.push(line))).toBe(0);
  return lines;
}

test("[OPS-7] init writes a file that its owner alone may read, with keys of its own, and production refuses only the company", async () => {
  const lines = await init(FLAGS);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const { config, problems } = readConfig({}, readSettingsFile(file()));
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ mode: "production", market: "off", folder: "/var/lib/clockwork" });
  expect(config.secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect(findUnsafe(config, { isSample: "false" })).toEqual([]);
  const refused = lines.filter((line) => /^ {2}CW_/.test(line) && !line.includes("clockwork doctor"));
  expect(refused.map((line) => line.split(":")[0]?.trim())).toEqual(["CW_COMPANY"]);
  // The facts to be filled in, and no secret on the terminal.
  const company = JSON.parse(readFileSync(join(folder, "company.json"), "utf8")) as Record<string, unknown>;
  expect(company).toMatchObject({ legalName: "", licenceActivities: [] });
  expect(company).not.toHaveProperty("isSample");
  expect(lines.join("\n")).not.toMatch(new RegExp(`${config.secretKey}|${config.metricsToken}|f83kPq0z`));
});

test("[OPS-7] two exchanges have different keys, and an existing file is not written over", async () => {
  await init(FLAGS);
  const first = readFileSync(file(), "utf8");
  await expect(init(FLAGS)).rejects.toThrow("exists already");
  expect(readFileSync(file(), "utf8")).toBe(first);
  rmSync(file());
  writeFileSync(join(folder, "company.json"), '{"legalName": "Tick"}');
  expect((await init(FLAGS)).join("\n")).toMatch(/CW_COMPANY: .*company\.json has no tradingName/);
  expect(readFileSync(join(folder, "company.json"), "utf8")).toBe('{"legalName": "Tick"}');
  expect(readFileSync(file(), "utf8")).not.toBe(first);
});

test("[OPS-7] what is not given is asked for, again where the answer is not valid, and may be left open", async () => {
  const answers = ["tick", "https://tick.test", "anna@tick.test,ben@tick.test", "", "", "", "", "", ""];
  const lines = await init([], `${answers.join("\n")}\n`);
  expect(lines).toContain("  this is not an origin such as https://exchange.example");
  const { config } = readConfig({}, readSettingsFile(file()));
  expect(config).toMatchObject({
    publicOrigin: "https://tick.test",
    operatorEmails: ["anna@tick.test", "ben@tick.test"],
  });
  expect(lines.join("\n")).toContain("CW_SMTP_URL: is not set");
});

test("[OPS-7] a flag that is no setting, or a value that is none, writes nothing", async () => {
  await expect(init(["--public_orgin", "https://tick.test"])).rejects.toThrow("--public_orgin is no setting");
  await expect(init(["--smtp_url", "http://x"])).rejects.toThrow("the value is not a smtp:// address");
  expect(() => statSync(file())).toThrow("ENOENT");
});
