// Connects price alerts with the market's trades, the inbox and the sockets. Holds no rule of its own.
import { ALERTS_CHANNEL } from "@clockwork/domains/alerts/api";
import { alertRoutes } from "@clockwork/domains/alerts/routes";
import { AlertService } from "@clockwork/domains/alerts/service";
import { alertStore } from "@clockwork/domains/alerts/store";
import type { LetterService } from "@clockwork/domains/letters/service";
import { priceText } from "@clockwork/domains/markets/rules";
import { readPriceTicks } from "@clockwork/domains/spot/rules";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Kysely } from "kysely";
import type { Log } from "../log.ts";
import type { MarketData } from "../market/data.ts";
import type { Channel } from "../socket/channel.ts";
import type { Hub } from "../socket/hub.ts";

/** A person cannot tell half a second; the last five hundred trades of a pair are looked at each time. */
const CHECK_MS = 500;

export interface AlertParts {
  readonly kysely: Kysely<unknown>;
  readonly data: Pick<MarketData, "pairs" | "projector">;
  readonly letters: Pick<LetterService, "write">;
  readonly log: Log;
  readonly hub: () => Hub | undefined;
}

export interface Alerts {
  readonly routes: readonly RouteSpec[];
  readonly channels: readonly Channel[];
  /** Takes up what waited and begins to look; the answer ends it. */
  start(): () => Promise<void>;
}

export function composeAlerts({ kysely, data, letters, log, hub }: AlertParts): Alerts {
  const find = (pairCode: string) => data.pairs.findPair(pairCode);
  const onFault = (error: unknown): void => log.warn("alerts.failed", { error });
  const service = new AlertService({
    store: alertStore(kysely),
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
      lastTicks: (pairCode) => data.pairs.lastTicks(find(pairCode)?.market ?? -1),
      readTrades: (pairCode) => {
        const trades = data.projector.tapes.get(find(pairCode)?.market ?? -1)?.trades ?? [];
        return trades.map(({ number, price, time_ms }) => ({ number, priceTicks: price, timeMs: time_ms }));
      },
      writeLetter: letters.write.bind(letters),
      publish: (userId, alert) => hub()?.publish({ channel: ALERTS_CHANNEL }, alert, { account: String(userId) }),
    },
  });
  return { routes: alertRoutes(service), channels: [ALERTS_STREAM], start: () => startChecks(service, onFault) };
}

const ALERTS_STREAM: Channel = {
  channel: ALERTS_CHANNEL,
  kind: "latest",
  isPrivate: true,
  serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
};

function startChecks(service: AlertService, onFault: (error: unknown) => void): () => Promise<void> {
  const loading = service.load().catch(onFault);
  let running: Promise<void> = loading;
  const timer = setInterval(() => {
    running = loading.then(() => service.check()).catch(onFault);
  }, CHECK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
