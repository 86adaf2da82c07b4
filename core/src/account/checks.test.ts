// What every money command asks before it moves anything, command by command, and the fees that are reckoned by halves.
import { createRandom } from "@clockwork/kit/random";
import { beforeEach, describe, expect, it, test } from "vitest";
import { checkInvariants } from "../inspect/invariants.ts";
import { A_RATES, ACCOUNT_WORDS } from "../ledger/ledger.ts";
import { coreOf } from "../machine/machine.ts";
import { decodeEvents, encodeCommand, stampCommand } from "../protocol/codec.ts";
import { COMMAND_LENGTH_MAX, type Command } from "../protocol/command.ts";
import { BUSINESSES, HOUSE_PURPOSES } from "../protocol/names.ts";
import { feeCeil, feeFloor } from "../spot/settle.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage, type Stage } from "../testing/stage.ts";

let stage: Stage;
let alice = 0;
let bob = 0;
let bonus = 0;
let number = 0;
beforeEach(() => {
  stage = createStage();
  alice = stage.trader(0, 1_000);
  bob = stage.trader();
  const made = stage.send({ kind: "createAccount", user: 77, book: "bonus" });
  bonus = eventsOf(made, "accountCreated")[0]?.account ?? 0;
});

const refusal = (command: Command): string | undefined => {
  const before = coreOf(stage.machine).ledger.cells.f64.slice();
  const code = eventsOf(stage.send(command), "rejected")[0]?.code;
  expect(checkInvariants(stage.machine)).toEqual([]);
  if (code !== undefined) expect(coreOf(stage.machine).ledger.cells.f64).toEqual(before);
  return code;
};

interface Requested {
  readonly account?: number;
  readonly asset?: number;
  readonly units?: number;
}

const COMMANDS: Readonly<Record<string, (requested: Requested) => Command>> = {
  hold: ({ account = alice, asset = stage.quote, units = 10 }) => ({
    kind: "hold",
    account,
    asset,
    units,
    business: "otcEscrow",
    reference: `r${++number}`,
  }),
  burn: ({ account = alice, asset = stage.quote, units = 10 }) => ({
    kind: "burn",
    account,
    asset,
    units,
    business: "withdrawal",
    reference: `r${++number}`,
  }),
  transfer: ({ account = alice, asset = stage.quote, units = 10 }) => ({
    kind: "transfer",
    account,
    to: bob,
    asset,
    units,
    business: "transfer",
    reference: `r${++number}`,
  }),
  settle: ({ account = alice, asset = stage.quote, units = 10 }) => ({
    kind: "settle",
    reference: `r${++number}`,
    legs: [{ from: account, to: bob, asset, units, business: "transfer" }],
  }),
};

describe.each(Object.keys(COMMANDS))("[LEDGER-9] a %s", (kind) => {
  const command = (requested: Requested): Command => COMMANDS[kind]?.(requested) as Command;

  it("asks for an asset there is, for whole units and for a balance", () => {
    expect([0, -1, 3, 99].map((asset) => refusal(command({ asset })))).toEqual(Array(4).fill("UNKNOWN_ASSET"));
    expect([0, -1].map((units) => refusal(command({ units })))).toEqual(Array(2).fill("INVALID_AMOUNT"));
    expect([1_001, 1_000].map((units) => refusal(command({ units })))).toEqual(["INSUFFICIENT_BALANCE", undefined]);
  });

  it("asks who may send: no bonus, nobody who is blocked", () => {
    expect(refusal(command({ account: bonus }))).toBe("NOT_TRANSFERABLE");
    stage.send({ kind: "setAccountFlags", account: alice, blockOutgoing: true });
    expect(refusal(command({}))).toBe("ACCOUNT_BLOCKED");
    stage.send({ kind: "setAccountFlags", account: alice, blockOutgoing: false });
    expect(refusal(command({}))).toBeUndefined();
  });
});

test("[LEDGER-9] a mint asks for an asset there is, for whole units, and gives no bonus", () => {
  const mint = { kind: "mint", business: "deposit", account: alice, asset: stage.quote, units: 1 } as const;
  const requested = [{ asset: 0 }, { asset: 3 }, { units: 0 }, { units: -1 }, { account: bonus }, {}];
  const codes = requested.map((one) => refusal({ ...mint, ...one, reference: `r${++number}` }));
  expect(codes).toEqual([
    ...["UNKNOWN_ASSET", "UNKNOWN_ASSET", "INVALID_AMOUNT", "INVALID_AMOUNT", "NOT_TRANSFERABLE", undefined],
  ]);
});

test("[LEDGER-9] a captured hold is posted without a trade or a market", () => {
  stage.send({ kind: "hold", account: alice, asset: stage.quote, units: 10, business: "otcEscrow", reference: "h" });
  const capture = { kind: "capture", account: alice, to: bob, units: 4, business: "otcRelease" } as const;
  const events = stage.send({ ...capture, hold: "h", reference: "c" });
  expect(eventsOf(events, "posting")).toMatchObject([
    { account: alice, deltaUnits: -4, reference: 0, market: 0 },
    { account: bob, deltaUnits: 4, reference: 0, market: 0 },
  ]);
});

test("[LEDGER-9] references whose time is over are forgotten, two with every command", () => {
  const core = coreOf(stage.machine);
  const live = (): number => core.references.entries.i32[3] as number;
  const burn = (reference: string): number => {
    stage.send({ kind: "burn", account: alice, asset: stage.quote, units: 1, business: "withdrawal", reference });
    return live();
  };
  const known = live();
  for (let i = 0; i < 9; i++) burn(`old${i}`);
  stage.time += core.rules.referenceRetentionMs - 1;
  expect(burn("a")).toBe(known + 10);
  stage.time += 1;
  expect([burn("b"), burn("c"), burn("d")]).toEqual([known + 9, known + 8, known + 7]);
});

test("[LEDGER-16] a hold with units left keeps nobody from being forgotten, though it is the oldest", () => {
  const core = coreOf(stage.machine);
  const live = (): number => core.references.entries.i32[3] as number;
  const hold = { account: alice, asset: stage.quote, units: 1, business: "otcEscrow" } as const;
  stage.time += core.rules.referenceRetentionMs;
  const burn = (): number => {
    stage.send({ kind: "burn", ...hold, business: "withdrawal", reference: `r${++number}` });
    return live();
  };
  for (let i = 0; i < 3; i++) burn();
  const before = live();
  // Two entries: of the command, and of the hold itself.
  stage.send({ kind: "hold", ...hold, reference: "h" });
  expect(live()).toBe(before + 2);
  for (let i = 0; i < 6; i++) burn();
  stage.time += core.rules.referenceRetentionMs;
  // Two with every command, but where the hold is looked at and stays.
  const left = [burn(), burn(), burn(), burn(), burn(), burn()];
  expect(left.map((count) => count - before)).toEqual([7, 7, 6, 5, 4, 4]);
  expect(refusal({ kind: "release", account: alice, hold: "h", reference: `r${++number}` })).toBeUndefined();
});

test("[LEDGER-9] what no writer of commands writes is refused: a business, a purpose, a leg or a name there is none of", () => {
  const bytes = new Uint8Array(COMMAND_LENGTH_MAX);
  const view = new DataView(bytes.buffer);
  const refusalOf = (command: Command, at: number, value: number): string | undefined => {
    bytes.fill(0);
    encodeCommand(command, bytes);
    bytes[at] = value;
    const { machine } = stage;
    stampCommand(view, 0, machine.sequence + 1, stage.time);
    machine.events.clear();
    machine.apply(bytes, 0);
    const events = decodeEvents(machine.events.bytes, 0, machine.events.length, stage.time);
    return eventsOf(events, "rejected")[0]?.code;
  };
  const most = BUSINESSES.length - 1;
  const transfer = (): Command => COMMANDS.transfer?.({}) as Command;
  expect([most, most + 1, 255].map((business) => refusalOf(transfer(), 28, business))).toEqual([
    ...[undefined, "MALFORMED_COMMAND", "MALFORMED_COMMAND"],
  ]);
  const settle = (more: object = {}, count = 1): Command => {
    const leg = { from: alice, to: bob, asset: stage.quote, units: 1, ...more };
    return { kind: "settle", reference: `r${++number}`, legs: Array.from({ length: count }, () => leg) };
  };
  // The business of the first leg.
  expect([most, most + 1, 255].map((business) => refusalOf(settle(), 100, business))).toEqual([
    ...[undefined, "MALFORMED_COMMAND", "MALFORMED_COMMAND"],
  ]);
  expect([8, 9].map((count) => refusalOf(settle({}, 8), 80, count))).toEqual([undefined, "MALFORMED_COMMAND"]);
  // A length of one without a character, as the hold's name of the first leg.
  expect(refusalOf(settle({ hold: "x" }), 113, 0)).toBe("UNKNOWN_HOLD");
  const house = { kind: "openHouseAccount", purpose: "sale", sub: 1 } as const;
  const last = HOUSE_PURPOSES.length - 1;
  expect([last, last + 1].map((purpose) => refusalOf(house, 24, purpose))).toEqual([undefined, "MALFORMED_COMMAND"]);
});

test("[FEE-2] a fee is exact on both sides of where one product is", () => {
  const random = createRandom(5);
  const rates = [1, 3, 20_000, 60_000, 99_999, 10_000_000];
  const edges = rates.flatMap((rate) => {
    const edge = Math.floor(Number.MAX_SAFE_INTEGER / rate);
    return [-2, -1, 0, 1, 2].map((more) => ({ rate, units: Math.min(Number.MAX_SAFE_INTEGER, edge + more) }));
  });
  const some = Array.from({ length: 300 }, () => ({
    rate: random.pick(rates),
    units: random.between(1, 2 ** 31) * random.between(1, 2 ** 21) + random.below(1_000),
  }));
  // One hundred-millionth below and above a whole unit, where one product would be rounded to the unit itself.
  const near = [1_000_000_059_999, 1_000_099_940_001].map((units) => ({ rate: 60_001, units }));
  for (const { rate, units } of [...near, ...edges, ...some]) {
    const product = BigInt(units) * BigInt(rate);
    expect([units, rate, BigInt(feeFloor(units, rate))]).toEqual([units, rate, product / 100_000_000n]);
    expect([units, rate, BigInt(feeCeil(units, rate))]).toEqual([units, rate, (product + 99_999_999n) / 100_000_000n]);
  }
});

test("[FEE-2] a trade whose fee is beyond what one product tells pays the last unit up", () => {
  stage = createStage({ feeGroup: 1 });
  const rate = 60_001;
  stage.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: rate, takerRate: rate });
  // So many units that the exact fee is a whole number of units and a hundred-millionth.
  const lots = 1_000_099_940_001;
  expect((BigInt(lots) * BigInt(rate)) % 100_000_000n).toBe(1n);
  const [seller, buyer] = [stage.trader(lots * 1_000, 0), stage.trader(0, lots)];
  const order = { kind: "placeOrder", market: stage.market, quantity: lots, price: 1 } as const;
  stage.send({ ...order, account: seller, side: "sell" });
  const events = stage.send({ ...order, account: buyer, side: "buy" });
  const paid = eventsOf(events, "posting").filter(({ business, account }) => business === "fee" && account === seller);
  const floor = (BigInt(lots) * BigInt(rate)) / 100_000_000n;
  expect(paid.map(({ deltaUnits }) => BigInt(deltaUnits))).toEqual([0n - floor - 1n]);
  expect(checkInvariants(stage.machine)).toEqual([]);
});

test("[FEE-2] own rates of the last fee group stand in the account's own record", () => {
  const { ledger } = coreOf(stage.machine);
  const carol = stage.trader();
  stage.trader();
  const words = ledger.accounts.i32.slice((carol + 1) * ACCOUNT_WORDS);
  stage.send({ kind: "setAccountFees", account: carol, feeGroup: 15, makerRate: 11, takerRate: 22 });
  expect(ledger.accounts.i32.slice((carol + 1) * ACCOUNT_WORDS)).toEqual(words);
  expect([30, 31].map((at) => ledger.accountWord(carol, A_RATES + at))).toEqual([12, 23]);
});
