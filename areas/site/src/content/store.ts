// The SQL of content, in the subset both databases share.
import type { Generated, Kysely } from "kysely";
import type { FooterColumn, SocialLink } from "./contract.ts";
import type { KnownRate } from "./rate-rules.ts";
import type { Downtime } from "./rules.ts";

/** Who changed something, and when. */
export interface Change {
  readonly by: string;
  readonly timeMs: number;
}

interface Audit {
  readonly set_by: string;
  readonly set_at_ms: number;
}

export type SetDowntime = Downtime & Audit;

interface FooterRow {
  readonly column_position: number;
  readonly column_title: string;
  readonly position: number;
  readonly title: string;
  readonly target: string;
}

type ContentTables = {
  content_lock: { readonly name: string; readonly turns: number };
  content_rate: KnownRate;
  content_rate_override: Pick<KnownRate, "currency" | "rate"> & Audit;
  content_config: { readonly key: string; readonly value: string } & Audit;
  content_downtime: Downtime & Audit;
  content_footer_link: FooterRow & { readonly id: Generated<number> };
  content_social_link: SocialLink & { readonly id: Generated<number>; readonly position: number };
};

export type ContentStore = ReturnType<typeof contentStore>;

export function contentStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ContentTables>();
  return { ...rateStore(tables), ...switchStore(tables), ...linkStore(tables) };
}

function auditOf({ by, timeMs }: Change): Audit {
  return { set_by: by, set_at_ms: timeMs };
}

function rateStore(tables: Kysely<ContentTables>) {
  return {
    listRates: (): Promise<KnownRate[]> => tables.selectFrom("content_rate").selectAll().orderBy("currency").execute(),

    /** An older response never replaces a newer one of the same source: two processes may both fetch it. */
    async saveRates(rows: readonly KnownRate[]): Promise<void> {
      if (rows.length === 0) return;
      await tables
        .insertInto("content_rate")
        .values([...rows])
        .onConflict((conflict) =>
          conflict
            .column("currency")
            .doUpdateSet((update) => ({
              rate: update.ref("excluded.rate"),
              source: update.ref("excluded.source"),
              is_simulated: update.ref("excluded.is_simulated"),
              as_of_ms: update.ref("excluded.as_of_ms"),
            }))
            .where((where) =>
              where.or([
                where("content_rate.source", "!=", where.ref("excluded.source")),
                where("content_rate.as_of_ms", "<=", where.ref("excluded.as_of_ms")),
              ]),
            ),
        )
        .execute();
    },

    listOverrides: () =>
      tables
        .selectFrom("content_rate_override")
        .select(["currency", "rate", "set_at_ms"])
        .orderBy("currency")
        .execute(),

    async setOverride(currency: KnownRate["currency"], rate: string, change: Change): Promise<void> {
      const audit = auditOf(change);
      await tables
        .insertInto("content_rate_override")
        .values({ currency, rate, ...audit })
        .onConflict((conflict) => conflict.column("currency").doUpdateSet({ rate, ...audit }))
        .execute();
    },

    async clearOverride(currency: KnownRate["currency"]): Promise<void> {
      await tables.deleteFrom("content_rate_override").where("currency", "=", currency).execute();
    },
  };
}

function switchStore(tables: Kysely<ContentTables>) {
  return {
    listConfig: (keys: readonly string[]): Promise<{ key: string; value: string }[]> =>
      tables.selectFrom("content_config").select(["key", "value"]).where("key", "in", keys).orderBy("key").execute(),

    async setConfig(key: string, value: string, change: Change): Promise<void> {
      const audit = auditOf(change);
      await tables
        .insertInto("content_config")
        .values({ key, value, ...audit })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, ...audit }))
        .execute();
    },

    listDowntimes: (): Promise<Downtime[]> =>
      tables
        .selectFrom("content_downtime")
        .select(["module", "reason", "starts_at_ms", "ends_at_ms"])
        .orderBy("module")
        .execute(),

    findDowntime: (module: string): Promise<SetDowntime | undefined> =>
      tables.selectFrom("content_downtime").selectAll().where("module", "=", module).executeTakeFirst(),

    /** Replaces the one that was read, or none; false when it has changed. */
    async setDowntime(
      { module, ...planned }: Downtime,
      known: SetDowntime | undefined,
      change: Change,
    ): Promise<boolean> {
      const values = { ...planned, ...auditOf(change) };
      if (known === undefined) {
        const added = await tables
          .insertInto("content_downtime")
          .values({ module, ...values })
          .onConflict((conflict) => conflict.column("module").doNothing())
          .executeTakeFirst();
        return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const changed = await tables
        .updateTable("content_downtime")
        .set(values)
        .where("module", "=", module)
        .where("set_at_ms", "=", known.set_at_ms)
        .where("starts_at_ms", "=", known.starts_at_ms)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },

    /** Withdraws what has not started. */
    async clearPlanned(module: string, timeMs: number): Promise<void> {
      await tables
        .deleteFrom("content_downtime")
        .where("module", "=", module)
        .where("starts_at_ms", ">", timeMs)
        .execute();
    },

    async endDowntime(module: string, setAtMs: number): Promise<void> {
      await tables
        .deleteFrom("content_downtime")
        .where("module", "=", module)
        .where("set_at_ms", "=", setAtMs)
        .execute();
    },
  };
}

function linkStore(tables: Kysely<ContentTables>) {
  return {
    listFooter: () => listFooter(tables),

    /** All or nothing, and only if unchanged since the editor read it: false when another editor was first. */
    replaceFooter(was: readonly FooterColumn[], columns: readonly FooterColumn[]): Promise<boolean> {
      return tables.transaction().execute(async (inside) => {
        await takeLinks(inside);
        if (!isSame(await listFooter(inside), footerRows(was))) return false;
        const rows = footerRows(columns);
        await inside.deleteFrom("content_footer_link").execute();
        if (rows.length > 0) await inside.insertInto("content_footer_link").values(rows).execute();
        return true;
      });
    },

    listSocial: () => listSocial(tables),

    replaceSocial(was: readonly SocialLink[], links: readonly SocialLink[]): Promise<boolean> {
      return tables.transaction().execute(async (inside) => {
        await takeLinks(inside);
        if (!isSame(await listSocial(inside), was.map(plainLink))) return false;
        await inside.deleteFrom("content_social_link").execute();
        const rows = links.map((link, position) => ({ ...plainLink(link), position }));
        if (rows.length > 0) await inside.insertInto("content_social_link").values(rows).execute();
        return true;
      });
    },
  };
}

const isSame = (left: readonly object[], right: readonly object[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

const plainLink = ({ kind, title, url }: SocialLink): SocialLink => ({ kind, title, url });

function footerRows(columns: readonly FooterColumn[]): FooterRow[] {
  return columns.flatMap((column, at) =>
    column.links.map(({ title, to }, position) => ({
      column_position: at,
      column_title: column.title,
      position,
      title,
      target: to,
    })),
  );
}

function listFooter(tables: Kysely<ContentTables>): Promise<FooterRow[]> {
  return tables
    .selectFrom("content_footer_link")
    .select(["column_position", "column_title", "position", "title", "target"])
    .orderBy("column_position")
    .orderBy("position")
    .execute();
}

function listSocial(tables: Kysely<ContentTables>): Promise<SocialLink[]> {
  return tables.selectFrom("content_social_link").select(["kind", "title", "url"]).orderBy("position").execute();
}

/** Blocks other replacements of links until the transaction ends: one of two lists is stored, not both. */
async function takeLinks(inside: Kysely<ContentTables>): Promise<void> {
  await inside
    .updateTable("content_lock")
    .set((update) => ({ turns: update("turns", "+", 1) }))
    .execute();
}
