// Chains of positions beside plain lists: which are open, which are split off a symbol margin, and that a record used
// before keeps nothing of what it was.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { A_PERP } from "../../ledger/ledger.ts";
import { coreOf } from "../../machine/machine.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import * as records from "./records.ts";
import { addSplit, delistPosition, dropSplit, listPosition, openSymbolMargin } from "./symbol-margins.ts";

function setUp() {
  const stage = createPerpStage();
  const alice = stage.trader(1_000);
  for (const market of [stage.linear, stage.inverse])
    stage.sure({ kind: "setLeverage", account: alice, market, long: 20 });
  const { perps } = coreOf(stage.machine);
  return { perps, marginAccount: perps.symbolMargin(1, records.SM_MARGIN_ACCOUNT) };
}

type Perps = ReturnType<typeof setUp>["perps"];

/** A chain as it is walked forward and, where it has a way back, backward. */
function walk(perps: Perps, head: number, next: number, prev?: number): number[] {
  const found: number[] = [];
  for (let at = head; at !== 0; at = perps.position(at, next)) {
    if (prev !== undefined && perps.position(at, prev) !== (found.at(-1) ?? 0)) found.push(-at);
    found.push(at);
  }
  return found;
}

const { PO_FLAGS, PO_GENERATION, PO_LEVERAGE, PO_NEXT, PO_PREV, PO_SIBLING, PO_SYMBOL_MARGIN } = records;
const { POSITION_LISTED, POSITION_SPLIT } = records;
const CLEAN = [records.PO_PLACE, records.PO_KEY, PO_NEXT, PO_PREV, records.PO_WARN_PLACE, records.PO_WARN_KEY];
const { POF_COST, POF_LOTS, POF_MARGIN, POF_OPENED, POF_REALIZED } = records;

/** Both sides of both symbol margins. */
const SIDES = [1, 2, 3, 4];
const DOUBLES = [POF_LOTS, POF_COST, POF_MARGIN, POF_OPENED, POF_REALIZED];

/** The same positions in plain lists, the newest first. */
class Lists {
  readonly splits: [number[], number[]] = [[], []];
  readonly generations = new Map<number, number>();
  open: number[] = [];
  /** Records given back: the last one is taken first. */
  free: number[] = [];

  of(symbolMargin: number): number[] {
    return this.splits[symbolMargin - 1] as number[];
  }
}

/** A new position in a record of nobody: the expected one, and as clean as if nobody had had it. */
function begin(perps: Perps, lists: Lists, symbolMargin: number, leverage: number): string[] {
  const position = addSplit(perps, symbolMargin, leverage);
  const expected = lists.free.pop() ?? position;
  const words = [PO_SYMBOL_MARGIN, PO_FLAGS, PO_LEVERAGE, PO_GENERATION, ...CLEAN];
  const found = [position, ...words.map((word) => perps.position(position, word))];
  found.push(...DOUBLES.map((double) => perps.positionDouble(position, double)));
  const generation = lists.generations.get(position) ?? 0;
  const wanted = [expected, symbolMargin, POSITION_SPLIT, leverage, generation];
  wanted.push(...[...CLEAN, ...DOUBLES].map(() => 0));
  lists.of(symbolMargin).unshift(position);
  return found.join() === wanted.join() ? [] : [`${found} begins, not ${wanted}`];
}

/** Leaves marks all over a record and gives it back: it is of nobody then. */
function end(perps: Perps, lists: Lists, symbolMargin: number, position: number): string[] {
  const generation = (lists.generations.get(position) ?? 0) + 1;
  lists.generations.set(position, generation);
  perps.setPosition(position, PO_GENERATION, generation);
  for (const word of CLEAN) perps.setPosition(position, word, 77);
  for (const double of DOUBLES) perps.setPositionDouble(position, double, 0.5);
  dropSplit(perps, symbolMargin, position);
  const own = lists.of(symbolMargin);
  own.splice(own.indexOf(position), 1);
  lists.free.push(position);
  return perps.position(position, PO_SYMBOL_MARGIN) === 0 ? [] : [`${position} is still somebody's`];
}

/** Where chains and lists differ; nothing when they agree. */
function differences(perps: Perps, marginAccount: number, lists: Lists): string[] {
  const { open, splits } = lists;
  const found = [1, 2].map((one) => walk(perps, perps.symbolMargin(one, records.SM_SPLITS), PO_SIBLING));
  found.push(walk(perps, perps.marginAccount(marginAccount, records.MA_POSITIONS), PO_NEXT, PO_PREV));
  found.push([perps.marginAccount(marginAccount, records.MA_OPEN)]);
  found.push(splits.flat().map((position) => perps.position(position, PO_FLAGS)));
  const flags = splits.flat().map((one) => (open.includes(one) ? POSITION_SPLIT + POSITION_LISTED : POSITION_SPLIT));
  const wanted = [...splits, open, [open.length], flags];
  return wanted.flatMap((list, i) => (String(list) === String(found[i]) ? [] : [`${i}: ${found[i]}, not ${list}`]));
}

test.each([1, 2])("[FUT-2] seed %i: open and split positions stand in their chains as in plain lists", (seed) => {
  const { perps, marginAccount } = setUp();
  const random = createRandom(seed);
  const lists = new Lists();
  for (let step = 0; step < 400; step++) {
    const symbolMargin = random.pick([1, 2]);
    const dice = random.below(8);
    const isClosed = (position: number): boolean => !lists.open.includes(position);
    const closed = lists.of(symbolMargin).filter(isClosed);
    const all = [...lists.of(symbolMargin), ...SIDES].filter(isClosed);
    const wrong: string[] = [];
    if (dice < 3) wrong.push(...begin(perps, lists, symbolMargin, random.between(1, 125)));
    else if (dice < 5 && all.length > 0) {
      const position = random.pick(all);
      listPosition(perps, marginAccount, position);
      lists.open.unshift(position);
    } else if (dice < 7 && lists.open.length > 0) {
      const position = random.pick(lists.open);
      delistPosition(perps, marginAccount, position);
      lists.open = lists.open.filter((one) => one !== position);
    } else if (closed.length > 0) wrong.push(...end(perps, lists, symbolMargin, random.pick(closed)));
    wrong.push(...differences(perps, marginAccount, lists));
    if (wrong.length > 0) expect.unreachable(`step ${step}: ${wrong.join("; ")}`);
  }
  expect(lists.generations.size).toBeGreaterThan(10);
});

test("[FUT-2] a place in a market begins with its account's modes, isolated in split layout, and knows house and demo", () => {
  const stage = createPerpStage();
  const { linear, inverse: demo, usdt } = stage;
  const { ledger, perps } = coreOf(stage.machine);
  perps.setContract(demo, records.CT_MIRROR, linear);
  const alice = stage.trader(0);
  const { MODE_AUTO_APPEND, MODE_DEMO, MODE_HEDGE, MODE_HOUSE, MODE_ISOLATED, MODE_SPLIT, MODE_WATCHED } = records;
  const begins = (account: number, market: number, modes: number): number[] => {
    ledger.setAccountWord(account, A_PERP, modes);
    const made = openSymbolMargin(perps, ledger, account, market, usdt, 99);
    const words = [records.SM_ACCOUNT, records.SM_MARKET, records.SM_ACCOUNT_MARKET, records.SM_FLAGS];
    const sides = [records.SM_LEVERAGE_LONG, records.SM_LEVERAGE_SHORT];
    expect(sides.map((side) => perps.symbolMargin(made, side))).toEqual([20, 20]);
    return words.map((word) => perps.symbolMargin(made, word));
  };
  for (const [market, more] of [
    [linear, 0],
    [demo, MODE_DEMO],
  ] as const) {
    const row = (modes: number): number[] => [alice, market, 99, modes | more];
    expect(begins(alice, market, 0)).toEqual(row(0));
    expect(begins(alice, market, MODE_HEDGE | MODE_AUTO_APPEND)).toEqual(row(MODE_HEDGE));
    const split = MODE_HEDGE | MODE_SPLIT;
    expect(begins(alice, market, split | MODE_WATCHED)).toEqual(row(split | MODE_WATCHED | MODE_ISOLATED));
    expect(begins(2, market, 0)).toEqual([2, market, 99, MODE_HOUSE | more]);
  }
});
