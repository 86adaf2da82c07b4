// Owns the reference exchange's state as plain objects and arrays, and the writing of its events.
// Never optimises: it exists to be read and believed, so that the fast machine can be compared with it.
import type { DecodedCommand } from "@clockwork/core/protocol/command";
import type { EventKind, EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import type { Business, MarketStatus, Side } from "@clockwork/core/protocol/names";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT, HOUSE_BOOKS } from "@clockwork/core/protocol/names";
import type { Rejection } from "@clockwork/core/protocol/rejection";
import { Ids } from "./ids.ts";

export const PRICE_MAX = 0x3fffffff;
export const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

export type CommandOf<K extends DecodedCommand["kind"]> = Extract<DecodedCommand, { readonly kind: K }>;
export type OrderShape = CommandOf<"placeOrder">;
export type SelfTrade = OrderShape["selfTrade"];
export type Leg = EventOf<"listLeg">["leg"];
export type Source = EventOf<"conditionalAccepted">["source"];

export interface Balance {
  readonly account: Account;
  readonly asset: number;
  available: bigint;
  frozen: bigint;
}

export interface Account {
  readonly id: number;
  readonly user: number;
  readonly book: string;
  readonly sub: number;
  readonly group: number;
  readonly balances: Map<number, Balance>;
  /** Own rates by fee group; −1 means the group's. */
  readonly fees: Map<number, { maker: number; taker: number }>;
  blockTrading: boolean;
  blockOutgoing: boolean;
  allowSelfTrade: boolean;
}

export interface Limits {
  minLots: number;
  maxLots: number;
  maxMarketLots: number;
  minNotional: bigint;
  buyMaxBps: number;
  buyMinBps: number;
  sellMinBps: number;
  sellMaxBps: number;
  slippageBps: number;
  restingMax: number;
  conditionalMax: number;
  listMax: number;
}

export interface Market extends Limits {
  readonly id: number;
  readonly symbol: string;
  readonly base: number;
  readonly quote: number;
  readonly step: bigint;
  readonly tickLot: bigint;
  status: MarketStatus;
  feeGroup: number;
  /** Best first, then oldest first. */
  readonly bids: Order[];
  readonly asks: Order[];
  /** Waiting conditional orders, oldest first. */
  plans: Order[];
  last: number;
  mark: number;
  index: number;
  bookSequence: number;
  trades: number;
  /** Prints of the last five minutes and the average the band hangs on. */
  prints: { readonly bucket: number; readonly price: number; readonly lots: number }[];
  anchor: number;
  /** When its index was set; 0 for never. */
  indexAt: number;
  /** Prices observed for the valuation, oldest first. */
  observed: readonly number[];
}

export interface Plan {
  readonly type: EventOf<"conditionalAccepted">["conditionalType"];
  readonly source: Source;
  readonly direction: "rises" | "falls";
  readonly trigger: number;
  readonly callbackBps: number;
  readonly slippageBps: number;
  /** Best price seen by a trailing stop; 0 until it follows. */
  peak: number;
}

export interface Order {
  readonly id: number;
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  readonly type: "limit" | "market";
  timeInForce: OrderShape["timeInForce"];
  readonly postOnly: OrderShape["postOnly"];
  readonly selfTrade: SelfTrade;
  readonly reduceOnly: boolean;
  readonly iceberg: boolean;
  readonly inQuote: boolean;
  price: number;
  /** What is open and shown; of a plan its whole quantity; of a quote order the units left to spend. */
  lots: number;
  hidden: number;
  slice: number;
  filled: number;
  /** The sequence that gave it its place. */
  since: number;
  /** Quote units set aside for fees. */
  reserve: bigint;
  expiresAt: number;
  state: "taking" | "resting" | "waiting" | "due" | "gone";
  plan: Plan | undefined;
  list: List | undefined;
  leg: Leg;
}

export interface List {
  readonly id: number;
  readonly type: "oco" | "bracket";
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  readonly selfTrade: SelfTrade;
  readonly legs: { entry: Order | undefined; profit: Order | undefined; stop: Order | undefined };
  readonly source: Source;
  profitPrice: number;
  trigger: number;
  stopPrice: number;
  readonly slippageBps: number;
  /** Units frozen for the stop leg beyond what the limit leg holds. */
  held: bigint;
  /** Base units the entry brought in that no exit covers yet. */
  unarmed: bigint;
  profitFilled: boolean;
  open: boolean;
}

export interface Twap {
  readonly id: number;
  readonly account: Account;
  readonly market: Market;
  readonly shape: OrderShape;
  readonly since: number;
  readonly sliceMax: number;
  readonly intervalMs: number;
  left: number;
  intervals: number;
  slice: number;
  open: boolean;
}

export interface DeadMan {
  readonly id: number;
  readonly account: Account;
  /** Undefined means every market. */
  readonly market: Market | undefined;
}

export interface Timer {
  readonly at: number;
  readonly id: number;
  readonly owner:
    | { readonly kind: "order"; readonly order: Order }
    | { readonly kind: "twap"; readonly twap: Twap }
    | { readonly kind: "deadMan"; readonly deadMan: DeadMan };
}

export interface KnownText {
  readonly sequence: number;
  readonly time: number;
  readonly content: string;
  readonly id: number;
}

export interface Hold {
  readonly name: string;
  readonly balance: Balance;
  readonly business: Business;
  readonly time: number;
  left: bigint;
  /** 0 for never. */
  expiresAt: number;
  expired: boolean;
  outgoing: boolean;
}

export interface Restriction {
  readonly name: string;
  readonly user: number;
  left: bigint;
  /** 0 for never. */
  readonly until: number;
}

export interface Refusal {
  readonly code: Rejection;
  readonly limit: number;
}

export class Exchange {
  sequence = 0;
  now = 0;
  /** What refusals name: the kind of the command (or batch item) at hand and its place. */
  command: EventOf<"rejected">["command"] = "none";
  item = 0;
  events: MachineEvent[] = [];
  readonly referenceRetentionMs: number;
  readonly assets: { readonly symbol: string; readonly scale: number }[] = [];
  readonly accounts = new Map<number, Account>();
  readonly markets: Market[] = [];
  /** The seed in force and the command that set it. */
  seed: { readonly text: string; readonly since: number; readonly number: number } | undefined;
  /** Opened house accounts by purpose and sub. */
  readonly houseAccounts = new Map<string, number>();
  /** Rates on spot that all accounts of a user inherit; −1 where there is none. */
  readonly userFees = new Map<number, { readonly maker: number; readonly taker: number }>();
  readonly feeGroups = Array.from({ length: 16 }, () => ({ maker: 100_000, taker: 100_000 }));
  /** Everything that is open under an id. */
  readonly orders = new Map<number, Order>();
  readonly lists = new Map<number, List>();
  readonly twaps = new Map<number, Twap>();
  readonly deadMen: DeadMan[] = [];
  timers: Timer[] = [];
  /** Ends of holds and restrictions, in the order they were set. */
  deadlines: { readonly at: number; readonly hold?: Hold; readonly restriction?: Restriction }[] = [];
  readonly restrictions = new Map<string, Restriction>();
  /** What each asset is worth in USDT as it was published last, and when prices are observed next. */
  readonly values = new Map<number, { readonly source: string; readonly up: bigint; readonly down: bigint }>();
  nextObservation = 0;
  readonly clientIds = new Map<string, KnownText>();
  readonly references = new Map<string, KnownText>();
  readonly holds = new Map<string, Hold>();
  /** Set in motion by the command: lists whose legs changed, plans that are due. */
  readonly touched: List[] = [];
  readonly due: Order[] = [];
  readonly #ids = new Ids();

  constructor(referenceRetentionMs: number) {
    this.referenceRetentionMs = referenceRetentionMs;
    for (let id = 1; id < HOUSE_BOOKS.length; id++) this.addAccount(id, 0, "house", 0, 0);
  }

  addAccount(id: number, user: number, book: string, sub: number, group: number): Account {
    const account: Account = {
      id,
      user,
      book,
      sub,
      group,
      balances: new Map(),
      fees: new Map(),
      blockTrading: false,
      blockOutgoing: false,
      allowSelfTrade: false,
    };
    this.accounts.set(id, account);
    return account;
  }

  userAccount(id: number): Account | undefined {
    const account = id >= FIRST_USER_ACCOUNT ? this.accounts.get(id) : undefined;
    return account?.book === "house" ? undefined : account;
  }

  market(id: number): Market | undefined {
    return id > 0 ? this.markets[id - 1] : undefined;
  }

  emit<K extends EventKind>(kind: K, fields: Omit<EventOf<K>, "kind" | "sequence" | "time">): void {
    const stamp = { kind, sequence: this.sequence, time: this.now };
    this.events.push(Object.assign(fields, stamp) as unknown as MachineEvent);
  }

  reject(refusal: Refusal, account: number, market: number, orderId = 0): void {
    const { command, item } = this;
    const { code, limit } = refusal;
    this.emit("rejected", { command, code, limit, account, market, asset: 0, orderId, item });
  }

  takeId(): number {
    return this.#ids.take();
  }

  giveId(id: number): void {
    this.#ids.give(id);
  }

  balance(account: Account, asset: number): Balance {
    let balance = account.balances.get(asset);
    if (balance === undefined) {
      balance = { account, asset, available: 0n, frozen: 0n };
      account.balances.set(asset, balance);
    }
    return balance;
  }

  house(account: number, asset: number): Balance {
    return this.balance(this.accounts.get(account) as Account, asset);
  }

  freeze(balance: Balance, amount: bigint): void {
    balance.available -= amount;
    balance.frozen += amount;
    if (balance.available < 0n || balance.frozen < 0n) throw new Error("the reference froze what is not there");
  }

  /** Takes from what is frozen or available and gives to what is available. */
  move(from: Balance, to: Balance, amount: bigint, frozen: boolean): void {
    if (frozen) from.frozen -= amount;
    else from.available -= amount;
    to.available += amount;
    const owes = from.available < 0n && from.account.id !== EXTERNAL_ACCOUNT;
    if (owes || from.frozen < 0n) throw new Error("the reference moved what is not there");
  }

  posting(business: Business, at: Balance, other: Balance, delta: bigint, reference: number, market: number): void {
    this.emit("posting", {
      business,
      account: at.account.id,
      asset: at.asset,
      counterparty: other.account.id,
      deltaUnits: Number(delta),
      reference,
      market,
      ...after(at),
    });
  }

  frozen(business: Business, at: Balance, delta: bigint, reference: number): void {
    const account = at.account.id;
    this.emit("frozen", { business, account, asset: at.asset, deltaUnits: Number(delta), reference, ...after(at) });
  }

  depth(market: Market, side: Side, price: number): void {
    market.bookSequence++;
    const { bookSequence } = market;
    this.emit("depth", { side, market: market.id, price, lots: shownAt(market, side, price), bookSequence });
  }
}

export function after(balance: Balance): { availableUnits: number; frozenUnits: number } {
  return { availableUnits: Number(balance.available), frozenUnits: Number(balance.frozen) };
}

/** Orders of a side, best first. */
export function ordersOf(market: Market, side: Side): Order[] {
  return side === "buy" ? market.bids : market.asks;
}

export function opposite(side: Side): Side {
  return side === "buy" ? "sell" : "buy";
}

export function shownAt(market: Market, side: Side, price: number): number {
  let sum = 0;
  for (const order of ordersOf(market, side)) if (order.price === price) sum += order.lots;
  return sum;
}

/** The flag word of an order as events show it. */
export function flagsOf(order: Order) {
  const { side, type, timeInForce, postOnly, selfTrade, reduceOnly, iceberg, inQuote } = order;
  const conditional = order.state === "waiting" || order.state === "due";
  return { side, type, timeInForce, postOnly, selfTrade, reduceOnly, iceberg, inQuote, conditional };
}

/** Where an order's money is frozen. */
export function heldIn(exchange: Exchange, account: Account, market: Market, side: Side): Balance {
  return exchange.balance(account, side === "sell" ? market.base : market.quote);
}

/** What is frozen for lots at a price: base to sell, quote to buy. */
export function cost(market: Market, side: Side, price: number, lots: number): bigint {
  return side === "sell" ? BigInt(lots) * market.step : BigInt(price) * BigInt(lots) * market.tickLot;
}

export function refuse(code: Rejection, limit: number | bigint = 0): Refusal {
  return { code, limit: Number(limit) };
}

/** Bonus and demo money stays where it is, whoever asks, and the external book only mints and burns. */
export function isMovable(account: Account): boolean {
  return account.id !== EXTERNAL_ACCOUNT && account.book !== "bonus" && account.book !== "demo";
}
