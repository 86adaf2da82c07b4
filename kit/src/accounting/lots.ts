// Owns the cost and proceeds of coins: every event of a user's account folded into lots, first in first out, last in
// first out or averaged, each movement at the value of that moment. Exact integers in units of the money (USDT); a cost
// is rounded down when a part of a lot leaves and the remainder stays with the rest. Pure and deterministic.
import { type AccountEvent, classOf, type EventSide } from "./events.ts";

export type LotMethod = "FIFO" | "LIFO" | "AVERAGE";

/** The worth of units of an asset in money at a time; undefined without a value. */
export type ValueAt = (asset: number, units: bigint, timeMs: number) => bigint | undefined;

export interface Moment {
  readonly valueAt: ValueAt;
  /** The cost of coins a launch distributes, by the reference of the movement; undefined where it is unknown. */
  readonly launchCost: (reference: string, units: bigint) => bigint | undefined;
}

interface Lot {
  units: bigint;
  /** Undefined for deposits without a value. */
  costUnits: bigint | undefined;
}

/** A disposal, with its cost and proceeds; undefined where a value is missing. */
export interface Disposal {
  readonly asset: number;
  readonly units: bigint;
  readonly costUnits: bigint | undefined;
  readonly proceedsUnits: bigint | undefined;
  readonly gainUnits: bigint | undefined;
}

/** The result of an event, in money. */
export interface EventResult {
  readonly disposals: readonly Disposal[];
  /** The user's own money from and to outside, at its value. */
  readonly inUnits: bigint;
  readonly outUnits: bigint;
  /** The cost of the money that left: the rest of its value was never realised. */
  readonly outCostUnits: bigint;
  /** Earned, and lost at its cost: neither comes from the price of a coin. */
  readonly incomeUnits: bigint;
  readonly expenseUnits: bigint;
  /** Signed worth of movements of each asset, without earnings and losses. */
  readonly moved: readonly (readonly [asset: number, units: bigint])[];
}

export interface CoinCost {
  readonly units: bigint;
  /** Units with a cost. */
  readonly knownUnits: bigint;
  readonly costUnits: bigint;
  readonly realisedUnits: bigint;
}

/** The stored form of a book; amounts as text. */
export interface LotState {
  readonly coins: readonly (readonly [
    asset: number,
    realised: string,
    lots: readonly (readonly [string, string | null])[],
  ])[];
  readonly money: string;
  readonly launch: string;
  readonly bond: string;
}

interface Coin {
  lots: Lot[];
  realisedUnits: bigint;
}

interface Totals {
  disposals: Disposal[];
  inUnits: bigint;
  outUnits: bigint;
  outCostUnits: bigint;
  incomeUnits: bigint;
  expenseUnits: bigint;
  moved: [number, bigint][];
}

const NOTHING: CoinCost = { units: 0n, knownUnits: 0n, costUnits: 0n, realisedUnits: 0n };

export class LotBook {
  readonly #method: LotMethod;
  readonly #money: number;
  readonly #coins = new Map<number, Coin>();
  #moneyUnits = 0n;
  /** Committed to launches and not yet handed over or refunded, and paid as bonds. */
  #launchUnits = 0n;
  #bondUnits = 0n;

  constructor(method: LotMethod, money: number, state?: LotState) {
    this.#method = method;
    this.#money = money;
    if (state === undefined) return;
    for (const [asset, realised, lots] of state.coins) {
      const read = lots.map(([units, cost]) => ({
        units: BigInt(units),
        costUnits: cost === null ? undefined : BigInt(cost),
      }));
      this.#coins.set(asset, { lots: read, realisedUnits: BigInt(realised) });
    }
    this.#moneyUnits = BigInt(state.money);
    this.#launchUnits = BigInt(state.launch);
    this.#bondUnits = BigInt(state.bond);
  }

  write(): LotState {
    return {
      coins: [...this.#coins].map(([asset, { lots, realisedUnits }]) => [
        asset,
        realisedUnits.toString(),
        lots.map(({ units, costUnits }) => [units.toString(), costUnits?.toString() ?? null]),
      ]),
      money: this.#moneyUnits.toString(),
      launch: this.#launchUnits.toString(),
      bond: this.#bondUnits.toString(),
    };
  }

  get moneyUnits(): bigint {
    return this.#moneyUnits;
  }

  /** Committed money at its cost: it has left the books and is still the user's. */
  get committed(): { readonly launchUnits: bigint; readonly bondUnits: bigint } {
    return { launchUnits: this.#launchUnits, bondUnits: this.#bondUnits };
  }

  get assets(): readonly number[] {
    return [...this.#coins.keys()];
  }

  cost(asset: number): CoinCost {
    const coin = this.#coins.get(asset);
    if (coin === undefined) return NOTHING;
    let [units, knownUnits, costUnits] = [0n, 0n, 0n];
    for (const lot of coin.lots) {
      units += lot.units;
      if (lot.costUnits === undefined) continue;
      knownUnits += lot.units;
      costUnits += lot.costUnits;
    }
    return { units, knownUnits, costUnits, realisedUnits: coin.realisedUnits };
  }

  take(event: AccountEvent, moment: Moment): EventResult {
    const totals: Totals = {
      disposals: [],
      inUnits: 0n,
      outUnits: 0n,
      outCostUnits: 0n,
      incomeUnits: 0n,
      expenseUnits: 0n,
      moved: [],
    };
    const came = event.sides.some(({ plainUnits }) => plainUnits > 0n);
    const went = event.sides.some(({ plainUnits }) => plainUnits < 0n);
    const kind = classOf(event.business);
    if (came && went && kind !== "launch") this.#exchange(event, moment, totals);
    else {
      for (const side of event.sides) {
        if (side.plainUnits > 0n) this.#receive(event, side, moment, totals);
        else if (side.plainUnits < 0n) this.#send(event, side, moment, totals);
        this.#payFee(event, side, moment, totals);
      }
    }
    return totals;
  }

  /** Coins received cost the worth of those given: the money among them, else what comes in, else what goes out. */
  #exchange({ sides, timeMs }: AccountEvent, { valueAt }: Moment, totals: Totals): void {
    const net = sides.map(({ asset, plainUnits, feeUnits }) => ({ asset, units: plainUnits + feeUnits }));
    const ins = net.filter(({ units }) => units > 0n);
    const outs = net.flatMap(({ asset, units }) => (units < 0n ? [{ asset, units: -units }] : []));
    const worthOf = ({ asset, units }: { asset: number; units: bigint }) =>
      asset === this.#money ? units : valueAt(asset, units, timeMs);
    const isMoney = ({ asset }: { asset: number }) => asset === this.#money;
    const sum = (side: readonly { asset: number; units: bigint }[]): bigint | undefined =>
      side.reduce<bigint | undefined>((total, one) => {
        const value = worthOf(one);
        return total === undefined || value === undefined ? undefined : total + value;
      }, 0n);
    const worth = !ins.every(isMoney) && outs.every(isMoney) ? sum(outs) : (sum(ins) ?? sum(outs));
    const spread = (side: typeof ins): readonly (bigint | undefined)[] => {
      const money = side.filter(isMoney).reduce((total, { units }) => total + units, 0n);
      const coins = side.filter((one) => !isMoney(one));
      const shares = share(worth === undefined ? undefined : worth - money, coins.map(worthOf));
      let at = 0;
      return side.map((one) => (isMoney(one) ? one.units : shares[at++]));
    };
    const proceeds = spread(outs);
    for (const [at, { asset, units }] of outs.entries()) {
      this.#dispose(asset, units, proceeds[at], totals);
      totals.moved.push([asset, -(proceeds[at] ?? 0n)]);
    }
    const costs = spread(ins);
    for (const [at, { asset, units }] of ins.entries()) {
      this.#add(asset, units, costs[at]);
      totals.moved.push([asset, costs[at] ?? 0n]);
    }
  }

  #receive({ business, reference, timeMs }: AccountEvent, side: EventSide, moment: Moment, totals: Totals): void {
    const { asset, plainUnits: units } = side;
    const value = asset === this.#money ? units : moment.valueAt(asset, units, timeMs);
    switch (classOf(business)) {
      case "launch": {
        // Money that comes back was committed; coins take their cost out of it.
        const known = asset === this.#money ? units : (moment.launchCost(reference, units) ?? value);
        const cost = known === undefined || known < this.#launchUnits ? known : this.#launchUnits;
        if (cost !== undefined) this.#launchUnits -= cost;
        this.#add(asset, units, asset === this.#money ? units : cost);
        if (asset === this.#money && cost !== undefined) totals.inUnits += units - cost;
        totals.moved.push([asset, asset === this.#money ? units : (cost ?? 0n)]);
        return;
      }
      case "bond": {
        const back = units < this.#bondUnits ? units : this.#bondUnits;
        this.#bondUnits -= back;
        totals.inUnits += units - back;
        totals.moved.push([asset, units]);
        break;
      }
      case "flow":
      case "sale":
        totals.inUnits += value ?? 0n;
        totals.moved.push([asset, value ?? 0n]);
        break;
      case "result":
        totals.incomeUnits += value ?? 0n;
        break;
    }
    this.#add(asset, units, value);
  }

  #send({ business, timeMs }: AccountEvent, side: EventSide, moment: Moment, totals: Totals): void {
    const { asset } = side;
    const units = -side.plainUnits;
    const kind = classOf(business);
    if (kind === "launch" || kind === "bond") {
      const cost = this.#remove(asset, units) ?? 0n;
      if (kind === "launch") this.#launchUnits += cost;
      else this.#bondUnits += cost;
      totals.moved.push([asset, -cost]);
      return;
    }
    if (kind === "result") {
      totals.expenseUnits += this.#spend(asset, units, totals);
      return;
    }
    const value = asset === this.#money ? units : moment.valueAt(asset, units, timeMs);
    totals.outUnits += value ?? 0n;
    totals.moved.push([asset, -(value ?? 0n)]);
    if (kind === "sale") {
      this.#dispose(asset, units, value, totals);
      totals.outCostUnits += value ?? 0n;
    } else totals.outCostUnits += this.#remove(asset, units) ?? 0n;
  }

  /** A fee of an event that is no exchange. A fee received is a refund. */
  #payFee({ timeMs }: AccountEvent, { asset, feeUnits }: EventSide, { valueAt }: Moment, totals: Totals): void {
    if (feeUnits < 0n) totals.expenseUnits += this.#spend(asset, -feeUnits, totals);
    else if (feeUnits > 0n) {
      const value = asset === this.#money ? feeUnits : valueAt(asset, feeUnits, timeMs);
      totals.incomeUnits += value ?? 0n;
      this.#add(asset, feeUnits, value);
    }
  }

  /** Lost without proceeds: its cost is lost. */
  #spend(asset: number, units: bigint, totals: Totals): bigint {
    const costUnits = this.#remove(asset, units);
    const gainUnits = costUnits === undefined ? undefined : -costUnits;
    totals.disposals.push({ asset, units, costUnits, proceedsUnits: 0n, gainUnits });
    return costUnits ?? 0n;
  }

  #dispose(asset: number, units: bigint, proceedsUnits: bigint | undefined, totals: Totals): void {
    const costUnits = this.#remove(asset, units);
    if (asset === this.#money) return;
    const isKnown = costUnits !== undefined && proceedsUnits !== undefined;
    const gainUnits = isKnown ? proceedsUnits - costUnits : undefined;
    const coin = this.#coinOf(asset);
    coin.realisedUnits += gainUnits ?? 0n;
    totals.disposals.push({ asset, units, costUnits, proceedsUnits, gainUnits });
  }

  #coinOf(asset: number): Coin {
    let coin = this.#coins.get(asset);
    if (coin === undefined) {
      coin = { lots: [], realisedUnits: 0n };
      this.#coins.set(asset, coin);
    }
    return coin;
  }

  #add(asset: number, units: bigint, costUnits: bigint | undefined): void {
    if (asset === this.#money) {
      this.#moneyUnits += units;
      return;
    }
    const { lots } = this.#coinOf(asset);
    const same = lots.find((lot) => (lot.costUnits === undefined) === (costUnits === undefined));
    if (this.#method !== "AVERAGE" || same === undefined) lots.push({ units, costUnits });
    else {
      same.units += units;
      if (same.costUnits !== undefined && costUnits !== undefined) same.costUnits += costUnits;
    }
  }

  /** The cost of an amount; undefined when some of it has none. An average uses units with a cost first. */
  #remove(asset: number, units: bigint): bigint | undefined {
    if (asset === this.#money) {
      this.#moneyUnits -= units;
      return units;
    }
    const { lots } = this.#coinOf(asset);
    let left = units;
    let cost: bigint | undefined = 0n;
    while (left > 0n) {
      const at = this.#next(lots);
      const lot = lots[at];
      if (lot === undefined) return undefined;
      const taken = lot.units <= left ? lot.units : left;
      const part: bigint | undefined = lot.costUnits === undefined ? undefined : (lot.costUnits * taken) / lot.units;
      cost = cost === undefined || part === undefined ? undefined : cost + part;
      if (lot.costUnits !== undefined && part !== undefined) lot.costUnits -= part;
      lot.units -= taken;
      left -= taken;
      if (lot.units === 0n) lots.splice(at, 1);
    }
    return cost;
  }

  #next(lots: readonly Lot[]): number {
    if (this.#method === "LIFO") return lots.length - 1;
    if (this.#method === "FIFO") return 0;
    return Math.max(
      0,
      lots.findIndex(({ costUnits }) => costUnits !== undefined),
    );
  }
}

/**
 * A sum in proportion to weights; the last takes the rounding remainder. A single part takes all, whatever its weight.
 */
function share(sum: bigint | undefined, weights: readonly (bigint | undefined)[]): readonly (bigint | undefined)[] {
  if (sum === undefined || weights.length <= 1) return weights.map(() => sum);
  if (weights.includes(undefined)) return weights.map(() => undefined);
  const known = weights.map((weight) => weight ?? 0n);
  const whole = known.reduce((total, weight) => total + weight, 0n);
  let left = sum;
  return known.map((weight, at) => {
    const part = at === known.length - 1 ? left : whole === 0n ? 0n : (sum * weight) / whole;
    left -= part;
    return part;
  });
}
