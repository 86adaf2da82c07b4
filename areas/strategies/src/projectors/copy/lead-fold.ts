// Owns what events mean for leaders' statistics: what a lead book is worth, the index of its worth by time-weighted
// return, closed trades and days. Pure. Coins count by the core's valuation and contracts by the first mark of each
// minute, so that no single trade moves a leader's figures and nothing depends on where the events are cut.
import { type EventOf, eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import type { LedgerFacts } from "@clockwork/host/projector";
import { carryIndex, INDEX_ONE } from "@clockwork/kit/copy-statistics";
import { coinWorthFloor, linearProfit } from "@clockwork/kit/instrument";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { PositionRow } from "@clockwork/trading/projectors/futures/futures-rows";
import { PositionFold } from "@clockwork/trading/projectors/futures/position-fold";
import type { LeadBookRow, LeadCoinRow, LeadDayRow, LeadMarkRow, LeadSaleRow } from "./copy-rows.ts";

/** The row of marks that holds which day is open. */
const DAY_MARK = 0;

/** The effect of trading itself; everything else is a deposit or withdrawal and no profit. */
const TRADING: ReadonlySet<string> = new Set([
  "trade",
  "fee",
  "rounding",
  "openFee",
  "closeFee",
  "realized",
  "funding",
  "liquidationFee",
  "insurance",
  "adl",
  "margin",
]);

export const LEAD_KINDS = eventKinds(
  "accountCreated",
  "marketListed",
  "posting",
  "referencePrice",
  "assetValued",
  "trade",
  "positionChanged",
  "marginChanged",
  "liquidationStarted",
  "liquidationStep",
  "liquidationEnded",
  "deleveraged",
  "marketStatus",
);

/** The state of lead books between two runs. */
export class LeadState {
  readonly books = new Map<number, LeadBookRow>();
  /** By account, then by coin; spot leaders only. */
  readonly coins = new Map<number, Map<number, LeadCoinRow>>();
  /** Open ones, by their number. */
  readonly positions = new Map<number, PositionRow>();
  readonly marks = new Map<number, LeadMarkRow>();
  /** Base units in a lot, by market. */
  readonly steps = new Map<number, bigint>();
}

/** The effect of one command's spot trades on a leader's coin. */
interface Traded {
  readonly account: number;
  readonly market: number;
  base: bigint;
  quote: bigint;
  /** In a market outside the book's coin: the change of the other coin. */
  swapped: bigint;
  sequence: number;
  time: number;
}

export class LeadFold {
  readonly #facts: LedgerFacts;
  readonly #state: LeadState;
  readonly #positions: PositionFold;
  readonly changedBooks = new Set<LeadBookRow>();
  readonly changedCoins = new Set<LeadCoinRow>();
  readonly changedMarks = new Set<LeadMarkRow>();
  readonly sales: LeadSaleRow[] = [];
  readonly days: LeadDayRow[] = [];
  #sequence = 0;
  readonly #traded = new Map<string, Traded>();

  constructor(facts: LedgerFacts, state: LeadState) {
    this.#facts = facts;
    this.#state = state;
    this.#positions = new PositionFold(facts, {
      findPosition: (_, positionId) => state.positions.get(positionId),
      addPosition: (row) => state.books.has(row.account) && state.positions.set(row.position_id, row) !== undefined,
      findBonus: () => undefined,
    });
  }

  get positions(): ReadonlySet<PositionRow> {
    return this.#positions.positions;
  }

  apply(event: MachineEvent): void {
    if (event.sequence !== this.#sequence) this.finish();
    this.#sequence = event.sequence;
    this.#closeDays(event.time);
    switch (event.kind) {
      case "accountCreated":
        if (event.book === "copyFLead") this.#open(event.account, "futures", 0, event.time);
        break;
      case "marketListed":
        this.#state.steps.set(event.market, BigInt(event.stepUnits));
        break;
      case "referencePrice":
        // A spot market has an index and no mark.
        if (event.markTicks !== 0) this.#mark(event.market, event.markTicks, event.time);
        break;
      case "assetValued":
        this.#value(event);
        break;
      case "trade":
        // Until there is anything better.
        if (!this.#state.marks.has(event.market)) this.#mark(event.market, event.price, event.time);
        break;
      case "posting":
        this.#post(event);
        break;
      default:
        this.#positions.apply(event);
        break;
    }
  }

  /** The last command is complete: its spot trades count. Called once more when no event follows. */
  finish(): void {
    for (const traded of this.#traded.values()) this.#settleSpot(traded);
    this.#traded.clear();
  }

  /** A leader of spot is tracked from the start of leading, with the balances at that time. */
  openSpot(account: number, asset: number, balances: ReadonlyMap<number, bigint>, timeMs: number): void {
    if (this.#state.books.has(account)) return;
    const book = this.#open(account, "spot", asset, timeMs);
    book.cash_units = balances.get(asset) ?? 0n;
    for (const [coin, units] of balances) {
      if (coin === asset || units === 0n) continue;
      const row = this.#coin(account, coin, timeMs);
      row.units = units;
      row.cost_units = this.#worth(book, coin, units);
    }
    book.base_units = this.#equity(book);
    book.day_units = book.base_units;
  }

  /** A futures lead book gets its coin when its owner starts leading; until then the first money determines it. */
  setAsset(account: number, asset: number): void {
    const book = this.#state.books.get(account);
    if (book === undefined || book.asset === asset) return;
    book.asset = asset;
    this.changedBooks.add(book);
  }

  #open(account: number, kind: LeadBookRow["kind"], asset: number, timeMs: number): LeadBookRow {
    const known = this.#state.books.get(account);
    if (known !== undefined) return known;
    const row = {
      account,
      kind,
      asset,
      cash_units: 0n,
      nav: INDEX_ONE,
      base_units: 0n,
      day_units: 0n,
      flow_units: 0n,
      since_ms: timeMs,
    };
    this.#state.books.set(account, row);
    this.changedBooks.add(row);
    return row;
  }

  #mark(market: number, ticks: number, timeMs: number): void {
    if (ticks <= 0) return;
    const minute = timeMs - (timeMs % MINUTE_MS);
    const known = this.#state.marks.get(market);
    if (known === undefined || known.minute_ms < minute) this.#setMark({ market, minute_ms: minute, ticks });
  }

  #setMark(row: LeadMarkRow): void {
    const known = this.#state.marks.get(row.market);
    this.#state.marks.set(row.market, row);
    if (known !== undefined) this.changedMarks.delete(known);
    this.changedMarks.add(row);
  }

  /**
   * A coin's worth in USDT is the price of its market against it, the only one that values books, which are kept in
   * USDT.
   */
  #value({ asset, up, down, time }: EventOf<"assetValued">): void {
    if (down === 0) return;
    for (const [market, { kind, base, factor }] of this.#facts.markets) {
      const step = this.#state.steps.get(market);
      if (kind !== "spot" || base !== asset || step === undefined) continue;
      const ticks = Number((step * BigInt(up)) / (BigInt(down) * BigInt(factor)));
      if (ticks > 0) this.#setMark({ market, minute_ms: time, ticks });
    }
  }

  #post(event: EventOf<"posting">): void {
    const book = this.#state.books.get(event.account);
    if (book === undefined) return;
    if (book.kind === "futures" && book.asset === 0) book.asset = event.asset;
    this.changedBooks.add(book);
    const units = BigInt(event.deltaUnits);
    if (!TRADING.has(event.business)) this.#flow(book, event.asset, units, event.time);
    else if (book.kind === "spot") this.#note(event, book);
    else if (event.asset === book.asset) {
      book.cash_units += units;
      this.#positions.apply(event);
    }
  }

  /** Deposits and withdrawals continue the index and change its base. */
  #flow(book: LeadBookRow, asset: number, units: bigint, timeMs: number): void {
    if (asset !== book.asset && book.kind === "futures") return;
    this.#carry(book);
    const before = book.base_units;
    if (asset === book.asset) book.cash_units += units;
    else {
      const coin = this.#coin(book.account, asset, timeMs);
      coin.units += units;
      coin.cost_units += this.#worth(book, asset, units);
      if (coin.cost_units < 0n) coin.cost_units = 0n;
    }
    book.base_units = this.#equity(book);
    book.flow_units += book.base_units - before;
  }

  #carry(book: LeadBookRow): void {
    const equity = this.#equity(book);
    book.nav = carryIndex(book.nav, book.base_units, equity);
    book.base_units = equity;
  }

  #note(event: EventOf<"posting">, book: LeadBookRow): void {
    const { account, market, sequence, time } = event;
    const units = BigInt(event.deltaUnits);
    if (event.asset === book.asset) book.cash_units += units;
    const key = `${account}:${market}`;
    const known = this.#traded.get(key) ?? { account, market, base: 0n, quote: 0n, swapped: 0n, sequence, time };
    if (event.asset === book.asset) known.quote += units;
    else if (event.asset === this.#facts.markets.get(market)?.base) known.base += units;
    else known.swapped += units;
    this.#traded.set(key, known);
  }

  #settleSpot(traded: Traded): void {
    const { account, market, base, quote, swapped } = traded;
    const facts = this.#facts.markets.get(market);
    const book = this.#state.books.get(account);
    if (facts === undefined || book === undefined || base === 0n) return;
    if (swapped !== 0n) {
      // One coin for another: the first is sold at its worth, the second bought for the same amount.
      const [gave, got] = base < 0n ? [facts.base, facts.quote] : [facts.quote, facts.base];
      const [less, more] = base < 0n ? [-base, swapped] : [-swapped, base];
      const worth = this.#worth(book, gave, less) || this.#worth(book, got, more);
      if (less > 0n) this.#sell(traded, gave, this.#homeOf(book, gave) ?? market, less, worth);
      this.#buy(traded, got, more, worth);
    } else if (base > 0n) this.#buy(traded, facts.base, base, quote < 0n ? -quote : 0n);
    else this.#sell(traded, facts.base, market, -base, quote > 0n ? quote : 0n);
  }

  #buy({ account, time }: Traded, asset: number, units: bigint, costUnits: bigint): void {
    const coin = this.#coin(account, asset, time);
    if (coin.units <= 0n) coin.since_ms = time;
    coin.units += units;
    coin.cost_units += costUnits;
  }

  #sell({ account, sequence, time }: Traded, asset: number, market: number, sold: bigint, proceeds: bigint): void {
    const coin = this.#coin(account, asset, time);
    const cost = coin.units <= sold ? coin.cost_units : (coin.cost_units * sold) / coin.units;
    coin.units -= sold;
    coin.cost_units -= cost;
    const last = this.sales.at(-1);
    const line = last?.sequence === sequence ? last.line + 1 : 0;
    const answer = { sequence, line, account, market, units: sold, opened_ms: coin.since_ms, time_ms: time };
    this.sales.push({ ...answer, proceeds_units: proceeds, cost_units: cost });
  }

  #coin(account: number, asset: number, timeMs: number): LeadCoinRow {
    let coins = this.#state.coins.get(account);
    if (coins === undefined) {
      coins = new Map();
      this.#state.coins.set(account, coins);
    }
    let row = coins.get(asset);
    if (row === undefined) {
      row = { account, asset, units: 0n, cost_units: 0n, since_ms: timeMs };
      coins.set(asset, row);
    }
    this.changedCoins.add(row);
    return row;
  }

  #equity(book: LeadBookRow): bigint {
    let sum = book.cash_units;
    if (book.kind === "spot") {
      for (const { asset, units } of this.#state.coins.get(book.account)?.values() ?? []) {
        if (units !== 0n) sum += this.#worth(book, asset, units);
      }
      return sum;
    }
    for (const row of this.#state.positions.values()) if (row.account === book.account) sum += this.#profit(row);
    return sum;
  }

  #profit({ market, lots, cost_units, cost_excess }: PositionRow): bigint {
    const ticks = this.#state.marks.get(market)?.ticks;
    const facts = this.#facts.markets.get(market);
    if (ticks === undefined || facts === undefined) return 0n;
    return linearProfit(facts.factor, lots, cost_units, ticks, cost_excess);
  }

  /** The market of a coin in the book's own. */
  #homeOf(book: LeadBookRow, coin: number): number | undefined {
    for (const [market, facts] of this.#facts.markets)
      if (facts.kind === "spot" && facts.base === coin && facts.quote === book.asset) return market;
    return undefined;
  }

  #worth(book: LeadBookRow, coin: number, units: bigint): bigint {
    const market = this.#homeOf(book, coin);
    const facts = market === undefined ? undefined : this.#facts.markets.get(market);
    if (market === undefined || facts === undefined) return 0n;
    const ticks = this.#state.marks.get(market)?.ticks;
    const step = this.#state.steps.get(market);
    if (ticks === undefined || step === undefined) return 0n;
    return coinWorthFloor(facts.factor, step, units, ticks);
  }

  /** Stores every day that is over; a day without a mark of its own starts with its first event. */
  #closeDays(timeMs: number): void {
    const { marks, books } = this.#state;
    const today = timeMs - (timeMs % DAY_MS);
    const open = marks.get(DAY_MARK);
    if (open !== undefined && open.minute_ms >= today) return;
    for (let day = open?.minute_ms ?? today; day < today; day += DAY_MS) {
      for (const book of books.values()) this.#closeDay(book, day);
    }
    const row = { market: DAY_MARK, minute_ms: today, ticks: 0 };
    this.#setMark(row);
  }

  #closeDay(book: LeadBookRow, dayMs: number): void {
    this.#carry(book);
    const { account, nav, base_units, day_units, flow_units } = book;
    const pnl_units = base_units - day_units - flow_units;
    this.days.push({ account, day_ms: dayMs, nav, equity_units: base_units, flow_units, pnl_units });
    book.day_units = base_units;
    book.flow_units = 0n;
    this.changedBooks.add(book);
  }
}
