// The SQL of ads.
import type { Generated, Kysely } from "kysely";
import type { AdState } from "./contract.ts";

export interface AdRow {
  readonly ad_id: number;
  readonly user_id: number;
  readonly client_id: string;
  readonly slot: number | null;
  readonly side: "buy" | "sell";
  readonly asset: string;
  readonly fiat: string;
  readonly price_e4: bigint;
  readonly premium_bps: number;
  readonly quantity_units: bigint;
  readonly stock_units: bigint;
  readonly min_cents: bigint;
  readonly max_cents: bigint;
  readonly payments: string;
  readonly payment_kinds: string;
  readonly window_minutes: number;
  readonly note: string;
  readonly need_level: number;
  readonly need_days: number;
  readonly need_orders: number;
  readonly need_completion: number;
  readonly need_traded: boolean;
  readonly state: AdState;
  readonly reason: string;
  readonly version: number;
  readonly round: number;
  readonly created_ms: number;
  readonly changed_ms: number;
}
export interface MatchRow {
  readonly match_id: string;
  readonly user_id: number;
  readonly ad_id: number;
  readonly side: "buy" | "sell";
  readonly price_e4: bigint;
  readonly quantity_units: bigint;
  readonly amount_cents: bigint;
  readonly candidates: number;
  readonly expires_ms: number;
  readonly order_id: string;
}
type AdTables = {
  otcads_ad: Omit<AdRow, "ad_id"> & { readonly ad_id: Generated<number> };
  otcads_match: MatchRow;
};
type Tables = Kysely<AdTables>;

export type AdStore = ReturnType<typeof adStore>;
export type AdChange = Partial<Omit<AdRow, "ad_id" | "user_id" | "client_id" | "version">>;

export function adStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<AdTables>();
  return { ...adQueries(tables), ...stockQueries(tables), ...matchQueries(tables) };
}

function adQueries(tables: Tables) {
  const ads = () => tables.selectFrom("otcads_ad").selectAll();
  return {
    find: (adId: number): Promise<AdRow | undefined> => ads().where("ad_id", "=", adId).executeTakeFirst(),
    findIntent: (userId: number, clientId: string): Promise<AdRow | undefined> =>
      ads().where("user_id", "=", userId).where("client_id", "=", clientId).executeTakeFirst(),
    listOwn: (userId: number): Promise<AdRow[]> =>
      ads().where("user_id", "=", userId).where("slot", "is not", null).orderBy("ad_id", "desc").execute(),
    listStates: (states: readonly AdState[]): Promise<AdRow[]> =>
      ads()
        .where("state", "in", [...states])
        .orderBy("ad_id")
        .execute(),
    /** Undefined when the slot or the client's id was taken since. */
    add: (row: Omit<AdRow, "ad_id">): Promise<AdRow | undefined> =>
      tables
        .insertInto("otcads_ad")
        .values(row)
        .onConflict((at) => at.doNothing())
        .returningAll()
        .executeTakeFirst(),
    /** From exactly the state read; undefined when it has changed. */
    step: (row: Pick<AdRow, "ad_id" | "version">, change: AdChange): Promise<AdRow | undefined> =>
      tables
        .updateTable("otcads_ad")
        .set({ ...change, version: row.version + 1 })
        .where("ad_id", "=", row.ad_id)
        .where("version", "=", row.version)
        .returningAll()
        .executeTakeFirst(),
    /**
     * The same unless an order is open, checked while the row is locked: a concurrent order sees one state or the
     * other.
     */
    stepAlone: (
      row: Pick<AdRow, "ad_id" | "version">,
      change: AdChange,
      isFree: (inside: Kysely<unknown>) => Promise<boolean>,
    ): Promise<AdRow | "busy" | undefined> =>
      tables.transaction().execute(async (inside) => {
        const held = await inside
          .updateTable("otcads_ad")
          .set({ version: row.version + 1 })
          .where("ad_id", "=", row.ad_id)
          .where("version", "=", row.version)
          .returningAll()
          .executeTakeFirst();
        if (held === undefined) return undefined;
        if (!(await isFree(inside as unknown as Kysely<unknown>))) return "busy";
        return inside
          .updateTable("otcads_ad")
          .set(change)
          .where("ad_id", "=", row.ad_id)
          .returningAll()
          .executeTakeFirst();
      }),
  };
}

/** Taking from the stock and giving back, inside the transaction that writes the order. */
function stockQueries(tables: Tables) {
  const within = (inside: Kysely<unknown>): Tables => inside as unknown as Tables;
  return {
    /** Online with its whole quantity, and with coins returned by earlier orders while it was opening. */
    stock: (row: Pick<AdRow, "ad_id" | "version">, timeMs: number): Promise<AdRow | undefined> =>
      tables
        .updateTable("otcads_ad")
        .set((to) => ({
          state: "ONLINE",
          reason: "",
          changed_ms: timeMs,
          version: row.version + 1,
          stock_units: to("stock_units", "+", to.ref("quantity_units")),
        }))
        .where("ad_id", "=", row.ad_id)
        .where("version", "=", row.version)
        .returningAll()
        .executeTakeFirst(),
    /** Undefined when the ad changed since it was read, or its stock is too small. */
    async reserve(
      inside: Kysely<unknown>,
      ad: Pick<AdRow, "ad_id" | "version">,
      quantityUnits: bigint,
      timeMs: number,
    ): Promise<AdRow | undefined> {
      const row = await within(inside)
        .updateTable("otcads_ad")
        .set((to) => ({ stock_units: to("stock_units", "-", quantityUnits), changed_ms: timeMs }))
        .where("ad_id", "=", ad.ad_id)
        .where("version", "=", ad.version)
        .where("state", "=", "ONLINE")
        .where("stock_units", ">=", quantityUnits)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined || row.stock_units > 0n) return row;
      return within(inside)
        .updateTable("otcads_ad")
        .set({ state: "SOLD_OUT" })
        .where("ad_id", "=", ad.ad_id)
        .returningAll()
        .executeTakeFirst();
    },
    /**
     * Coins returned by an order join the stock again while the ad is online or opening; otherwise they go to its
     * owner.
     */
    async giveBack(
      inside: Kysely<unknown>,
      adId: number,
      quantityUnits: bigint,
      timeMs: number,
    ): Promise<AdRow | undefined> {
      return within(inside)
        .updateTable("otcads_ad")
        .set((to) => ({
          stock_units: to("stock_units", "+", quantityUnits),
          state: to.case().when("state", "=", "OPENING").then<AdState>("OPENING").else<AdState>("ONLINE").end(),
          changed_ms: to.case().when("state", "=", "OPENING").then(to.ref("changed_ms")).else(timeMs).end(),
        }))
        .where("ad_id", "=", adId)
        .where("state", "in", ["ONLINE", "SOLD_OUT", "OPENING"])
        .returningAll()
        .executeTakeFirst();
    },
  };
}

function matchQueries(tables: Tables) {
  return {
    async addMatch(row: MatchRow, removeBeforeMs: number): Promise<void> {
      await tables.deleteFrom("otcads_match").where("expires_ms", "<", removeBeforeMs).execute();
      await tables.insertInto("otcads_match").values(row).execute();
    },
    findMatch: (matchId: string): Promise<MatchRow | undefined> =>
      tables.selectFrom("otcads_match").selectAll().where("match_id", "=", matchId).executeTakeFirst(),
    /** Once: the held price belongs to one order. */
    async takeMatch(inside: Kysely<unknown>, matchId: string, orderId: string): Promise<boolean> {
      const own = inside as unknown as Tables;
      const take = own.updateTable("otcads_match").set({ order_id: orderId }).where("match_id", "=", matchId);
      return (await take.where("order_id", "=", "").executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}
