// Connects accounting with the user's books, the tables, the market's candles and the launches. Holds no rule of its own.

import type { Worth } from "@clockwork/kit/accounting/moments";
import { walletTypeOf } from "@clockwork/kit/books";
import { readCandles } from "@clockwork/kit/candles/bar-series";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { PartContext } from "../context.ts";
import type { MarketPair } from "../markets/needs.ts";
import { worthFloor } from "../markets/rules.ts";
import type { TradingPorts } from "../ports.ts";
import type { AccountingNeeds } from "./needs.ts";
import { AccountingService } from "./service.ts";
import { accountingStore } from "./store.ts";

/** Wallets of copies and bots. */
const BOT_TYPES: readonly string[] = ["5", "6", "7"];
const MONEY = "USDT";

type AccountingContext = Pick<PartContext, "database" | "engine" | "ledger" | "market" | "clock">;

export function openAccounting(context: AccountingContext, needs: AccountingNeeds): AccountingService {
  return new AccountingService({ store: accountingStore(context.database.kysely), needs });
}

export function accountingNeeds(
  { engine, ledger, market, clock }: AccountingContext,
  { launchCost }: Pick<TradingPorts, "launchCost">,
): AccountingNeeds {
  const { pairs, data } = market;
  let storedMs = 0;
  const valueBy = async (pair: MarketPair | undefined, timeMs: number): Promise<Worth | undefined> => {
    if (pair === undefined) return undefined;
    // Minutes that were over by then are stored: whatever is asked later, they say the same.
    if (storedMs <= timeMs) {
      storedMs = clock.now();
      await data.flush();
    }
    const minuteMs = timeMs - (timeMs % MINUTE_MS);
    const ticks = await data.series.of(pair.market, "last").readCloseBefore(MINUTE_MS, minuteMs);
    return ticks === undefined ? undefined : (amount) => worthFloor(pair, amount, ticks);
  };
  const moneyPair = (symbol: string | undefined) => pairs.findPair(`${symbol}_${MONEY}`);
  return {
    money: () => pairs.findAsset(MONEY)?.asset,
    async listBooks(userId) {
      return (await ledger.accounts.list(userId)).flatMap(({ account, book }) => {
        const type = walletTypeOf(book);
        return type === undefined ? [] : [{ account, isBot: BOT_TYPES.includes(type) }];
      });
    },
    async settled() {
      const head = engine.health().durableSequence;
      await ledger.settled(head);
      return Math.min(head, engine.tables()?.sequence ?? head);
    },
    async valueAt(asset, timeMs) {
      const symbol = pairs.findAssetById(asset)?.symbol;
      const direct = await valueBy(moneyPair(symbol), timeMs);
      if (direct !== undefined) return direct;
      for (const pair of pairs.pairs) {
        if (pair.base.symbol !== symbol || pair.quote.symbol === MONEY) continue;
        const between = await valueBy(pair, timeMs);
        const worth = between === undefined ? undefined : await valueBy(moneyPair(pair.quote.symbol), timeMs);
        if (between !== undefined && worth !== undefined) return (amount) => worth(between(amount));
      }
      return undefined;
    },
    async readCloses(asset, fromDay, toDay) {
      const pair = moneyPair(pairs.findAssetById(asset)?.symbol);
      const state = pair === undefined ? undefined : data.projector.states.get(pair.market);
      if (pair === undefined || state === undefined) return new Map();
      const old = data.series.of(pair.market, "last");
      const range = { fromMs: fromDay * DAY_MS, toMs: toDay * DAY_MS };
      const bars = await readCandles(state.series, old, "1d", "UTC0", range);
      return new Map(
        bars.map(({ timeMs, close }) => [
          Math.floor(timeMs / DAY_MS),
          (amount: bigint) => worthFloor(pair, amount, close),
        ]),
      );
    },
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    launchCost,
  };
}
