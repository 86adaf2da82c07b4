// Checks the command line on a real data folder: readings agree, damage is reported with its place, tables are rebuilt.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type AssetSum, readSums } from "@clockwork/core/inspect/sums";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import type { Machine } from "@clockwork/core/protocol/contract";
import { RuleViolation } from "@clockwork/kit/assert";
import { units } from "@clockwork/kit/money";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEngine } from "../engine/engine.ts";
import { verifyFolder } from "../engine/inspection.ts";
import { FileJournal } from "../engine/journal/file-journal.ts";
import { fillOrders } from "../engine/journal/journal-fixture.ts";
import { nameRelease } from "../engine/release.ts";
import { ROOT_FOLDER } from "../root-folder.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const folder = mkdtempSync(join(tmpdir(), "cw-cli-"));
const CLI = new URL("./cli.ts", import.meta.url).pathname;
const VERSION = (
  JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
const RELEASE = nameRelease(VERSION, ROOT_FOLDER);
const NAMED = RELEASE.replaceAll(/[.+]/g, "\\$&");
let stateHash = "";

function run(...given: string[]): { status: number | null; out: string; error: string } {
  const env = { ...process.env, DATABASE_URL: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...given], { encoding: "utf8", env });
  return { status, out: stdout, error: stderr };
}

const listSnapshots = (): readonly string[] => globSync("snapshots/snapshot-*.state", { cwd: folder });

beforeAll(async () => {
  const engine = await startEngine({ folder, release: RELEASE, segmentBytes: 1 << 20 });
  await engine.submit({ kind: "listAsset", scale: 6, symbol: "USDT" });
  await engine.submit({ kind: "createAccount", user: 1, book: "spot" });
  for (let index = 1; index <= 8; index++) {
    if (index === 4) {
      await engine.takeSnapshot();
      await vi.waitUntil(() => listSnapshots().length === 1, { timeout: 60_000 });
    }
    const reference = `r${index}`;
    await engine.submit({ kind: "mint", account: 16, asset: 1, business: "deposit", units: index, reference });
  }
  stateHash = (await engine.stateHash()).stateHash;
  await engine.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("[OPS-6] version prints the version, the name in journals, the rules and the layouts that are read", () => {
  const { status, out } = run("version");
  expect(status).toBe(0);
  expect(out).toMatch(new RegExp(`^clockwork ${VERSION.replaceAll(".", "\\.")}\nrelease {3}${NAMED}, .*\nrules {5}1\ncommit {4}`));
  expect(out).toMatch(/^layouts {3}journal \d+, snapshots \d+ to \d+$/m);
});

test("[OPS-6] upgrade --check says what a start would do, and refuses what a start refuses", () => {
  const { status, out } = run("upgrade", "--check", folder);
  expect(out).toMatch(new RegExp(`^journal {3}1 segments up to 11, last written by ${NAMED}$`, "m"));
  expect(out).toMatch(new RegExp(`^snapshot {2}11 of ${NAMED} is read by this release$`, "m"));
  expect(out).toMatch(/^replay {4}0 commands after it$/m);
  expect(out).toMatch(/^rules {5}1$/m);
  expect(out).toMatch(/^tables {4}\d+ migrations: /m);
  expect(status).toBe(0);
  const old = mkdtempSync(join(tmpdir(), "cw-cli-"));
  try {
    const journal = new FileJournal({ folder: join(old, "journal"), release: "0.9.0+abc" });
    journal.begin();
    fillOrders(journal, 2, 10);
    journal.close();
    const database = new DatabaseSync(join(old, "clockwork.sqlite"));
    database.exec("CREATE TABLE storage_migrations (name TEXT, checksum TEXT, applied_at_ms INTEGER)");
    database.exec("INSERT INTO storage_migrations VALUES ('future/001-new.sql', 'x', 1)");
    database.close();
    const refused = run("upgrade", "--check", old);
    expect(refused.status).toBe(1);
    expect(refused.out).toContain(
      "segment-00000001.journal, sequence 1: was written by release 0.9.0+abc. Start that release once and stop it in order",
    );
    expect(refused.out).toContain(
      "refused   the database has future/001-new.sql, which this release does not have: a newer release",
    );
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
});

test("[CLI-1] verify prints sequence and state hash, the same with and without snapshots", () => {
  const { status, out } = run("verify", folder);
  expect(status).toBe(0);
  expect(out).toMatch(/^sequence {2}11$/m);
  expect(out).toContain(`state     ${stateHash}`);
  expect(out).toMatch(new RegExp(`snapshot {2}11 of release ${NAMED} agrees: ${stateHash}`));
  expect(out).toMatch(
    new RegExp(`snapshot {2}6 of release ${NAMED} agrees: ${stateHash} {2}\\(5 commands after it\\)`),
  );
});

test("[CLI-1] verify adds up what users and exchange hold of each asset and compares it with what was minted", () => {
  expect(run("verify", folder).out).toMatch(
    /^balances {2}USDT agrees: users 0\.000036 \+ house 0 = minted 0\.000036$/m,
  );
  const lines: string[] = [];
  const factory = { createMachine, restoreMachine, readSums: (machine: Machine) => readSums(machine).map(loseOne) };
  expect(verifyFolder({ folder, factory, print: (line) => lines.push(line) })).toBe(false);
  expect(lines).toContainEqual(expect.stringContaining("USDT DIFFERS by -0.000001"));
});

const loseOne = (sum: AssetSum): AssetSum => ({ ...sum, users: units(sum.users - 1n) });

test("[CLI-1] a snapshot in another release's layout is reported and skipped; the journal is still proved", () => {
  const lines: string[] = [];
  const factory = {
    createMachine: () => createMachine(),
    restoreMachine: (): never => {
      throw new RuleViolation("SNAPSHOT-1", "a table is missing");
    },
  };
  expect(verifyFolder({ folder, factory, print: (line) => lines.push(line) })).toBe(true);
  expect(lines).toContainEqual(expect.stringContaining(`state     ${stateHash}`));
  expect(lines.filter((line) => line.includes("cannot be read by this release"))).toHaveLength(2);
});

test("[CLI-2] replay --to shows the state there, the command and its events", () => {
  const { status, out } = run("replay", folder, "--to", "8");
  expect(status).toBe(0);
  expect(out).toMatch(/^sequence {2}8$/m);
  expect(out).toMatch(/command {3}8 .* mint account=16 asset=1 business=deposit units=5 reference=r5/);
  expect(out).toMatch(/event {5}8 .* posting .*deltaUnits=5/);
  expect(run("replay", folder, "--to", "12").error).toContain("ends at 11, but 12 was asked for");
});

test("[CLI-3] inspect lists segments, snapshots and commands", () => {
  const { out } = run("inspect", folder, "--from", "1", "--limit", "3");
  expect(out).toContain("segment-00000001.journal  from 1  1048576 bytes");
  expect(out).toMatch(/^ {2}11 {2}\d+ bytes/m);
  // A journal begins with the rules that decide it.
  expect(out).toMatch(/^ {2}1 .* setRules rules=1/m);
  expect(out).toMatch(/^ {2}3 .* createAccount user=1 book=spot/m);
  expect(out).toContain("stopped before 4");
});

test("[CLI-4] rebuild fills the tables of the embedded database", () => {
  const { status, out, error } = run("rebuild", folder);
  expect(error).toBe("");
  expect(status).toBe(0);
  expect(out).toContain("rebuilt the tables up to sequence 11");
});

test("[CLI-5] wrong use is reported with the usage, damage with its place", () => {
  expect(run("nonsense").status).toBe(2);
  expect(run("replay", folder).error).toContain("replay needs --to SEQ");
  expect(run("verify", folder, "--no-such").error).toContain("clockwork <command>");
  const path = join(folder, "journal", "segment-00000001.journal");
  const pristine = readFileSync(path);
  writeFileSync(path, Buffer.from(pristine).fill(9, 4180, 4184));
  const { status, error } = run("verify", folder);
  writeFileSync(path, pristine);
  expect(status).toBe(1);
  expect(error).toContain(`JOURNAL_DAMAGED: ${path} at byte 4096, sequence 1: `);
});
