// The simulated futures market as one pure thing: tick times, prices and events in, commands out. Sources feed the index,
// one maker a settlement coin keeps the books around it, takers and levered retail trade against them, two holders keep
// the open interest. The same seed, times, prices and events give the same commands.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import { normal, stepRandom } from "../chance.ts";
import { give, Inventory, type Wallet } from "../funding.ts";
import { lotCost } from "../instruments.ts";
import { cutBatches, MakerOrders, type OrderBatch } from "../maker-orders.ts";
import { hourFactor, type PriceState, pairPrice, regimeFactor } from "../prices.ts";
import { lotsFor, quoteItems } from "../quoting.ts";
import { type Mood, takeItems } from "../taking.ts";
import { type AccountGroup, contractNature, type SimulatedContract } from "./contracts.ts";
import { IndexSources } from "./index-sources.ts";
import { Participants, type TraderState } from "./traders.ts";

/** What a restart must know. */
export interface FuturesState {
  /** Seconds the simulation has lived. */
  readonly clockSeconds: number;
  /** By market: how far the book stands from the index, the slow average of its price, how much is held open. */
  readonly books: Readonly<Record<number, { basis: number; average: number; interest: number }>>;
  /** By account and market. */
  readonly positions: Readonly<Record<string, number>>;
  readonly traders: Readonly<Record<number, TraderState>>;
}

export const FIRST_FUTURES_STATE: FuturesState = { clockSeconds: 0, books: {}, positions: {}, traders: {} };

export interface FuturesOptions {
  readonly seed: number;
  readonly contracts: readonly SimulatedContract[];
  readonly groups: readonly AccountGroup[];
  readonly state: FuturesState;
}

export interface FuturesTick {
  readonly nowMs: number;
  readonly step: number;
  /** Simulated seconds since the last. */
  readonly seconds: number;
  readonly prices: PriceState;
  /** As of the spot market. */
  readonly lookEvery?: number;
}

export interface FuturesStep {
  /** Index prices, money, settings and plans, each a command of its own, in order. */
  readonly commands: readonly Command[];
  readonly batches: readonly OrderBatch[];
}

const STREAM = 0x6100;
const ITEMS_A_LOOK = 10;
const ITEMS_TO_FILL = 200;
const TAKERS_A_LOOK = 6;
const BALANCE_STEPS = 240;
const HOLDER_STEPS = 80;
const REACH = 0.002;
/** Makers, takers and holders are backed far better than they need. */
const PATIENT_LEVERAGE = 5;
const WORTHS = {
  usdt: { maker: 80_000_000, taker: 20_000_000, holder: 60_000_000 },
  coin: { maker: 20_000_000, taker: 6_000_000, holder: 15_000_000 },
};
/** What the insurance fund begins with, in USDT. */
const FUND_WORTH = { usdt: 15_000, coin: 5_000 };
/** The book's distance from the index wanders and comes back. */
const BASIS_SECONDS = 7_200;
const BASIS_BPS = 4;
const AVERAGE_SECONDS = 900;
const INTEREST_SECONDS = 21_600;
const INTEREST_SPREAD = 0.12;

interface Book {
  readonly contract: SimulatedContract;
  readonly group: AccountGroup;
  readonly mood: Mood;
  basis: number;
  average: number;
  /** Logarithm of what is held open over what usually is. */
  interest: number;
  middle: number;
  checkedAt: number;
  waitedSeconds: number;
}

export class SimulatedFutures {
  readonly #options: FuturesOptions;
  readonly #books: readonly Book[];
  readonly #byMarket: ReadonlyMap<number, Book>;
  readonly #orders: MakerOrders;
  readonly #inventory: Inventory;
  readonly #participants: Participants;
  readonly #sources: IndexSources;
  readonly #positions = new Map<string, number>();
  #clockSeconds: number;
  #isFirst = true;

  constructor(options: FuturesOptions) {
    const { seed, contracts, groups, state } = options;
    this.#options = options;
    this.#clockSeconds = state.clockSeconds;
    this.#books = contracts.map((contract) => openBook(contract, groups, state));
    this.#byMarket = new Map(this.#books.map((book) => [book.contract.market, book]));
    const makers = groups.map(({ maker }) => maker);
    this.#orders = new MakerOrders(
      makers,
      contracts.map(({ market }) => market),
    );
    this.#inventory = new Inventory(walletsOf(groups));
    this.#participants = new Participants(seed, groups, contracts, state.traders);
    this.#sources = new IndexSources(seed, contracts);
    for (const [key, lots] of Object.entries(state.positions)) this.#positions.set(key, lots);
  }

  get state(): FuturesState {
    return {
      clockSeconds: this.#clockSeconds,
      books: Object.fromEntries(
        this.#books.map(({ contract, basis, average, interest }) => [contract.market, { basis, average, interest }]),
      ),
      positions: Object.fromEntries(this.#positions),
      traders: this.#participants.state,
    };
  }

  /** The first start: prices by hand, trading opens, money and leverage for everybody, and what is held open. */
  open(nowMs: number, prices: PriceState): Command[] {
    const priceOf = (symbol: string): number => pairPrice(prices, symbol, "USDT");
    const { contracts, groups } = this.#options;
    const commands: Command[] = [];
    for (const contract of contracts) {
      const ticks = Math.round(priceOf(contract.base) / contract.tick);
      commands.push(
        { kind: "setReferencePrice", market: contract.market, markTicks: ticks, indexTicks: ticks },
        { kind: "setMarketStatus", market: contract.market, status: "TRADING" },
      );
    }
    commands.push(...this.#inventory.fund(nowMs, priceOf), ...this.#participants.open(nowMs, priceOf));
    for (const group of groups) commands.push(endow(group, priceOf, nowMs));
    for (const { contract, group } of this.#books) {
      const leverage = { market: contract.market, long: PATIENT_LEVERAGE, short: PATIENT_LEVERAGE };
      for (const account of [group.maker, ...group.takers, group.long, group.short]) {
        commands.push({ kind: "setLeverage", account, ...leverage });
      }
      commands.push(...openInterest(contract, group, priceOf(contract.base)));
    }
    this.#participants.spread(0);
    return commands;
  }

  step({ nowMs, step, seconds, prices, lookEvery = 1 }: FuturesTick): FuturesStep {
    this.#clockSeconds += seconds;
    const priceOf = (symbol: string): number => pairPrice(prices, symbol, "USDT");
    const commands = this.#sources.speak(step, seconds, priceOf, this.#isFirst);
    const heat = regimeFactor(prices.regime) * hourFactor(nowMs);
    const makers: Command[] = [];
    const takers: Command[] = [];
    for (const [index, book] of this.#books.entries()) {
      this.#live(book, priceOf(book.contract.base), step, seconds);
      const isDue = this.#isFirst || (step + index) % (contractNature(book.contract).everyTicks * lookEvery) === 0;
      if (isDue) this.#look(book, step, heat, makers, takers);
      if ((step + index * 7) % HOLDER_STEPS === 0) takers.push(...this.#hold(book, step));
    }
    if (step % BALANCE_STEPS === 0 || this.#inventory.isEmptyHanded) {
      commands.push(...this.#inventory.balance(nowMs, priceOf));
    }
    const view = (market: number) => this.#view(market);
    const seen = { step, nowMs, clockSeconds: this.#clockSeconds, view, priceOf };
    if (!this.#isFirst) commands.push(...this.#participants.act(seen));
    this.#isFirst = false;
    return { commands, batches: [...cutBatches(makers), ...cutBatches(takers)] };
  }

  /** Every event of the market's accounts, in order. */
  observe(event: MachineEvent): void {
    this.#inventory.observe(event);
    this.#orders.observe(event);
    this.#participants.observe(event, this.#clockSeconds);
    if (event.kind === "positionChanged") this.#positions.set(`${event.account}:${event.market}`, event.lots);
  }

  #view(market: number): { middle: number; trend: number } {
    const book = this.#byMarket.get(market);
    return book === undefined
      ? { middle: 0, trend: 0 }
      : { middle: book.middle, trend: book.middle / book.average - 1 };
  }

  #held(account: number, market: number): number {
    return this.#positions.get(`${account}:${market}`) ?? 0;
  }

  /** Moves the book's distance from the index: the crowd leans on it, time draws it back. */
  #live(book: Book, price: number, step: number, seconds: number): void {
    const { contract } = book;
    const random = stepRandom(this.#options.seed, step, STREAM + contract.market);
    const nature = contractNature(contract);
    const index = price / contract.tick;
    const tradersWorth = this.#participants.netLots(contract.market) * lotCost(contract, index);
    const target = (1 + 14 * Math.tanh(tradersWorth / (nature.interestWorth * 0.05))) / 10_000;
    const pull = Math.min(1, seconds / BASIS_SECONDS);
    book.basis += pull * (target - book.basis) + (BASIS_BPS / 10_000) * Math.sqrt(2 * pull) * normal(random);
    const drift = Math.min(1, seconds / INTEREST_SECONDS);
    book.interest += -drift * book.interest + INTEREST_SPREAD * Math.sqrt(2 * drift) * normal(random);
    book.middle = index * (1 + book.basis);
    book.average += (book.middle - book.average) * (book.average === 0 ? 1 : Math.min(1, seconds / AVERAGE_SECONDS));
    book.waitedSeconds += seconds;
  }

  #look(book: Book, step: number, heat: number, makers: Command[], takers: Command[]): void {
    const { contract, group, middle } = book;
    const nature = contractNature(contract);
    const random = stepRandom(this.#options.seed, step, contract.market);
    const orders = this.#orders.of(contract.market);
    const itemsMax = orders.size < 20 ? ITEMS_TO_FILL : ITEMS_A_LOOK;
    const shared = { pair: contract, nature, middle, quotePerUsdt: 1 };
    makers.push(...quoteItems({ ...shared, account: group.maker, orders: orders.values(), heat, itemsMax }, random));
    // Nobody takes from a book that is not there yet.
    if (orders.size > 0) {
      const change = book.checkedAt === 0 ? 0 : middle / book.checkedAt - 1;
      const held = group.takers.reduce((sum, account) => sum + this.#held(account, contract.market), 0);
      const skew = Math.max(-1, Math.min(1, (held * lotCost(contract, middle)) / (nature.interestWorth * 0.04)));
      const taking = { ...shared, accounts: group.takers, change, heat, skew, takersMax: TAKERS_A_LOOK };
      takers.push(...takeItems({ ...taking, seconds: book.waitedSeconds }, book.mood, random));
    }
    book.checkedAt = middle;
    book.waitedSeconds = 0;
  }

  /** The holders follow the wish for open interest, a little at a time. */
  #hold({ contract, group, interest, middle }: Book, step: number): Command[] {
    const nature = contractNature(contract);
    const target = lotsFor(contract, nature.interestWorth * Math.exp(interest), Math.round(middle));
    const most = lotsFor(contract, nature.levelWorth * 0.8, Math.round(middle));
    const random = stepRandom(this.#options.seed, step, STREAM + 0x800 + contract.market);
    // One side a time, so that their trades do not look like each other's shadow.
    const [account, sign] = random.chance(1, 2) ? [group.long, 1] : [group.short, -1];
    const gap = sign * target - this.#held(account, contract.market);
    const quantity = Math.min(most, Math.abs(gap));
    if (quantity < Math.max(1, target * 0.002)) return [];
    const isBuy = gap > 0;
    const price = Math.max(1, Math.round(middle * (isBuy ? 1 + REACH : 1 - REACH)));
    const side = isBuy ? "buy" : "sell";
    return [{ kind: "placeOrder", account, market: contract.market, side, price, quantity, timeInForce: "IOC" }];
  }
}

function openBook(contract: SimulatedContract, groups: readonly AccountGroup[], state: FuturesState): Book {
  const group = groups.find(({ settleAsset }) => settleAsset === contract.settleAsset);
  if (group === undefined) throw new Error(`nobody trades ${contract.pairCode}`);
  return {
    contract,
    group,
    mood: { burst: 0, direction: 1 },
    basis: 0,
    average: 0,
    interest: 0,
    ...state.books[contract.market],
    middle: 0,
    checkedAt: 0,
    waitedSeconds: 0,
  };
}

function walletsOf(groups: readonly AccountGroup[]): Wallet[] {
  return groups.flatMap((group) => {
    const { settle: symbol, settleAsset: asset, unitsPerCoin } = group;
    const { maker, taker, holder } = symbol === "USDT" ? WORTHS.usdt : WORTHS.coin;
    const wallet = (account: number, worth: number): Wallet => ({ account, asset, symbol, unitsPerCoin, worth });
    return [
      wallet(group.maker, maker),
      ...group.takers.map((account) => wallet(account, taker)),
      wallet(group.long, holder),
      wallet(group.short, holder),
    ];
  });
}

/** The insurance fund begins with something the house lends it too. */
function endow(
  { settle, settleAsset, unitsPerCoin }: AccountGroup,
  priceOf: (symbol: string) => number,
  nowMs: number,
): Command {
  const worth = settle === "USDT" ? FUND_WORTH.usdt : FUND_WORTH.coin;
  return give(INSURANCE_ACCOUNT, settleAsset, Math.round((worth / priceOf(settle)) * unitsPerCoin), nowMs);
}

/** Both holders meet at the first price, before anybody else is there. */
function openInterest(contract: SimulatedContract, group: AccountGroup, price: number): Command[] {
  const ticks = Math.round(price / contract.tick);
  const quantity = lotsFor(contract, contractNature(contract).interestWorth, ticks);
  // Named, so that an opening begun again does not double what is held.
  const clientOrderId = `open:${contract.market}`;
  const order = { kind: "placeOrder", market: contract.market, price: ticks, quantity, clientOrderId } as const;
  return [
    { ...order, account: group.long, side: "buy" },
    { ...order, account: group.short, side: "sell", timeInForce: "IOC" },
  ];
}
