// Payments over a stalled chain: a stuck one gets a higher fee under the same number, and whichever version is mined
// ends it, once.

import type { Chain, Receipt } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import { BatchService } from "../payouts/service.ts";
import { PayoutService } from "../withdrawals/payout-service.ts";
import type { SendingRow, SendingStore } from "../withdrawals/sending-store.ts";
import type { WithdrawalRow, WithdrawStore } from "../withdrawals/store.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: ["ETH", "TOK", "DRY"].map((asset) => ({
    asset,
    contract: asset === "ETH" ? null : `0x${asset}`,
    decimals: 8,
    depositMin: "1",
    withdrawMin: "1",
    withdrawFee: "1",
  })),
};

function makeWithdrawal(id: string, values: Partial<WithdrawalRow> = {}): WithdrawalRow {
  return {
    withdrawal_id: id,
    user_id: 7,
    client_id: "c",
    network: "N",
    address: "0xee",
    receiver_id: null,
    asset: "ETH",
    book: "spot",
    amount_units: 30n,
    fee_units: 1n,
    worth_units: 1n,
    state: "QUEUED",
    is_settled: false,
    review: "",
    reviewer_id: null,
    reason: "",
    tx_hash: null,
    block_number: null,
    created_ms: 0,
    changed_ms: 0,
    speed_ups: 0,
    speed_units: 0n,
    speed_state: "",
    ...values,
  };
}

/** Tables in memory, to the extent a payment needs. */
function makeTables() {
  const rows: SendingRow[] = [];
  const steps: string[] = [];
  const queue = [makeWithdrawal("w1")];
  const withdrawal = {
    get row(): WithdrawalRow {
      return queue[0] as WithdrawalRow;
    },
  };
  const step = (id: string, from: string, values: Partial<WithdrawalRow>): boolean => {
    steps.push(`${id} ${from}`);
    const index = queue.findIndex((row) => row.withdrawal_id === id && row.state === from);
    if (index < 0) return false;
    queue[index] = { ...(queue[index] as WithdrawalRow), ...values };
    return true;
  };
  const sendings = {
    listOpen: async () => rows.filter(({ state }) => state === "OPEN"),
    noncesFrom: async (_: string, first: number) =>
      new Set(rows.filter(({ nonce }) => nonce >= first).map(({ nonce }) => nonce)),
    callOff: async ({ nonce, key }: SendingRow, _: string, reason: string) => {
      rows.splice(
        rows.findIndex((row) => row.nonce === nonce),
        1,
      );
      step(key, "BROADCAST", { state: "REVIEW", reason });
    },
    beginOwn: async (row: SendingRow) => void rows.push(row),
    begin: async (given: readonly SendingRow[]) => {
      const started = given
        .filter(({ key }) => step(key, "QUEUED", { state: "BROADCAST" }))
        .map((row, at) => ({ ...row, nonce: given[at]?.nonce ?? 0 }));
      rows.push(...started);
      return started;
    },
    keepSigned: async (signed: readonly SendingRow[]) => {
      for (const row of signed) {
        rows[rows.findIndex(({ nonce }) => nonce === row.nonce)] = row;
        step(row.key, "BROADCAST", { tx_hash: row.hashes });
      }
    },
    giveBack: async (given: readonly SendingRow[]) => {
      for (const { nonce, key } of given) {
        rows.splice(
          rows.findIndex((row) => row.nonce === nonce),
          1,
        );
        step(key, "BROADCAST", { state: "QUEUED" });
      }
    },
    change: async ({ nonce }: SendingRow, values: Partial<SendingRow>) => {
      const at = rows.findIndex((row) => row.nonce === nonce);
      rows[at] = { ...(rows[at] as SendingRow), ...values };
    },
    listUncounted: async () => [],
  } as unknown as SendingStore;
  const withdrawals = {
    find: async (id: string) => queue.find((row) => row.withdrawal_id === id),
    listQueued: async (_: string, limit: number, after?: WithdrawalRow) => {
      const waiting = queue.filter(({ state }) => state === "QUEUED");
      const from = after === undefined ? 0 : waiting.findIndex((row) => row.withdrawal_id === after.withdrawal_id) + 1;
      return waiting.slice(from, from + limit);
    },
    stepWithdrawal: async (id: string, from: string, values: Partial<WithdrawalRow>) => step(id, from, values),
  } as unknown as WithdrawStore;
  return { rows, queue, steps, withdrawal, sendings, withdrawals };
}

function makeHouse() {
  const tables = makeTables();
  const at = { nowMs: 1_000, count: 5, hasCode: true, signer: "", feeMax: undefined as bigint | undefined };
  const paused: string[] = [];
  const held = new Set<number>();
  const signed: { nonce: number; maxFee: bigint; tip: bigint }[] = [];
  const sent: string[] = [];
  const mined = new Map<string, Receipt>();
  const settled: WithdrawalRow[] = [];
  const chain = {
    fees: async () => ({ baseFee: 10n, tip: 2n }),
    hasCode: async (address: string) => address !== "0xee" && at.hasCode,
    head: async () => 9,
    countOf: async () => at.count,
    balances: async ([ask]: readonly { contract: string | null }[]) => [ask?.contract === "0xDRY" ? 0n : 1_000_000n],
    receipts: async (hashes: readonly string[]) => hashes.map((hash) => mined.get(hash)),
    send: async (raw: string) => void sent.push(raw),
  } as unknown as Chain;
  const payouts = new PayoutService({
    ...tables,
    needs: {
      chains: {
        networks: [NETWORK],
        chain: () => chain,
        addressOf: () => undefined,
        checksumOf: (address) => address,
        house: () => ({ hot: "0xaa", cold: "0xbb" }),
      },
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => 1n },
      ledger: { submit: async () => ({ done: true }), openAccount: async () => 1, availableUnits: async () => 0n },
      now: () => at.nowMs,
      sign: async ({ key, nonce, maxFee, tip }) => {
        if (at.signer !== "" && (at.signer === "AWAY" || key === "w1")) throw new Error(at.signer);
        if (at.feeMax !== undefined && BigInt(maxFee) > at.feeMax) throw new Error("POLICY_FEE");
        signed.push({ nonce, maxFee: BigInt(maxFee), tip: BigInt(tip) });
        return { raw: `raw${signed.length}`, hash: `0x${signed.length}` };
      },
      batches: new BatchService({ now: () => at.nowMs }),
      isHeld: async (userId) => held.has(userId),
      holdBack: async ({ withdrawal_id, user_id }) =>
        held.has(user_id) && tables.withdrawals.stepWithdrawal(withdrawal_id, "QUEUED", { state: "REVIEW" }),
      isPaused: () => paused.length > 0,
      pause: async (_, cause) => void paused.push(cause),
      settle: async (row) => {
        settled.push(row);
        return true;
      },
      changed: () => undefined,
      notify: async () => undefined,
      report: () => undefined,
    },
  });
  return { ...tables, at, chain, signed, sent, mined, payouts, paused, settled, held };
}

test("[WAL-2] a stuck payment is signed again with a higher fee under the same number, and ends once", async () => {
  const house = makeHouse();
  await house.payouts.turn(NETWORK, 9);
  expect(house.signed).toHaveLength(1);
  house.at.nowMs += 5_000;
  await house.payouts.turn(NETWORK, 9);
  expect(house.signed).toHaveLength(1);
  expect(house.sent).toEqual(["raw1", "raw1"]);
  house.at.nowMs += 20_000;
  await house.payouts.turn(NETWORK, 9);
  const [first, second] = house.signed;
  expect(second?.nonce).toBe(first?.nonce);
  // Nodes accept a replacement from ten percent more on, for both figures.
  expect((second?.maxFee ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.maxFee ?? 0n) * 11n);
  expect((second?.tip ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.tip ?? 0n) * 11n);
  expect(house.rows.map(({ hashes }) => hashes)).toEqual(["0x1 0x2"]);
  house.mined.set("0x1", { blockNumber: 10, blockHash: "h", isDone: true, feeUnits: 3n, transfers: [] });
  for (const head of [10, 11, 12, 13, 14]) await house.payouts.turn(NETWORK, head);
  expect(house.withdrawal.row).toMatchObject({ state: "DONE", tx_hash: "0x1" });
  expect(house.settled).toHaveLength(1);
  expect(house.rows).toHaveLength(1);
  expect(house.rows[0]).toMatchObject({ state: "DONE", fee_units: "3" });
});

test("[WAL-2] a payment whose fee may not be raised, or that cannot be signed now, is sent again unchanged", async () => {
  for (const [signer, feeMax] of [["", 22n] as const, ["AWAY", undefined] as const]) {
    const house = makeHouse();
    await house.payouts.turn(NETWORK, 9);
    Object.assign(house.at, { signer, feeMax, nowMs: house.at.nowMs + 20_000 });
    await house.payouts.turn(NETWORK, 9);
    expect([house.signed.length, house.sent, house.withdrawal.row.state]).toEqual([1, ["raw1", "raw1"], "BROADCAST"]);
    expect(house.rows).toHaveLength(1);
    // Not in every turn: only at the interval of rebroadcasts.
    await house.payouts.turn(NETWORK, 9);
    expect(house.sent).toHaveLength(2);
  }
});

test("[WAL-2] payments a node lost are sent again, lowest number first, some per turn, until all are there", async () => {
  const house = makeHouse();
  house.queue.push(...Array.from({ length: 59 }, (_, at) => makeWithdrawal(`more${at}`)));
  while (await house.payouts.turn(NETWORK, 9));
  const first = [...house.sent];
  expect(first).toHaveLength(60);
  house.sent.length = 0;
  house.at.nowMs += 5_000;
  for (let turn = 0; turn < 4; turn += 1) await house.payouts.turn(NETWORK, 9);
  expect(house.sent).toEqual(first);
});

test("[WAL-2] the receipt of a mined payment is requested once over any number of turns, and again when its block is replaced", async () => {
  const house = makeHouse();
  await house.payouts.turn(NETWORK, 9);
  const receipt = { blockNumber: 10, blockHash: "h", isDone: true, feeUnits: 3n, transfers: [] };
  house.mined.set("0x1", receipt);
  for (const head of [10, 10, 10, 11, 11, 11]) await house.payouts.turn(NETWORK, head);
  expect([house.withdrawal.row.state, house.settled.length]).toEqual(["DONE", 1]);
  const steps = house.steps.length;
  for (const head of [11, 12, 12]) await house.payouts.turn(NETWORK, head);
  expect(house.steps).toHaveLength(steps);
  // Below the required depth its block could be replaced: it waits again, and is confirmed again.
  const other = makeHouse();
  await other.payouts.turn(NETWORK, 9);
  other.mined.set("0x1", receipt);
  await other.payouts.turn(NETWORK, 10);
  expect(other.withdrawal.row).toMatchObject({ state: "CONFIRMING", block_number: 10 });
  other.mined.clear();
  await other.payouts.turn(NETWORK, 11);
  expect(other.withdrawal.row).toMatchObject({ state: "BROADCAST", block_number: null });
  other.mined.set("0x1", { ...receipt, blockNumber: 11 });
  for (const head of [11, 12]) await other.payouts.turn(NETWORK, head);
  expect(other.withdrawal.row).toMatchObject({ state: "DONE", block_number: 11 });
});

const HEADS = [10, 11, 12, 13, 14];

/** A mined and successful payment of a token, with the transfers the coin announced. */
async function payToken(announced: Receipt["transfers"]) {
  const house = makeHouse();
  house.queue[0] = makeWithdrawal("w1", { asset: "TOK" });
  await house.payouts.turn(NETWORK, 9);
  house.mined.set("0x1", { blockNumber: 10, blockHash: "h", isDone: true, feeUnits: 3n, transfers: announced });
  for (const head of HEADS) await house.payouts.turn(NETWORK, head);
  return house;
}
const answer = { contract: "0xTOK", from: "0xaa", to: "0xee", value: 29n };

test("[WAL-2] a token is paid when it announced the amount to the receiver, not because its transaction succeeded", async () => {
  const paid = await payToken([{ ...answer, contract: "0xother" }, answer]);
  expect([paid.withdrawal.row.state, paid.rows[0]?.is_success, paid.paused]).toEqual(["DONE", true, []]);
  // A silent refusal: fully refunded once that is final.
  const silent = await payToken([]);
  expect([silent.withdrawal.row.state, silent.rows[0]?.is_success, silent.paused]).toEqual(["FAILED", false, []]);
  expect(silent.settled).toMatchObject([{ state: "FAILED" }]);
});

test("[WAL-2] a token that moved another amount, or to another address, is neither paid nor refunded until operators review it", async () => {
  for (const wrong of [{ value: 28n }, { to: "0xdd" }]) {
    const house = await payToken([{ ...answer, ...wrong }]);
    expect(house.withdrawal.row.state).toBe("BROADCAST");
    expect(house.settled).toEqual([]);
    expect(house.paused).toEqual(["TOK moved something else than was signed in 0x1"]);
  }
});

test("[WAL-2] nothing is sent of a token without code at its address", async () => {
  const house = makeHouse();
  house.at.hasCode = false;
  house.queue[0] = makeWithdrawal("w1", { asset: "TOK" });
  await house.payouts.turn(NETWORK, 9);
  expect([house.signed, house.withdrawal.row.state]).toEqual([[], "QUEUED"]);
  expect(house.paused).toHaveLength(1);
});

test("[WAL-2] a number the chain has used is not used again, whatever older tables contain", async () => {
  const house = makeHouse();
  await house.payouts.turn(NETWORK, 9);
  house.at.count = 40;
  house.queue.push(makeWithdrawal("w2"), makeWithdrawal("w3"));
  await house.payouts.turn(NETWORK, 9);
  expect(house.signed.map(({ nonce }) => nonce)).toEqual([5, 40, 41]);
});

test("[WAL-2] a freed number below others is used next: nothing is mined above a missing one", async () => {
  const house = makeHouse();
  house.at.signer = "AWAY";
  house.queue.push(makeWithdrawal("w2"));
  await house.payouts.turn(NETWORK, 9);
  expect(house.rows.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["w1 5", "w2 6"]);
  // It comes back and refuses only the first of them.
  house.at.signer = "POLICY_DAY_MAX";
  await house.payouts.turn(NETWORK, 9);
  expect(house.queue.map(({ state }) => state)).toEqual(["REVIEW", "BROADCAST"]);
  house.queue.push(makeWithdrawal("w3"), makeWithdrawal("w4"));
  await house.payouts.turn(NETWORK, 9);
  expect(house.rows.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["w2 6", "w3 5", "w4 7"]);
});

test("[WAL-2] a refusal among many leaves no number missing: those after it wait again and take it", async () => {
  const house = makeHouse();
  house.at.signer = "POLICY_DAY_MAX";
  house.queue.unshift(makeWithdrawal("w0"));
  house.queue.push(makeWithdrawal("w2"), makeWithdrawal("w3"));
  await house.payouts.turn(NETWORK, 9);
  expect(house.queue.map(({ state }) => state)).toEqual(["BROADCAST", "REVIEW", "QUEUED", "QUEUED"]);
  expect(house.sent).toEqual(["raw1"]);
  await house.payouts.turn(NETWORK, 9);
  expect(house.rows.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["w0 5", "w2 6", "w3 7"]);
  expect(house.queue.map(({ tx_hash }) => tx_hash)).toEqual(["0x1", null, "0x2", "0x3"]);
});

test("[WAL-2] nothing starts to leave from a frozen account, queued or numbered; its neighbours' payments leave", async () => {
  const house = makeHouse();
  house.queue.push(makeWithdrawal("w2", { user_id: 8 }));
  house.held.add(7);
  await house.payouts.turn(NETWORK, 9);
  expect(house.queue.map(({ state }) => state)).toEqual(["REVIEW", "BROADCAST"]);
  expect(house.signed.map(({ nonce }) => nonce)).toEqual([5]);
  // It has its number, the signer is unavailable, and now its owner freezes the account.
  house.queue.push(makeWithdrawal("w3", { user_id: 9 }), makeWithdrawal("w4", { user_id: 8 }));
  house.at.signer = "AWAY";
  await house.payouts.turn(NETWORK, 9);
  expect(house.queue.map(({ state }) => state)).toEqual(["REVIEW", "BROADCAST", "BROADCAST", "BROADCAST"]);
  house.held.add(9);
  house.at.signer = "";
  for (let turn = 0; turn < 2; turn += 1) await house.payouts.turn(NETWORK, 9);
  expect(house.queue.map(({ state }) => state)).toEqual(["REVIEW", "BROADCAST", "REVIEW", "BROADCAST"]);
  expect(house.rows.map(({ key, nonce }) => `${key} ${nonce}`)).toEqual(["w2 5", "w4 7"]);
  // A signed payment can leave in any case, so it is completed.
  house.held.add(8);
  house.at.nowMs += 20_000;
  await house.payouts.turn(NETWORK, 9);
  expect(house.rows.map(({ hashes }) => hashes.split(" ").length)).toEqual([2, 2]);
});

test("[WAL-2] a coin the hot wallet lacks delays no other payment, however many wait for it", async () => {
  const house = makeHouse();
  house.queue.splice(0, 1, ...Array.from({ length: 250 }, (_, at) => makeWithdrawal(`dry${at}`, { asset: "DRY" })));
  house.queue.push(makeWithdrawal("w2"));
  await house.payouts.turn(NETWORK, 9);
  expect(house.queue.at(-1)?.state).toBe("BROADCAST");
  // Mined ones do not count towards the limit of unmined ones.
  house.queue.push(...Array.from({ length: 220 }, (_, at) => makeWithdrawal(`w2${at}`)));
  // A few in each turn, so that blocks are read in between, up to the limit of payments waiting for a block.
  expect(await house.payouts.turn(NETWORK, 9)).toBe(true);
  expect(house.signed).toHaveLength(26);
  while (await house.payouts.turn(NETWORK, 9));
  expect(house.signed).toHaveLength(95);
  // Payments cannot use the gas of sweeps: the last places are reserved for it.
  for (let user = 1; user <= 5; user += 1) {
    expect(await house.payouts.topUp(NETWORK, house.chain, user, `0xd${user}`, 9n)).toBe(true);
  }
  expect(await house.payouts.topUp(NETWORK, house.chain, 6, "0xd6", 9n)).toBe(false);
  const transfers: Receipt["transfers"] = [];
  for (let at = 1; at <= 100; at += 1) {
    house.mined.set(`0x${at}`, { blockNumber: 10, blockHash: "h", isDone: true, feeUnits: 3n, transfers });
  }
  await house.payouts.turn(NETWORK, 10);
  while (await house.payouts.turn(NETWORK, 10));
  expect(house.signed).toHaveLength(195);
});
