// Warnings, appended margin and the end beside a plain look at everybody at every mark: nothing comes late, nothing early.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import {
  type Contract,
  exactValue,
  isLiquidatable,
  type MarkedHolding,
  profitFloor,
  tierOf,
  valueCeil,
} from "@clockwork/kit/margin";
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { contractOf } from "./equity.ts";
import { keyOf } from "./watch.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const MARK = 500_000;
const ONE = 100_000_000n;
const POSITIONS = 0x1000000;

interface Watched {
  readonly account: number;
  readonly isolated: boolean;
  readonly appends: boolean;
  readonly leverage: number;
  warned: number;
}

function needOf(contract: Contract, lots: bigint, ticks: bigint): bigint {
  const value = valueCeil(contract, lots, ticks);
  const tier = contract.tiers[tierOf(contract.tiers, value)];
  if (tier === undefined) throw new Error("no tier");
  return (value * (tier.rate + contract.liquidationRate) + ONE - 1n) / ONE - tier.deduction;
}

/** Everybody on one market, looked at one by one at every mark. */
class World {
  readonly stage: PerpStage;
  readonly market: number;
  readonly contract: Contract;
  readonly coin: number;
  readonly random: Random;
  readonly alive = new Set<Watched>();
  readonly #maker: number;
  readonly #options: { readonly inverse?: boolean };

  constructor(seed: number, kind: "linear" | "inverse") {
    this.stage = createPerpStage();
    this.random = createRandom(seed);
    this.market = this.stage[kind];
    this.coin = kind === "linear" ? this.stage.usdt : this.stage.btc;
    this.contract = contractOf(coreOf(this.stage.machine), this.market);
    this.#options = { inverse: kind === "inverse" };
    this.#maker = this.stage.trader(MILLION, this.#options);
    const money = { asset: this.coin, business: "adjustment", units: MILLION, reference: "endow" } as const;
    this.stage.sure({ kind: "mint", account: INSURANCE, ...money });
  }

  /** Somebody on the losing side; of a hedge a smaller part on the other. */
  open(side: "buy" | "sell"): void {
    const { stage, random, market } = this;
    const isolated = random.chance(1, 2);
    const hedge = !isolated && random.chance(1, 3);
    const appends = isolated && random.chance(1, 2);
    const lots = random.between(2, 400);
    const leverage = random.between(40, 100);
    const wallet = Number(valueCeil(this.contract, BigInt(lots), BigInt(MARK)));
    const account = stage.trader(
      Math.ceil(wallet / leverage) + random.between(0, Math.ceil(wallet / 60)),
      this.#options,
    );
    const rates = { feeGroup: 1, makerRate: 0, takerRate: 0 };
    stage.sure({ kind: "setAccountFees", account, ...rates });
    if (hedge) stage.sure({ kind: "setPositionMode", account, hedge: true });
    if (isolated) stage.sure({ kind: "setMarginMode", account, market, isolated: true });
    stage.sure({ kind: "setLeverage", account, market, long: leverage, short: leverage });
    if (appends) stage.sure({ kind: "setAutoAppend", account, market, on: true });
    const other = side === "buy" ? "sell" : "buy";
    const trade = (of: "buy" | "sell", count: number): void => {
      stage[of === "buy" ? "sell" : "buy"](this.#maker, count, MARK, { market });
      stage[of](account, count, MARK, { market });
    };
    trade(side, lots);
    if (hedge) trade(other, random.between(1, Math.ceil(lots / 40)));
    this.alive.add({ account, isolated, appends, leverage, warned: 0 });
  }

  #holdings(account: number, mark: bigint): MarkedHolding[] {
    return this.stage.held(account, this.market).map(({ lots, cost, excess }) => ({
      contract: this.contract,
      side: lots > 0 ? 1n : -1n,
      lots: BigInt(Math.abs(lots)),
      cost: BigInt(cost),
      excess: BigInt(excess),
      markTicks: mark,
    }));
  }

  /** What a mark must make of somebody: margins appended, a warning, an end. */
  look(one: Watched, ticks: number): (string | number)[][] {
    const { account, isolated, appends, leverage } = one;
    const mark = BigInt(ticks);
    const holdings = this.#holdings(account, mark);
    const [held] = this.stage.held(account, this.market);
    const { available } = this.stage.balance(account, this.coin);
    let cash = isolated ? BigInt(held?.margin ?? 0) : BigInt(available);
    let free = BigInt(available);
    const profit = holdings.reduce((sum, holding) => sum + profitFloor(this.contract, holding, mark), 0n);
    const need = holdings.reduce((sum, { lots }) => sum + needOf(this.contract, lots, mark), 0n);
    const used = (): number => (need >= cash + profit ? 100 : Number((need * 100n) / (cash + profit)));
    const wanted: (string | number)[][] = [];
    const step = BigInt(Math.ceil((held?.cost ?? 0) / leverage));
    while (appends && used() >= 80 && free > 0n) {
      const added = free < step ? free : step;
      cash += added;
      free -= added;
      wanted.push(["append", account, held?.id ?? 0, Number(added), Number(cash), this.market]);
    }
    const stage = used() >= 85 ? 85 : used() >= 70 ? 70 : 0;
    if (stage > one.warned) wanted.push(["warn", account, isolated ? (held?.id ?? 0) : 0, stage, this.coin]);
    // Margin that came in lets the next warning begin anew.
    one.warned = wanted.some(([what]) => what === "append") ? stage : Math.max(one.warned, stage);
    if (isLiquidatable(cash, holdings)) {
      wanted.push(["end", account]);
      this.alive.delete(one);
    }
    return wanted;
  }
}

function publishedOf(events: readonly MachineEvent[]): (string | number)[][] {
  const published: (string | number)[][] = [];
  for (const event of events) {
    if (event.kind === "marginWarning")
      published.push(["warn", event.account, event.position, event.percent, event.asset]);
    if (event.kind === "liquidationStarted") published.push(["end", event.account]);
    if (event.kind !== "marginChanged") continue;
    const { account, position, deltaUnits, marginUnits, market, automatic } = event;
    published.push([automatic ? "append" : "change", account, position, deltaUnits, marginUnits, market]);
  }
  return published;
}

const sorted = (rows: readonly (string | number)[][]): string[] => rows.map((row) => row.join(" ")).sort();

test.each([
  ["linear", "buy", -1],
  ["linear", "sell", 1],
  ["inverse", "buy", -1],
  ["inverse", "sell", 1],
] as const)(
  "[FUT-2] %s, all %s: whoever a mark reaches is warned, helped or ended at that very mark",
  (kind, side, way) => {
    const world = new World(7, kind);
    const { stage, random } = world;
    for (let i = 0; i < 14; i++) world.open(side);
    let mark = MARK;
    const seen = new Set<string>();
    while (world.alive.size > 0 && Math.abs(mark - MARK) < 100_000) {
      mark += way * random.between(1, random.pick([4, 60]));
      // Who was ended once may have something left; that is the twins' of liquidation.
      const looked = new Set([...world.alive].map(({ account }) => account));
      const wanted = [...world.alive].flatMap((one) => world.look(one, mark));
      const published = publishedOf(stage.mark(world.market, mark)).filter(([, account]) =>
        looked.has(Number(account)),
      );
      expect([mark, sorted(published)]).toEqual([mark, sorted(wanted)]);
      for (const [what] of published) seen.add(String(what));
    }
    expect([...seen].sort()).toEqual(["append", "end", "warn"]);
  },
);

test.each([
  ["linear", 70, 498_500],
  ["linear", 85, 498_500],
] as const)("[FUT-2] %s: %i % are used from the unit on at which they are", (_, percent, mark) => {
  for (const more of [0, 1]) {
    const stage = createPerpStage();
    const bob = stage.trader(MILLION);
    const need = needOf(contractOf(coreOf(stage.machine), stage.linear), 1_000n, BigInt(mark));
    const equity = Number((need * 100n) / BigInt(percent)) + more;
    // One BTC: a fee of 30, and 150 are lost.
    const alice = stage.trader(equity + 180_000_000);
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 });
    stage.sell(bob, 1_000, MARK);
    stage.buy(alice, 1_000, MARK);
    const published = eventsOf(stage.mark(stage.linear, mark), "marginWarning").map((event) => event.percent);
    expect(published).toEqual(more === 0 ? [percent] : percent === 70 ? [] : [70]);
    expect(eventsOf(stage.mark(stage.linear, mark), "marginWarning")).toEqual([]);
  }
});

test("[FUT-2] a warning names the isolated position as it is now, whoever had its record before", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
  for (const side of ["buy", "sell", "buy"] as const) {
    stage[side === "buy" ? "sell" : "buy"](bob, 10, MARK);
    stage[side](alice, 10, MARK);
  }
  const id = stage.held(alice)[0]?.id;
  const warnings = eventsOf(stage.mark(stage.linear, 478_100), "marginWarning");
  expect(warnings).toMatchObject([{ account: alice, position: id, percent: 70, asset: stage.usdt }]);
  expect(id).toBeGreaterThan(POSITIONS);
});

test("[FUT-2] who is a part of a unit above the need is warned and stays", () => {
  for (const less of [0, 1]) {
    const stage = createPerpStage();
    const money = { asset: stage.usdt, business: "adjustment", units: MILLION, reference: "endow" } as const;
    stage.sure({ kind: "mint", account: INSURANCE, ...money });
    // At 49 820.1 a thousandth needs 229 172.46 units; the fee was 30 000, 179 900 are lost.
    const [alice, bob] = [stage.trader(229_173 + 30_000 + 179_900 - less), stage.trader(MILLION)];
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 });
    stage.sell(bob, 1, MARK);
    stage.buy(alice, 1, MARK);
    const events = stage.mark(stage.linear, 498_201);
    expect(eventsOf(events, "liquidationStarted").map(({ account }) => account)).toEqual(less === 0 ? [] : [alice]);
    expect(eventsOf(events, "marginWarning")).toMatchObject([{ account: alice, percent: 85 }]);
  }
});

/** The last tick on the way at which a value is not beyond an edge, found by halving. */
function lastWithin(isWithin: (ticks: bigint) => boolean, from: bigint, to: bigint): bigint {
  let [good, bad] = [from, to];
  while (good - bad > 1n || bad - good > 1n) {
    const middle = (good + bad) / 2n;
    if (isWithin(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

test.each([
  ["linear", "buy"],
  ["linear", "sell"],
  ["inverse", "buy"],
  ["inverse", "sell"],
] as const)(
  "[FUT-2] %s, %s: a budget lasts to the last tick at which neither loss nor need is beyond it",
  (kind, side) => {
    const world = new World(3, kind);
    const { stage, random, contract, market } = world;
    const core = coreOf(stage.machine);
    const sides = side === "buy" ? 1 : -1;
    const falls = sides > 0 === (kind === "linear");
    // The last is worth a little less than the cap of the first tier: what is drawn may lie beyond it.
    for (const lots of [1, 7, 300, kind === "linear" ? 4_980 : 2_495]) {
      const [one, other] = [
        stage.trader(MILLION, { inverse: kind === "inverse" }),
        stage.trader(MILLION, { inverse: kind === "inverse" }),
      ];
      stage[side === "buy" ? "sell" : "buy"](other, lots, MARK, { market });
      stage[side](one, lots, MARK, { market });
      const position = (stage.held(one, market)[0]?.id ?? 0) % POSITIONS;
      const value = valueCeil(contract, BigInt(lots), BigInt(MARK));
      for (let i = 0; i < 60; i++) {
        // First what leaves a unit, nothing and less than nothing of the value.
        const drawn = random.chance(1, 6) ? 5 : Math.min(4_000_000_000, 2 * Number(value));
        const units = i < 3 ? Number(value) + 3 + i : random.between(0, drawn);
        const stageOf = random.pick([70, 80, 85, 100]);
        const budget = BigInt(Math.max(0, units - 4));
        const { rate } = contract.tiers[tierOf(contract.tiers, value + budget)] as { rate: bigint };
        const steep = ONE + ((rate + contract.liquidationRate) * 100n + BigInt(stageOf) - 1n) / BigInt(stageOf);
        const edge = falls ? value - budget : value + (budget * ONE) / steep;
        const isWithin = (ticks: bigint): boolean => {
          const { over, under } = exactValue(contract, BigInt(lots), ticks);
          return falls ? over >= edge * under : over <= edge * under;
        };
        const wanted = edge <= 0n ? 0n : lastWithin(isWithin, BigInt(MARK), sides > 0 ? 0n : 2_147_483_648n);
        const key = keyOf(core, position, units, stageOf);
        expect([lots, units, stageOf, key]).toEqual([
          lots,
          units,
          stageOf,
          wanted > BigInt(PRICE_TICKS_MAX) ? 0 : Number(wanted),
        ]);
      }
    }
  },
);

test("[FUT-2] the highest price there is can be a key, and beyond it no price is", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  stage.buy(bob, 1, MARK);
  stage.sell(alice, 1, MARK);
  const core = coreOf(stage.machine);
  const position = (stage.held(alice)[0]?.id ?? 0) % POSITIONS;
  // 100 units a tick, and a need that grows by 0.46 % of them.
  const least = PRICE_TICKS_MAX * 100 - 50_000_000;
  const keys = new Set<number>();
  for (let more = -300; more <= 300; more += 10) keys.add(keyOf(core, position, Math.ceil(least * 1.0046) + more, 100));
  expect([...keys]).toEqual([4, 3, 2, 1, 0].map((less) => PRICE_TICKS_MAX - less).concat(0));
});
