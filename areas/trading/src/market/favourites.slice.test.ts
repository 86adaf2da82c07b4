// A user's own list of pairs, on both databases.

import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { expect, test } from "vitest";
import { MarketProjector } from "../markets/projector.ts";
import { SeriesService } from "../markets/series-service.ts";
import { MarketService } from "../markets/service.ts";
import { marketStore } from "../markets/store.ts";

forEachMigrated("favourites", (place) => {
  test("[SPOT-3] the list keeps its order, is replaced as a whole, belongs to one user, and holds listed pairs only", async () => {
    await migrate(place.database(), collectMigrations(ROOT_FOLDER));
    const store = marketStore(place.database().kysely);
    const listed = ["BTC_USDT", "ETH_USDT", "DOGE_USDT"];
    const needs = {
      listPairs: () => [],
      findPair: (pairCode: string) => (listed.includes(pairCode) ? ({ pairCode } as never) : undefined),
      listContracts: () => [],
      findListed: () => undefined,
      worthUnits: () => undefined,
      partitions: [],
    };
    const projector = new MarketProjector(0, { pairs: [], funds: [] }, () => undefined);
    const service = new MarketService({ needs, projector, store, series: new SeriesService(store) });
    expect(await service.readFavourites(1)).toEqual({ pairCodes: [] });
    const first = await service.writeFavourites(1, ["DOGE_USDT", "BTC_USDT", "DOGE_USDT"]);
    expect(first).toMatchObject({ done: true, value: { pairCodes: ["DOGE_USDT", "BTC_USDT"] } });
    await service.writeFavourites(2, ["ETH_USDT"]);
    expect(await service.writeFavourites(1, ["BTC_USDT", "NO_PAIR"])).toMatchObject({ done: false });
    expect(await service.readFavourites(1)).toEqual({ pairCodes: ["DOGE_USDT", "BTC_USDT"] });
    await service.writeFavourites(1, ["ETH_USDT"]);
    expect(await service.readFavourites(1)).toEqual({ pairCodes: ["ETH_USDT"] });
    listed.pop();
    await service.writeFavourites(2, []);
    expect(await service.readFavourites(2)).toEqual({ pairCodes: [] });
    // Concurrent writes: one of the lists is stored, whole.
    const lists = [["BTC_USDT", "ETH_USDT"], ["ETH_USDT"], ["ETH_USDT", "BTC_USDT"], ["BTC_USDT"], []];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(lists.map((pairCodes) => service.writeFavourites(3, pairCodes)));
      expect(lists).toContainEqual((await service.readFavourites(3)).pairCodes);
    }
  });
});
