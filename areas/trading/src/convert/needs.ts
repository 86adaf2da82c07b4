// What convert takes of the order books, the ledger and linked users.
import { randomBytes } from "node:crypto";
import { priceText, quantityText } from "@clockwork/kit/instrument";
import type { PartContext } from "../context.ts";
import type { MarketPair } from "../markets/pair.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { readLevel, USDT, withoutOwn } from "./rules.ts";
import type { ConvertStore } from "./store.ts";

const LEVELS = 200;
/** Accounts whose orders rest in spot order books. */
const SPOT_BOOKS: readonly string[] = ["spot", "copyS", "bot"];
/** Accounts of one person; whose device has more is quoted nothing by the book. */
const LINKED_MAX = 100;
/** Open orders of linked accounts; with more, nothing is quoted either: the time of a quote has a bound. */
const LINKED_ORDERS_MAX = 10_000;

export type ConvertNeeds = ReturnType<typeof convertNeeds>;

export function convertNeeds({ accounts, engine, ledger, market, clock }: PartContext, store: ConvertStore) {
  const { pairs } = market;
  const openAccount = (userId: number) => ledger.accounts.open(userId, "spot");
  /**
   * The resting orders of a user and of those who share a device with them, by price: nobody is paid by their own
   * orders. The user's own are as recent as their last response, the others' as the tables.
   */
  const readOwn = async (
    userId: number,
    pair: MarketPair,
    ticks: readonly [from: number, to: number],
  ): Promise<ReadonlyMap<bigint, bigint> | undefined> => {
    const own = new Map<bigint, bigint>();
    const add = (priceTicks: number, lots: bigint) => {
      const { priceUnits, quantityUnits } = readLevel([priceText(pair, priceTicks), quantityText(pair, lots)]);
      own.set(priceUnits, (own.get(priceUnits) ?? 0n) + quantityUnits);
    };
    const linked = [...(await accounts.listLinked(userId, LINKED_MAX + 1))];
    if (linked.length > LINKED_MAX) return undefined;
    for (const { account, book } of await ledger.accounts.list(userId)) {
      if (!SPOT_BOOKS.includes(book)) continue;
      for (const order of (await ledger.openView(account)).of(orderView).orders.values()) {
        if (order.market === pair.market && !order.in_quote && order.state !== "PENDING_TRIGGER")
          add(order.price_ticks, order.quantity - order.filled_lots);
      }
    }
    if (linked.length === 0) return own;
    await ledger.settled(engine.health().durableSequence);
    const resting = await store.listResting(linked, pair.market, SPOT_BOOKS, ticks, LINKED_ORDERS_MAX);
    if (resting === undefined) return undefined;
    for (const [priceTicks, lots] of resting) add(priceTicks, lots);
    return own;
  };
  return {
    now: clock.now,
    findCoin: (symbol: string) => pairs.findAsset(symbol),
    /** By the exchange's valuation; undefined without one. */
    worthUnits: (asset: number, amountUnits: bigint) => pairs.worthUnits(asset, amountUnits),
    /**
     * The order book of a coin against USDT without the orders of the user and of those who share a device with them:
     * bids and asks, best first; undefined when the coin is not traded.
     */
    async readBook(userId: number, symbol: string) {
      const pair = pairs.findPair(`${symbol}_${USDT}`);
      const book = pair === undefined ? undefined : market.data.projector.states.get(pair.market)?.book;
      if (pair?.status !== "TRADING" || book === undefined) return undefined;
      const [bids, asks] = [book.bids.top(LEVELS).map(readLevel), book.asks.top(LEVELS).map(readLevel)];
      const { priceUnits: tick } = readLevel([priceText(pair, 1), "1"]);
      const prices = [...bids, ...asks].map(({ priceUnits }) => Number(priceUnits / tick));
      if (prices.length === 0) return { bids: [], asks: [] };
      const own = await readOwn(userId, pair, [Math.min(...prices), Math.max(...prices)]);
      if (own === undefined) return { bids: [], asks: [] };
      return { bids: withoutOwn(bids, own), asks: withoutOwn(asks, own) };
    },
    openAccount,
    submit: engine.submit,
    /** The free balance of the user's spot book, by the coin's symbol. */
    async readFree(userId: number): Promise<ReadonlyMap<string, bigint>> {
      const account = await openAccount(userId);
      if (account === undefined) return new Map();
      const rows = [...(await ledger.openView(account)).of(ledgerView).balances.values()];
      return new Map(
        rows.flatMap(({ asset, available_units }) => {
          const symbol = pairs.findAssetById(asset)?.symbol;
          return symbol === undefined ? [] : [[symbol, available_units] as const];
        }),
      );
    },
    randomId: () => randomBytes(8).toString("hex"),
  };
}
