// One process per folder, and no lock that outlives its process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { awaitFolder, FolderInUseError, lockFolder } from "./lock.ts";

const folders: string[] = [];
const children: ChildProcess[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-lock-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that takes the lock, reports the result, and keeps running. */
async function lockInChild(folder: string): Promise<{ child: ChildProcess; reply: string }> {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL("./lock.ts", import.meta.url).href)});
    try { lockFolder(${JSON.stringify(folder)}); console.log("locked"); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.name + ": " + error.message); }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [reply] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, reply: reply.toString().trim() };
}

test("[OPS-4] a second process is refused with the holder of the folder", async () => {
  const folder = newFolder();
  const first = await lockInChild(folder);
  expect(first.reply).toBe("locked");
  const second = await lockInChild(folder);
  expect(second.reply).toContain("FolderInUseError");
  expect(second.reply).toContain(`pid ${first.child.pid}`);
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
});

test("[OPS-4] a start waits for a holder that is stopping, and for no other", async () => {
  const folder = newFolder();
  const { child, reply } = await lockInChild(folder);
  expect(reply).toBe("locked");
  const waits: string[] = [];
  await expect(awaitFolder(folder, (reason) => waits.push(reason))).rejects.toThrow(FolderInUseError);
  expect(waits).toEqual([]);
  writeFileSync(join(folder, "clockwork.pid"), `${child.pid} stopping\n`);
  const waiting = awaitFolder(folder, (reason) => {
    waits.push(reason);
    child.kill("SIGKILL");
  });
  (await waiting).release();
  expect(waits).toEqual([expect.stringContaining(`pid ${child.pid}`)]);
});

test("[OPS-4] the lock of a killed process is gone with it, every time", async () => {
  const folder = newFolder();
  for (let round = 0; round < 5; round += 1) {
    const { child, reply } = await lockInChild(folder);
    expect(reply).toBe("locked");
    child.kill("SIGKILL");
    await once(child, "exit");
    lockFolder(folder).release();
  }
});

test("[OPS-4] several parts of one process share the lock; the last gives it back", async () => {
  const folder = newFolder();
  const one = lockFolder(folder);
  const two = lockFolder(join(folder, "."));
  one.release();
  one.release();
  expect((await lockInChild(folder)).reply).toContain("FolderInUseError");
  two.release();
  expect((await lockInChild(folder)).reply).toBe("locked");
});

test("[OPS-4] a missing folder is created", () => {
  const folder = join(newFolder(), "a", "b");
  lockFolder(folder).release();
});
