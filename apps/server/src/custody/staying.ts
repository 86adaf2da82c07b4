// What of somebody's worth must stay for now, and what may leave of each coin: reckoned beside the core, which has the last
// word when something is to leave. Bought over OTC is told apart from deposits.

import type { Staying } from "@clockwork/custody/withdrawals/contract";
import { describeStaying, type HeldCoin } from "@clockwork/custody/withdrawals/rules";
import { withdrawStore } from "@clockwork/custody/withdrawals/store";
import { orderStore } from "@clockwork/fiat/otcorders/store";
import { providerStore } from "@clockwork/fiat/otcproviders/store";
import { HOLD_BOUGHT_MS } from "@clockwork/kit/otc/order-machine";
import type { PartContext } from "../part.ts";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";

const BOUGHT_MAX = 200;
/** As the core has it: neither is worth anything that could leave. */
const WORTHLESS = ["bonus", "demo"];
/** What is frozen in these is on its way to somebody else. */
const OUTGOING = ["funding", "otc"];
const FROM = { spot: "1", funding: "2" } as const;

type StayingContext = Pick<PartContext, "clock" | "database" | "engine" | "ledger" | "market">;

export function stayingOf(context: StayingContext): (userId: number) => Promise<Staying> {
  const { engine, ledger, market } = context;
  const withdrawals = withdrawStore(context.database.kysely);
  const listBought = boughtBy(context);
  return async (userId) => {
    const { pairs } = market;
    const worthOf = (asset: number, amountUnits: bigint): bigint => pairs.worthUnits(asset, amountUnits) ?? 0n;
    const held: HeldCoin[] = [];
    let [worthUnits, sequence] = [0n, 0];
    const accounts = engine.isThere ? await ledger.accounts.list(userId) : [];
    for (const { account, book, sub } of accounts.filter((one) => !WORTHLESS.includes(one.book))) {
      const view = await ledger.openView(account);
      sequence = Math.max(sequence, view.changedSequence);
      for (const { asset, available_units, frozen_units } of view.of(ledgerView).balances.values()) {
        worthUnits += worthOf(asset, available_units + (OUTGOING.includes(book) ? 0n : frozen_units));
        const coin = pairs.findAssetById(asset);
        const from = sub === 0 && (book === "spot" || book === "funding") ? FROM[book] : undefined;
        if (coin === undefined || from === undefined || available_units === 0n) continue;
        held.push({
          ...{ asset: coin.symbol, from, scale: coin.scale, availableUnits: available_units },
          worthUnits: (amountUnits) => pairs.worthUnits(asset, amountUnits),
        });
      }
    }
    // What was kept back before the coins came is in the tables then.
    await ledger.settled(sequence);
    const restrictedUnits = await ledger.readRestricted(userId);
    if (restrictedUnits === 0n) return describeStaying({ restrictedUnits, worthUnits, bought: [], held });
    for (const { asset, amount_units } of await withdrawals.listLeaving(userId, "spot"))
      worthUnits -= worthOf(pairs.findAsset(asset)?.asset ?? 0, amount_units);
    return describeStaying({ restrictedUnits, worthUnits, bought: await listBought(userId), held });
  };
}

/** From people, and from providers with money from outside, within the day it stays. */
function boughtBy({ clock, database, market }: StayingContext) {
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
