// The checks of a withdrawal before anything is frozen, over a store in memory.
import type { Network } from "@clockwork/kit/chains/network";
import { done, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import type { Locked } from "./contract.ts";
import { describeLocked, type HeldCoin, lockedWords, RISK_MAX, riskScore, subjectOf } from "./rules.ts";
import { WithdrawService } from "./service.ts";
import type { WithdrawalRow, WithdrawStore } from "./store.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: ["ODD", "TOK"].map((asset) => ({
    asset,
    contract: asset === "TOK" ? "0xc0de" : null,
    decimals: 8,
    depositMin: "1",
    withdrawMin: "1",
    withdrawFee: "0.1",
  })),
};
const SENT = { sentTo: "o***@x.yz", resendSeconds: 60 };
const CALLER = {
  userId: 7,
  isKey: false,
  readVersion: async () => 0,
  prove: async () => done(null),
  sendCode: async () => done(SENT),
};
const REQUEST = { asset: "ODD", network: "N", address: `0x${"ab".repeat(20)}`, amount: "5", clientId: "c" };

interface Facts {
  worth: bigint | undefined;
  reasons: string[] | undefined;
  hasCode: boolean | undefined;
  /** The owner of the deposit address everything goes to. */
  owner: number | undefined;
  isPaused: boolean;
  /** The balance is lower than the requested amount. */
  short: boolean;
  /** Users by name, the number of lookups, and what the address book permits. */
  users: Readonly<Record<string, number>>;
  lookups: number;
  tries: number;
  bound: "free" | "unsaved" | "resting";
  used: bigint;
  available: bigint;
  locked: Pick<Locked, "mayLeaveUsdt" | "withdrawable">;
}

function makeDesk() {
  const at: Facts = {
    worth: undefined,
    reasons: [],
    hasCode: true,
    owner: undefined,
    isPaused: false,
    short: false,
    users: { somebody: 8 },
    lookups: 0,
    tries: 0,
    bound: "free",
    used: 0n,
    available: 10n ** 12n,
    locked: { mayLeaveUsdt: null, withdrawable: [] },
  };
  const rows: WithdrawalRow[] = [];
  const held: string[] = [];
  const store = {
    findIntent: async (_: number, clientId: string) => rows.find(({ client_id }) => client_id === clientId),
    findBound: async () => at.bound,
    sumUsed: async () => at.used,
    isWhitelist: async () => at.bound !== "free",
    hasDone: async () => true,
    hasPaid: async (_: number, receiver: number) => rows.some((row) => row.receiver_id === receiver),
    add: async (_: unknown, row: WithdrawalRow) => {
      rows.push(row);
      return "added";
    },
    listState: async (state: string) => rows.filter((row) => row.state === state),
    listUnsettled: async () => [],
    settleWithdrawal: async () => undefined,
    find: async (id: string) => rows.find((row) => row.withdrawal_id === id),
    stepWithdrawal: async (id: string, from: string, values: Partial<WithdrawalRow>) => {
      const index = rows.findIndex((row) => row.withdrawal_id === id && row.state === from);
      if (index < 0) return false;
      rows[index] = { ...(rows[index] as WithdrawalRow), ...values };
      return true;
    },
  } as unknown as WithdrawStore;
  const service = new WithdrawService({
    store,
    needs: {
      chains: {
        networks: [NETWORK],
        chain: () => {
          throw new Error("nothing is sent here");
        },
        addressOf: () => undefined,
        checksumOf: (address) => address,
        house: () => undefined,
      },
      coins: { find: (symbol) => ({ asset: 1, symbol, scale: 8 }), worthUnits: () => at.worth },
      ledger: {
        submit: async ({ kind }) => {
          held.push(kind);
          return at.short ? { done: false, code: "INSUFFICIENT_BALANCE" } : { done: true };
        },
        openAccount: async (userId, book) => userId * 10 + (book === "funding" ? 1 : 0),
        availableUnits: async () => at.available,
      },
      now: () => 1_000,
      limitOf: async () => "1000",
      levelOf: async () => 2,
      locked: async () => at.locked,
      listLocks: async () => [],
      changeAt: async (_, __, write) => write(undefined as never),
      isHeld: async () => false,
      protection: async () => ({ hasTradePassword: true, hasPasskeys: false, codeBy: "email" }),
      addressProblem: () => undefined,
      ownerOf: async () => at.owner,
      findUser: async (name) => {
        at.lookups += 1;
        return at.users[name];
      },
      judge: async (_, isRight) => {
        if ((await isRight()) === false) at.tries += 1;
        return undefined;
      },
      hasCode: async () => at.hasCode,
      confirmationsOf: () => 0,
      reasonsOf: async () => {
        if (at.reasons === undefined) throw new Error("the list of addresses does not answer");
        return at.reasons;
      },
      isPaused: () => at.isPaused,
      randomId: () => `id${rows.length}`,
      wake: () => undefined,
      changed: () => undefined,
    },
  });
  return { at, rows, held, service };
}

test("[WAL-2] a coin without a price is refused in both ways, nothing is frozen, and the limit is not zero", async () => {
  const { at, rows, held, service } = makeDesk();
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: false, code: "NO_REFERENCE_PRICE" });
  const inside = { asset: "ODD", amount: "5", clientId: "t", to: "somebody" };
  expect(await service.transfer(CALLER, inside)).toMatchObject({ done: false, code: "NO_REFERENCE_PRICE" });
  expect([rows, held]).toEqual([[], []]);
  at.worth = 12_000_000n;
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true });
  expect(rows).toMatchObject([{ worth_units: 12_000_000n }]);
  // A charged amount is unaffected by the price.
  at.worth = undefined;
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true, value: { withdrawal_id: "id0" } });
});

test("[WAL-2] a coin whose contract is missing is refused and nothing is frozen; while no node answers it is not checked", async () => {
  const { at, rows, held, service } = makeDesk();
  at.worth = 1n;
  at.hasCode = false;
  const request = { ...REQUEST, asset: "TOK" };
  expect(await service.apply(CALLER, request)).toMatchObject({ done: false, code: "COIN_WITHOUT_CODE" });
  expect([rows, held]).toEqual([[], []]);
  // The chain's own coin has none.
  expect(await service.apply(CALLER, { ...REQUEST, clientId: "own" })).toMatchObject({ done: true });
  // It is checked again before anything is sent.
  at.hasCode = undefined;
  expect(await service.apply(CALLER, request)).toMatchObject({ done: true });
});

test("[WAL-2] whatever would be refused is refused before a proof is looked at or a code is sent, in both ways out", async () => {
  const { at, rows, held, service } = makeDesk();
  at.worth = 5_000_000n;
  let proofs = 0;
  const caller = {
    ...CALLER,
    prove: async () => {
      proofs += 1;
      return done(null);
    },
    sendCode: async () => {
      proofs += 1;
      return done(SENT);
    },
  };
  const { clientId: _, ...request } = REQUEST;
  const inside = { asset: "ODD", amount: "5", to: "somebody" };
  const cases: readonly [Partial<Facts>, string][] = [
    [{ used: 996_000_000n }, "LIMIT_REACHED"],
    [{ used: 0n, available: 499_999_999n }, "INSUFFICIENT_BALANCE"],
    [
      {
        available: 500_000_000n,
        locked: { mayLeaveUsdt: "4", withdrawable: [{ asset: "ODD", from: "1", amount: "4" }] },
      },
      "RESTRICTED",
    ],
  ];
  for (const [facts, code] of cases) {
    Object.assign(at, facts);
    expect(await service.apply(caller, REQUEST)).toMatchObject({ done: false, code });
    expect(await service.sendCode(caller, request)).toMatchObject({ done: false, code });
    expect(await service.transfer(caller, { ...inside, clientId: "t" })).toMatchObject({ done: false, code });
    expect(await service.sendCode(caller, inside)).toMatchObject({ done: false, code });
  }
  expect([proofs, rows, held]).toEqual([0, [], []]);
  at.locked = { mayLeaveUsdt: "9", withdrawable: [{ asset: "ODD", from: "1", amount: "5" }] };
  expect(await service.sendCode(caller, request)).toEqual(done(SENT));
  expect(await service.apply(caller, REQUEST)).toMatchObject({ done: true });
  expect(proofs).toBe(2);
});

test("[WAL-2] a code names its amount and receiver, and is bound to both however they were typed", () => {
  const what = { asset: "ODD", amountUnits: 500_000_000n, scale: 8, network: "N", to: "0xAB", shownTo: "0xaB" };
  const subject = subjectOf(what);
  expect(subject.title).toBe("Your code to withdraw 5 ODD");
  expect(subject.lines).toEqual(["It confirms this and nothing else:", "Amount: 5 ODD", "To: 0xaB", "Network: N"]);
  expect(subjectOf({ ...what, to: " 0xab " }).key).toBe(subject.key);
  const others = [{ to: "0xAC" }, { amountUnits: 500_000_001n }, { asset: "TOK" }, { network: "M" }];
  for (const other of others) expect(subjectOf({ ...what, ...other }).key).not.toBe(subject.key);
  expect(subjectOf({ ...what, network: "USER", to: "a@x.yz", shownTo: "a@x.yz" }).title).toBe(
    "Your code to send 5 ODD",
  );
});

test("[WAL-2] to one's own deposit address nothing leaves: free, at once, within every limit, from every book", async () => {
  const { at, rows, held, service } = makeDesk();
  at.owner = CALLER.userId;
  expect(await service.look(CALLER.userId, REQUEST)).toEqual({
    done: true,
    value: { way: "self", fee: "0", address: REQUEST.address },
  });
  // No price, no contract, no open network: none is needed, as nothing leaves.
  Object.assign(at, { hasCode: false, isPaused: true });
  const own = { state: "DONE", network: "", fee_units: 0n, worth_units: 0n, receiver_id: 7, is_settled: true };
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true, value: own });
  // In the book deposits arrive in it is only checked, from another it is moved there.
  expect(held).toEqual(["hold", "release"]);
  expect(await service.apply(CALLER, { ...REQUEST, from: "2", clientId: "f" })).toMatchObject({
    done: true,
    value: own,
  });
  expect(held).toEqual(["hold", "release", "transfer"]);
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true, value: { withdrawal_id: "id0" } });
  expect(held).toHaveLength(3);
  at.short = true;
  const more = { ...REQUEST, clientId: "more" };
  expect(await service.apply(CALLER, more)).toMatchObject({ done: false, code: "INSUFFICIENT_BALANCE" });
  expect(rows.map(({ state }) => state)).toEqual(["DONE", "DONE", "REFUSED"]);
});

test("[WAL-2] to another user's deposit address it remains within the exchange, and the kind of an address can be requested first", async () => {
  const { at, held, service } = makeDesk();
  at.worth = 1n;
  expect(await service.look(CALLER.userId, REQUEST)).toEqual({
    done: true,
    value: { way: "network", fee: "0.1", address: REQUEST.address },
  });
  const other = { ...REQUEST, asset: "NONE", network: "X" };
  expect(await service.look(CALLER.userId, other)).toMatchObject({ done: false, code: "UNKNOWN_NETWORK" });
  at.owner = 9;
  expect(await service.look(CALLER.userId, REQUEST)).toEqual({
    done: true,
    value: { way: "inside", fee: "0", address: REQUEST.address },
  });
  const moved = {
    state: "DONE",
    network: "",
    fee_units: 0n,
    worth_units: 1n,
    receiver_id: 9,
    address: REQUEST.address,
  };
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true, value: moved });
  expect(held).toEqual(["transfer"]);
});

test("[WAL-2] no user is looked up before the caller has proved themselves, and each name new to the caller counts", async () => {
  const { at, rows, service } = makeDesk();
  at.worth = 1n;
  const request = { asset: "ODD", amount: "5", clientId: "t" };
  const unproved = { ...CALLER, prove: async () => refused("PROOF_REQUIRED" as const) };
  for (const to of ["somebody", "nobody"])
    expect(await service.transfer(unproved, { ...request, to })).toMatchObject({ done: false, code: "PROOF_REQUIRED" });
  expect([at.lookups, at.tries]).toEqual([0, 0]);
  expect(await service.transfer(CALLER, { ...request, to: "nobody" })).toMatchObject({ code: "RECEIVER_UNKNOWN" });
  expect(at.tries).toBe(1);
  expect(await service.transfer(CALLER, { ...request, to: "somebody" })).toMatchObject({ done: true });
  expect(at.tries).toBe(2);
  // Paid before, and the same intent again: nothing new is revealed. Another name under its clientId may be a guess.
  for (const clientId of ["t", "u"])
    expect(await service.transfer(CALLER, { ...request, clientId, to: "somebody" })).toMatchObject({ done: true });
  expect(at.tries).toBe(2);
  expect(await service.transfer(unproved, { ...request, to: "nobody" })).toMatchObject({ code: "CLIENT_ID_REUSED" });
  expect(at.tries).toBe(3);
  expect(rows).toHaveLength(2);
});

test("[WAL-2] a caller bound to the address book pays only saved receivers, and learns of no others", async () => {
  const { at, rows, service } = makeDesk();
  at.worth = 1n;
  const request = { asset: "ODD", amount: "5", clientId: "t" };
  const key = { ...CALLER, isKey: true };
  for (const caller of [CALLER, key]) {
    at.bound = "unsaved";
    for (const to of ["somebody", "nobody"])
      expect(await service.transfer(caller, { ...request, to })).toMatchObject({ code: "RECEIVER_NOT_SAVED" });
    at.bound = "resting";
    expect(await service.transfer(caller, { ...request, to: "somebody" })).toMatchObject({ code: "RECEIVER_RESTS" });
  }
  expect([rows.length, at.tries]).toEqual([0, 0]);
  at.bound = "free";
  expect(await service.transfer(key, { ...request, to: "somebody" })).toMatchObject({ done: true });
});

test("[WAL-2] frozen funds are verified before they are queued, and wait frozen while that is not possible", async () => {
  const { at, rows, held, service } = makeDesk();
  at.worth = 1n;
  at.reasons = undefined;
  expect(await service.apply(CALLER, REQUEST)).toMatchObject({ done: true, value: { state: "VERIFY" } });
  expect(held).toEqual(["hold"]);
  expect(service.describe(rows[0] as WithdrawalRow)).toMatchObject({ state: "VERIFY", mayCancel: true });
  await service.resume();
  expect(rows[0]?.state).toBe("VERIFY");
  at.reasons = ["risk"];
  await service.resume();
  expect(rows[0]).toMatchObject({ state: "REVIEW", review: "risk" });
  at.reasons = [];
  expect(await service.apply(CALLER, { ...REQUEST, clientId: "d" })).toMatchObject({
    value: { state: "QUEUED", review: "" },
  });
  expect(held).toEqual(["hold", "hold"]);
});

test("[WAL-2] emptying a young account, or paying many addresses in a short time, requires a review", () => {
  const calm = { ageMs: 30 * DAY_MS, lastHour: 1, addresses: 1, takesAll: false };
  expect(riskScore(calm)).toBe(0);
  expect(riskScore({ ...calm, takesAll: true })).toBeLessThanOrEqual(RISK_MAX);
  expect(riskScore({ ...calm, ageMs: 0 })).toBeLessThanOrEqual(RISK_MAX);
  expect(riskScore({ ...calm, ageMs: 0, takesAll: true })).toBeGreaterThan(RISK_MAX);
  expect(riskScore({ ...calm, lastHour: 5, addresses: 4 })).toBeGreaterThan(RISK_MAX);
  expect(riskScore({ ageMs: 0, lastHour: 9, addresses: 9, takesAll: true })).toBe(100);
});

test("[WAL-1] OTC purchases are distinguished from deposits, and the withdrawable amount of a coin is the worth of the rest", () => {
  const usdt = (value: number): bigint => BigInt(Math.round(value * 1e6));
  // A coin with eight decimals at 50 000, and one without a price.
  const held: HeldCoin[] = [
    { asset: "USDT", from: "1", scale: 6, availableUnits: usdt(500), worthUnits: (amount) => amount },
    { asset: "BTC", from: "2", scale: 8, availableUnits: 10_000_000n, worthUnits: (amount) => amount * 500n },
    { asset: "NEW", from: "1", scale: 8, availableUnits: 5n, worthUnits: () => undefined },
  ];
  const facts = { worthUnits: usdt(5_500), held };
  expect(describeLocked({ ...facts, restrictedUnits: 0n, bought: [] })).toEqual({
    stays: [],
    mayLeaveUsdt: null,
    withdrawable: [
      { asset: "USDT", from: "1", amount: "500" },
      { asset: "BTC", from: "2", amount: "0.1" },
      { asset: "NEW", from: "1", amount: "0.00000005" },
    ],
  });
  const bought = [
    { worthUnits: usdt(40), untilMs: 9_000 },
    { worthUnits: usdt(100), untilMs: 8_000 },
  ];
  const kept = describeLocked({ ...facts, restrictedUnits: usdt(5_150), bought });
  expect(kept.stays).toEqual([
    { cause: "otc", usdt: "100", untilMs: 8_000 },
    { cause: "otc", usdt: "40", untilMs: 9_000 },
    { cause: "deposit", usdt: "5010", untilMs: null },
  ]);
  expect(kept.mayLeaveUsdt).toBe("350");
  const [dollars, coins, unknown] = kept.withdrawable;
  expect([dollars?.amount, unknown?.amount]).toEqual(["350", "0"]);
  // A price that is no whole number is rounded against the user.
  expect(coins?.amount).toBe("0.00699999");
  expect(lockedWords(kept)).toContain("100 USDT bought from others can leave from 1970-01-01T00:00:08.000Z");
  // Never more than the ledger restricts, and nothing below zero.
  const less = describeLocked({ held, worthUnits: usdt(20), restrictedUnits: usdt(60), bought });
  expect(less.stays).toEqual([{ cause: "otc", usdt: "60", untilMs: 8_000 }]);
  expect([less.mayLeaveUsdt, less.withdrawable[0]?.amount]).toEqual(["0", "0"]);
});
