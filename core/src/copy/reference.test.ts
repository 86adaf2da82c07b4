// A naive twin of the money: it reads events only, keeps whole numbers as bigint, and must say the same R, H and holds.
import { describe, expect, it } from "vitest";
import { createMachine, restoreMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { COIN, type CopyStage, createCopyStage } from "../testing/copy-stage.ts";

const MARK = 500_000;
const HOUR_MS = 3_600_000;
const RATE_ONE = 100_000_000n;
/** Postings that move money in or out without making any. */
const NO_PROFIT = ["transfer", "copyFund", "profitShare", "deposit"];
/** Those of them that are the follower's own doing. */
const PUT_IN = ["transfer", "copyFund", "deposit"];

interface ReferenceModel {
  readonly isSpot: boolean;
  realized: bigint;
  mark: bigint;
  rate: bigint;
  isActive: boolean;
  /** Put in and not taken out, since the follow began. */
  invested: bigint;
  lots: { units: bigint; cost: bigint }[];
  /** What a table that is told everything says: R, H, hold and investment. */
  table: readonly number[];
}

/** A stop that waits, as events tell it. */
interface Stop {
  readonly account: number;
  readonly trigger: number;
  readonly side: string;
  readonly isPart: boolean;
}

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function shareOf({ isActive, realized, mark, rate }: ReferenceModel, more = 0n): bigint {
  return isActive ? (most(0n, realized + more - mark) * rate) / RATE_ONE : 0n;
}

/** Sells from the oldest lots; what is not covered makes nothing. */
function sell(model: ReferenceModel, units: bigint, paid: bigint): void {
  const there = model.lots.reduce((sum, lot) => sum + lot.units, 0n);
  const covered = units < there ? units : there;
  let left = covered;
  let cost = 0n;
  while (left > 0n) {
    const lot = model.lots[0] as { units: bigint; cost: bigint };
    const taken = left < lot.units ? left : lot.units;
    const share = taken === lot.units ? lot.cost : (lot.cost * taken + lot.units - 1n) / lot.units;
    lot.units -= taken;
    lot.cost -= share;
    cost += share;
    left -= taken;
    if (lot.units === 0n) model.lots.shift();
  }
  model.realized += (covered === units ? paid : (paid * covered) / units) - cost;
}

class Twins {
  readonly byAccount = new Map<number, ReferenceModel>();
  readonly #stage: CopyStage;
  /** What the trade at hand moved, by sub-book. */
  #moved = new Map<ReferenceModel, { base: bigint; quote: bigint }>();
  readonly stops = new Map<number, Stop>();
  /** Lots of each position of a book. */
  readonly #lots = new Map<number, Map<number, number>>();
  /** What leaders close that is being copied, by job: lots of how many, and of which side. */
  readonly #closing = new Map<number, { readonly lots: bigint; readonly whole: bigint; readonly short: boolean }>();
  closed = 0;
  /** Stops of the leader's that ended with his position: mirrors of them act alone. */
  readonly #left = new Set<string>();
  paid = 0n;

  constructor(stage: CopyStage) {
    this.#stage = stage;
  }

  observe(events: readonly MachineEvent[]): void {
    for (const event of events) {
      if (event.kind !== "posting") this.#endTrade();
      this.#receiveStops(event);
      this.#receiveLots(event);
      if (event.kind === "followChanged") this.#change(event);
      else if (event.kind === "posting") this.#post(event);
      else if (event.kind === "shareHeld") this.#hold(event);
      else if (event.kind === "shareSettled") this.#settle(event);
    }
    this.#endTrade();
  }

  #change(event: Extract<MachineEvent, { kind: "followChanged" }>): void {
    const isSpot = event.leader === this.#stage.spotLeader;
    const model = this.byAccount.get(event.account) ?? {
      isSpot,
      realized: 0n,
      mark: 0n,
      rate: 0n,
      isActive: false,
      invested: 0n,
      lots: [],
      table: [],
    };
    this.byAccount.set(event.account, model);
    model.table = [event.realizedUnits, event.markUnits, event.heldUnits, event.investedUnits];
    if (event.change === "followed") model.invested = BigInt(event.investedUnits);
    if (event.change === "settings") return;
    model.isActive = event.change === "followed";
    model.rate = BigInt(event.shareRate);
    if (model.isActive) model.mark = most(model.mark, model.realized);
  }

  #receiveStops(event: MachineEvent): void {
    const { stops } = this;
    if (event.kind === "conditionalAccepted") {
      const { account, trigger, side } = event;
      stops.set(event.orderId, { account, trigger, side, isPart: false });
    } else if (event.kind === "positionStop") {
      const stop = stops.get(event.orderId) as Stop;
      stops.set(event.orderId, { ...stop, isPart: !event.whole });
    } else if (event.kind === "conditionalTriggered") {
      const stop = stops.get(event.orderId) as Stop;
      stops.delete(event.orderId);
      // While the leader has his position, what his stop closes is copied: a mirror that closed too would close twice.
      const isCopied = this.byAccount.get(stop.account)?.isActive === true && !this.#left.has(nameOf(stop));
      if (stop.isPart && isCopied && this.heldOn(this.#stage.leader, stop.side === "buy") !== 0)
        expect.unreachable(`the stop ${nameOf(stop)} closes beside its leader`);
    } else if (event.kind === "orderEnded") {
      const stop = stops.get(event.orderId);
      stops.delete(event.orderId);
      const isLeaders = stop?.account === this.#stage.leader;
      if (stop !== undefined && isLeaders && event.reason === "POSITION_CLOSED") this.#left.add(nameOf(stop));
    }
  }

  /** A copy closes the leader's fraction of what its book holds, once, whatever stops it has. */
  #receiveLots(event: MachineEvent): void {
    if (event.kind === "positionChanged") {
      const positions = this.#lots.get(event.account) ?? new Map<number, number>();
      this.#lots.set(event.account, positions.set(event.position, event.lots));
    } else if (event.kind === "copyStarted") {
      const { job, lots, wholeLots, short } = event;
      this.#closing.set(job, { lots: BigInt(lots), whole: BigInt(wholeLots), short });
    } else if (
      event.kind === "copyPlaced" &&
      event.job !== 0 &&
      event.what === "close" &&
      event.leader === this.#stage.leader
    ) {
      const { lots, whole, short } = this.#closing.get(event.job) as { lots: bigint; whole: bigint; short: boolean };
      const left = this.heldOn(event.account, short);
      const held = BigInt(left + event.filledLots);
      expect(BigInt(event.lots)).toBe(lots >= whole ? held : (held * lots) / whole);
      this.closed++;
    }
  }

  heldOn(account: number, short: boolean): number {
    let held = 0;
    for (const lots of this.#lots.get(account)?.values() ?? []) if (lots < 0 === short) held += Math.abs(lots);
    return held;
  }

  #post(event: Extract<MachineEvent, { kind: "posting" }>): void {
    const model = this.byAccount.get(event.account);
    const delta = BigInt(event.deltaUnits);
    if (model?.isActive === true && event.asset === this.#stage.usdt && PUT_IN.includes(event.business))
      model.invested += delta;
    if (model === undefined || NO_PROFIT.includes(event.business)) return;
    if (!model.isSpot) {
      model.realized += delta;
      return;
    }
    const moved = this.#moved.get(model) ?? { base: 0n, quote: 0n };
    if (event.asset === this.#stage.btc) moved.base += delta;
    else moved.quote += delta;
    this.#moved.set(model, moved);
  }

  #endTrade(): void {
    for (const [model, { base, quote }] of this.#moved) {
      if (base > 0n) model.lots.push({ units: base, cost: -quote });
      else if (base < 0n) sell(model, -base, quote);
    }
    this.#moved = new Map();
  }

  #hold(event: Extract<MachineEvent, { kind: "shareHeld" }>): void {
    const model = this.byAccount.get(event.account) as ReferenceModel;
    model.table = [event.realizedUnits, event.markUnits, event.heldUnits, event.investedUnits];
  }

  #settle(event: Extract<MachineEvent, { kind: "shareSettled" }>): void {
    const model = this.byAccount.get(event.account) as ReferenceModel;
    model.table = [event.realizedUnits, event.markUnits, 0, event.investedUnits];
    const unrealized = BigInt(event.unrealizedUnits);
    this.paid += BigInt(event.paidUnits);
    expect(BigInt(event.realizedUnits)).toBe(model.realized);
    expect(BigInt(event.paidUnits)).toBeLessThanOrEqual(shareOf(model, unrealized));
    if (unrealized === 0n) expect(BigInt(event.paidUnits)).toBe(shareOf(model));
    model.mark = most(model.mark, model.realized + unrealized);
    expect(BigInt(event.markUnits)).toBe(model.mark);
  }

  /** A follower's stop of a part waits for as long as the leader's does. */
  #compareStops(): void {
    const all = [...this.stops.values()].filter(({ isPart }) => isPart);
    const leaders = new Set(all.filter(({ account }) => account === this.#stage.leader).map(nameOf));
    const mirrors = all.filter(({ account }) => this.byAccount.get(account)?.isActive === true);
    expect(mirrors.map(nameOf).filter((name) => !leaders.has(name) && !this.#left.has(name))).toEqual([]);
  }

  compare(): void {
    this.#compareStops();
    for (const [account, model] of this.byAccount) {
      const { realized, mark, held } = this.#stage.share(account);
      expect([realized, mark]).toEqual([Number(model.realized), Number(model.mark)]);
      expect(model.table).toEqual([realized, mark, held, Number(model.invested)]);
      const share = Number(shareOf(model));
      if (this.#stage.balance(account).available > 0) expect(held).toBe(share);
      else expect(held).toBeLessThanOrEqual(share);
    }
  }
}

const nameOf = ({ trigger, side }: Stop): string => `${side}:${trigger}`;

/** Numbers that look drawn, the same for a seed. */
function drawer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b1) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % bound;
  };
}

function session(seed: number, steps: number): { stage: CopyStage; twins: Twins; published: Set<string> } {
  const draw = drawer(seed);
  const stage = createCopyStage(10_000_000 * (1 + (seed % 3)), createMachine({ fastPathsAfter: 0 }));
  const twins = new Twins(stage);
  const wallets: number[] = [];
  const published = new Set<string>();
  const send = (command: Command): MachineEvent[] => {
    const events = stage.sure(command);
    twins.observe(events);
    twins.compare();
    for (const event of events) {
      published.add(event.kind);
      if (event.kind === "followChanged") published.add(event.change);
      if (event.kind === "conditionalTriggered" && event.account === stage.leader) published.add("leader's stop fired");
      if (event.kind === "copyStarted") published.add(event.what);
      if (event.kind === "shareSettled") published.add(event.cause);
    }
    return events;
  };
  for (let i = 0; i < 6; i++) {
    const isSpot = i % 3 === 2;
    const account = stage.open(isSpot ? "spot" : "linear", 2_000 * COIN);
    wallets.push(account);
    const modes = [
      { mode: "multiplier", multiplier: 30_000_000 * (i + 1) },
      { mode: isSpot ? "multiplier" : "proportional", multiplier: 40_000_000 },
      { mode: "fixed", fixedUnits: 70 * COIN },
    ] as const;
    const guards = i === 1 ? { stopLossBps: 8_000, takeProfitBps: 13_000 } : {};
    send({
      kind: "follow",
      account,
      leader: isSpot ? stage.spotLeader : stage.leader,
      units: 500 * COIN,
      ...(modes[(seed + i) % 3] as (typeof modes)[0]),
      ...guards,
    });
  }
  for (let step = 0; step < steps; step++) for (const command of next(stage, twins, wallets, draw)) send(command);
  return { stage, twins, published };
}

function next(stage: CopyStage, twins: Twins, wallets: readonly number[], draw: (bound: number) => number): Command[] {
  const subs = [...twins.byAccount.keys()];
  const sub = subs[draw(subs.length)] as number;
  const isSpot = twins.byAccount.get(sub)?.isSpot === true;
  const price = MARK + draw(20_001) - 10_000;
  const market = isSpot ? stage.spot : stage.linear;
  const maker = isSpot ? stage.spotMaker : stage.maker;
  const leader = isSpot ? stage.spotLeader : stage.leader;
  const side = draw(2) === 0 ? "buy" : "sell";
  const quantity = isSpot ? 1 + draw(300) : 1 + draw(40);
  const wallet = wallets[subs.indexOf(sub)] as number;
  const reference = `move:${stage.machine.sequence}`;
  switch (draw(13)) {
    case 0:
      stage.time += draw(30) * HOUR_MS;
      return [{ kind: "tick" }];
    case 1:
      return [{ kind: "transfer", account: sub, to: wallet, asset: stage.usdt, units: 1 + draw(90 * COIN), reference }];
    case 2:
      return [{ kind: "transfer", account: wallet, to: sub, asset: stage.usdt, units: 1 + draw(50 * COIN), reference }];
    case 3:
      return isSpot
        ? [{ kind: "placeOrder", account: sub, market, side: "sell", quantity: 1 + draw(50), type: "market" }]
        : [{ kind: "closePosition", account: sub, market, side: draw(2) === 0 ? "long" : "short", lots: draw(4) }];
    case 4:
      if (draw(4) !== 0) return [];
      return [
        { kind: "unfollow", account: sub, positions: draw(2) === 0 ? "keep" : "close", to: draw(2) === 0 ? wallet : 0 },
      ];
    case 5:
      return [
        {
          kind: "follow",
          account: wallet,
          leader,
          units: 100 * COIN,
          mode: "multiplier",
          multiplier: 50_000_000,
          slippageBps: 100,
        },
      ];
    case 6:
    case 7:
      return [stopsOf(stage, twins, draw)].flat();
    case 8: {
      const stops = [...twins.stops].filter(([, stop]) => stop.account === stage.leader);
      const [orderId] = stops[draw(Math.max(1, stops.length))] ?? [];
      return orderId === undefined ? [] : [{ kind: "cancelOrder", account: stage.leader, orderId }];
    }
    default: {
      const other = side === "buy" ? "sell" : "buy";
      return [
        { kind: "cancelAll", account: maker },
        ...(isSpot ? [] : [{ kind: "setReferencePrice", market, markTicks: price } as const]),
        { kind: "placeOrder", account: maker, market, side: other, price, quantity: quantity * 8 },
        { kind: "placeOrder", account: leader, market, side, price, quantity },
      ];
    }
  }
}

/** Stops for a part of what the leader holds, a pair or one of them, close enough to be reached. */
function stopsOf(stage: CopyStage, twins: Twins, draw: (bound: number) => number): Command[] {
  const long = twins.heldOn(stage.leader, false);
  const held = long > 0 ? long : twins.heldOn(stage.leader, true);
  if (held === 0) return [];
  const [below, above] = [MARK - 10_500 + draw(3_000), MARK + 10_500 - draw(3_000)];
  const [profitTrigger, stopTrigger] = long > 0 ? [above, below] : [below, above];
  const set = { kind: "setPositionStops", account: stage.leader, market: stage.linear, lots: 1 + draw(held) } as const;
  const both = draw(3);
  return [
    { kind: "setReferencePrice", market: stage.linear, markTicks: MARK },
    { ...set, ...(both !== 1 ? { profitTrigger } : {}), ...(both !== 2 ? { stopTrigger } : {}) },
  ];
}

describe("the money of copies", () => {
  it.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    "[COPY-3] seed %i: R, H and holds are what a naive twin reads off the events",
    (seed) => {
      const { stage, twins } = session(seed, 90);
      expect(twins.byAccount.size).toBe(6);
      let machine = createMachine({ orderCapacity: 16 });
      for (const [i, bytes] of stage.journal.entries()) {
        machine.apply(bytes, 0);
        machine.events.clear();
        if (i % 53 === seed) machine = restoreMachine(machine.snapshot());
      }
      expect(machine.stateHash()).toBe(stage.machine.stateHash());
    },
  );

  it("[COPY-3] sessions hold, release and pay shares, skip copies and end follows in every way", () => {
    const seen = new Set<string>();
    let paid = 0n;
    let closed = 0;
    for (const seed of [1, 2, 3, 4]) {
      const { twins, published } = session(seed, 120);
      paid += twins.paid;
      closed += twins.closed;
      for (const name of published) seen.add(name);
    }
    expect(paid).toBeGreaterThan(0n);
    expect(closed).toBeGreaterThan(10);
    const expected = [
      "leader's stop fired",
      "stops",
      "stopsEnded",
      "copyPlaced",
      "copySkipped",
      "shareHeld",
      "kept",
      "closed",
      "settlement",
    ];
    expect(expected.filter((name) => !seen.has(name))).toEqual([]);
  });
});
