// What accounting takes of the user's books, the tables, the core's published values and the launches.
import type { Worth } from "@clockwork/kit/accounting/moments";
import { walletTypeOf } from "@clockwork/kit/books";
import { DAY_MS } from "@clockwork/kit/time";
import type { PartContext } from "../context.ts";
import type { TradingPorts } from "../ports.ts";
import { valueStore } from "./value-store.ts";

/** Wallets of copies and bots. */
const BOT_TYPES: readonly string[] = ["5", "6", "7"];
const MONEY = "USDT";

export interface AccountingBook {
  readonly account: number;
  /** Of a bot or of a copy. */
  readonly isBot: boolean;
}

export type AccountingContext = Pick<PartContext, "database" | "engine" | "ledger" | "market">;
export type AccountingNeeds = ReturnType<typeof accountingNeeds>;

export function accountingNeeds(
  { database, engine, ledger, market }: AccountingContext,
  { launchCost }: Pick<TradingPorts, "launchCost">,
) {
  const { pairs } = market;
  const values = valueStore(database.kysely);
  return {
    /** The asset everything is counted in; undefined before it is listed. */
    money: (): number | undefined => pairs.findAsset(MONEY)?.asset,
    /** Every book of the user's that is a wallet. */
    async listBooks(userId: number): Promise<readonly AccountingBook[]> {
      return (await ledger.accounts.list(userId)).flatMap(({ account, book }) => {
        const type = walletTypeOf(book);
        return type === undefined ? [] : [{ account, isBot: BOT_TYPES.includes(type) }];
      });
    },
    /** Resolves when the tables hold all that was answered, with the last command they hold whole. */
    async settled(): Promise<number> {
      const head = engine.health().durableSequence;
      await ledger.settled(head);
      return Math.min(head, engine.tables()?.sequence ?? head);
    },
    async valueAt(asset: number, timeMs: number): Promise<Worth | undefined> {
      const value = await values.readBefore(asset, timeMs);
      return value === undefined ? undefined : worthOf(value);
    },
    /** Closing values by day's number from one day to another. */
    async readCloses(asset: number, fromDay: number, toDay: number): Promise<ReadonlyMap<number, Worth>> {
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
    worthUnits: (asset: number, amountUnits: bigint) => pairs.worthUnits(asset, amountUnits),
    launchCost,
  };
}

function worthOf({ up, down }: { readonly up: number; readonly down: number }): Worth {
  const [over, under] = [BigInt(up), BigInt(down)];
  return (amount) => (amount * over) / under;
}
