// Connects price alerts with the market's trades, the inbox and the sockets. Contains no rules.

import type { Channel } from "@clockwork/host/channel";
import { type Part, runs } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { ALERTS_CHANNEL } from "./contract.ts";
import { alertNeeds } from "./needs.ts";
import { alertRoutes } from "./routes.ts";
import { AlertService } from "./service.ts";
import { alertStore } from "./store.ts";

/** Half a second is imperceptible; each check reads the last five hundred trades of a pair. */
const CHECK_MS = 500;

export function alertsPart(context: PartContext): Part {
  const { database, log, clock } = context;
  const onFault = (error: unknown): void => log.warn("alerts.failed", { error });
  const service = new AlertService({
    store: alertStore(database.kysely),
    onFault,
    needs: alertNeeds(context),
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
