// A small world for random lives of ads and orders: the real services on the real core, tables in memory with the same
// compare-and-sets as the SQL, a process that may end before any write, and presses at the same moment in any order.
import { readBalances } from "@clockwork/core/inspect/balances";
import type { Command } from "@clockwork/core/protocol/command";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage, type Stage } from "@clockwork/core/testing/stage";
import { isOpen } from "@clockwork/kit/otc/order-machine";
import { stockWithFee } from "@clockwork/kit/otc/price";
import { AdBook } from "../otcads/book-store.ts";
import type { AdNeeds, MakerInfo } from "../otcads/needs.ts";
import { AdService } from "../otcads/service.ts";
import type { AdRow, AdStore } from "../otcads/store.ts";
import type { ChatService } from "../otcorders/chat-service.ts";
import type { OrderNeeds, TakenAd } from "../otcorders/needs.ts";
import { OrderService } from "../otcorders/service.ts";
import type { OrderRow, OrderStore } from "../otcorders/store.ts";
import { adMoves, escrowOn, moveOn } from "./otc-ledger.ts";

export const [SELLER, BUYER, OTHER] = [101, 102, 103];
export const STOCK = 1_000_000_000n;
export const WINDOW_MS = 15 * 60_000;
/** The seller's initial balance: enough for the ad twice. */
export const OWNED = 2n * stockWithFee(STOCK);

/** A process that may end at any moment between two writes, and in which several calls may be under way. */
export class Process {
  #writesLeft: number | undefined;
  #waiting: (() => void)[] | undefined;

  endAfter(writes: number): void {
    this.#writesLeft = writes;
  }

  live(): void {
    this.#writesLeft = undefined;
  }

  /** Called before every read: others may come first. */
  read(): Promise<void> {
    const waiting = this.#waiting;
    return waiting === undefined ? Promise.resolve() : new Promise((go) => waiting.push(go));
  }

  /** Called before every write; an ended process writes nothing any more. */
  async write(): Promise<void> {
    await this.read();
    this.writeNow();
  }

  writeNow(): void {
    if (this.#writesLeft === undefined) return;
    if (this.#writesLeft === 0) throw new Error("the process ended");
    this.#writesLeft -= 1;
  }

  /**
   * All of it concurrently; `choose` picks the next one at every read and write. True when the process ended during it.
   */
  async race(works: readonly (() => Promise<unknown>)[], choose: (count: number) => number): Promise<boolean> {
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    let [left, hasEnded] = [works.length, false];
    for (const work of works) {
      work()
        .catch(() => {
          hasEnded = true;
        })
        .finally(() => {
          left -= 1;
        });
    }
    while (left > 0) {
      await new Promise((go) => setImmediate(go));
      if (waiting.length > 0) waiting.splice(choose(waiting.length), 1)[0]?.();
    }
    this.#waiting = undefined;
    return hasEnded;
  }
}

interface Step {
  readonly id: number;
  readonly order_id: string;
  readonly action: string;
  untold: boolean;
}

/** The table of orders in memory. */
function memoryOrders(process: Process) {
  const rows = new Map<string, OrderRow>();
  const steps: Step[] = [];
  const change = (row: OrderRow, values: Partial<OrderRow>): OrderRow => {
    const next = { ...row, ...values };
    rows.set(row.order_id, next);
    return next;
  };
  const store: Partial<OrderStore> = {
    find: async (orderId) => {
      await process.read();
      return rows.get(orderId);
    },
    findIntent: async (takerId, clientId) =>
      [...rows.values()].find((row) => row.taker_id === takerId && row.client_id === clientId),
    place: async (row, _, reserve) => {
      await process.write();
      if (!(await reserve(undefined as never))) return "taken";
      rows.set(row.order_id, row);
      return "placed";
    },
    begin: async (orderId, from, { action, by, timeMs }) => {
      await process.write();
      const row = rows.get(orderId);
      if (row === undefined || row.state !== from || row.intent !== "") return false;
      change(row, { intent: action, intent_by: by, intent_ms: timeMs });
      return true;
    },
    end: async (at, values, { action }, more) => {
      await process.write();
      const row = rows.get(at.order_id);
      if (row === undefined || row.state !== at.state || row.intent !== at.intent) return undefined;
      await more(undefined as never);
      const step = { id: steps.length + 1, order_id: at.order_id, action, untold: true };
      steps.push(step);
      return { order: change(row, { ...values, intent: "", intent_by: "" }), stepId: step.id };
    },
    listUntold: async () => steps.filter(({ untold }) => untold),
    markNotified: async (stepId) => {
      await process.write();
      for (const step of steps) if (step.id === stepId) step.untold = false;
    },
    countSteps: async (orderId, action) =>
      steps.filter((step) => step.order_id === orderId && step.action === action).length,
    callOff: async (at) => {
      await process.write();
      const row = rows.get(at.order_id);
      if (row !== undefined && row.intent === at.intent) change(row, { intent: "", intent_by: "" });
    },
    listDue: async (timeMs) =>
      [...rows.values()].filter(
        (row) => row.intent !== "" || row.state === "PLACING" || (row.state === "WAIT_PAY" && row.pay_by_ms <= timeMs),
      ),
    findComplaintOf: async () => undefined,
  };
  return { rows, steps, store: store as OrderStore };
}

const AD: AdRow = {
  ad_id: 1,
  user_id: SELLER,
  client_id: "ad",
  slot: 1,
  side: "sell",
  asset: "USDT",
  fiat: "AED",
  price_e4: 0n,
  premium_bps: 10_000,
  quantity_units: STOCK,
  stock_units: 0n,
  min_cents: 1n,
  max_cents: 10n ** 12n,
  payments: "p",
  payment_kinds: "bank",
  window_minutes: 15,
  note: "",
  need_level: 2,
  need_days: 0,
  need_orders: 0,
  need_completion: 0,
  need_traded: false,
  state: "OFFLINE",
  reason: "",
  version: 1,
  round: 0,
  created_ms: 0,
  changed_ms: 0,
};

/** The table of ads in memory: one ad. */
function memoryAds(process: Process) {
  const at = { row: AD };
  const step = (row: Pick<AdRow, "version">, change: Partial<AdRow>): AdRow | undefined => {
    if (at.row.version !== row.version) return undefined;
    at.row = { ...at.row, ...change, version: row.version + 1 };
    return at.row;
  };
  const store: Partial<AdStore> = {
    find: async () => {
      await process.read();
      return at.row;
    },
    listOwn: async () => (at.row.slot === null ? [] : [at.row]),
    listStates: async (states) => (states.includes(at.row.state) ? [at.row] : []),
    step: async (row, change) => {
      await process.write();
      return step(row, change);
    },
    stepAlone: async (row, change, isFree) => {
      await process.write();
      if (at.row.version !== row.version) return undefined;
      return (await isFree(undefined as never)) ? step(row, change) : "busy";
    },
    stock: async (row, timeMs) => {
      await process.write();
      const stock_units = at.row.stock_units + at.row.quantity_units;
      return step(row, { state: "ONLINE", reason: "", stock_units, changed_ms: timeMs });
    },
    reserve: async (_, ad, quantityUnits) => {
      const { version, state, stock_units } = at.row;
      if (version !== ad.version || state !== "ONLINE" || stock_units < quantityUnits) return undefined;
      const left = stock_units - quantityUnits;
      at.row = { ...at.row, stock_units: left, state: left === 0n ? "SOLD_OUT" : "ONLINE" };
      return at.row;
    },
    giveBack: async (_, __, quantityUnits) => {
      const { state, stock_units } = at.row;
      if (state !== "ONLINE" && state !== "SOLD_OUT" && state !== "OPENING") return undefined;
      at.row = {
        ...at.row,
        stock_units: stock_units + quantityUnits,
        state: state === "OPENING" ? state : "ONLINE",
      };
      return at.row;
    },
  };
  return { at, store: store as AdStore };
}

export function balanceOf(stage: Stage, account: number): { readonly free: bigint; readonly frozen: bigint } {
  const columns = readBalances(stage.machine);
  for (let i = 0; i < columns.accounts.length; i += 1)
    if (columns.accounts[i] === account && columns.assets[i] === stage.quote)
      return { free: BigInt(columns.availableUnits[i] ?? 0), frozen: BigInt(columns.frozenUnits[i] ?? 0) };
  return { free: 0n, frozen: 0n };
}

const MAKER: MakerInfo = {
  name: "Desk",
  level: 3,
  isSimulated: false,
  mayPost: true,
  state: "ACTIVE",
  bondText: "",
  adsMax: 20,
  orderMaxUnits: 10n ** 15n,
  opensMinute: 0,
  closesMinute: 0,
  orders: 0,
  restsUntilMs: 0,
  completionBps: undefined,
  releaseMs: undefined,
};

function openLedger(process: Process, now: () => number, stage: Stage) {
  const seller = stage.trader(0, Number(OWNED), { user: SELLER, book: "funding" });
  const people = new Map([BUYER, OTHER].map((user) => [user, stage.trader(0, 0, { user, book: "funding" })]));
  const made = stage.send({ kind: "createAccount", user: SELLER, book: "otc", sub: 1, group: 0 });
  const book = eventsOf(made, "accountCreated")[0]?.account ?? 0;
  const submit = async (command: Command): Promise<string> => {
    await process.write();
    return eventsOf(stage.send(command), "rejected")[0]?.code ?? "DONE";
  };
  const funding = async (userId: number) => people.get(userId) ?? seller;
  const worth = { isKnown: true };
  const escrow = escrowOn({
    submit,
    now,
    open: async (userId, slot) => (slot === 0 ? funding(userId) : book),
    worthUnits: (_, amountUnits) => (worth.isKnown ? amountUnits : undefined),
  });
  const free = async (account: number | undefined): Promise<bigint> => {
    await process.read();
    return account === undefined ? 0n : balanceOf(stage, account).free;
  };
  const coins = adMoves({ move: moveOn(submit), free, funding, adBook: async () => book });
  return { seller, people, book, escrow, coins, worth };
}

export function openWorld() {
  const stage = createStage();
  const process = new Process();
  const now = () => stage.time;
  const ledger = openLedger(process, now, stage);
  const table = memoryOrders(process);
  const ads = memoryAds(process);
  const coin = { asset: stage.quote, symbol: "USDT", scale: 6 };
  const hasCoinsOut = async (): Promise<boolean> =>
    [...table.rows.values()].some(
      (row) => isOpen(row.state) || table.steps.some((step) => step.order_id === row.order_id && step.untold),
    );
  const isUnsettled = async (): Promise<boolean> =>
    table.steps.some(({ untold }) => untold) ||
    [...table.rows.values()].some(
      ({ state, intent, pay_by_ms }) =>
        state === "PLACING" || intent !== "" || (state === "WAIT_PAY" && pay_by_ms <= stage.time),
    );
  const adNeeds: Partial<AdNeeds> = {
    now,
    coin: () => coin,
    indexE6: () => 1_000_000n,
    rateE8: () => 367_250_000n,
    maker: async () => MAKER,
    seenMs: () => 0,
    isWithinHours: () => true,
    changed: () => undefined,
    freeze: ledger.coins.freeze,
    thaw: ledger.coins.thaw,
    hasCoinsOut,
    isUnsettled,
    countOpenOrders: async () => 0,
  };
  const parts = { store: ads.store, needs: adNeeds as AdNeeds };
  const book = new AdBook(parts);
  const service = new AdService({ ...parts, book });
  const answer = new Map<string, number>();
  const notify: OrderNeeds["notify"] = async (userId, { topic, stepId }) => {
    await process.write();
    // As notices do: an event is sent once.
    answer.set(`${userId}:${topic}:${stepId}`, 1);
  };
  const needs = orderNeeds({ escrow: ledger.escrow, coin, now, notify, ads, service });
  const chat = { note: async () => undefined } as unknown as ChatService;
  const orders = new OrderService({ store: table.store, chat, needs });
  return { stage, ...ledger, process, table, answer, ad: ads.at, ads: service, orders, coin };
}

export type World = ReturnType<typeof openWorld>;

function orderNeeds(parts: {
  readonly escrow: OrderNeeds["escrow"];
  readonly coin: { asset: number; symbol: string; scale: number };
  readonly now: () => number;
  readonly notify: OrderNeeds["notify"];
  readonly ads: ReturnType<typeof memoryAds>;
  readonly service: AdService;
}): OrderNeeds {
  const { escrow, coin, now, notify, ads, service } = parts;
  let ids = 0;
  const needs: Partial<OrderNeeds> = {
    now,
    escrow,
    coin: () => coin,
    worthUnits: (_: unknown, amountUnits: bigint) => amountUnits,
    take: async (_, { quantity }) => {
      const row = await ads.store.find(1);
      if (row?.state !== "ONLINE") return "AD_OFFLINE";
      return {
        adId: 1,
        version: row.version,
        makerId: SELLER,
        slot: 1,
        side: "sell",
        asset: "USDT",
        fiat: "AED",
        windowMinutes: 15,
        priceE4: 36_725n,
        quantityUnits: BigInt(quantity ?? "1"),
        amountCents: 1n,
        paymentIds: ["p"],
        paymentKinds: ["bank"],
        matchId: "",
      } satisfies TakenAd;
    },
    reserve: async (inside, { version, quantityUnits }, timeMs) =>
      (await ads.store.reserve(inside, { ad_id: 1, version }, quantityUnits, timeMs)) !== undefined,
    giveBack: async (inside, adId, quantityUnits, timeMs) => {
      await ads.store.giveBack(inside, adId, quantityUnits, timeMs);
    },
    adChanged: (order) => (order.ended_ms > 0 ? service.comeBack(order.ad_id) : Promise.resolve()),
    findPayment: async () => ({ paymentId: "p", userId: SELLER, kind: "bank", fiat: "AED", details: "{}" }),
    person: async () => ({ name: "", level: 2, createdMs: 0, isSimulated: false, bondUnits: undefined, reply: "" }),
    seal: (plain) => plain,
    open: (sealed) => sealed,
    randomDigits: () => {
      ids += 1;
      return String(ids).padStart(8, "0");
    },
    recordChanged: () => undefined,
    publish: () => undefined,
    notify,
  };
  return needs as OrderNeeds;
}
