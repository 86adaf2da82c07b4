// The turns of a network whose payments hang: deposits have turns of their own.
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import { startWatching, type WatchingParts } from "./watching.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: [],
};

function makeParts() {
  const received: string[] = [];
  const blocks: ((network: string) => void)[] = [];
  const paying = Promise.withResolvers<boolean>();
  const at = { head: 5, isPaying: false };
  const nothing = async (): Promise<void> => undefined;
  const parts = {
    host: {
      networks: [NETWORK],
      client: () => ({ isPointed: true }),
      onBlock: (listener: (network: string) => void) => void blocks.push(listener),
    },
    watch: {
      read: async () => at.head,
      cursor: async () => ({ number: at.head, hash: `h${at.head}` }),
      checkInside: async (_: Network, known: number) => void received.push(`inside ${known}`),
    },
    deposits: {
      progress: async (_: Network, head: number) => {
        received.push(`deposits ${head}`);
        return new Set<number>();
      },
    },
    publish: nothing,
    outgoing: {
      withdrawals: { resume: nothing },
      speed: { resume: nothing },
      review: { simulate: nothing, resume: nothing },
      payouts: {
        turn: async (_: Network, head: number) => {
          received.push(`payouts ${head}`);
          return head === 5 ? paying.promise : false;
        },
      },
      isPaused: () => false,
      reconcile: { run: nothing },
    },
    treasury: {
      sweeps: { turn: async (_: Network, head: number) => void received.push(`sweeps ${head}`) },
      refills: { levels: nothing },
    },
    log: { warn: () => undefined },
  } as unknown as WatchingParts;
  const publishBlock = (head: number): void => {
    at.head = head;
    for (const listener of blocks) listener("N");
  };
  return { received, paying, parts, publishBlock };
}

test("[WAL-2] slow payments delay no deposit, and are followed by the newest block that was read", async () => {
  const { received, paying, parts, publishBlock } = makeParts();
  const watching = startWatching(parts);
  publishBlock(5);
  await expect.poll(() => received).toEqual(["deposits 5", "payouts 5"]);
  for (const head of [6, 7]) {
    publishBlock(head);
    await expect.poll(() => received.at(-1)).toBe(`deposits ${head}`);
  }
  // Payments are not recorded up to any block yet: nothing may be compared, and no balance read.
  expect(watching.standing("N")).toBeUndefined();
  paying.resolve(false);
  await expect.poll(() => received.slice(-3)).toEqual(["inside 5", "payouts 7", "sweeps 7"]);
  expect(watching.standing("N")).toEqual({ number: 7, hash: "h7" });
  await watching.end();
});
