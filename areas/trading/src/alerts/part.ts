// Connects price alerts with the market's trades, the inbox and the sockets. Contains no rules.

import type { Channel } from "@clockwork/host/channel";
import { type Part, runs } from "@clockwork/host/part";
import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import type { NoticeKind } from "@clockwork/kit/notice";
import { candleStart, nextCandleStart } from "@clockwork/kit/time";
import type { PartContext } from "../context.ts";
import { ALERTS_CHANNEL } from "./contract.ts";
import { alertRoutes } from "./routes.ts";
import { AlertService } from "./service.ts";
import { alertStore } from "./store.ts";

/** Half a second is imperceptible; each check reads the last five hundred trades of a pair. */
const CHECK_MS = 500;

const ALERTS: NoticeKind = { kind: "alerts", group: "trading", defaults: ["live", "letter"] };

export function alertsPart({ database, market, accounts, log, live, clock }: PartContext): Part {
  const { pairs, projector } = market.data;
  const find = (pairCode: string) => pairs.findPair(pairCode);
  const onFault = (error: unknown): void => log.warn("alerts.failed", { error });
  accounts.notices.register(ALERTS);
  const service = new AlertService({
    store: alertStore(database.kysely),
    onFault,
    needs: {
      hasPair: (pairCode) => find(pairCode) !== undefined,
      readTicks: (pairCode, price) => {
        const pair = find(pairCode);
        return pair === undefined ? undefined : readPriceTicks(pair, price);
      },
      writePrice: (pairCode, ticks) => {
        const pair = find(pairCode);
        return pair === undefined ? "" : priceText(pair, ticks);
      },
      lastTicks: (pairCode) => pairs.lastTicks(find(pairCode)?.market ?? -1),
      readTrades: (pairCode) => {
        const trades = projector.states.get(find(pairCode)?.market ?? -1)?.trades ?? [];
        return trades.map(({ number, price, time_ms }) => ({ number, priceTicks: price, timeMs: time_ms }));
      },
      readCloses: async (pairCode, interval, count) => {
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
      notify: async (userId, notice, timeMs) => {
        await accounts.notices.notify(userId, { kind: ALERTS.kind, topic: "alert", ...notice }, timeMs);
      },
      publish: (userId, alert) => live.publish({ channel: ALERTS_CHANNEL }, alert, { account: String(userId) }),
    },
  });
  return {
    routes: alertRoutes(service),
    channels: [ALERTS_STREAM],
    ...runs(() => startChecks(service, clock, onFault)),
  };
}

const ALERTS_STREAM: Channel = {
  channel: ALERTS_CHANNEL,
  kind: "latest",
  isPrivate: true,
  serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
};

function startChecks(
  service: AlertService,
  clock: PartContext["clock"],
  onFault: (error: unknown) => void,
): () => Promise<void> {
  let isLoaded = false;
  let running: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    if (!isLoaded) await service.load();
    isLoaded = true;
    await service.check();
  };
  const turn = (): void => {
    running ??= look()
      .catch(onFault)
      .finally(() => {
        running = undefined;
      });
  };
  turn();
  const stop = clock.every(CHECK_MS, turn);
  return async () => {
    stop();
    await running;
  };
}
