// Owns a grid in a market that is only a row of prices: the rule of rule.ts with orders that are filled whole where a
// price touches their line, and market orders at the price there is. The back-test, the preview and tests run it.
import {
  EXACT_SLACK,
  splitCost,
  X_COST,
  X_EXCESS,
  X_LEAVING,
  X_LEAVING_EXCESS,
  X_LOTS,
  X_REGISTERS,
  X_REMAINING,
  X_REMAINING_EXCESS,
  X_WHOLE,
} from "../exact-cost.ts";
import { mulDivCeil, mulDivFloor, RATE_ONE } from "../money.ts";
import { trailBuys } from "./follow.ts";
import { type GridBasis, isSpotGrid, lotsFound } from "./plan.ts";
import {
  type GridEvent,
  type GridIntent,
  type GridState,
  type GridTerms,
  isUnseen,
  openGrid,
  orderOf,
  stepGrid,
} from "./rule.ts";

export interface SimulatedMarket {
  /** Quote units of one tick of one lot. */
  readonly tickLotUnits: number;
  /** In 1e-8, of quote. */
  readonly makerRate: number;
  readonly takerRate: number;
  /** How far beyond the price market orders trade; 0 by default. */
  readonly spreadTicks?: number;
}

/** Settled funding: the rate in 1e-8 that longs paid shorts, at the mark. */
export interface FundingPoint {
  readonly timeMs: number;
  readonly rate: number;
  readonly markTicks: number;
}

const NONE = 0;
const BUY = 1;
const SELL = 2;

export class SimulatedGrid {
  terms: GridTerms;
  readonly #market: SimulatedMarket;
  readonly #basis: GridBasis | undefined;
  readonly #wants: Uint8Array;
  state: GridState;
  /**
   * What the grid's book holds: quote, orders' money included, and lots of the coin or of the position. What a position
   * cost counts as paid, of a short one as received, rounded up.
   */
  quoteUnits: number;
  lots: number;
  #cost = 0;
  #excess = 0;
  readonly #exact = new Float64Array(X_REGISTERS);
  /** The investment: quote, and coins at the price it was planned for or found. */
  investedUnits = 0;
  /** The sum of funding, negative when more was paid than received. */
  fundingUnits = 0;
  ticks = 0;
  #highestBuy = 0;
  #lowestSell = Number.POSITIVE_INFINITY;

  /** The basis is for planning again where the price jumps over a trigger; without one it starts as planned. */
  constructor(
    terms: GridTerms,
    lines: readonly number[],
    market: SimulatedMarket,
    quoteUnits: number,
    basis?: GridBasis,
  ) {
    this.terms = terms;
    this.#market = market;
    this.#basis = basis;
    this.#wants = new Uint8Array(lines.length - 1);
    this.state = openGrid(lines);
    this.quoteUnits = quoteUnits;
    this.lots = terms.baseLots ?? 0;
  }

  get equityUnits(): number {
    const worth = this.quoteUnits + this.lots * this.ticks * this.#market.tickLotUnits;
    return this.lots < 0 && this.#excess > 0 ? worth - 1 : worth;
  }

  /** A trade at a price, after all prices between it and the one before. */
  trade(ticks: number, timeMs: number): void {
    if (this.#highestBuy >= ticks) this.#touch(ticks, BUY);
    if (this.#lowestSell <= ticks) this.#touch(ticks, SELL);
    this.ticks = ticks;
    this.send({ kind: "price", ticks, time: timeMs });
    if (isUnseen(this.state, ticks)) this.send({ kind: "price", ticks, time: timeMs });
  }

  /** Payments round up and receipts down, as in the core. */
  fund({ rate, markTicks }: FundingPoint): void {
    const valueUnits = Math.abs(this.lots) * markTicks * this.#market.tickLotUnits;
    const size = Math.abs(rate);
    const units =
      this.lots > 0 === rate > 0 ? 0 - mulDivCeil(valueUnits, size, RATE_ONE) : mulDivFloor(valueUnits, size, RATE_ONE);
    this.quoteUnits += units;
    this.fundingUnits += units;
  }

  /** Every order of a side whose line a price has reached, the nearest first; counter orders come after all of them. */
  #touch(ticks: number, side: number): void {
    const touched: number[] = [];
    for (let cell = 0; cell < this.#wants.length; cell++) {
      if (this.#wants[cell] !== side) continue;
      const order = orderOf(this.terms, this.state, cell);
      if (side === BUY ? order.ticks >= ticks : order.ticks <= ticks) touched.push(cell);
    }
    if (side === BUY) touched.reverse();
    const orders = touched.map((cell) => orderOf(this.terms, this.state, cell));
    for (const { cell } of orders) this.#wants[cell] = NONE;
    for (const { cell, ticks: line, lots } of orders) {
      const { valueUnits, feeUnits } = this.#move(side === BUY, line, lots, this.#market.makerRate);
      this.send({ kind: "fill", cell, lots, valueUnits, feeUnits });
    }
    this.#findEdges();
  }

  #move(
    buys: boolean,
    ticks: number,
    lots: number,
    rate: number,
  ): { readonly valueUnits: number; readonly feeUnits: number } {
    const valueUnits = lots * ticks * this.#market.tickLotUnits;
    const feeUnits = mulDivCeil(valueUnits, rate, RATE_ONE);
    const lost = isSpotGrid(this.terms.kind) ? 0 : this.#holdExact(buys, ticks, lots);
    this.quoteUnits += (buys ? 0 - valueUnits : valueUnits) - feeUnits - lost;
    this.lots += buys ? lots : 0 - lots;
    return { valueUnits, feeUnits };
  }

  /** A position's cost, and the effect of rounding the result of a close down, as in the core. */
  #holdExact(buys: boolean, ticks: number, lots: number): number {
    const exact = this.#exact;
    const sign = this.lots > 0 ? 1 : -1;
    const closing = this.lots !== 0 && this.lots > 0 !== buys ? Math.min(lots, Math.abs(this.lots)) : 0;
    let lost = 0;
    if (closing > 0) {
      const before = this.#cost;
      exact[X_COST] = this.#cost;
      exact[X_EXCESS] = this.#excess;
      exact[X_LOTS] = closing;
      exact[X_WHOLE] = Math.abs(this.lots);
      splitCost(exact);
      this.#cost = exact[X_REMAINING] as number;
      this.#excess = exact[X_REMAINING_EXCESS] as number;
      const leaving = exact[X_LEAVING] as number;
      const down = Math.floor(sign * (exact[X_LEAVING_EXCESS] as number) + EXACT_SLACK);
      lost = sign * (leaving - before + this.#cost) - down;
    }
    this.#cost += (lots - closing) * ticks * this.#market.tickLotUnits;
    return lost;
  }

  send(event: GridEvent): void {
    const step = stepGrid(this.terms, this.state, event);
    this.state = step.state;
    for (const intent of step.intents) this.#carryOut(intent);
    if (step.intents.some(({ kind }) => kind === "cancelAll")) this.send({ kind: "closed" });
  }

  #carryOut(intent: GridIntent): void {
    switch (intent.kind) {
      case "plan":
        this.#plan();
        this.send({ kind: "found", ticks: this.ticks });
        return;
      case "place":
        this.#wants[intent.cell] = intent.side === "buy" ? BUY : SELL;
        if (intent.side === "buy") this.#highestBuy = Math.max(this.#highestBuy, intent.ticks);
        else this.#lowestSell = Math.min(this.#lowestSell, intent.ticks);
        return;
      case "market": {
        const feeUnits = this.#takeWhole(intent.side === "buy", intent.lots);
        this.send({ kind: "started", filledLots: feeUnits < 0 ? 0 : intent.lots, feeUnits: Math.max(0, feeUnits) });
        return;
      }
      case "trail":
        this.#trail(intent);
        return;
      case "cancelAll":
        this.#wants.fill(NONE);
        this.#findEdges();
        return;
      case "closeHeld":
        if (this.lots !== 0) {
          const feeUnits = this.#take(this.lots < 0, Math.abs(this.lots));
          this.state = { ...this.state, feesUnits: this.state.feesUnits + feeUnits };
        }
        return;
      case "returnFunds":
        return;
    }
  }

  /** The price jumped over the trigger: lots, and the worth of invested coins, are those of the price found. */
  #plan(): void {
    const { triggerTicks = 0, baseLots = 0, lots } = this.terms;
    if (this.#basis === undefined || this.ticks === triggerTicks) return;
    const basis = { ...this.#basis, quoteUnits: BigInt(this.quoteUnits) };
    const lines = Array.from({ length: this.state.lines.length }, (_, i) => this.state.lines.at(i) as number);
    this.terms = { ...this.terms, lots: lotsFound(basis, lines, lots, this.ticks) };
    this.investedUnits += baseLots * (this.ticks - triggerTicks) * this.#market.tickLotUnits;
  }

  #trail({ isUp, lines, ticks, lots }: Extract<GridIntent, { readonly kind: "trail" }>): void {
    const count = this.#wants.length;
    this.#wants.fill(NONE, isUp ? 0 : count - lines.length, isUp ? lines.length : count);
    let neededUnits = 0;
    for (const line of trailBuys(this.terms, this.state, isUp, lines))
      neededUnits += this.#heldFor(line, this.terms.lots);
    const feeUnits = lots === 0 ? 0 : this.#takeWhole(lots > 0, Math.abs(lots), neededUnits);
    // Cells keep their orders while the range moves over them.
    if (feeUnits >= 0 && isUp) this.#wants.copyWithin(0, lines.length);
    else if (feeUnits >= 0) this.#wants.copyWithin(lines.length, 0);
    this.send({ kind: "trailed", isUp, ticks, lines, isFilled: feeUnits >= 0, feeUnits: Math.max(0, feeUnits) });
    this.#findEdges();
  }

  /** Buys or sells at the price, all or nothing; returns the fee, −1 when money or coins are short. */
  #takeWhole(buys: boolean, lots: number, neededUnits = 0): number {
    if (isSpotGrid(this.terms.kind)) {
      const isShort = buys
        ? this.#heldFor(this.ticks, lots) + neededUnits > this.#freeUnits()
        : lots > this.#freeLots();
      if (isShort) return -1;
    }
    return this.#take(buys, lots);
  }

  /** At the market; returns the fee. */
  #take(buys: boolean, lots: number): number {
    const { spreadTicks = 0, takerRate } = this.#market;
    return this.#move(buys, this.ticks + (buys ? spreadTicks : 0 - spreadTicks), lots, takerRate).feeUnits;
  }

  /** The hold of a buy: its value and the higher fee. */
  #heldFor(ticks: number, lots: number): number {
    const valueUnits = lots * ticks * this.#market.tickLotUnits;
    return valueUnits + mulDivCeil(valueUnits, this.#market.takerRate, RATE_ONE);
  }

  /** Not reserved by an order. */
  #freeUnits(): number {
    let free = this.quoteUnits;
    for (let cell = 0; cell < this.#wants.length; cell++) {
      if (this.#wants[cell] !== BUY) continue;
      const { ticks, lots } = orderOf(this.terms, this.state, cell);
      free -= this.#heldFor(ticks, lots);
    }
    return free;
  }

  #freeLots(): number {
    let free = this.lots;
    for (let cell = 0; cell < this.#wants.length; cell++)
      if (this.#wants[cell] === SELL) free -= orderOf(this.terms, this.state, cell).lots;
    return free;
  }

  #findEdges(): void {
    this.#highestBuy = 0;
    this.#lowestSell = Number.POSITIVE_INFINITY;
    for (let cell = 0; cell < this.#wants.length; cell++) {
      if (this.#wants[cell] === NONE) continue;
      const { ticks, side } = orderOf(this.terms, this.state, cell);
      if (side === "buy") this.#highestBuy = Math.max(this.#highestBuy, ticks);
      else this.#lowestSell = Math.min(this.#lowestSell, ticks);
    }
  }

  /** What rests now, for comparisons: side and price by cell. */
  resting(): { readonly cell: number; readonly side: "buy" | "sell"; readonly ticks: number }[] {
    return [...this.#wants.keys()]
      .filter((cell) => this.#wants[cell] !== NONE)
      .map((cell) => {
        const { side, ticks } = orderOf(this.terms, this.state, cell);
        return { cell, side, ticks };
      });
  }
}
