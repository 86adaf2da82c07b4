// A helper process from outside: which callers wait for it, and what they receive.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { ChildGone, ChildSlow, HelperProcess } from "./child.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-child-"));
const file = join(folder, "worker.mjs");
writeFileSync(
  file,
  `process.on("disconnect", () => process.exit(0));
process.on("message", (message) => {
  if ("start" in message) setTimeout(() => process.send({ kind: "ready" }), 200);
  else if (message.ask.what === "refuse") process.send({ kind: "answer", id: message.id, wrong: "no" });
  else if (message.ask.what === "answer") process.send({ kind: "answer", id: message.id, value: "yes" });
});`,
);
const helper = new HelperProcess<{ what: string }, object, { value: string }>({
  module: pathToFileURL(file),
  flags: [],
  isIdle: false,
  start: () => ({}),
  onReady: () => undefined,
  onGone: () => undefined,
});
afterAll(() => {
  helper.close();
  rmSync(folder, { recursive: true, force: true });
});

test("[WAL-2] callers with a timeout wait for a process that is being started; others are answered that it is unavailable", async () => {
  helper.start();
  await expect(helper.ask({ what: "answer" })).rejects.toThrow(ChildGone);
  const timeout = { readyMs: 60_000, answerMs: 60_000 };
  expect(await helper.ask({ what: "answer" }, timeout)).toMatchObject({ value: "yes" });
});

test("[WAL-2] a slow process, an unavailable one and a refusal are distinguished", async () => {
  const wait = { readyMs: 60_000, answerMs: 10 };
  await expect(helper.ask({ what: "nothing" }, wait)).rejects.toThrow(ChildSlow);
  await expect(helper.ask({ what: "refuse" }, { ...wait, answerMs: 60_000 })).rejects.toThrow(/^no$/);
});
