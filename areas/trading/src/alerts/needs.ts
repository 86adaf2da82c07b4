// What price alerts take of the market, the inbox and the sockets.
import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import type { NoticeKind } from "@clockwork/kit/notice";
import { candleStart, nextCandleStart } from "@clockwork/kit/time";
import type { PartContext } from "../context.ts";
import { ALERTS_CHANNEL, type Alert, type Indicator } from "./contract.ts";

const ALERTS: NoticeKind = { kind: "alerts", group: "trading", defaults: ["live", "letter"] };

export interface AlertTrade {
  /** Counts up by one within a market. */
  readonly number: number;
  readonly priceTicks: number;
  readonly timeMs: number;
}

export interface AlertClose {
  /** When the candle was over. */
  readonly closedAtMs: number;
  readonly priceTicks: number;
}

interface AlertNotice {
  readonly reference: string;
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

export type AlertNeeds = ReturnType<typeof alertNeeds>;

export function alertNeeds({ market, accounts, live, clock }: PartContext) {
  const { pairs, projector } = market.data;
  const find = (pairCode: string) => pairs.findPair(pairCode);
  accounts.notices.register(ALERTS);
  return {
    hasPair: (pairCode: string) => find(pairCode) !== undefined,
    /** Undefined for an invalid price of the pair. */
    readTicks: (pairCode: string, price: string): number | undefined => {
      const pair = find(pairCode);
      return pair === undefined ? undefined : readPriceTicks(pair, price);
    },
    writePrice: (pairCode: string, ticks: number): string => {
      const pair = find(pairCode);
      return pair === undefined ? "" : priceText(pair, ticks);
    },
    /** Last traded price; 0 before the first trade. */
    lastTicks: (pairCode: string) => pairs.lastTicks(find(pairCode)?.market ?? -1),
    /** The latest trades that are remembered, oldest first. */
    readTrades: (pairCode: string): readonly AlertTrade[] => {
      const trades = projector.states.get(find(pairCode)?.market ?? -1)?.trades ?? [];
      return trades.map(({ number, price, time_ms }) => ({ number, priceTicks: price, timeMs: time_ms }));
    },
    /** Closes of completed candles, oldest first, up to a maximum. */
    readCloses: async (
      pairCode: string,
      interval: Indicator["interval"],
      count: number,
    ): Promise<readonly AlertClose[]> => {
      const pair = find(pairCode);
      const nowMs = clock.now();
      const endMs = candleStart(nowMs, interval);
      const read = await market.service.readCandles({ pairCode, interval, limit: count + 1 }, nowMs);
      if (pair === undefined || !read.done) return [];
      return read.value
        .filter(({ timeMs }) => timeMs < endMs)
        .slice(-count)
        .map(({ timeMs, close }) => ({
          closedAtMs: nextCandleStart(timeMs, interval),
          priceTicks: readPriceTicks(pair, close) ?? 0,
        }));
    },
    /** Notifies once for each alert, by the channels the user chose. */
    notify: async (userId: number, notice: AlertNotice, timeMs: number): Promise<void> => {
      await accounts.notices.notify(userId, { kind: ALERTS.kind, topic: "alert", ...notice }, timeMs);
    },
    /** Publishes to the user's open pages. */
    publish: (userId: number, alert: Alert): void =>
      live.publish({ channel: ALERTS_CHANNEL }, alert, { account: String(userId) }),
  };
}
