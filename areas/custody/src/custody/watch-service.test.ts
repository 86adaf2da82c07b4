// Deposits in blocks to users' addresses, without a chain: several in one transaction, coins that keep a part of every
// transfer, the exchange's own gas, and transfers from contracts.
import type { Chain, ChainBlock, TransferLog } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import type { CursorRow, CustodyStore, DepositRow, Found } from "./store.ts";
import { WatchService } from "./watch-service.ts";

const [USER, HOT, COIN] = ["0xaa", "0xbb", "0xcc"];
const HEAD = 9;
const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 3,
  coins: [
    { asset: "USDT", contract: COIN, decimals: 6, depositMin: "1", withdrawMin: "1", withdrawFee: "1" },
    { asset: "ETH", contract: null, decimals: 18, depositMin: "0.1", withdrawMin: "0.1", withdrawFee: "0.01" },
  ],
};

/** A chain of ten blocks with the given content. */
function makeChain(given: {
  readonly transfers?: readonly TransferLog[];
  readonly transactions?: ChainBlock["transactions"];
  readonly balance: (contract: string | null, number: number) => bigint;
}): Chain {
  const hashOf = (number: number): string => `h${number}`;
  return {
    head: async () => HEAD,
    blocks: async (from, to) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({
        number: from + at,
        hash: hashOf(from + at),
        parentHash: hashOf(from + at - 1),
        transactions: from + at === 5 ? (given.transactions ?? []) : [],
      })),
    hashAt: async (number) => hashOf(number),
    transfers: async () => given.transfers ?? [],
    receipts: async (hashes) =>
      hashes.map(() => ({ blockNumber: 5, blockHash: "h5", isDone: true, feeUnits: 0n, transfers: [] })),
    balances: async (asks, number) => asks.map(({ contract, number: own = number }) => given.balance(contract, own)),
    allowance: async () => 0n,
    fees: async () => ({ baseFee: 1n, tip: 1n }),
    hasCode: async () => false,
    send: async () => undefined,
    countOf: async () => 0,
  };
}

/** Stores only the findings. */
function watchOf(chain: Chain, moved: ReadonlyMap<string, bigint> = new Map()) {
  const deposits: DepositRow[] = [];
  let cursor: CursorRow | undefined;
  const store = {
    keepAddress: async () => undefined,
    listAddresses: async () => [{ network: "N", address: USER, user_id: 7, created_ms: 0 }],
    readCursor: async () => cursor,
    sumNative: async () => new Map(),
    keepFound: async ({ blocks, deposits: found }: Found) => {
      const last = blocks.at(-1);
      if (last !== undefined) cursor = { network: "N", number: last.number, hash: last.hash, read_ms: 0 };
      deposits.push(...found);
    },
  } as unknown as CustodyStore;
  const watch = new WatchService({
    store,
    needs: {
      chains: {
        networks: [NETWORK],
        chain: () => chain,
        addressOf: () => USER,
        checksumOf: (address) => address,
        house: () => ({ hot: HOT ?? "", cold: "0xdd" }),
      },
      coins: {
        find: (symbol) => ({ asset: symbol === "USDT" ? 1 : 2, symbol, scale: symbol === "USDT" ? 6 : 8 }),
        worthUnits: () => undefined,
      },
      now: () => 0,
      idOf: (network, txHash, place) => `${network}:${txHash}:${place}`,
      movedNative: async () => moved,
      report: () => undefined,
    },
  });
  return { watch, deposits };
}

const transfer = (place: number, value: bigint, from = "0xee"): TransferLog => ({
  contract: COIN ?? "",
  from,
  to: USER ?? "",
  value,
  txHash: "t",
  place,
  blockNumber: 5,
  blockHash: "h5",
});

test("[WAL-2] two deposits in one transaction are two deposits, each with its own name", async () => {
  const balance = (_: string | null, number: number): bigint => (number < 5 ? 0n : 150n);
  const { watch, deposits } = watchOf(makeChain({ transfers: [transfer(0, 100n), transfer(1, 50n)], balance }));
  await watch.read(NETWORK);
  expect(deposits.map(({ deposit_id, chain_units }) => [deposit_id, chain_units])).toEqual([
    ["N:t:0", "100"],
    ["N:t:1", "50"],
  ]);
});

test("[WAL-2] the number of requests to a node does not depend on the number of deposits in a range of blocks", async () => {
  let requested = 0;
  const balance = (_: string | null, number: number): bigint => BigInt(number) * 100n;
  const blocks = [2, 3, 4, 5, 6, 7, 8];
  const transfers = blocks.map((blockNumber) => ({
    ...transfer(0, 100n),
    txHash: `t${blockNumber}`,
    blockNumber,
    blockHash: `h${blockNumber}`,
  }));
  const chain = makeChain({ transfers, balance });
  const counted: Chain = {
    ...chain,
    balances: async (...asks) => {
      requested += 1;
      return chain.balances(...asks);
    },
  };
  const { watch, deposits } = watchOf(counted);
  await watch.read(NETWORK);
  expect(deposits.map(({ chain_units }) => chain_units)).toEqual(blocks.map(() => "100"));
  expect(requested).toBe(1);
});

test("[WAL-2] of a coin that keeps a part of every transfer the received amount is credited, not the announced one", async () => {
  const balance = (_: string | null, number: number): bigint => (number < 5 ? 0n : 135n);
  const { watch, deposits } = watchOf(makeChain({ transfers: [transfer(0, 100n), transfer(1, 50n)], balance }));
  await watch.read(NETWORK);
  expect(deposits.map(({ chain_units }) => chain_units)).toEqual(["90", "45"]);
});

test("[WAL-2] gas the hot wallet sent for a sweep is no deposit, neither in its block nor by the balance", async () => {
  const transactions = [{ hash: "g", from: HOT ?? "", to: USER ?? "", value: 40n }];
  const chain = makeChain({ transactions, balance: () => 40n });
  const gas = watchOf(chain, new Map([[USER ?? "", 40n]]));
  await gas.watch.read(NETWORK);
  await gas.watch.checkInside(NETWORK, HEAD);
  expect(gas.deposits).toEqual([]);
  const inside = watchOf(chain);
  await inside.watch.read(NETWORK);
  await inside.watch.checkInside(NETWORK, HEAD);
  expect(inside.deposits.map(({ chain_units }) => chain_units)).toEqual(["40"]);
});
