// Coins a user bought with outside money within the lock of a day, at their worth at that time.

import { HOLD_BOUGHT_MS } from "@clockwork/kit/otc/order-machine";
import type { PartContext } from "@clockwork/trading/context";
import { orderStore } from "../otcorders/store.ts";
import { providerStore } from "../otcproviders/store.ts";

const BOUGHT_MAX = 200;

/** From other users, and from providers with outside money, within the lock of a day. */
export function boughtBy({ clock, database, market }: Pick<PartContext, "clock" | "database" | "market">) {
  const orders = orderStore(database.kysely);
  const deals = providerStore(database.kysely);
  return async (userId: number): Promise<readonly { readonly worthUnits: bigint; readonly untilMs: number }[]> => {
    const since = clock.now() - HOLD_BOUGHT_MS;
    const [bought, dealt] = await Promise.all([
      orders.listFinished(userId, { role: "buyer", since }, BOUGHT_MAX),
      deals.listEnded(userId, { since }, BOUGHT_MAX),
    ]);
    return [
      ...bought.map(({ worth_units, ended_ms }) => ({ worthUnits: worth_units, untilMs: ended_ms + HOLD_BOUGHT_MS })),
      ...dealt.flatMap(({ side, source, asset, quantity_units, changed_ms }) => {
        const coin = market.pairs.findAsset(asset);
        if (side !== "buy" || source !== "outside" || coin === undefined) return [];
        const worthUnits = market.pairs.worthUnits(coin.asset, quantity_units) ?? 0n;
        return [{ worthUnits, untilMs: changed_ms + HOLD_BOUGHT_MS }];
      }),
    ];
  };
}
