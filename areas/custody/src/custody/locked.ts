// The part of a user's worth that is locked for now, and what may leave of each coin: computed next to the core, which
// decides when funds leave. OTC purchases are distinguished from deposits.

import type { PartContext } from "@clockwork/trading/context";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { CustodyPorts } from "../ports.ts";
import type { Locked } from "../withdrawals/contract.ts";
import { describeLocked, type HeldCoin } from "../withdrawals/rules.ts";
import { withdrawStore } from "../withdrawals/store.ts";

/** As in the core: neither has a withdrawable worth. */
const WORTHLESS = ["bonus", "demo"];
/** Frozen funds of these businesses are on their way to another user. */
const OUTGOING = ["funding", "otc"];
const FROM = { spot: "1", funding: "2" } as const;

type LockedContext = Pick<PartContext, "database" | "engine" | "ledger" | "market">;

export function lockedOf(
  context: LockedContext,
  { listBought }: Pick<CustodyPorts, "listBought">,
): (userId: number) => Promise<Locked> {
  const { engine, ledger, market } = context;
  const withdrawals = withdrawStore(context.database.kysely);
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
          asset: coin.symbol,
          from,
          scale: coin.scale,
          availableUnits: available_units,
          worthUnits: (amountUnits) => pairs.worthUnits(asset, amountUnits),
        });
      }
    }
    // Restrictions from before the coins arrived are in the tables then.
    await ledger.settled(sequence);
    const restrictedUnits = await ledger.readRestricted(userId);
    if (restrictedUnits === 0n) return describeLocked({ restrictedUnits, worthUnits, bought: [], held });
    for (const { asset, amount_units } of await withdrawals.listLeaving(userId, "spot"))
      worthUnits -= worthOf(pairs.findAsset(asset)?.asset ?? 0, amount_units);
    return describeLocked({ restrictedUnits, worthUnits, bought: await listBought(userId), held });
  };
}
