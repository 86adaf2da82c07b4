// Keeps the global state level with what the server tells every page: rates, switches and what rests, at once and without a call.

import { readModulesDown, readRates, readSwitches } from "#boot/served.ts";
import type { GlobalStore } from "#boot/state.ts";
import type { LiveHub } from "#live/hub.ts";

/** SITE-7, SITE-22: the answer ends it. */
export function followSite(store: GlobalStore, hub: LiveHub): () => void {
  const releases = [
    hub.socket.subscribe({
      topic: { channel: "common", type: "rate" },
      onMessage: ({ data }) => {
        const served = readRates(data);
        if (served !== undefined) store.setState({ priceRate: served.rates, rateOrigin: served });
      },
    }),
    hub.socket.subscribe({
      topic: { channel: "common", type: "config" },
      onMessage: ({ data }) => {
        const globalConfig = readSwitches(data);
        store.setState({ globalConfig, systemOut: globalConfig.systemOut === "1" });
      },
    }),
    hub.socket.subscribe({
      topic: { channel: "common", type: "modules" },
      onMessage: ({ data }) => store.setState({ modulesDown: readModulesDown(data) }),
    }),
  ];
  hub.socket.start();
  return () => {
    for (const release of releases) release();
  };
}
