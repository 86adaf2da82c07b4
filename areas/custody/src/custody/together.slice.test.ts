// Batched withdrawals, in real tables over a chain and a signer controlled by the test: whatever is interrupted, each
// leaves under one number and ends once.

import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import type { Database } from "@clockwork/server/storage/database";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { BatchService } from "../payouts/service.ts";
import type { PayoutNeeds } from "../withdrawals/needs.ts";
import { PayoutService } from "../withdrawals/payout-service.ts";
import { sendingStore } from "../withdrawals/sending-store.ts";
import { type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";
import { addWithdrawal } from "./withdrawal-fixture.ts";

type Ask = Parameters<PayoutNeeds["sign"]>[0];
type Burn = { readonly business: string; readonly units: number; readonly reference: string };
const [HOT, PAYOUT, COIN] = ["0xaa", "0xpay", "0xTOK"];

let houses = 0;

/** Each on a network of its own: the tables are shared. */
async function openHouse(database: Database, count = 3) {
  houses += 1;
  const name = `N${houses}`;
  const network: Network = {
    network: name,
    name,
    chainId: 1,
    isTest: true,
    blockSeconds: 1,
    payoutContract: PAYOUT,
    creditBlocks: 1,
    unlockBlocks: 2,
    finalBlocks: 4,
    coins: ["ETH", "TOK"].map((asset) => ({
      asset,
      contract: asset === "ETH" ? null : COIN,
      decimals: 8,
      depositMin: "1",
      withdrawMin: "1",
      withdrawFee: "1",
    })),
  };
  const [withdrawals, sendings] = [withdrawStore(database.kysely), sendingStore(database.kysely)];
  const at = { nowMs: 1_000, signer: "", stops: false };
  const signed: Ask[] = [];
  const burns: Burn[] = [];
  const mined = new Map<string, Receipt>();
  const ended: string[] = [];
  const chain = {
    fees: async () => ({ baseFee: 10n, tip: 2n }),
    hasCode: async (address: string) => address === PAYOUT || address === COIN,
    head: async () => 9,
    countOf: async () => 5,
    balances: async (asks: readonly unknown[]) => asks.map(() => 1_000_000n),
    allowance: async () => 1_000_000n,
    receipts: async (hashes: readonly string[]) => hashes.map((hash) => mined.get(hash)),
    send: async () => undefined,
  } as unknown as Chain;
  const sign = async (ask: Ask) => {
    if (at.signer === "AWAY") throw new Error("AWAY");
    if (at.signer !== "" && (ask.parts ?? [ask]).some(({ key }) => key === at.signer))
      throw new Error("POLICY_RECEIVER");
    signed.push(ask);
    return { raw: `raw${signed.length}`, hash: `0x${name}${signed.length}` };
  };
  const needs: Omit<PayoutNeeds, "batches"> = {
    chains: {
      networks: [network],
      chain: () => chain,
      addressOf: () => undefined,
      checksumOf: (address) => address,
      house: () => ({ hot: HOT, cold: "0xbb" }),
    },
    coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
    ledger: {
      submit: async (command) => {
        const burn = command as unknown as Burn;
        if (!burns.some(({ reference }) => reference === burn.reference)) burns.push(burn);
        return { done: true };
      },
      openAccount: async () => 1,
      availableUnits: async () => 0n,
    },
    now: () => at.nowMs,
    sign,
    isPaused: () => false,
    isHeld: async () => false,
    holdBack: async () => false,
    pause: async (_, cause) => void ended.push(cause),
    settle: async ({ withdrawal_id, state }) => {
      ended.push(`${withdrawal_id} ${state}`);
      await withdrawals.settleWithdrawal(withdrawal_id);
      return true;
    },
    changed: () => undefined,
    notify: async () => undefined,
    report: () => undefined,
  };
  const ids = Array.from({ length: count }, (_, index) => `${name}-w${index}`);
  for (const [index, withdrawal_id] of ids.entries()) {
    const row: WithdrawalRow = {
      withdrawal_id,
      user_id: 7 + index,
      client_id: withdrawal_id,
      network: name,
      address: `0x${index}`,
      receiver_id: null,
      asset: "TOK",
      book: "spot",
      amount_units: 30n + BigInt(index),
      fee_units: 1n,
      worth_units: 1n,
      state: "QUEUED",
      is_settled: false,
      review: "",
      reviewer_id: null,
      reason: "",
      tx_hash: null,
      block_number: null,
      created_ms: index,
      changed_ms: index,
      speed_ups: 0,
      speed_units: 0n,
      speed_state: "",
    };
    expect(await addWithdrawal(database.kysely, row)).toBe("added");
  }
  /** A process: its memory is lost with it. */
  const begin = () => {
    const batches = new BatchService({ now: () => at.nowMs });
    const judge: typeof sendings.judge = async (row, values, paid) => {
      await sendings.judge(row, values, paid);
      if (at.stops && values.state !== undefined) throw new Error("the process ends here");
    };
    const payouts = new PayoutService({ withdrawals, sendings: { ...sendings, judge }, needs: { ...needs, batches } });
    return (head: number) => payouts.turn(network, head);
  };
  const states = async () => {
    const rows = await Promise.all(ids.map((id) => withdrawals.find(id)));
    return rows.map((row) => `${row?.state}${row?.tx_hash === null ? "" : ` ${row?.tx_hash?.slice(-1)}`}`);
  };
  /** Mined, with the receivers paid; the token announces the same amounts. */
  const mine = (which: number, blockNumber: number, paid: readonly number[], feeUnits = 10n) => {
    const parts = signed[which - 1]?.parts ?? [];
    const transfers = paid.map((place) => {
      const { to = "", units = "0" } = parts[place] ?? {};
      return { contract: COIN, from: HOT, to, value: BigInt(units) };
    });
    const places = paid.reduce((bits, place) => bits | (1n << BigInt(place)), 0n);
    const answer = { blockNumber, blockHash: "h", isDone: true, feeUnits, transfers };
    mined.set(`0x${name}${which}`, { ...answer, paid: [{ contract: PAYOUT, places }] });
  };
  const open = () => sendings.listOpen(name);
  return { network, name, ids, at, signed, burns, mined, ended, sendings, begin, states, mine, open };
}

forEachMigrated("withdrawals that leave together", (place) => {
  test("[WAL-2] a refusing receiver is left out and refunded when that is final; the others are paid, and the whole fee is shared", async () => {
    const house = await openHouse(place.database());
    const turn = house.begin();
    await turn(9);
    expect(house.signed).toMatchObject([
      {
        nonce: 5,
        units: "90",
        parts: house.ids.map((key, at) => ({ key, to: `0x${at}`, units: String(29 + at) })),
      },
    ]);
    expect(await house.states()).toEqual(["BROADCAST 1", "BROADCAST 1", "BROADCAST 1"]);
    house.mine(1, 10, [0, 2]);
    await turn(10);
    expect(await house.states()).toEqual(["CONFIRMING 1", "CONFIRMING 1", "CONFIRMING 1"]);
    for (const head of [11, 11, 12]) await turn(head);
    expect(await house.states()).toEqual(["DONE 1", "CONFIRMING 1", "DONE 1"]);
    // The input of the reconciliation: two amounts left, and one fee.
    const rows = (await house.sendings.listMined(house.name, 12)).map(
      ({ place: at, chain_units, fee_units, is_success, state }) =>
        `${at} ${chain_units} ${fee_units} ${is_success} ${state}`,
    );
    const parts = ["1 29 0 true DONE", "2 30 0 false CONFIRMING", "3 31 0 true DONE"];
    expect(rows.sort()).toEqual(["0 90 10 true null", ...parts]);
    // The process ends when the number does: its owner was notified before.
    house.at.stops = true;
    await expect(turn(13)).rejects.toThrow("the process ends here");
    house.at.stops = false;
    expect(await house.states()).toEqual(["DONE 1", "FAILED 1", "DONE 1"]);
    await house.begin()(14);
    expect(house.ended).toEqual([0, 2, 1].map((at) => `${house.ids[at]} ${at === 1 ? "FAILED" : "DONE"}`));
    const fees = house.burns.map(({ business, units, reference }) => `${business} ${units} ${reference}`);
    expect(fees).toEqual([4, 3, 3].map((units, at) => `networkFee ${units} g:${house.name}:5:${at}`));
    expect(await house.open()).toEqual([]);
    expect(house.signed).toHaveLength(1);
  });

  test("[WAL-2] a process that ends after they were assigned, or after they were signed, pays them once, under their one number", async () => {
    const house = await openHouse(place.database());
    house.at.signer = "AWAY";
    await house.begin()(9);
    // All bound to their number; nothing is signed.
    expect([await house.states(), house.signed]).toEqual([["BROADCAST", "BROADCAST", "BROADCAST"], []]);
    const [bound] = await house.open();
    house.at.signer = "";
    await house.begin()(9);
    expect(house.signed).toMatchObject([{ key: bound?.key, nonce: 5, parts: house.ids.map((key) => ({ key })) }]);
    // Again, after it was sent: it is found in its block and not signed again.
    house.mine(1, 10, [0, 1, 2]);
    for (const head of [10, 11]) await house.begin()(head);
    await house.begin()(14);
    expect(await house.states()).toEqual(["DONE 1", "DONE 1", "DONE 1"]);
    expect([house.signed.length, house.ended.length, (await house.open()).length]).toEqual([1, 3, 0]);
  });

  test("[WAL-2] a stuck batch gets a higher fee as a whole, by the exchange or by one owner, and whichever version is mined ends it", async () => {
    const house = await openHouse(place.database());
    const turn = house.begin();
    await turn(9);
    house.at.nowMs += 20_000;
    await turn(9);
    expect(await house.sendings.hurry(house.name, house.ids[2] ?? "")).toBe(true);
    house.at.nowMs += 5_000;
    await turn(9);
    const [first, second, third] = house.signed;
    expect([second, third]).toMatchObject([
      { nonce: 5, key: first?.key, parts: first?.parts },
      { nonce: 5, key: first?.key, parts: first?.parts },
    ]);
    for (const [low, high] of [[first, second] as const, [second, third] as const])
      expect(BigInt(high?.tip ?? "0") * 10n).toBeGreaterThanOrEqual(BigInt(low?.tip ?? "0") * 11n);
    expect(await house.states()).toEqual(["BROADCAST 3", "BROADCAST 3", "BROADCAST 3"]);
    house.mine(2, 10, [0, 1, 2]);
    await turn(10);
    expect(await house.sendings.hurry(house.name, house.ids[2] ?? "")).toBe(false);
    // Its block is replaced by one in which one part is refused.
    house.mined.clear();
    await turn(10);
    expect(await house.states()).toEqual(["BROADCAST 2", "BROADCAST 2", "BROADCAST 2"]);
    // And that one by another of its height, in which another part is.
    house.mine(2, 11, [0, 1]);
    await turn(11);
    house.mine(2, 11, [1, 2]);
    for (const head of [12, 13, 14]) await turn(head);
    expect(await house.states()).toEqual(["FAILED 2", "DONE 2", "DONE 2"]);
    const paid = (await house.sendings.listParts([first?.key ?? ""])).map(({ is_success }) => is_success);
    expect(paid).toEqual([false, true, true]);
    expect(house.ended).toHaveLength(3);
  });

  test("[WAL-2] a batch the signer refuses is signed one by one, and only the refused payment waits for a review", async () => {
    const house = await openHouse(place.database());
    house.at.signer = house.ids[1] ?? "";
    const turn = house.begin();
    await turn(9);
    expect([await house.states(), house.signed]).toEqual([["QUEUED", "QUEUED", "QUEUED"], []]);
    for (let turns = 0; turns < 3; turns += 1) await turn(9);
    expect(await house.states()).toEqual(["BROADCAST 1", "REVIEW", "BROADCAST 2"]);
    expect(house.signed.map(({ key, nonce, parts }) => [key, nonce, parts])).toEqual([
      [house.ids[0], 5, undefined],
      [house.ids[2], 6, undefined],
    ]);
  });

  test("[WAL-2] a token that moved something else for a batch is neither paid nor refunded until operators review it", async () => {
    const house = await openHouse(place.database());
    const turn = house.begin();
    await turn(9);
    house.mine(1, 10, [0, 1, 2]);
    const answer = house.mined.get(`0x${house.name}1`) as Receipt;
    house.mined.set(`0x${house.name}1`, { ...answer, transfers: answer.transfers.slice(1) });
    for (const head of [10, 12, 14]) await turn(head);
    expect(await house.states()).toEqual(["BROADCAST 1", "BROADCAST 1", "BROADCAST 1"]);
    expect(new Set(house.ended)).toEqual(new Set([`TOK moved something else than was signed in 0x${house.name}1`]));
  });

  test("[WAL-2] a batch leaves only when all of it is still queued, and others take its number", async () => {
    const house = await openHouse(place.database(), 4);
    const [a = "", b = "", c = "", d = ""] = house.ids;
    const own = withdrawStore(place.database().kysely);
    await own.stepWithdrawal(b, "QUEUED", { state: "REVIEW" });
    const sending = (key: string, nonce: number) => ({
      network: house.name,
      nonce,
      key,
      asset: "TOK",
      receiver: PAYOUT,
      chain_units: "1",
      gas: "1",
      max_fee: "1",
      tip: "1",
      hashes: "",
      raw: "",
      state: "OPEN" as const,
      block_number: null,
      fee_units: "0",
      is_success: false,
      is_counted: false,
      begun_ms: 1,
      sent_ms: 0,
    });
    const part = (withdrawal_id: string, batch_key: string, at: number) => ({
      withdrawal_id,
      batch_key,
      place: at,
      receiver: "0x1",
      chain_units: "1",
      is_success: false,
    });
    const parts = [part(a, `many:${a}`, 0), part(b, `many:${a}`, 1)];
    const rows = [sending(`many:${a}`, 5), sending(c, 6), sending(d, 7)];
    const started = await house.sendings.begin(rows, parts, 9);
    expect(started.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual([`${c} 5`, `${d} 6`]);
    expect(await house.states()).toEqual(["QUEUED", "REVIEW", "BROADCAST", "BROADCAST"]);
    expect(await house.sendings.listParts([`many:${a}`])).toEqual([]);
  });
});
