// Owns what a grid bot has earned, reckoned from its fills alone and in the plainest way: an own row of lines, fills added up leg by
// leg, fees from value and rate. Shares nothing with the rule of kit/grid, so that both can be compared. For tests and long runs.
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import type { GridWalk } from "@clockwork/kit/grid/walk-fixture";
import type { EventOf, MachineEvent } from "../protocol/event.ts";

const RATE_ONE = 100_000_000n;
const FINE = 1n << 128n;
const SLACK = 1n << 64n;
/** Lines of an infinity grid beyond which no walk goes. */
const INFINITY_LINES = 120;

export interface Computed {
  readonly pairs: number;
  readonly gridUnits: bigint;
  readonly feesUnits: bigint;
  /** What it is worth beyond what was put in, with what was taken out. */
  readonly totalUnits: bigint;
  readonly floatUnits: bigint;
}

interface Order {
  readonly side: "buy" | "sell";
  readonly price: number;
  /** One of its lines, and not its start, its following or its end. */
  readonly isLine: boolean;
  /** What a buy of coins has set aside for its fees: it never pays more. */
  setAsideUnits: bigint;
}

interface Cell {
  readonly low: number;
  readonly high: number;
  legs: number;
  lots: number;
  flowUnits: bigint;
}

/** Halves up. Plain numbers do: ticks are far from where they end. */
function linesOf({ requested }: GridWalk, beginTicks: number): number[] {
  const { lowTicks: low, cells, kind, spacing } = requested;
  const high = kind === "infinity" ? beginTicks : requested.highTicks;
  const count = kind === "infinity" ? INFINITY_LINES : cells;
  return Array.from({ length: count + 1 }, (_, i) =>
    Math.floor((spacing === "geometric" ? low * (high / low) ** (i / cells) : low + (i * (high - low)) / cells) + 0.5),
  );
}

/** Where it is planned: at its trigger, or where the walk begins. */
export function startTicksOf({ requested, prices }: GridWalk): number {
  return requested.triggerTicks === 0 ? (prices[0] as number) : requested.triggerTicks;
}

export class Calculation {
  readonly #walk: GridWalk;
  readonly #market: number;
  readonly #orders = new Map<number, Order>();
  readonly #cells = new Map<string, Cell>();
  #lines: number[];
  #flowUnits = 0n;
  #heldLots = 0;
  /** Of a position: what it cost, and what rounding results down has taken; both far finer than a unit. */
  #costFine = 0n;
  #lostFine = 0n;
  #startTicks: number;
  #hasStarted = false;
  #endTicks: number | undefined;
  #pairs = 0;
  #gridUnits = 0n;
  #feesUnits = 0n;
  /** The bot's book and its number, 0 before it is made; lots of its orders; its state. */
  account = 0;
  bot = 0;
  lots = 0;
  status = "REFUSED";
  lastTicks: number;
  /** What happened on the way, so that a run can tell what it covered. */
  parts = 0;
  fills = 0;
  mostLines = 0;

  constructor(walk: GridWalk, market: number) {
    this.#walk = walk;
    this.#market = market;
    this.lastTicks = walk.prices[0] as number;
    this.#startTicks = startTicksOf(walk);
    this.#lines = linesOf(walk, this.#startTicks);
  }

  /** Of one command and all that followed from it. */
  observe(events: readonly MachineEvent[]): void {
    const before = this.fills;
    for (const event of events) {
      if (event.kind === "botChanged") this.#change(event);
      else if (event.kind === "orderAccepted" && event.account === this.account) this.#order(event);
      else if (event.kind === "trade" && event.market === this.#market) this.#trade(event);
    }
    this.mostLines = Math.max(this.mostLines, this.fills - before);
  }

  #change({ change, account, bot, lots, lowTicks, highTicks, status }: EventOf<"botChanged">): void {
    if (change === "created") [this.account, this.bot] = [account, bot];
    if (account !== this.account) return;
    this.lots = lots;
    this.status = status;
    // Coins that were brought in count at the price it begins at.
    if (!this.#hasStarted && (change === "starting" || change === "started")) {
      this.#hasStarted = true;
      this.#startTicks = this.lastTicks;
    }
    if (change === "trailed") this.#move(lowTicks, highTicks);
    if (change === "closed") this.#endTicks = this.lastTicks;
  }

  /** The range has moved: cells beyond it are forgotten, with whatever they had of a pair. */
  #move(low: number, high: number): void {
    const { kind, spacing } = this.#walk.requested;
    for (const [key, cell] of this.#cells) if (cell.low < low || cell.high > high) this.#cells.delete(key);
    if (kind === "infinity") return;
    const lines = this.#lines;
    const step = ((lines.at(-1) as number) - (lines[0] as number)) / (lines.length - 1);
    const next = (edge: number, inner: number, way: 1 | -1): number =>
      Math.floor((spacing === "geometric" ? (edge * edge) / inner : edge + way * step) + 0.5);
    while ((lines.at(-1) as number) < high) lines.push(next(lines.at(-1) as number, lines.at(-2) as number, 1));
    while ((lines[0] as number) > low) lines.unshift(next(lines[0] as number, lines[1] as number, -1));
    this.#lines = lines.filter((line) => line >= low && line <= high);
  }

  #order({ orderId, side, type, timeInForce, price, quantity }: EventOf<"orderAccepted">): void {
    const setAsideUnits = this.#feeOf(price, quantity, this.#walk.market.takerRate);
    this.#orders.set(orderId, { side, price, isLine: type === "limit" && timeInForce === "GTC", setAsideUnits });
  }

  #valueOf(price: number, lots: number): bigint {
    return BigInt(price) * BigInt(lots) * BigInt(this.#walk.market.factor);
  }

  #feeOf(price: number, lots: number, rate: number): bigint {
    return (this.#valueOf(price, lots) * BigInt(rate) + RATE_ONE - 1n) / RATE_ONE;
  }

  /** What a position's end and the beginning of another pay apart, and a buy of coins never beyond what it has set aside. */
  #chargeOf(order: Order | undefined, side: "buy" | "sell", price: number, lots: number, rate: number): bigint {
    const held = this.#heldLots;
    if (!isSpotGrid(this.#walk.requested.kind)) {
      const against = side === "buy" ? 0 - held : held;
      const closed = Math.min(lots, Math.max(0, against));
      return this.#feeOf(price, closed, rate) + this.#feeOf(price, lots - closed, rate);
    }
    const fee = this.#feeOf(price, lots, rate);
    if (order === undefined || side === "sell") return fee;
    const paid = fee < order.setAsideUnits ? fee : order.setAsideUnits;
    order.setAsideUnits -= paid;
    return paid;
  }

  #trade(trade: EventOf<"trade">): void {
    this.lastTicks = trade.price;
    const { makerRate, takerRate } = this.#walk.market;
    if (trade.account === this.account) this.#fill(trade.takerOrderId, trade, takerRate);
    else if (trade.makerAccount === this.account) this.#fill(trade.makerOrderId, trade, makerRate);
  }

  #fill(orderId: number, { price, lots }: EventOf<"trade">, rate: number): void {
    const order = this.#orders.get(orderId);
    // A close is no order of its own before it trades.
    const side = order?.side ?? (this.#heldLots > 0 ? "sell" : "buy");
    const valueUnits = this.#valueOf(price, lots);
    const feeUnits = this.#chargeOf(order, side, price, lots, rate);
    const flowUnits = (side === "sell" ? valueUnits : 0n - valueUnits) - feeUnits;
    this.#flowUnits += flowUnits;
    if (!isSpotGrid(this.#walk.requested.kind)) this.#hold(side === "buy" ? lots : 0 - lots, price);
    this.#heldLots += side === "buy" ? lots : 0 - lots;
    this.#feesUnits += feeUnits;
    if (order?.isLine === true) this.#leg(this.#cellOf(order), lots, flowUnits);
  }

  /** Each closing's result is exact and rounds down. */
  #hold(delta: number, price: number): void {
    const held = this.#heldLots;
    const size = Math.abs(held);
    const closing = held > 0 === delta < 0 ? Math.min(Math.abs(delta), size) : 0;
    if (closing > 0) {
      const leaving = (this.#costFine * BigInt(closing)) / BigInt(size);
      const gain = (held > 0 ? 1n : -1n) * (this.#valueOf(price, closing) * FINE - leaving);
      // Between 0 and 1, and nothing where only the division above has rounded.
      const part = (((gain + SLACK) % FINE) + FINE) % FINE;
      this.#lostFine += part < SLACK ? 0n : part - SLACK;
      this.#costFine -= leaving;
    }
    this.#costFine += this.#valueOf(price, Math.abs(delta) - closing) * FINE;
  }

  #cellOf({ side, price }: Order): Cell {
    const at = this.#lines.indexOf(price) - (side === "sell" ? 1 : 0);
    const [low, high] = [this.#lines[at] ?? 0, this.#lines[at + 1] ?? 0];
    const key = `${low}-${high}`;
    const cell = this.#cells.get(key) ?? { low, high, legs: 0, lots: 0, flowUnits: 0n };
    this.#cells.set(key, cell);
    return cell;
  }

  /** Parts of an order add up to a leg, and two legs are a pair. */
  #leg(cell: Cell, lots: number, flowUnits: bigint): void {
    const wanted = this.#walk.requested.kind === "infinity" ? Math.floor(this.lots / cell.high) : this.lots;
    this.fills++;
    cell.lots += lots;
    cell.flowUnits += flowUnits;
    if (cell.lots < wanted) {
      this.parts++;
      return;
    }
    cell.lots = 0;
    cell.legs += 1;
    if (cell.legs < 2) return;
    this.#pairs++;
    this.#gridUnits += cell.flowUnits;
    cell.legs = 0;
    cell.flowUnits = 0n;
  }

  /** The price it is valued at: of now, or of its end. */
  get ticks(): number {
    return this.#endTicks ?? this.lastTicks;
  }

  get computed(): Computed {
    const { requested, market } = this.#walk;
    const ticks = BigInt(this.ticks);
    const factor = BigInt(market.factor);
    const brought = BigInt(requested.baseLots) * (ticks - BigInt(this.#startTicks)) * factor;
    const rounded = (this.#lostFine + FINE - SLACK) / FINE;
    const totalUnits = this.#flowUnits + BigInt(this.#heldLots) * ticks * factor + brought - rounded;
    return {
      pairs: this.#pairs,
      gridUnits: this.#gridUnits,
      feesUnits: this.#feesUnits,
      totalUnits,
      floatUnits: totalUnits - this.#gridUnits,
    };
  }
}
