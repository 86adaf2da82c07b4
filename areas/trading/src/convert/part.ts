// Connects converting with the books, the ledger and the database. Holds no rule of its own.
import { randomBytes } from "node:crypto";
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import { priceText, quantityText } from "@clockwork/kit/instrument";
import type { PartContext } from "../context.ts";
import type { MarketPair } from "../markets/needs.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { orderView } from "../projectors/orders/order-view.ts";
import { convertRoutes } from "./routes.ts";
import { readLevel, USDT, withoutOwn } from "./rules.ts";
import { ConvertService } from "./service.ts";
import { convertStore } from "./store.ts";

const LEVELS = 200;
/** Whose orders stand in spot books. */
const SPOT_BOOKS: readonly string[] = ["spot", "copyS", "bot"];
const RESUME_MS = 5_000;

export function convertPart({ database, engine, ledger, market, clock, log }: PartContext): Part {
  const { pairs } = market;
  const openAccount = (userId: number) => ledger.accounts.open(userId, "spot");
  /** What the books of one user have resting in a market, by price: nobody is paid by orders of his own. */
  const readOwn = async (userId: number, pair: MarketPair): Promise<ReadonlyMap<bigint, bigint>> => {
    const own = new Map<bigint, bigint>();
    for (const { account, book } of await ledger.accounts.list(userId)) {
      if (!SPOT_BOOKS.includes(book)) continue;
      for (const order of (await ledger.openView(account)).of(orderView).orders.values()) {
        if (order.market !== pair.market || order.in_quote || order.state === "PENDING_TRIGGER") continue;
        const { priceUnits, quantityUnits } = readLevel([
          priceText(pair, order.price_ticks),
          quantityText(pair, order.quantity - order.filled_lots),
        ]);
        own.set(priceUnits, (own.get(priceUnits) ?? 0n) + quantityUnits);
      }
    }
    return own;
  };
  const service = new ConvertService({
    store: convertStore(database.kysely),
    needs: {
      now: clock.now,
      findCoin: (symbol) => pairs.findAsset(symbol),
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
      async readBook(userId, symbol) {
        const pair = pairs.findPair(`${symbol}_${USDT}`);
        const book = pair === undefined ? undefined : market.data.projector.states.get(pair.market)?.book;
        if (pair?.status !== "TRADING" || book === undefined) return undefined;
        const own = await readOwn(userId, pair);
        return {
          bids: withoutOwn(book.bids.top(LEVELS).map(readLevel), own),
          asks: withoutOwn(book.asks.top(LEVELS).map(readLevel), own),
        };
      },
      openAccount,
      submit: engine.submit,
      async readFree(userId) {
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
    },
  });
  return {
    routes: convertRoutes(service),
    ...runs(() =>
      keepResuming({
        clock,
        everyMs: RESUME_MS,
        resume: () => service.resume(),
        onFailure: (error) => log.warn("convert.resume.failed", { error }),
      }),
    ),
  };
}
