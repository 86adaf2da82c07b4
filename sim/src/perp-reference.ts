// Owns a naive exchange for one linear perpetual: one-way cross accounts at one leverage, plain limit orders, whole
// numbers of any size, lists that are walked from the start. It must refuse, trade and hold exactly as the core does.
import { type Contract, isLiquidatable, keepCost } from "@clockwork/kit/margin";

export interface NaiveHolder {
  cash: bigint;
  lots: bigint;
  /** What its lots cost, rounded up, and in parts of a unit. */
  cost: bigint;
  fineCost: bigint;
  /** Margin asked as it was last measured, and whether orders or position changed since. */
  requested: bigint;
  stale: boolean;
}

interface NaiveOrder {
  readonly id: number;
  readonly account: number;
  readonly sells: boolean;
  readonly price: bigint;
  lots: bigint;
}

interface Sums {
  buy: bigint;
  buyLots: bigint;
  sell: bigint;
  sellLots: bigint;
}

export type NaiveTrade = readonly [price: bigint, lots: bigint, maker: number];

const RATE_ONE = 100_000_000n;
const BAND = { over: 10_500n, under: 9_500n, one: 10_000n };
const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
/** Parts of a unit costs are kept in, and how near to a whole unit counts as one. */
const FINE = 1n << 128n;
const NEAR = 1n << 64n;
const floorFine = (fine: bigint): bigint => (fine + NEAR) >> 128n;
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

export class NaivePerps {
  readonly holders = new Map<number, NaiveHolder>();
  orders: NaiveOrder[] = [];
  mark: bigint;
  readonly contract: Contract;
  readonly leverage: bigint;
  readonly rates: { readonly maker: bigint; readonly taker: bigint };

  constructor(contract: Contract, leverage: bigint, mark: bigint, rates: { maker: bigint; taker: bigint }) {
    this.contract = contract;
    this.leverage = leverage;
    this.mark = mark;
    this.rates = rates;
  }

  open(account: number, cash: bigint): void {
    this.holders.set(account, { cash, lots: 0n, cost: 0n, fineCost: 0n, requested: 0n, stale: false });
  }

  holder(account: number): NaiveHolder {
    return this.holders.get(account) as NaiveHolder;
  }

  worth(lots: bigint, price: bigint): bigint {
    return lots * price * this.contract.factor;
  }

  profit({ lots, fineCost }: NaiveHolder): bigint {
    const worth = this.worth(lots, this.mark) * FINE;
    return floorFine(lots >= 0n ? worth - fineCost : fineCost + worth);
  }

  #sums(account: number, extra?: NaiveOrder): Sums {
    const sums = { buy: 0n, buyLots: 0n, sell: 0n, sellLots: 0n };
    for (const order of extra === undefined ? this.orders : [...this.orders, extra]) {
      if (order.account !== account) continue;
      if (order.sells) {
        sums.sell += this.worth(order.lots, order.price);
        sums.sellLots += order.lots;
      } else {
        sums.buy += this.worth(order.lots, order.price);
        sums.buyLots += order.lots;
      }
    }
    return sums;
  }

  #openLoss({ buy, buyLots, sell, sellLots }: Sums): bigint {
    return max(0n, buy - this.worth(buyLots, this.mark)) + max(0n, this.worth(sellLots, this.mark) - sell);
  }

  /** Initial margin of the larger of both ways, the taker fee on what would open and what it would lose at once. */
  #requested(account: number, extra?: NaiveOrder): bigint {
    const { lots, cost } = this.holder(account);
    const sums = this.#sums(account, extra);
    const signed = lots < 0n ? -cost : cost;
    const most = max(abs(signed + sums.buy), abs(signed - sums.sell));
    const margin = ceilDiv(most, this.leverage);
    if (most <= cost) return margin;
    return margin + ceilDiv((most - cost) * this.rates.taker, RATE_ONE) + this.#openLoss(sums);
  }

  /** The code of the first check that fails, or undefined. */
  refusal(order: NaiveOrder): string | undefined {
    const { account, sells, price, lots } = order;
    const holder = this.holder(account);
    if (price > (this.mark * BAND.over) / BAND.one) return "PRICE_TOO_HIGH";
    if (price < ceilDiv(this.mark * BAND.under, BAND.one)) return "PRICE_TOO_LOW";
    if (holder.stale) holder.requested = this.#requested(account);
    holder.stale = false;
    const equity = holder.cash + this.profit(holder);
    const sums = this.#sums(account);
    const closable = holder.lots !== 0n && holder.lots > 0n === sells ? abs(holder.lots) : 0n;
    if (closable - (sells ? sums.sellLots : sums.buyLots) >= lots) {
      if (sells ? price >= this.mark : price <= this.mark) return undefined;
      const fee = ceilDiv(this.worth(lots, price) * this.rates.taker, RATE_ONE);
      return this.worth(lots, abs(price - this.mark)) > equity - fee ? "BANKRUPTCY_PRICE" : undefined;
    }
    let added = this.#requested(account, order) - holder.requested;
    const own = max(0n, this.worth(lots, sells ? this.mark - price : price - this.mark));
    if (own > 0n) added += max(0n, own - (this.#openLoss(this.#sums(account, order)) - this.#openLoss(sums)));
    return added > 0n && added > equity - holder.requested ? "INSUFFICIENT_MARGIN" : undefined;
  }

  /** Matches an accepted order, lets the rest stand unless it is immediate; returns its trades in order. */
  place(order: NaiveOrder, immediate: boolean): NaiveTrade[] {
    const trades: NaiveTrade[] = [];
    const holder = this.holder(order.account);
    holder.requested = this.#requested(order.account, order);
    holder.stale = false;
    const better = (a: NaiveOrder, b: NaiveOrder): number =>
      Number(order.sells ? b.price - a.price : a.price - b.price) || this.orders.indexOf(a) - this.orders.indexOf(b);
    const crossing = this.orders
      .filter(
        ({ sells, price }) => sells !== order.sells && (order.sells ? price >= order.price : price <= order.price),
      )
      .sort(better);
    let isOver = false;
    for (const maker of crossing) {
      if (order.lots === 0n) break;
      if (maker.account === order.account) {
        isOver = true;
        break;
      }
      const lots = maker.lots < order.lots ? maker.lots : order.lots;
      maker.lots -= lots;
      order.lots -= lots;
      this.#fill(maker.account, maker.sells, lots, maker.price, this.rates.maker);
      this.#fill(order.account, order.sells, lots, maker.price, this.rates.taker);
      trades.push([maker.price, lots, maker.account]);
    }
    this.orders = this.orders.filter(({ lots }) => lots > 0n);
    if (order.lots > 0n && !immediate && !isOver) this.orders.push(order);
    else if (order.lots > 0n) holder.stale = true;
    return trades;
  }

  #fill(account: number, sells: boolean, lots: bigint, price: bigint, rate: bigint): void {
    const holder = this.holder(account);
    holder.stale = true;
    const long = holder.lots > 0n;
    const closing = holder.lots !== 0n && long === sells ? (lots < abs(holder.lots) ? lots : abs(holder.lots)) : 0n;
    // Crossing zero is a close, then an opening of the rest.
    if (closing > 0n) {
      const value = this.worth(closing, price);
      const leaving = (holder.fineCost * closing) / abs(holder.lots);
      const gain = floorFine(long ? value * FINE - leaving : leaving - value * FINE);
      holder.cash += gain - ceilDiv(value * rate, RATE_ONE);
      holder.fineCost -= leaving;
    }
    if (lots > closing) {
      const value = this.worth(lots - closing, price);
      holder.cash -= ceilDiv(value * rate, RATE_ONE);
      holder.fineCost += value * FINE;
    }
    holder.cost = (holder.fineCost + FINE - NEAR) / FINE;
    holder.lots += sells ? -lots : lots;
  }

  cancel(id: number): boolean {
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return false;
    this.orders = this.orders.filter((one) => one !== order);
    this.holder(order.account).stale = true;
    return true;
  }

  /** Accounts the real margin check says must be liquidated at the mark. */
  due(): number[] {
    return [...this.holders]
      .filter(([, { lots, fineCost, cash }]) => {
        const side = lots > 0n ? 1n : -1n;
        const cost = keepCost({ over: fineCost, under: FINE });
        const holding = { contract: this.contract, side, lots: abs(lots), ...cost, markTicks: this.mark } as const;
        return lots !== 0n && isLiquidatable(cash, [holding]);
      })
      .map(([account]) => account);
  }
}
