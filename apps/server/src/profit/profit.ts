// Connects profit analysis with the user's books, the tables and the market's candles. Holds no rule of its own.
import { worthFloor } from "@clockwork/domains/markets/rules";
import { profitRoutes } from "@clockwork/domains/profit/routes";
import { ProfitService } from "@clockwork/domains/profit/service";
import { profitStore } from "@clockwork/domains/profit/store";
import { walletTypeOf } from "@clockwork/kit/books";
import { readCandles } from "@clockwork/kit/candles/bar-series";
import { DAY_MS } from "@clockwork/kit/time";
import type { Part, PartContext } from "../part.ts";

/** Wallets of copies and bots. */
const BOT_TYPES: readonly string[] = ["5", "6", "7"];

export function profitPart({ database, engine, ledger, market, clock }: PartContext): Part {
  const { pairs, data } = market;
  const pairOf = (asset: number) => pairs.findPair(`${pairs.findAssetById(asset)?.symbol}_USDT`);
  const service = new ProfitService({
    store: profitStore(database.kysely),
    needs: {
      now: clock.now,
      settled: () => ledger.settled(engine.health().durableSequence),
      async listBooks(userId) {
        return (await ledger.accounts.list(userId)).flatMap(({ account, book }) => {
          const type = walletTypeOf(book);
          return type === undefined ? [] : [{ account, isBot: BOT_TYPES.includes(type) }];
        });
      },
      findAsset: (symbol) => pairs.findAsset(symbol),
      findAssetById: (asset) => pairs.findAssetById(asset),
      async readCloses(asset, fromDay, toDay) {
        const pair = pairOf(asset);
        const state = pair === undefined ? undefined : data.projector.states.get(pair.market);
        if (pair === undefined || state === undefined) return new Map();
        const old = data.series.of(pair.market, "last");
        const range = { fromMs: fromDay * DAY_MS, toMs: toDay * DAY_MS };
        const bars = await readCandles(state.series, old, "1d", "UTC0", range);
        return new Map(bars.map(({ timeMs, close }) => [Math.floor(timeMs / DAY_MS), close]));
      },
      worthAtTicks(asset, amountUnits, ticks) {
        const pair = pairOf(asset);
        return pair === undefined ? undefined : worthFloor(pair, amountUnits, ticks);
      },
      worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    },
  });
  return { routes: profitRoutes(service) };
}
