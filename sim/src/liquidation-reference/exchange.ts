// Owns the naive twin's accounts, positions, book and cash: whole numbers of any size, lists walked from the start.
// Whether a user's order may be placed is not its business; what follows from one is.
import {
  abs,
  ceil,
  FINE,
  fine,
  floor,
  gainsWithValue,
  least,
  most,
  NEAR,
  nearCeil,
  nearFloor,
  profitAt,
  RATE_ONE,
  type Ratio,
  type Terms,
  valueAt,
} from "./contract.ts";

export interface NaiveMarket {
  readonly id: number;
  readonly coin: number;
  readonly terms: Terms;
  readonly slippageBps: bigint;
  mark: bigint;
  /** When the liquidation account sends its next slice; 0 while it holds nothing. */
  nextSlice: number;
  /** What came to the fund because of this symbol, and whether its losses go to winners. */
  readonly flows: { readonly time: number; readonly units: bigint }[];
  deleverages: boolean;
  /** What rounding results down has left in the clearing book, in parts of a unit. */
  fineLeft: bigint;
}

export interface NaivePosition {
  readonly account: NaiveAccount;
  readonly market: NaiveMarket;
  /** The core's record, which breaks ties, and how many positions it has held before. */
  readonly record: number;
  generation: number;
  /** Long positive. */
  lots: bigint;
  /** What its lots cost, in parts of a unit. */
  fineCost: bigint;
  margin: bigint;
  realized: bigint;
}

/** What a position's lots cost, rounded up. */
export const wholeCost = ({ fineCost }: NaivePosition): bigint => nearCeil({ over: fineCost, under: FINE });

export interface SymbolMargin {
  readonly isolated: boolean;
  readonly leverageLong: bigint;
  readonly leverageShort: bigint;
  /** The only position, or the long one of a hedge. */
  readonly long: NaivePosition;
  readonly short: NaivePosition;
}

export interface NaiveAccount {
  readonly id: number;
  readonly coin: number;
  readonly hedge: boolean;
  cash: bigint;
  bonus: bigint;
  /** Share of a debt the bonus may bear, in 1e-4. */
  readonly bonusRatio: bigint;
  readonly symbolMargins: Map<number, SymbolMargin>;
  /** Open positions, the one that opened last first. */
  open: NaivePosition[];
}

interface NaiveOrder {
  readonly id: number;
  readonly account: NaiveAccount;
  readonly market: NaiveMarket;
  readonly sells: boolean;
  readonly reduces: boolean;
  readonly price: bigint;
  lots: bigint;
}

/** The house's books in one coin. `earned` is fees and rounding together. */
export interface House {
  fund: bigint;
  deficit: bigint;
  clearing: bigint;
  earned: bigint;
  /** Balances the fund fell from, and when. */
  readonly peaks: { readonly time: number; readonly units: bigint }[];
}

type Book = "fund" | "clearing" | "earned";

export const FUND = 2;
const RATIO_ONE = 10_000n;
const HALF_HOUR_MS = 1_800_000;
const WINDOW = 16;
const BEGIN_PERCENT = 30n;
const END_PERCENT = 25n;

export class NaiveExchange {
  time = 0;
  readonly rates = { maker: 20_000n, taker: 60_000n };
  readonly markets = new Map<number, NaiveMarket>();
  readonly accounts = new Map<number, NaiveAccount>();
  readonly houses = new Map<number, House>();
  /** The insurance fund's own positions, by market. */
  readonly held = new Map<number, NaivePosition>();
  orders: NaiveOrder[] = [];

  house(market: NaiveMarket): House {
    return this.houses.get(market.coin) as House;
  }

  isIsolated({ account, market }: NaivePosition): boolean {
    return account.id !== FUND && (account.symbolMargins.get(market.id) as SymbolMargin).isolated;
  }

  profit({ market, lots, fineCost }: NaivePosition): bigint {
    return lots === 0n ? 0n : nearFloor(profitAt(market.terms, lots, fineCost, market.mark));
  }

  /** Pays a margin account from the clearing book. */
  pay(account: NaiveAccount, market: NaiveMarket, units: bigint): void {
    const house = this.house(market);
    house.clearing -= units;
    if (account.id !== FUND) account.cash += units;
    else {
      house.fund += units;
      this.note(market, units);
    }
  }

  /**
   * Takes units to a house's book: bonus first, then the isolated position's margin or the wallet, then profit of other
   * cross positions. Returns what nobody had.
   */
  take(
    account: NaiveAccount,
    position: NaivePosition | undefined,
    market: NaiveMarket,
    units: bigint,
    to: Book,
  ): bigint {
    const house = this.house(market);
    if (account.id === FUND) {
      this.payFromFund(market, units, to);
      return 0n;
    }
    let left = units;
    const borne = least((left * account.bonusRatio) / RATIO_ONE, account.bonus);
    account.bonus -= borne;
    left -= borne;
    if (position !== undefined && this.isIsolated(position)) {
      const taken = least(left, position.margin);
      position.margin -= taken;
      left -= taken;
    } else {
      if (account.cash < left) this.#realizeOthers(account, left - account.cash);
      const taken = least(left, account.cash);
      account.cash -= taken;
      left -= taken;
    }
    house[to] += units - left;
    return left;
  }

  /** What the fund lacks stands in the deficit book. */
  payFromFund(market: NaiveMarket, units: bigint, to: Book): void {
    const house = this.house(market);
    house.peaks.push({ time: this.time, units: house.fund });
    const paid = least(units, house.fund);
    house.fund -= paid;
    house.deficit -= units - paid;
    house[to] += units;
    this.note(market, -units);
  }

  /** Profit of open cross positions becomes cash, newest first, as if they were closed and opened again at the mark. */
  #realizeOthers(account: NaiveAccount, units: bigint): void {
    let left = units;
    for (const position of account.open) {
      if (this.isIsolated(position)) continue;
      const grows = gainsWithValue(position.market.terms, position.lots);
      const taken = least(left, this.profit(position));
      if (taken <= 0n) continue;
      position.fineCost += (grows ? taken : -taken) * FINE;
      position.realized += taken;
      this.pay(account, position.market, taken);
      left -= taken;
    }
  }

  /** Notes what came to the fund or left it because of a symbol. */
  note(market: NaiveMarket, units: bigint): void {
    market.flows.push({ time: this.time, units });
    this.isDrained(market);
  }

  /** Begins above 30 % of the fund's eight-hour peak, ends at 25 %; eight hours are sixteen half hours, this one too. */
  isDrained(market: NaiveMarket): boolean {
    const oldest = Math.floor(this.time / HALF_HOUR_MS) - WINDOW;
    const recent = ({ time }: { readonly time: number }): boolean => Math.floor(time / HALF_HOUR_MS) > oldest;
    const house = this.house(market);
    const drawn = -market.flows.filter(recent).reduce((sum, { units }) => sum + units, 0n);
    const peak = house.peaks.filter(recent).reduce((high, { units }) => most(high, units), house.fund);
    const percent = market.deleverages ? END_PERCENT : BEGIN_PERCENT;
    market.deleverages = drawn > 0n && drawn * 100n > peak * percent;
    return market.deleverages;
  }

  #fee(account: NaiveAccount, market: NaiveMarket, value: Ratio, rate: bigint): void {
    const fee = ceil({ over: value.over * rate, under: value.under * RATE_ONE });
    if (fee > 0n) this.take(account, undefined, market, fee, "earned");
  }

  grow(position: NaivePosition, delta: bigint, value: Ratio, rate: bigint): void {
    const { account, market } = position;
    if (position.lots === 0n) {
      position.realized = 0n;
      account.open.unshift(position);
    }
    position.lots += delta;
    position.fineCost += fine(value);
    this.#fee(account, market, value, rate);
    if (!this.isIsolated(position)) return;
    const symbolMargin = account.symbolMargins.get(market.id) as SymbolMargin;
    const leverage =
      account.hedge && position === symbolMargin.short ? symbolMargin.leverageShort : symbolMargin.leverageLong;
    this.setAside(position, ceil({ over: value.over, under: value.under * leverage }));
  }

  setAside(position: NaivePosition, units: bigint): void {
    const taken = least(units, position.account.cash);
    position.account.cash -= taken;
    position.margin += taken;
  }

  /** Lots leave at a value. The result and the margin that leaves round against the holder. */
  reduce(position: NaivePosition, lots: bigint, value: Ratio, rate: bigint): bigint {
    const { account, market } = position;
    const size = abs(position.lots);
    const grows = gainsWithValue(market.terms, position.lots);
    const leaving = lots === size ? position.fineCost : fine({ over: position.fineCost * lots, under: size * FINE });
    const gain = grows ? fine(value) - leaving : leaving - fine(value);
    const profit = floor({ over: gain + NEAR, under: FINE });
    market.fineLeft += gain - profit * FINE;
    const margin = position.margin;
    position.lots += position.lots > 0n ? -lots : lots;
    position.fineCost -= leaving;
    position.realized += profit;
    if (profit > 0n) this.pay(account, market, profit);
    if (profit < 0n) this.debt(position, -profit, "clearing");
    if (this.isIsolated(position)) {
      const locked = lots === size ? 0n : margin - (margin * lots) / size;
      const back = most(0n, position.margin - locked);
      position.margin -= back;
      account.cash += back;
    }
    this.#fee(account, market, value, rate);
    if (position.lots === 0n) {
      account.open = account.open.filter((one) => one !== position);
      position.generation++;
    }
    return profit;
  }

  /** Others wait for it: what the holder cannot pay the fund advances. */
  debt(position: NaivePosition, units: bigint, to: Book): void {
    const missing = this.take(position.account, position, position.market, units, to);
    if (missing > 0n) this.payFromFund(position.market, missing, to);
  }

  /** A fill against the position closes it first, the rest opens another. Returns its value, rounded up. */
  #fill(position: NaivePosition, delta: bigint, price: bigint, rate: bigint): bigint {
    const { terms } = position.market;
    const against = position.lots !== 0n && position.lots > 0n !== delta > 0n;
    const closing = against ? least(abs(delta), abs(position.lots)) : 0n;
    const opening = abs(delta) - closing;
    if (closing > 0n) this.reduce(position, closing, valueAt(terms, closing, price), rate);
    if (opening > 0n) this.grow(position, delta > 0n ? opening : -opening, valueAt(terms, opening, price), rate);
    return ceil(valueAt(terms, abs(delta), price));
  }

  #reached({ account, market, sells, reduces }: NaiveOrder): NaivePosition {
    if (account.id === FUND) return this.held.get(market.id) as NaivePosition;
    const { long, short } = account.symbolMargins.get(market.id) as SymbolMargin;
    return !account.hedge || sells === reduces ? long : short;
  }

  /** Makers an order meets within its limit, in their order. */
  crossing(market: NaiveMarket, sells: boolean, limit: bigint): NaiveOrder[] {
    const found = this.orders.filter(
      (one) => one.market === market && one.sells !== sells && (sells ? one.price >= limit : one.price <= limit),
    );
    const age = (order: NaiveOrder): number => this.orders.indexOf(order);
    return found.sort((a, b) => Number(sells ? b.price - a.price : a.price - b.price) || age(a) - age(b));
  }

  /** Matches an order; what is left of one that may rest stands. Without a fee when the house sends it. */
  match(order: NaiveOrder, rests: boolean, forced: boolean): bigint {
    const { market } = order;
    let total = 0n;
    let expired = false;
    for (const maker of this.crossing(market, order.sells, order.price)) {
      if (order.lots === 0n || expired) break;
      if (maker.account === order.account) {
        // The taker expires; what the house sends goes on past the owner's orders and ends them.
        if (forced) maker.lots = 0n;
        else expired = true;
        continue;
      }
      const lots = least(maker.lots, order.lots);
      maker.lots -= lots;
      order.lots -= lots;
      const bought = order.sells ? -lots : lots;
      this.#fill(this.#reached(maker), -bought, maker.price, this.rates.maker);
      total += this.#fill(this.#reached(order), bought, maker.price, forced ? 0n : this.rates.taker);
    }
    this.orders = this.orders.filter(({ lots }) => lots > 0n);
    if (rests && !expired && order.lots > 0n) this.orders.push(order);
    return total;
  }
}
