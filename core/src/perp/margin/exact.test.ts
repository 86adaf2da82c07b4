// Whole lives of positions beside rational numbers: what a position costs, what each closing realises and what each fill
// pays in fees is the exact result of all that came before, rounded once where it is posted.
import { assert } from "@clockwork/kit/assert";
import { divideCeil, divideFloor, type Fraction } from "@clockwork/kit/fraction";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { EventOf, MachineEvent } from "../../protocol/event.ts";
import { excessOf } from "../../protocol/event-perp.ts";
import { INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { CT_CLEARING_CELL, CTF_REMAINDER, CTF_ROUNDED } from "../state/records.ts";

const [MAKER, TAKER, ONE] = [20_000n, 60_000n, 100_000_000n];
const PARTS = 2n ** 48n;
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

function reduced(over: bigint, under: bigint): Fraction {
  let [a, b] = [abs(over), under];
  while (b !== 0n) [a, b] = [b, a % b];
  return { over: over / a, under: under / a };
}

const add = (a: Fraction, b: Fraction, sign = 1n): Fraction =>
  reduced(a.over * b.under + sign * b.over * a.under, a.under * b.under);

/** What is known of lots that change hands: a price, or what all of them are worth. */
type Terms = { readonly price: bigint } | { readonly lots: bigint; readonly value: bigint };

class ReferenceModel {
  readonly #factor: bigint;
  readonly #isInverse: boolean;
  readonly #market: number;
  readonly #held = new Map<number, { lots: bigint; cost: Fraction }>();
  #terms: Terms | undefined;
  #rates = new Map<number, bigint>();
  #rest = { lots: 0n, value: 0n };
  #isForced = false;
  #fees = new Map<number, bigint>();
  readonly seen = { fills: 0, parts: 0, flips: 0, forced: 0, deleveraged: 0, taken: 0, harvested: 0, fees: 0 };
  realized = 0n;

  constructor(market: number, factor: bigint, isInverse: boolean) {
    this.#market = market;
    this.#factor = factor;
    this.#isInverse = isInverse;
  }

  read(events: readonly MachineEvent[]): void {
    for (const event of events) this.#apply(event);
  }

  #apply(event: MachineEvent): void {
    if (event.kind === "trade") {
      this.#terms = { price: BigInt(event.price) };
      this.#rates = new Map([
        [event.makerAccount, MAKER],
        [event.account, TAKER],
      ]);
    } else if (event.kind === "liquidationStarted") this.#isForced = true;
    else if (event.kind === "liquidationEnded") this.#isForced = false;
    else if (event.kind === "liquidationStep" && (event.step === "takenOver" || event.step === "deleveraged")) {
      this.#rest = { lots: BigInt(event.lots), value: BigInt(event.valueUnits) };
      this.#terms = { ...this.#rest };
    } else if (event.kind === "deleveraged") {
      this.#terms = { lots: BigInt(event.lots), value: BigInt(event.valueUnits) };
      this.#rest = { lots: this.#rest.lots - BigInt(event.lots), value: this.#rest.value - BigInt(event.valueUnits) };
      this.seen.deleveraged += 1;
    } else if (event.kind === "posting" && (event.business === "openFee" || event.business === "closeFee")) {
      if (event.deltaUnits < 0)
        this.#fees.set(event.account, (this.#fees.get(event.account) ?? 0n) - BigInt(event.deltaUnits));
    } else if (event.kind === "positionChanged" && event.market === this.#market) this.#change(event);
  }

  #change(event: EventOf<"positionChanged">): void {
    const known = this.#held.get(event.position) ?? { lots: 0n, cost: { over: 0n, under: 1n } };
    const lots = BigInt(event.lots);
    const [before, now] = [abs(known.lots), abs(lots)];
    const isLong = (known.lots === 0n ? lots : known.lots) > 0n;
    const sign = isLong !== this.#isInverse ? 1n : -1n;
    let realized = 0n;
    if (event.account === INSURANCE_ACCOUNT && this.#rest.lots !== 0n) {
      // It takes what is left over, or has given to winners what it held.
      const [all, value] = [abs(this.#rest.lots), abs(this.#rest.value)];
      this.#terms = { lots: all, value };
      this.#rest = all === abs(now - before) ? { lots: 0n, value: 0n } : this.#rest;
      this.seen.taken += 1;
    }
    if (now === before) {
      // Profit of a position that pays for another's loss leaves with its cost.
      realized = BigInt(event.realizedUnits);
      known.cost = add(known.cost, { over: realized, under: 1n }, sign);
      if (realized !== 0n) this.seen.harvested += 1;
    } else {
      const moved = abs(now - before);
      const value = this.#valueOf(moved);
      if (now > before) known.cost = add(known.cost, value);
      else {
        const leaving = reduced(known.cost.over * moved, known.cost.under * before);
        const profit = add(value, leaving, -1n);
        realized = divideFloor(sign * profit.over, profit.under);
        known.cost = add(known.cost, leaving, -1n);
        if (now > 0n) this.seen.parts += 1;
      }
      this.seen.fills += 1;
      if (this.#isForced) this.seen.forced += 1;
      this.#checkFee(event.account, value, before > 0n && now === 0n);
    }
    known.lots = lots;
    this.realized += realized;
    if (lots === 0n) this.#held.delete(event.position);
    else this.#held.set(event.position, known);
    const kept = BigInt(event.costUnits) * PARTS - BigInt(excessOf(event));
    const off = abs(kept - divideFloor(known.cost.over * PARTS, known.cost.under));
    expect([BigInt(event.realizedUnits), BigInt(event.costUnits), off < 4_096n]).toEqual([
      realized,
      divideCeil(known.cost.over, known.cost.under),
      true,
    ]);
  }

  #valueOf(lots: bigint): Fraction {
    const terms = this.#terms;
    assert(terms !== undefined, "TEST", "a position changes for no reason");
    if ("price" in terms)
      return this.#isInverse
        ? reduced(lots * this.#factor, terms.price)
        : { over: lots * this.#factor * terms.price, under: 1n };
    // Of an arranged value lots that are not all take their share in whole units.
    const share = lots === terms.lots ? terms.value : (terms.value * lots) / terms.lots;
    this.#terms = { lots: terms.lots - lots, value: terms.value - share };
    if (this.#rest.lots > lots) this.#rest = this.#terms;
    return { over: share, under: 1n };
  }

  #checkFee(account: number, value: Fraction, turns: boolean): void {
    const rate = this.#rates.get(account);
    const paid = this.#fees.get(account);
    this.#fees.delete(account);
    if (rate === undefined || paid === undefined || this.#isForced) return;
    expect(paid).toBe(divideCeil(value.over * rate, value.under * ONE));
    this.seen.fees += 1;
    if (turns) this.seen.flips += 1;
  }
}

/**
 * Five rich traders and three poor ones on the highest leverage, with marks that wander until the poor ones fall; one more
 * holds both sides and closes the one that loses, which the other's profit must pay for.
 */
function live(seed: number, isInverse: boolean): { stage: PerpStage; reference: ReferenceModel; market: number } {
  const random = createRandom(seed);
  const stage = createPerpStage();
  const market = isInverse ? stage.inverse : stage.linear;
  const coin = isInverse ? stage.btc : stage.usdt;
  const model = new ReferenceModel(market, isInverse ? 100_000_000_000n : 100n, isInverse);
  if (seed % 2 === 0)
    stage.sure({
      kind: "mint",
      account: INSURANCE_ACCOUNT,
      asset: coin,
      business: "adjustment",
      units: 10 ** 10,
      reference: "fund",
    });
  const rich = Array.from({ length: 5 }, () => stage.trader(10 ** 13, { inverse: isInverse }));
  const poor = Array.from({ length: 3 }, () =>
    stage.trader(isInverse ? 4_000_000 : 900_000_000, { inverse: isInverse }),
  );
  for (const [i, account] of poor.entries()) {
    stage.sure({ kind: "setMarginMode", account, market, isolated: i > 0 });
    stage.sure({ kind: "setLeverage", account, market, long: 75 });
  }
  const hedger = stage.trader(isInverse ? 4_000_000 : 900_000_000, { inverse: isInverse });
  stage.sure({ kind: "setPositionMode", account: hedger, hedge: true });
  stage.sure({ kind: "setLeverage", account: hedger, market, long: 75 });
  let mark = 500_000;
  for (let step = 0; step < 160; step++) {
    if (random.chance(1, 8)) {
      mark = Math.max(300_000, Math.min(800_000, mark + random.between(-9_000, 9_000)));
      model.read(stage.mark(market, mark));
    }
    const [maker, taker] = [random.pick(rich), random.pick([...rich, ...poor])];
    if (maker === taker) continue;
    const price = mark + random.between(-500, 500);
    const lots = random.pick([1, 3, 7, random.between(1, 40)]);
    const isBuy = random.chance(1, 2);
    model.read(stage[isBuy ? "sell" : "buy"](maker, lots, price, { market }));
    model.read(stage[isBuy ? "buy" : "sell"](taker, lots, price, { market, timeInForce: "IOC" }));
    model.read(stage.sure({ kind: "cancelAll", account: maker }));
  }
  const [maker = 0] = rich;
  const meet = (isBuy: boolean, lots: number, reduceOnly: boolean): void => {
    model.read(stage[isBuy ? "sell" : "buy"](maker, lots, mark, { market }));
    model.read(stage[isBuy ? "buy" : "sell"](hedger, lots, mark, { market, reduceOnly }));
  };
  for (const isBuy of [true, false]) meet(isBuy, 300, false);
  mark = Math.floor(mark * 1.1);
  model.read(stage.mark(market, mark));
  meet(true, 290, true);
  meet(false, 7, true);
  return { stage, reference: model, market };
}

test.each([
  ["linear", false],
  ["inverse", true],
] as const)("[FUT-2] the whole life of %s positions is exact, rounded once where it is posted", (_, isInverse) => {
  const seen: Record<string, number> = {};
  for (let seed = 1; seed <= 6; seed++) {
    const { stage, reference: model, market } = live(seed, isInverse);
    for (const [name, count] of Object.entries(model.seen)) seen[name] = (seen[name] ?? 0) + count;
    // What rounding left is in the clearing book beside what open positions have gained, and known to the last part.
    const { perps, ledger } = coreOf(stage.machine);
    const kept = perps.contractDouble(market, CTF_ROUNDED) + perps.contractDouble(market, CTF_REMAINDER);
    expect(kept).toBeGreaterThanOrEqual(0);
    expect(kept).toBeLessThan(model.seen.fills);
    expect(ledger.available(perps.contract(market, CT_CLEARING_CELL))).toBe(Number(-model.realized));
  }
  expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([]);
});
