import { expect, test } from "vitest";
import { ConnectionShare } from "./connection-share.ts";

/** Requests a connection and records when it is granted. */
function asking(share: ConnectionShare) {
  const had: string[] = [];
  const gives: (() => void)[] = [];
  const ask = (caller: string | undefined): void => {
    void share.enter(caller).then((give) => {
      had.push(caller ?? "house");
      gives.push(give);
    });
  };
  const settle = (): Promise<void> => new Promise((done) => void setImmediate(done));
  return { had, gives, ask, settle };
}

test("[NET-2] a caller with many slow statements keeps its share of connections, and others go first", async () => {
  const share = new ConnectionShare(4, 2, 60_000);
  const { had, gives, ask, settle } = asking(share);
  for (let at = 0; at < 6; at++) ask("slow");
  await settle();
  expect(had).toEqual(["slow", "slow"]);
  for (const caller of ["quick", "other", "quick", undefined]) ask(caller);
  await settle();
  // Two were free; the process itself and who holds nothing come before who holds one already.
  expect(had).toEqual(["slow", "slow", "quick", "other"]);
  gives[2]?.();
  await settle();
  expect(had.at(-1)).toBe("house");
  gives[0]?.();
  await settle();
  expect(had.at(-1)).toBe("quick");
  expect(share.waiting).toBe(4);
  // Given back twice it is free once.
  gives[1]?.();
  gives[1]?.();
  await settle();
  expect([had.at(-1), share.waiting]).toEqual(["slow", 3]);
});

test("[NET-2] a caller that waits for a connection too long is refused, and the next one is another's", async () => {
  const share = new ConnectionShare(1, 1, 1);
  const give = await share.enter("one");
  await expect(share.enter("two")).rejects.toMatchObject({ kind: "overloaded" });
  expect(share.waiting).toBe(0);
  give();
  (await share.enter("three"))();
});
