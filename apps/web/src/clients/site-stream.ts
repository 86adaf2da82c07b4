// Keeps the global state level with what the server publishes to every page: rates, switches and paused parts, at once
// and without a call; while the socket is down they are requested once a minute.

import { CONNECTION_EVENT } from "@clockwork/kit/constants";
import type { Endpoint } from "@clockwork/kit/endpoint";
import { CONTENT_CALLS } from "@clockwork/site/content/contract";
import { readModulesDown, readRates, readSwitches } from "#boot/served.ts";
import type { GlobalStore } from "#boot/state.ts";
import type { LiveHub } from "#live/hub.ts";
import { Latest } from "#live/latest.ts";
import type { RequestClient } from "#live/request.ts";

const SOURCES = [
  { type: "rate", call: CONTENT_CALLS.exchangeRate, take: takeRates },
  { type: "config", call: CONTENT_CALLS.globalConfig, take: takeConfig },
  { type: "modules", call: CONTENT_CALLS.modules, take: takeModules },
] as const;

function takeRates(store: GlobalStore, data: unknown): void {
  const served = readRates(data);
  if (served !== undefined) store.setState({ priceRate: served.rates, rateOrigin: served });
}

function takeConfig(store: GlobalStore, data: unknown): void {
  const globalConfig = readSwitches(data);
  store.setState({ globalConfig, systemOut: globalConfig.systemOut === "1" });
}

function takeModules(store: GlobalStore, data: unknown): void {
  store.setState({ modulesDown: readModulesDown(data) });
}

/** SITE-7, SITE-22: the answer ends it. */
export function followSite(
  store: GlobalStore,
  hub: Pick<LiveHub, "socket">,
  request: Pick<RequestClient, "call">,
): () => void {
  const sources = SOURCES.map((source) => ({ ...source, latest: new Latest() }));
  const releases = sources.map(({ type, take, latest }) =>
    hub.socket.subscribe({
      topic: { channel: "common", type },
      onMessage: ({ data }) => {
        // A request from the time the socket was down may be answered after this, and is older.
        latest.drop();
        take(store, data);
      },
    }),
  );
  const releaseMinute = hub.socket.on(CONNECTION_EVENT.httpMinute, () => {
    for (const { call, take, latest } of sources) {
      void latest
        .ask(() => request.call<Endpoint>(call, {}, { anonymous: true }))
        .then((answer) => answer?.ok === true && take(store, answer.data));
    }
  });
  hub.socket.start();
  return () => {
    releaseMinute();
    for (const release of releases) release();
  };
}
