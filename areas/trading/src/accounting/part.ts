// Connects accounting with the user's books, the tables, the core's published values and the launches. Contains no
// rules.

import type { Worth } from "@clockwork/kit/accounting/moments";
import { walletTypeOf } from "@clockwork/kit/books";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "../context.ts";
import type { TradingPorts } from "../ports.ts";
import type { AccountingNeeds } from "./needs.ts";
import { AccountingService } from "./service.ts";
import { accountingStore } from "./store.ts";
import { valueStore } from "./value-store.ts";

/** Wallets of copies and bots. */
const BOT_TYPES: readonly string[] = ["5", "6", "7"];
const MONEY = "USDT";

type AccountingContext = Pick<PartContext, "database" | "engine" | "ledger" | "market">;

export function openAccounting(context: AccountingContext, needs: AccountingNeeds): AccountingService {
  return new AccountingService({ store: accountingStore(context.database.kysely), needs });
}

export function accountingNeeds(
  { database, engine, ledger, market }: AccountingContext,
  { launchCost }: Pick<TradingPorts, "launchCost">,
): AccountingNeeds {
  const { pairs } = market;
  const values = valueStore(database.kysely);
  return {
    money: () => pairs.findAsset(MONEY)?.asset,
    async listBooks(userId) {
      return (await ledger.accounts.list(userId)).flatMap(({ account, book }) => {
        const type = walletTypeOf(book);
        return type === undefined ? [] : [{ account, isBot: BOT_TYPES.includes(type) }];
      });
    },
    async settled() {
      const head = engine.health().durableSequence;
      await ledger.settled(head);
      return Math.min(head, engine.tables()?.sequence ?? head);
    },
    async valueAt(asset, timeMs) {
      const value = await values.readBefore(asset, timeMs);
      return value === undefined ? undefined : worthOf(value);
    },
    async readCloses(asset, fromDay, toDay) {
      const closes = new Map<number, Worth>();
      const days = await values.listDays(asset, fromDay * DAY_MS, toDay * DAY_MS);
      for (const [at, value] of days.entries()) {
        const worth = worthOf(value);
        const next = days[at + 1];
        const end = next === undefined ? toDay + 1 : next.slot_ms / DAY_MS;
        // A value applies until another is published.
        for (let day = Math.max(fromDay, value.slot_ms / DAY_MS); day < end; day += 1) closes.set(day, worth);
      }
      return closes;
    },
    worthUnits: (asset, amountUnits) => pairs.worthUnits(asset, amountUnits),
    launchCost,
  };
}

function worthOf({ up, down }: { readonly up: number; readonly down: number }): Worth {
  const [over, under] = [BigInt(up), BigInt(down)];
  return (amount) => (amount * over) / under;
}
