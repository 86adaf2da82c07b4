// The contract that pays many at once, on its own development chain: what it pays, whom it leaves out, what it refuses,
// and how much gas it saves.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAYOUT_CODE, PAYOUT_DEPLOYMENT } from "@clockwork/custody/chain/payout-code";
import { privateKeyToAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevChain } from "./dev-chain.ts";
import { answerRpc } from "./rpc.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-payout-"));
const payer = privateKeyToAccount(`0x${"7".repeat(64)}`);
const other = privateKeyToAccount(`0x${"8".repeat(64)}`);
const holder = payer.address.toLowerCase();
const COIN = "0xc0de000000000000000000000000000000000001";
const PAYOUT = "0xc0de000000000000000000000000000000009a71";
/** Takes nothing of the chain's own coin. */
const SHUT = "0xc0de00000000000000000000000000000000dead";
/** The zero address: the token refuses it. */
const NOBODY = `0x${"0".repeat(40)}`;
const ABI = parseAbi([
  "struct Part { address to; uint256 value; }",
  "function pay(address coin, Part[] parts) payable",
  "function transfer(address to, uint256 value) returns (bool)",
  "function approve(address spender, uint256 value) returns (bool)",
]);
type Part = readonly [to: string, value: bigint];
let chain: DevChain;
let nonce = 0;
beforeAll(async () => {
  const holders = [{ address: holder, units: "1000000000000000000000" }];
  const own = [...holders, { address: other.address.toLowerCase(), units: "1000000000000000000" }];
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
      payoutContract: PAYOUT,
      coins: [
        { symbol: "ETH", name: "Ether", decimals: 18, holders: own },
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
const nativeOf = async (address: string): Promise<bigint> => BigInt((await ask("eth_getBalance", address)) as string);
const tokenOf = async (address: string): Promise<bigint> =>
  BigInt((await ask("eth_call", { to: COIN, data: `0x70a08231${address.slice(2).padStart(64, "0")}` })) as string);

interface Published {
  readonly isDone: boolean;
  readonly gas: bigint;
  readonly paid: bigint | undefined;
}

async function send(to: string, data: `0x${string}`, value = 0n, from = payer, at?: number): Promise<Published> {
  const raw = await from.signTransaction({
    type: "eip1559",
    chainId: 7,
    nonce: at ?? nonce,
    gas: 5_000_000n,
    to: to as `0x${string}`,
    data,
    value,
    maxFeePerGas: 9_000_000_000n,
    maxPriorityFeePerGas: 1n,
  });
  if (at === undefined) nonce += 1;
  const hash = await chain.send(raw);
  await chain.mine(1);
  const answer = (await ask("eth_getTransactionReceipt", hash)) as {
    readonly status: string;
    readonly gasUsed: string;
    readonly logs: readonly { readonly address: string; readonly data: string }[];
  };
  const paid = answer.logs.find(({ address }) => address === PAYOUT)?.data;
  return {
    isDone: answer.status === "0x1",
    gas: BigInt(answer.gasUsed),
    paid: paid === undefined ? undefined : BigInt(paid),
  };
}

function callOf(coin: string, parts: readonly Part[]): `0x${string}` {
  const list = parts.map(([to, value]) => ({ to: to as `0x${string}`, value }));
  return encodeFunctionData({ abi: ABI, functionName: "pay", args: [coin as `0x${string}`, list] });
}
const sumOf = (parts: readonly Part[]): bigint => parts.reduce((sum, [, value]) => sum + value, 0n);
const payNative = (parts: readonly Part[], value = sumOf(parts)) => send(PAYOUT, callOf(NOBODY, parts), value);
const payToken = (parts: readonly Part[]) => send(PAYOUT, callOf(COIN, parts));
let made = 0;
const somebody = (): string => {
  made += 1;
  return `0x${made.toString(16).padStart(40, "9")}`;
};
const allow = (units: bigint) =>
  send(COIN, encodeFunctionData({ abi: ABI, functionName: "approve", args: [PAYOUT, units] }));

test("[WAL-2] many are paid by one transaction; a refused payment is left out, reported, and returned", async () => {
  const [first, second] = [somebody(), somebody()];
  const before = await nativeOf(holder);
  const answer = await payNative([
    [first, 5n],
    [SHUT, 7n],
    [second, 11n],
    [first, 1n],
  ]);
  expect([answer.isDone, answer.paid]).toEqual([true, 0b1101n]);
  expect([await nativeOf(first), await nativeOf(SHUT), await nativeOf(second)]).toEqual([6n, 0n, 11n]);
  // Nothing remains: the difference besides the payments is the fee alone.
  expect([await nativeOf(PAYOUT), before - (await nativeOf(holder)) - 17n]).toEqual([0n, answer.gas * (await price())]);
  // More than the parts came with it, and less.
  expect(
    (
      await payNative(
        [
          [first, 5n],
          [second, 5n],
        ],
        30n,
      )
    ).paid,
  ).toBe(0b11n);
  expect(
    (
      await payNative(
        [
          [first, 5n],
          [second, 6n],
        ],
        6n,
      )
    ).paid,
  ).toBe(0b1n);
  expect([await nativeOf(first), await nativeOf(second), await nativeOf(PAYOUT)]).toEqual([16n, 16n, 0n]);
});

const price = async (): Promise<bigint> =>
  BigInt(((await ask("eth_getBlockByNumber", "latest", false)) as { baseFeePerGas: string }).baseFeePerGas) + 1n;

test("[WAL-2] a token is paid out of its owner's allowance and no further, and no caller moves another's", async () => {
  const [first, second] = [somebody(), somebody()];
  expect(
    (
      await payToken([
        [first, 5n],
        [second, 5n],
      ])
    ).paid,
  ).toBe(0n);
  await allow(20n);
  const answer = await payToken([
    [first, 5n],
    [NOBODY, 5n],
    [second, 9n],
    [first, 7n],
    [second, 6n],
  ]);
  expect([answer.isDone, answer.paid]).toEqual([true, 0b10101n]);
  expect([await tokenOf(first), await tokenOf(second)]).toEqual([5n, 15n]);
  await allow(1_000n);
  const outsider = await send(
    PAYOUT,
    callOf(COIN, [
      [first, 5n],
      [second, 5n],
    ]),
    0n,
    other,
    0,
  );
  expect([outsider.paid, await tokenOf(first)]).toEqual([0n, 5n]);
});

test("[WAL-2] anything but its one call, exactly as long as its list, is refused whole, coins by themselves too", async () => {
  const first = somebody();
  const good = callOf(NOBODY, [
    [first, 1n],
    [first, 1n],
  ]);
  const many = Array.from({ length: 257 }, (): Part => [first, 0n]);
  const longer = good.replace(/0{63}2(?=.{256}$)/, `${"0".repeat(63)}3`) as `0x${string}`;
  expect(longer).not.toBe(good);
  const wrong: readonly `0x${string}`[] = [
    ...(["0x", "0x12345678"] as const),
    ...([`0xdeadbeef${good.slice(10)}`, `${good}00`, good.slice(0, -2) as `0x${string}`, longer] as const),
    callOf(NOBODY, many),
  ];
  for (const data of wrong)
    expect([data.slice(0, 20), (await send(PAYOUT, data, 2n)).isDone]).toEqual([data.slice(0, 20), false]);
  expect([await nativeOf(first), await nativeOf(PAYOUT)]).toEqual([0n, 0n]);
  expect((await send(PAYOUT, good, 2n)).paid).toBe(0b11n);
});

test("[WAL-2] together is cheaper: from two on of a token, from three on of the chain's own coin where it is known", async () => {
  await allow(10n ** 12n);
  const lines: string[] = [];
  const single = { token: 0n, native: 0n };
  for (const count of [1, 2, 3, 5, 10, 25]) {
    const parts = Array.from({ length: count }, (): Part => [somebody(), 1_000_000n]);
    const isOne = count === 1;
    const transfer = () =>
      encodeFunctionData({ abi: ABI, functionName: "transfer", args: [parts[0]?.[0] as `0x${string}`, 1_000_000n] });
    const token = isOne ? () => send(COIN, transfer()) : () => payToken(parts);
    const native = isOne ? () => send(parts[0]?.[0] ?? "", "0x", 1n) : () => payNative(parts);
    const gas: bigint[] = [];
    // Receivers that are new to the coin, and existing ones.
    for (const pay of [token, token, native, native]) gas.push((await pay()).gas / BigInt(count));
    lines.push(
      `gas a payment, ${count} together: token new ${gas[0]}, known ${gas[1]}; own coin new ${gas[2]}, known ${gas[3]}`,
    );
    if (isOne) Object.assign(single, { token: gas[1], native: gas[3] });
    else expect(gas[1]).toBeLessThan(single.token);
    if (count >= 3) expect(gas[3]).toBeLessThan(single.native);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
});

test("[WAL-2] put onto a chain by a transaction it is the very same contract", async () => {
  const raw = await payer.signTransaction({
    type: "eip1559",
    chainId: 7,
    nonce,
    gas: 500_000n,
    data: PAYOUT_DEPLOYMENT,
    maxFeePerGas: 9_000_000_000n,
    maxPriorityFeePerGas: 1n,
  });
  nonce += 1;
  const hash = await chain.send(raw);
  await chain.mine(1);
  const { contractAddress } = (await ask("eth_getTransactionReceipt", hash)) as { contractAddress: string };
  expect(await ask("eth_getCode", contractAddress, "latest")).toBe(PAYOUT_CODE);
});
