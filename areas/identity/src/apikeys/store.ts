// The SQL of API keys.
import type { Kysely } from "kysely";
import type { KeyKind } from "./contract.ts";

export interface ApiKeyRow {
  readonly api_key: string;
  readonly user_id: number;
  readonly label: string;
  readonly kind: KeyKind;
  readonly public_key: string | null;
  readonly sealed: Uint8Array | null;
  /** Names with commas between. */
  readonly permissions: string;
  readonly ip_list: string;
  readonly order_rate: number;
  readonly created_at_ms: number;
  /** 0 for never. */
  readonly expires_at_ms: number;
  readonly used_at_ms: number;
  readonly used_address: string;
  readonly used_call: string;
  /** One of twenty: concurrent calls cannot create a twenty-first key. */
  readonly slot: number;
}

type Change = Partial<Pick<ApiKeyRow, "label" | "permissions" | "ip_list" | "order_rate" | "expires_at_ms">>;

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

export function apiKeyStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ apikeys_key: ApiKeyRow }>();
  return {
    list: (userId: number): Promise<ApiKeyRow[]> =>
      tables
        .selectFrom("apikeys_key")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at_ms")
        .orderBy("slot")
        .execute(),
    find: (apiKey: string): Promise<ApiKeyRow | undefined> =>
      tables.selectFrom("apikeys_key").selectAll().where("api_key", "=", apiKey).executeTakeFirst(),
    /** Keys that expire in this span. */
    listEnding: (afterMs: number, toMs: number): Promise<ApiKeyRow[]> =>
      tables
        .selectFrom("apikeys_key")
        .selectAll()
        .where("expires_at_ms", ">", Math.max(0, afterMs))
        .where("expires_at_ms", "<=", toMs)
        .orderBy("expires_at_ms")
        .execute(),
    /** False when the slot was taken since. */
    async add(row: ApiKeyRow): Promise<boolean> {
      const insert = tables.insertInto("apikeys_key").values(row);
      const added = await insert
        .onConflict((at) => at.doNothing())
        .returning("api_key")
        .executeTakeFirst();
      return added !== undefined;
    },
    async change(userId: number, apiKey: string, change: Change): Promise<ApiKeyRow | undefined> {
      return tables
        .updateTable("apikeys_key")
        .set(change)
        .where("api_key", "=", apiKey)
        .where("user_id", "=", userId)
        .returningAll()
        .executeTakeFirst();
    },
    remove: (userId: number, apiKey: string): Promise<ApiKeyRow | undefined> =>
      tables
        .deleteFrom("apikeys_key")
        .where("api_key", "=", apiKey)
        .where("user_id", "=", userId)
        .returningAll()
        .executeTakeFirst(),
    async touch(apiKey: string, use: { timeMs: number; address: string; call: string }): Promise<void> {
      await tables
        .updateTable("apikeys_key")
        .set({ used_at_ms: use.timeMs, used_address: use.address, used_call: use.call })
        .where("api_key", "=", apiKey)
        .where("used_at_ms", "<=", use.timeMs)
        .execute();
    },
  };
}
