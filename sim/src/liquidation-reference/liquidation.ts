// Owns the naive liquidation, step for step as the rules tell it: orders taken back, hedges netted, tiers left through
// the book, the rest taken over or given to winners; the fund's slices and funding. Slow and plain.
import {
  abs,
  bankruptcyValue,
  ceil,
  compare,
  FINE,
  floor,
  isUsedUp,
  least,
  lotsWithin,
  most,
  nearCeil,
  nearFloor,
  needAt,
  priceOfValue,
  profitAt,
  RATE_ONE,
  type Ratio,
  rungOf,
  scoreOf,
  usedOf,
  valueAt,
  whole,
} from "./contract.ts";
import {
  FUND,
  type NaiveAccount,
  NaiveExchange,
  type NaiveMarket,
  type NaivePosition,
  type SymbolMargin,
  wholeCost,
} from "./exchange.ts";

const TICKS_MAX = 0x3fffffffn;
const SLICE_MS = 500;
const BPS = 10_000n;
const RECORDS = 0x1000000;

/** One line of a liquidation's report, in the order they are told. */
export type Line = readonly (string | number | bigint | boolean)[];

export class NaiveLiquidation extends NaiveExchange {
  lines: Line[] = [];

  /** Positions that share a margin. */
  scope(position: NaivePosition): NaivePosition[] {
    if (this.isIsolated(position)) return [position];
    return position.account.open.filter((one) => !this.isIsolated(one));
  }

  cash(position: NaivePosition): bigint {
    return this.isIsolated(position) ? position.margin : position.account.cash + position.account.bonus;
  }

  #sums(positions: readonly NaivePosition[]): { profits: Ratio[]; needs: Ratio[] } {
    return {
      profits: positions.map(({ market, lots, fineCost }) => profitAt(market.terms, lots, fineCost, market.mark)),
      needs: positions.map(({ market, lots }) => needAt(market.terms, lots, market.mark)),
    };
  }

  isDue(position: NaivePosition): boolean {
    const { profits, needs } = this.#sums(this.scope(position));
    return isUsedUp(this.cash(position), profits, needs);
  }

  /** Everybody, after a mark or a settlement: the worst margin ratio first, those with nothing left by age. */
  check(market: NaiveMarket): void {
    const due: { position: NaivePosition; id: number; used: Ratio | undefined }[] = [];
    for (const { open } of this.accounts.values()) {
      const cross = open.find((one) => !this.isIsolated(one));
      for (const position of open) {
        if ((position !== cross && !this.isIsolated(position)) || !this.isDue(position)) continue;
        const { profits, needs } = this.#sums(this.scope(position));
        const id = position.record + position.generation * RECORDS;
        due.push({ position, id, used: usedOf(this.cash(position), profits, needs) });
      }
    }
    due.sort((a, b) => {
      if (a.used === undefined || b.used === undefined)
        return Number(a.used !== undefined) - Number(b.used !== undefined) || a.id - b.id;
      return compare(b.used, a.used) || a.id - b.id;
    });
    for (const { position, id } of due) {
      const same = position.record + position.generation * RECORDS === id && position.lots !== 0n;
      if (same && this.isDue(position)) this.#liquidate(position);
    }
    this.#guardFund(market);
    this.#repay(market);
  }

  #liquidate(position: NaivePosition): void {
    const { account, market } = position;
    const isolated = this.isIsolated(position);
    const scope = this.scope(position);
    const profit = scope.reduce((sum, one) => sum + this.profit(one), 0n);
    const need = scope.reduce((sum, one) => sum + ceil(needAt(one.market.terms, one.lots, one.market.mark)), 0n);
    this.lines.push(["started", account.id, market.id, isolated, this.cash(position), profit, need]);
    this.#takeBackOrders(position);
    if (!isolated) this.#netPairs(position);
    const left = (): NaivePosition[] => this.scope(position).filter(({ lots }) => lots !== 0n);
    for (let open = left(); open.length > 0; open = left()) {
      // The one that loses most goes first.
      const worst = open.reduce((low, one) => (this.profit(one) < this.profit(low) ? one : low));
      if (!this.isDue(worst)) break;
      if (!this.#leaveTier(worst)) this.#end(worst);
      if (isolated && position.lots === 0n) break;
    }
    const frozen = account.open.reduce((sum, { margin }) => sum + margin, 0n);
    this.lines.push(["ended", account.id, market.id, account.cash, frozen]);
  }

  #step(step: string, position: NaivePosition, ticks: bigint, lots: bigint, value: bigint): void {
    this.lines.push([step, position.account.id, position.market.id, ticks, lots, value, this.cash(position)]);
  }

  #print(market: NaiveMarket, ticks: bigint, lots: bigint): void {
    this.lines.push(["print", market.id, ticks, lots]);
  }

  /** Step 1: opening orders of the symbol, or of every symbol in cross margin. */
  #takeBackOrders(position: NaivePosition): void {
    const { account } = position;
    const reaches = (market: NaiveMarket): boolean =>
      this.isIsolated(position)
        ? market === position.market
        : !(account.symbolMargins.get(market.id) as SymbolMargin).isolated;
    const taken = this.orders.filter((one) => one.account === account && !one.reduces && reaches(one.market));
    if (taken.length === 0) return;
    this.orders = this.orders.filter((one) => !taken.includes(one));
    this.#step("ordersCancelled", position, 0n, BigInt(taken.length), 0n);
  }

  /** Step 2: both sides of a symbol close against each other at the mark, the winning one first, without a fee. */
  #netPairs(position: NaivePosition): void {
    for (const one of [...this.scope(position)]) {
      const { market, account } = one;
      const { long, short } = account.symbolMargins.get(market.id) as SymbolMargin;
      if (!this.isDue(position)) return;
      if (!account.hedge || one !== long || long.lots === 0n || short.lots === 0n) continue;
      const lots = least(long.lots, -short.lots);
      const value = valueAt(market.terms, lots, market.mark);
      const pair = this.profit(long) >= this.profit(short) ? [long, short] : [short, long];
      for (const side of pair) this.reduce(side, lots, value, 0n);
      this.#step("pairNetted", long, market.mark, lots, ceil(value));
    }
  }

  /** Margin a position would go bankrupt on: its own, or the wallet with the profit of every other cross position. */
  #backing(position: NaivePosition): bigint {
    const others = this.scope(position).filter((one) => one !== position);
    return this.cash(position) + others.reduce((sum, one) => sum + this.profit(one), 0n);
  }

  /** The bankruptcy price in whole ticks, rounded toward the market; 0 when there is none. */
  #bankruptcyTicks(position: NaivePosition): bigint {
    const { terms } = position.market;
    const value = bankruptcyValue(terms, position.lots, position.fineCost, this.#backing(position));
    if (value === undefined) return 0n;
    const price = priceOfValue(terms, abs(position.lots), value);
    return most(1n, least(TICKS_MAX, position.lots > 0n ? nearCeil(price) : nearFloor(price)));
  }

  /** Step 3: just enough leaves through the book, at the bankruptcy price or better, to fall to the tier below. */
  #leaveTier(position: NaivePosition): boolean {
    const { account, market, lots: held } = position;
    const { terms, mark } = market;
    const rung = rungOf(terms, valueAt(terms, abs(held), mark));
    const below = terms.ladder[rung - 1];
    if (below === undefined) return false;
    const ticks = this.#bankruptcyTicks(position);
    const price = ticks !== 0n ? ticks : held > 0n ? 1n : TICKS_MAX;
    const lots = abs(held) - lotsWithin(terms, below.cap, mark);
    const order = { id: 0, account, market, sells: held > 0n, reduces: true, price, lots };
    const value = this.match(order, false, true);
    const filled = lots - order.lots;
    if (filled === 0n) return false;
    const isOver = position.lots === 0n;
    this.#charge(isOver ? undefined : position, account, market, ceil({ over: value * terms.fee, under: RATE_ONE }));
    if (!isOver) this.#step("tierReduced", position, price, filled, value);
    this.#print(market, price, held > 0n ? filled : -filled);
    return true;
  }

  /** The liquidation fee goes to the fund, as far as there is anything to take it from. */
  #charge(position: NaivePosition | undefined, account: NaiveAccount, market: NaiveMarket, units: bigint): void {
    if (units <= 0n) return;
    const missing = this.take(account, position, market, units, "fund");
    this.note(market, units - missing);
  }

  /** Steps 4 to 6: the rest leaves at the bankruptcy value and the margin is consumed. */
  #end(position: NaivePosition): void {
    const { account, market, lots: held, fineCost, margin } = position;
    const { terms } = market;
    const exact = bankruptcyValue(terms, held, fineCost, this.#backing(position));
    const isolated = this.isIsolated(position);
    // What the holder is owed rounds up, so that nothing of a debt is left to others.
    const value = exact === undefined ? 0n : held > 0n !== terms.inverse ? nearCeil(exact) : nearFloor(exact);
    const ticks = this.#bankruptcyTicks(position);
    const drained = this.isDrained(market);
    const bears = this.#fundBears(market, held, value) && !drained;
    this.#step(bears ? "takenOver" : "deleveraged", position, ticks, abs(held), value);
    this.#print(market, ticks, held);
    const profit = this.reduce(position, abs(held), whole(value), 0n);
    const fee = ceil({ over: value * terms.fee, under: RATE_ONE });
    this.#charge(undefined, account, market, isolated ? margin + profit : fee);
    const rest = bears ? { lots: abs(held), value } : this.#deleverage(market, held, value, ticks, account);
    if (rest.lots > 0n) this.#takeOver(market, held > 0n ? rest.lots : -rest.lots, rest.value);
  }

  /** What the fund has, less what it owes, with the profit of what it holds in the coin. */
  #fundWorth(market: NaiveMarket): bigint {
    const { fund, deficit } = this.house(market);
    const held = [...this.held.values()].filter((one) => one.market.coin === market.coin);
    return held.reduce((sum, one) => sum + this.profit(one), fund + deficit);
  }

  #fundBears(market: NaiveMarket, held: bigint, value: bigint): boolean {
    const gain = floor(profitAt(market.terms, held, value * FINE, market.mark));
    return gain >= 0n || this.#fundWorth(market) + gain >= 0n;
  }

  #takeOver(market: NaiveMarket, lots: bigint, value: bigint): void {
    const position = this.held.get(market.id) as NaivePosition;
    const against = position.lots !== 0n && position.lots > 0n !== lots > 0n;
    const closing = against ? least(abs(lots), abs(position.lots)) : 0n;
    const share = closing === abs(lots) ? value : (value * closing) / abs(lots);
    if (closing > 0n) this.reduce(position, closing, whole(share), 0n);
    const opening = abs(lots) - closing;
    if (opening > 0n) this.grow(position, lots > 0n ? opening : -opening, whole(value - share), 0n);
    if (position.lots !== 0n && market.nextSlice === 0) market.nextSlice = this.time + SLICE_MS;
  }

  /** Step 6: the other side, best score first, is closed at the bankrupt position's value, without a fee. */
  #deleverage(
    market: NaiveMarket,
    held: bigint,
    value: bigint,
    ticks: bigint,
    except: NaiveAccount | undefined,
  ): { lots: bigint; value: bigint } {
    const others = [...this.accounts.values()]
      .filter((account) => account !== except)
      .flatMap(({ open }) => open.filter((one) => one.market === market && one.lots > 0n !== held > 0n));
    const ranked = others
      .map((position) => ({
        position,
        score: scoreOf(market.terms, position.lots, position.fineCost, market.mark, this.#backing(position)),
      }))
      .sort((a, b) => compare(b.score, a.score) || a.position.record - b.position.record);
    let lots = abs(held);
    let left = value;
    for (const { position } of ranked) {
      if (lots === 0n) break;
      const size = least(lots, abs(position.lots));
      const share = (left * size) / lots;
      const profit = this.reduce(position, size, whole(share), 0n);
      this.lines.push(["winner", position.account.id, market.id, ticks, size, share, profit]);
      lots -= size;
      left -= share;
    }
    return { lots, value: left };
  }

  /** When what the fund holds has eaten the fund, winners take it at what the fund gave for it. */
  #guardFund(market: NaiveMarket): void {
    const position = this.held.get(market.id) as NaivePosition;
    const { lots: held } = position;
    const cost = wholeCost(position);
    if (held === 0n || this.#fundWorth(market) >= 0n || this.profit(position) >= 0n) return;
    const rest = this.#deleverage(market, held, cost, market.mark, undefined);
    const closed = abs(held) - rest.lots;
    if (closed > 0n) this.reduce(position, closed, whole(cost - rest.value), 0n);
  }

  #repay(market: NaiveMarket): void {
    const house = this.house(market);
    const units = least(house.fund, -house.deficit);
    if (units <= 0n) return;
    house.peaks.push({ time: this.time, units: house.fund });
    house.fund -= units;
    house.deficit += units;
  }

  /** One slice of the liquidation account: at most a tenth of what the book shows within reach of the mark. */
  slice(market: NaiveMarket): void {
    if (market.nextSlice === 0 || market.nextSlice > this.time) return;
    const position = this.held.get(market.id) as NaivePosition;
    const { account, lots: held } = position;
    market.nextSlice = held === 0n ? 0 : this.time + SLICE_MS;
    const reach = (market.mark * market.slippageBps) / BPS;
    const price = held > 0n ? most(1n, market.mark - reach) : market.mark + reach;
    const visible = this.crossing(market, held > 0n, price).reduce((sum, { lots }) => sum + lots, 0n);
    if (held === 0n || visible === 0n) return;
    const lots = least(abs(held), most(1n, visible / 10n));
    this.match({ id: 0, account, market, sells: held > 0n, reduces: true, price, lots }, false, true);
  }

  /** Holders pay each other s·N·F; payers first, so that receivers are paid in full. */
  settleFunding(market: NaiveMarket, rate: bigint): void {
    const users = [...this.accounts.values()].flatMap(({ open }) => open);
    const holders = [...users, this.held.get(market.id) as NaivePosition]
      .filter((one) => one.market === market && one.lots !== 0n)
      .sort((a, b) => a.record - b.record);
    let left = 0n;
    const charge = ({ lots }: NaivePosition): Ratio => {
      const { over, under } = valueAt(market.terms, abs(lots), market.mark);
      return { over: over * abs(rate), under: under * RATE_ONE };
    };
    for (const position of holders) {
      if (rate === 0n || position.lots > 0n !== rate > 0n) continue;
      const units = ceil(charge(position));
      this.debt(position, units, "clearing");
      left += units;
    }
    for (const position of holders) {
      if (rate === 0n || position.lots > 0n === rate > 0n) continue;
      const units = floor(charge(position));
      this.pay(position.account, market, units);
      if (position.account.id !== FUND && this.isIsolated(position)) this.setAside(position, units);
      left -= units;
    }
    // With what rounding results down has left, in whole units.
    const rounded = most(0n, nearFloor({ over: market.fineLeft, under: FINE }));
    market.fineLeft -= rounded * FINE;
    left += rounded;
    this.house(market).clearing -= left;
    this.house(market).earned += left;
  }
}
