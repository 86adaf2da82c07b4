// Sweeps over a chain in memory: the coin's announcement decides whether it was moved, not the success of its
// transaction.
import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import type { TreasuryNeeds } from "./needs.ts";
import type { MoveRow, TreasuryStore } from "./store.ts";
import { SweepService } from "./sweep-service.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: ["ETH", "TOK"].map((asset) => ({
    asset,
    contract: asset === "ETH" ? null : `0x${asset}`,
    decimals: 8,
    depositMin: "0",
    withdrawMin: "0",
    withdrawFee: "0",
  })),
};
const [HOT, USER] = ["0xaa", "0xu1"];
const HELD = 1_000_000_000n;

function makeHouse(asset: string) {
  const rows: MoveRow[] = [];
  const mined = new Map<string, Receipt>();
  const paused: string[] = [];
  const answer: string[] = [];
  const isSame = (one: MoveRow, other: MoveRow): boolean => one.sender === other.sender && one.nonce === other.nonce;
  const store = {
    begin: async (row: MoveRow) => {
      if (rows.some((one) => isSame(one, row))) return false;
      rows.push(row);
      return true;
    },
    listOpen: async () => rows.filter(({ state }) => state === "OPEN"),
    listMoves: async () => [...rows],
    change: async (row: MoveRow, values: Partial<MoveRow>) => {
      const at = rows.findIndex((one) => isSame(one, row) && one.state === "OPEN");
      if (at >= 0) rows[at] = { ...(rows[at] as MoveRow), ...values };
    },
    listUncounted: async () => [],
  } as unknown as TreasuryStore;
  const chain = {
    fees: async () => ({ baseFee: 1n, tip: 1n }),
    head: async () => 9,
    countOf: async () => rows.length,
    balances: async () => [HELD, HELD],
    receipts: async (hashes: readonly string[]) => hashes.map((hash) => mined.get(hash)),
    send: async () => undefined,
  } as unknown as Chain;
  const needs = {
    chains: { networks: [NETWORK], chain: () => chain, house: () => ({ hot: HOT, cold: "0xcc" }) },
    coins: { find: () => undefined, worthUnits: () => undefined },
    now: () => 1_000,
    listDeposits: async () => [{ address: USER, user_id: 1, asset, chain_units: "30" }],
    signSweep: async ({ nonce }: { nonce: number }) => ({ raw: `raw${nonce}`, hash: `0x${nonce}` }),
    isPaused: () => paused.length > 0,
    pause: async (_: string, cause: string) => void paused.push(cause),
    report: (fact: string) => void answer.push(fact),
  } as unknown as TreasuryNeeds;
  return { rows, mined, paused, answer, sweeps: new SweepService({ store, needs }) };
}

const inBlock = (transfers: Receipt["transfers"], isDone = true): Receipt => ({
  blockNumber: 10,
  blockHash: "h",
  isDone,
  feeUnits: 3n,
  transfers,
});
const RIGHT = { contract: "0xTOK", from: USER, to: HOT, value: 30n };

async function sweep(asset: string, receipt: Receipt) {
  const house = makeHouse(asset);
  await house.sweeps.turn(NETWORK, 9, true);
  house.mined.set("0x0", receipt);
  for (const head of [10, 12, 14]) await house.sweeps.turn(NETWORK, head, false);
  return house;
}

test("[WAL-2] a token is swept when it announced the amount to the hot wallet; one that refuses silently is not", async () => {
  const moved = await sweep("TOK", inBlock([{ ...RIGHT, contract: "0xother" }, RIGHT]));
  expect(moved.rows).toMatchObject([{ state: "DONE", is_success: true, fee_units: "3" }]);
  const silent = await sweep("TOK", inBlock([]));
  expect(silent.rows).toMatchObject([{ state: "FAILED", is_success: false, fee_units: "3" }]);
  expect([silent.paused, silent.answer]).toEqual([[], ["move.failed"]]);
  // The chain's own coin announces nothing: its transaction is the transfer.
  expect((await sweep("ETH", inBlock([]))).rows).toMatchObject([{ state: "DONE", is_success: true }]);
});

test("[WAL-2] a token that moved another amount, or elsewhere, remains open and pauses its network until operators review it", async () => {
  for (const wrong of [{ value: 29n }, { to: "0xdd" }]) {
    const house = await sweep("TOK", inBlock([{ ...RIGHT, ...wrong }]));
    expect(house.rows).toMatchObject([{ state: "OPEN", is_success: false, fee_units: "3" }]);
    expect(house.paused).toEqual([`TOK moved something else than was signed in a sweep from ${USER}`]);
    // Nothing of it is swept again until then.
    await house.sweeps.turn(NETWORK, 15, true);
    expect(house.rows).toHaveLength(1);
  }
});

test("[WAL-2] three failures in a row are left to operators: every try costs gas", async () => {
  const house = makeHouse("TOK");
  for (let round = 0; round < 5; round += 1) {
    house.mined.set(`0x${round}`, inBlock([], false));
    await house.sweeps.turn(NETWORK, 9, true);
    await house.sweeps.turn(NETWORK, 14, false);
  }
  expect(house.rows.map(({ state }) => state)).toEqual(["FAILED", "FAILED", "FAILED"]);
});
