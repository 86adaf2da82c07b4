// Owns how an account stands in a market, for tests: what it holds as the core tells it, what it has ordered as events told
// it, and the plain sums over both. Nothing is split.
import { type Contract, isLiquidatable, type MarkedHolding } from "@clockwork/kit/margin";
import { tiersA, tiersInverse } from "@clockwork/kit/margin-tiers";
import { coreOf } from "../../machine/machine.ts";
import { M_MARK } from "../../market/markets.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import type { PerpStage } from "../../testing/perp-stage.ts";

export interface Side {
  readonly lots: number;
  readonly cost: number;
  readonly excess: number;
  readonly margin: number;
}

export interface Ordered {
  readonly isBuy: boolean;
  readonly price: number;
  readonly reduces: boolean;
  lots: number;
}

/** An account in one market. */
export interface Standing {
  readonly contract: Contract;
  readonly mark: number;
  readonly isolated: boolean;
  readonly hedge: boolean;
  readonly leverage: readonly [number, number];
  /** Long and short; of one-way mode the only one, then nothing. */
  readonly sides: readonly [Side, Side];
  readonly orders: readonly Ordered[];
}

export const LINEAR: Contract = { kind: "linear", factor: 100n, tiers: tiersA(6), liquidationRate: 60_000n };
export const INVERSE: Contract = {
  kind: "inverse",
  factor: 100_000_000_000n,
  tiers: tiersInverse("BTC", 8),
  liquidationRate: 60_000n,
};
export const NOTHING: Side = { lots: 0, cost: 0, excess: 0, margin: 0 };
export const TAKER_RATE = 60_000;

export const share = (units: number, leverage: number): number => Math.ceil(units / leverage);
export const feeOf = (units: number): number => Math.ceil((units * TAKER_RATE) / 100_000_000);

/** What lots are worth at a price, rounded up. */
export function worthUp({ kind, factor }: Contract, lots: number, ticks: number): number {
  const [count, price] = [BigInt(lots), BigInt(ticks)];
  return Number(kind === "linear" ? count * price * factor : (count * factor + price - 1n) / price);
}

export function worthDown({ kind, factor }: Contract, lots: number, ticks: number): number {
  const [count, price] = [BigInt(lots), BigInt(ticks)];
  return Number(kind === "linear" ? count * price * factor : (count * factor) / price);
}

export function holdingsOf({ contract, mark, sides }: Standing): MarkedHolding[] {
  return sides
    .filter(({ lots }) => lots !== 0)
    .map(({ lots, cost, excess }) => ({
      contract,
      side: lots > 0 ? 1n : -1n,
      lots: BigInt(Math.abs(lots)),
      cost: BigInt(cost),
      excess: BigInt(excess),
      markTicks: BigInt(mark),
    }));
}

/** Of a linear long and an inverse short what they are worth less their cost, of the others the other way round. */
export function profitOf({ contract, mark }: Standing, { lots, cost, excess }: Side): number {
  if (lots === 0) return 0;
  const [whole, price, size] = [2n ** 48n, BigInt(mark), BigInt(Math.abs(lots)) * contract.factor];
  const [worth, under] = contract.kind === "linear" ? [size * price, 1n] : [size, price];
  const sign = lots > 0 === (contract.kind === "linear") ? 1n : -1n;
  const over = sign * (worth * whole - (BigInt(cost) * whole - BigInt(excess)) * under) + (under << 16n);
  const units = over / (under * whole);
  return Number(over < 0n && units * under * whole !== over ? units - 1n : units);
}

/** Value and lots of the orders of a side that may open. */
export function orderedOn({ contract, orders }: Standing, isBuy: boolean): { value: number; lots: number } {
  const own = orders.filter((order) => order.isBuy === isBuy && !order.reduces);
  return {
    value: own.reduce((sum, { lots, price }) => sum + lots * worthUp(contract, 1, price), 0),
    lots: own.reduce((sum, { lots }) => sum + lots, 0),
  };
}

/** What buys above the mark and sells below it lose at once. */
export function lossAtOnce(standing: Standing): number {
  const { contract, mark } = standing;
  const one = worthUp(contract, 1, mark);
  const sign = contract.kind === "linear" ? 1 : -1;
  const [buys, sells] = [orderedOn(standing, true), orderedOn(standing, false)];
  return Math.max(0, sign * (buys.value - buys.lots * one)) + Math.max(0, sign * (sells.lots * one - sells.value));
}

/** What a market asks beyond the margins of isolated positions. */
export function requestedOf(standing: Standing): number {
  const { hedge, isolated, leverage, sides } = standing;
  const [buys, sells] = [orderedOn(standing, true).value, orderedOn(standing, false).value];
  const [long, short] = sides;
  let requested = 0;
  let growth = buys + sells;
  if (hedge) {
    requested =
      share((isolated ? 0 : long.cost) + buys, leverage[0]) + share((isolated ? 0 : short.cost) + sells, leverage[1]);
  } else {
    const signed = long.lots < 0 ? -long.cost : long.cost;
    const largest = Math.max(Math.abs(signed + buys), Math.abs(signed - sells));
    requested = share(largest, leverage[0]);
    if (isolated) requested = Math.max(0, requested - share(long.cost, leverage[0]));
    growth = Math.max(0, largest - long.cost);
  }
  return growth === 0 ? requested : requested + feeOf(growth) + lossAtOnce(standing);
}

export function equityOf(wallet: number, standings: readonly Standing[]): number {
  const cross = standings.filter(({ isolated }) => !isolated);
  return cross.reduce((sum, one) => sum + profitOf(one, one.sides[0]) + profitOf(one, one.sides[1]), wallet);
}

/** Wallet and profit of what is cross, less all that is asked. */
export function freeOf(wallet: number, standings: readonly Standing[]): number {
  return standings.reduce((free, standing) => free - requestedOf(standing), equityOf(wallet, standings));
}

export function isDue(wallet: number, standings: readonly Standing[]): boolean {
  const cross = standings.filter(({ isolated }) => !isolated).flatMap(holdingsOf);
  return isLiquidatable(BigInt(wallet), cross);
}

/** The most a leverage may open. */
export function capOf({ contract }: Standing, leverage: number): number {
  return Math.max(0, ...contract.tiers.filter((tier) => tier.leverageMax >= leverage).map(({ cap }) => Number(cap)));
}

/** An account of a stage, with what it ordered in one market and how it set that market. */
export class Watched {
  readonly stage: PerpStage;
  readonly account: number;
  readonly market: number;
  readonly hedge: boolean;
  isolated = false;
  leverage: readonly [number, number] = [20, 20];
  readonly #orders = new Map<number, Ordered>();

  constructor(stage: PerpStage, account: number, market: number, hedge: boolean) {
    this.stage = stage;
    this.account = account;
    this.market = market;
    this.hedge = hedge;
  }

  get hasOrders(): boolean {
    return this.#orders.size > 0;
  }

  get isFlat(): boolean {
    return this.stage.held(this.account, this.market).length === 0;
  }

  get wallet(): number {
    const { btc, usdt, inverse } = this.stage;
    return this.stage.balance(this.account, this.market === inverse ? btc : usdt).available;
  }

  /** How it stands in its market, or in another one where nothing was ever set or rests. */
  standing(market = this.market): Standing {
    const isOwn = market === this.market;
    const held = this.stage.held(this.account, market);
    const isShort = ({ lots }: Side): boolean => this.hedge && lots < 0;
    return {
      contract: market === this.stage.inverse ? INVERSE : LINEAR,
      mark: coreOf(this.stage.machine).markets.word(market, M_MARK),
      isolated: isOwn && this.isolated,
      hedge: this.hedge,
      leverage: isOwn ? this.leverage : [20, 20],
      sides: [held.find((side) => !isShort(side)) ?? NOTHING, held.find(isShort) ?? NOTHING],
      orders: isOwn ? [...this.#orders.values()] : [],
    };
  }

  /** What rests is known from what is told. */
  follow(events: MachineEvent[]): MachineEvent[] {
    for (const event of events) {
      if (event.kind === "orderAccepted" && event.account === this.account && event.market === this.market) {
        const { price, quantity: lots, reduceOnly: reduces } = event;
        this.#orders.set(event.orderId, { isBuy: event.side === "buy", price, lots, reduces });
      }
      if (event.kind === "orderAmended" && event.account === this.account && this.#orders.has(event.orderId))
        (this.#orders.get(event.orderId) as Ordered).lots = event.lots;
      if (event.kind === "orderEnded") this.#orders.delete(event.orderId);
      if (event.kind === "trade") for (const id of [event.takerOrderId, event.makerOrderId]) this.#fill(id, event.lots);
    }
    return events;
  }

  #fill(id: number, lots: number): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.lots -= lots;
    if (order.lots === 0) this.#orders.delete(id);
  }
}
