// Which orders a simulated maker has in which book, known from the events it is shown; and how many orders of one
// account go as one command. Never asks, never guesses: what was not told is not there.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { RestingOrder } from "./quoting.ts";

export class MakerOrders {
  readonly #makers: ReadonlySet<number>;
  readonly #books: ReadonlyMap<number, Map<number, RestingOrder>>;

  constructor(makers: readonly number[], markets: readonly number[]) {
    this.#makers = new Set(makers);
    this.#books = new Map(markets.map((market) => [market, new Map()]));
  }

  of(market: number): ReadonlyMap<number, RestingOrder> {
    return this.#books.get(market) ?? new Map();
  }

  /** Every event of the maker's account, in order. */
  observe(event: MachineEvent): void {
    switch (event.kind) {
      case "orderAccepted":
        if (!this.#makers.has(event.account) || event.timeInForce !== "GTC") break;
        this.#books.get(event.market)?.set(event.orderId, {
          id: event.orderId,
          side: event.side,
          price: event.price,
          open: event.quantity,
          filled: 0,
        });
        break;
      case "orderAmended": {
        const order = this.#books.get(event.market)?.get(event.orderId);
        if (order === undefined) break;
        order.price = event.price;
        order.open = event.lots;
        break;
      }
      case "orderEnded":
        this.#books.get(event.market)?.delete(event.orderId);
        break;
      case "trade":
        this.#fill(event.market, event.makerOrderId, event.lots, event.makerDone);
        this.#fill(event.market, event.takerOrderId, event.lots, event.takerDone);
        break;
      case "rejected":
        // It was filled or ended before the amend came; what is gone is gone.
        if (event.code === "UNKNOWN_ORDER") this.#remove(event.orderId);
        break;
      default:
        break;
    }
  }

  #fill(market: number, orderId: number, lots: number, isDone: boolean): void {
    const orders = this.#books.get(market);
    const order = orders?.get(orderId);
    if (order === undefined) return;
    order.open -= lots;
    order.filled += lots;
    if (isDone) orders?.delete(orderId);
  }

  #remove(orderId: number): void {
    for (const orders of this.#books.values()) if (orders.delete(orderId)) return;
  }
}

/** Orders of one account that go as one command. */
export interface OrderBatch {
  readonly account: number;
  readonly items: readonly Command[];
}

const BATCH_ITEMS = 40;

/** One command per account and few enough items, in the order they were meant. */
export function cutBatches(items: readonly Command[]): OrderBatch[] {
  const batches: { account: number; items: Command[] }[] = [];
  const open = new Map<number, { account: number; items: Command[] }>();
  for (const item of items) {
    const account = "account" in item ? (item.account ?? 0) : 0;
    let batch = open.get(account);
    if (batch === undefined || batch.items.length >= BATCH_ITEMS) {
      batch = { account, items: [] };
      open.set(account, batch);
      batches.push(batch);
    }
    batch.items.push(item);
  }
  return batches;
}
