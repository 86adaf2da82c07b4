// A market's book as two plain lists, best price first, then oldest: what the fast one is compared with.
import { STP_DECREMENT, STP_EXPIRE_BOTH, STP_EXPIRE_MAKER, STP_NONE } from "./orders.ts";

export interface NaiveOrder {
  readonly slot: number;
  readonly sell: boolean;
  readonly price: number;
  readonly group: number;
  readonly flags: number;
  lots: number;
  filled: number;
  hidden: number;
  slice: number;
  sequence: number;
}

export interface NaiveTaker {
  readonly sell: boolean;
  readonly limit: number;
  readonly group: number;
  readonly mode: number;
  readonly sequence: number;
  /** Flags of makers that are only met first. */
  readonly pauses: number;
  /** Quote units of a tick and lot where quote units are spent, 0 where lots are taken. */
  readonly unit: number;
}

type Outcome = "open" | "prevented" | "paused";

/** What a match did, as in the books' steps: kind, maker, price, whether the maker is done, lots. */
export type NaiveStep = readonly ["trade" | "prevented" | "depth" | "refill", number, number, 0 | 1, number];

export class NaiveBook {
  readonly bids: NaiveOrder[] = [];
  readonly asks: NaiveOrder[] = [];
  steps: NaiveStep[] = [];

  side(sell: boolean): NaiveOrder[] {
    return sell ? this.asks : this.bids;
  }

  /** Behind all of its price. */
  rest(order: NaiveOrder): void {
    const queue = this.side(order.sell);
    const place = queue.findIndex(({ price }) => (order.sell ? price > order.price : price < order.price));
    queue.splice(place === -1 ? queue.length : place, 0, order);
  }

  remove(order: NaiveOrder): void {
    const queue = this.side(order.sell);
    queue.splice(queue.indexOf(order), 1);
  }

  shown(sell: boolean, at: number): number {
    return this.side(sell).reduce((sum, { price, lots }) => sum + (price === at ? lots : 0), 0);
  }

  best(sell: boolean): number {
    return this.side(sell)[0]?.price ?? 0;
  }

  crosses(sell: boolean, limit: number): boolean {
    const best = this.best(!sell);
    return best !== 0 && (sell ? best >= limit : best <= limit);
  }

  /** Takes `wanted` lots, or spends as many quote units; answers what is left of them. */
  match(taker: NaiveTaker, wanted: number): { readonly outcome: Outcome; readonly left: number } {
    const { sell, limit, unit } = taker;
    const queue = this.side(!sell);
    let [left, outcome] = [wanted, "open" as Outcome];
    this.steps = [];
    while (outcome === "open" && left > 0 && this.crosses(sell, limit)) {
      const price = this.best(!sell);
      const cost = unit === 0 ? 1 : price * unit;
      const before = this.shown(!sell, price);
      while (outcome === "open" && queue[0]?.price === price && left >= cost) {
        const met = this.#meet(taker, queue[0], Math.floor(left / cost));
        left -= met.taken * cost;
        outcome = met.outcome;
      }
      const after = this.shown(!sell, price);
      if (after !== before) this.steps.push(["depth", 0, price, 0, after]);
      if (queue[0]?.price === price) break;
    }
    return { outcome, left };
  }

  /** One meeting at the front of a queue. */
  #meet(taker: NaiveTaker, maker: NaiveOrder, wanted: number): { readonly taken: number; readonly outcome: Outcome } {
    const { slot, price } = maker;
    const { mode } = taker;
    if ((maker.flags & taker.pauses) !== 0 && this.steps.length > 0) return { taken: 0, outcome: "paused" };
    const lots = Math.min(wanted, maker.lots);
    const own = maker.group === taker.group && mode !== STP_NONE;
    if (own && mode !== STP_DECREMENT) {
      const ends = mode === STP_EXPIRE_MAKER || mode === STP_EXPIRE_BOTH;
      this.steps.push(["prevented", slot, price, ends ? 1 : 0, lots]);
      if (ends) this.remove(maker);
      return { taken: 0, outcome: mode === STP_EXPIRE_MAKER ? "open" : "prevented" };
    }
    maker.lots -= lots;
    if (!own) maker.filled += lots;
    const slice = maker.lots === 0 ? Math.min(maker.hidden, maker.slice) : 0;
    const done = maker.lots === 0 && slice === 0;
    this.steps.push([own ? "prevented" : "trade", slot, price, done ? 1 : 0, lots]);
    if (maker.lots === 0) this.remove(maker);
    if (slice > 0) {
      Object.assign(maker, { lots: slice, hidden: maker.hidden - slice, sequence: taker.sequence });
      this.rest(maker);
      this.steps.push(["refill", slot, price, 0, slice]);
    }
    return { taken: lots, outcome: "open" };
  }

  /** Whether all of `wanted` would be filled, with own orders in the way. */
  fillsWhole({ sell, limit, group, mode }: NaiveTaker, wanted: number): boolean {
    let left = wanted;
    for (const maker of this.side(!sell)) {
      if (sell ? maker.price < limit : maker.price > limit) return false;
      const own = maker.group === group && mode !== STP_NONE;
      if (own && mode !== STP_EXPIRE_MAKER) return false;
      if (!own) left -= maker.lots + maker.hidden;
      if (left <= 0) return true;
    }
    return false;
  }
}
