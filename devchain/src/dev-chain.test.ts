// A single development chain, in its own folder.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevChain } from "./dev-chain.ts";
import { answerRpc } from "./rpc.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-chain-"));
const rich = privateKeyToAccount(`0x${"7".repeat(64)}`);
const holder = rich.address.toLowerCase();
const COIN = "0xc0de000000000000000000000000000000000001";
const RECEIVER = `0x${"9".repeat(40)}` as const;
let chain: DevChain;
beforeAll(async () => {
  const holders = [{ address: holder, units: "1000000000000000000" }];
  chain = new DevChain(
    folder,
    {
      network: "T",
      chainId: 7,
      blockMs: 1,
      heartbeatMs: 1,
      isTimed: false,
      finality: 32,
      faucetCoins: 0,
      coins: [
        { symbol: "ETH", name: "Ether", decimals: 18, holders },
        { symbol: "TOK", name: "Token", decimals: 6, address: COIN, holders },
      ],
    },
    () => undefined,
  );
  await chain.open();
});
afterAll(() => {
  chain.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  ((await answerRpc(chain, { method, params })) as { result?: unknown }).result;
const hexOf = (number: number): string => `0x${number.toString(16)}`;
const pay = (nonce: number, gas = 21_000n): Promise<`0x${string}`> =>
  rich.signTransaction({
    type: "eip1559",
    chainId: 7,
    nonce,
    gas,
    maxFeePerGas: 9_000_000_000n,
    maxPriorityFeePerGas: 1n,
    to: RECEIVER,
    value: 5n,
  });

test("[WAL-2] the chain keeps nothing of what executed a block or answered a call: each would leak", async () => {
  await chain.send(await pay(0));
  await chain.mine(3);
  const data = `0x70a08231${holder.slice(2).padStart(64, "0")}`;
  expect(BigInt((await ask("eth_call", { to: COIN, data }, "latest")) as string)).toBe(10n ** 18n);
  await chain.reorg(2, false);
  // Listeners of the rules live as long as the rules do.
  expect(chain.common.events.listenerCount("hardforkChanged")).toBe(0);
});

test("[WAL-2] an empty block keeps the state, and calls are answered between many blocks", async () => {
  const before = (await ask("eth_getBlockByNumber", "latest", false)) as { stateRoot: string; number: string };
  const received: number[] = [];
  const making = chain.mine(200).then(() => received.push(Number.POSITIVE_INFINITY));
  const listening = new Promise<void>((done) => {
    setImmediate(() => {
      received.push(chain.head.number);
      done();
    });
  });
  await Promise.all([making, listening]);
  expect(received[0]).toBeLessThan(Number(before.number) + 200);
  const after = (await ask("eth_getBlockByNumber", "latest", false)) as { stateRoot: string; number: string };
  expect(Number(after.number)).toBe(Number(before.number) + 200);
  expect(after.stateRoot).toBe(before.stateRoot);
  await chain.send(await pay(1));
  // In the first of them, though the others are written together.
  await chain.mine(3);
  expect(await ask("eth_getTransactionCount", holder, hexOf(chain.head.number - 2))).toBe("0x2");
  expect(BigInt((await ask("eth_getBalance", RECEIVER, "latest")) as string)).toBe(10n);
});

test("[OPS-6] old empty blocks are removed; the first, those with transactions and the newest remain", async () => {
  const numbers = (): readonly number[] =>
    chain.store
      .all<{ number: number }>("SELECT c.number FROM canonical c JOIN blocks b ON b.hash = c.hash ORDER BY 1")
      .map(({ number }) => number);
  const { number } = chain.head;
  const filled = chain.store
    .all<{ number: number }>("SELECT c.number FROM canonical c JOIN receipts r ON r.block = c.hash ORDER BY 1")
    .map((row) => row.number);
  expect(filled.length).toBeGreaterThan(0);
  expect(numbers()).toHaveLength(number + 1);
  chain.store.prune(number - 2);
  expect(numbers()).toEqual([...new Set([0, ...filled, number - 2, number - 1, number])]);
  expect(await ask("eth_getBlockByNumber", hexOf(number - 5), false)).toBeNull();
  await chain.mine(1);
  expect(chain.head.number).toBe(number + 1);
  expect(BigInt((await ask("eth_getBalance", RECEIVER, "latest")) as string)).toBe(10n);
});

test("[WAL-2] what does not fit into a block waits for the next, and so do its dependants", async () => {
  for (const [nonce, gas] of [[2, 29_990_000n] as const, [3, 29_990_000n] as const, [4, 21_000n] as const])
    await chain.send(await pay(nonce, gas));
  await chain.mine(1);
  expect(await ask("eth_getTransactionCount", holder, "latest")).toBe("0x3");
  await chain.mine(1);
  expect(await ask("eth_getTransactionCount", holder, "latest")).toBe("0x5");
});
