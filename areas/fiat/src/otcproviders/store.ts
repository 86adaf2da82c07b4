// The SQL of deals with providers.
import type { PageMark } from "@clockwork/kit/otc/page-mark";
import { type Kysely, sql } from "kysely";
import type { BillsQuery } from "./contract.ts";
import { billsUpTo, PROVIDER_SIDE } from "./rules.ts";

export interface DealRow {
  readonly deal_id: string;
  readonly user_id: number;
  readonly provider: string;
  readonly side: "buy" | "sell";
  readonly asset: string;
  readonly fiat: string;
  readonly price_e4: bigint;
  readonly amount_cents: bigint;
  readonly quantity_units: bigint;
  readonly source: "outside" | "balance";
  readonly state: "QUOTED" | "TAKING" | "PENDING" | "SUCCESS" | "FAILED";
  readonly result: "" | "SUCCESS" | "FAILED";
  readonly reason: string;
  readonly expires_ms: number;
  readonly created_ms: number;
  readonly changed_ms: number;
}
interface EntryRow {
  readonly reference: string;
  readonly user_id: number;
  readonly fiat: string;
  readonly cents: bigint;
  readonly at_ms: number;
}
type ProviderTables = {
  otcproviders_deal: DealRow;
  otcproviders_entry: EntryRow;
  otcproviders_lock: { readonly user_id: number; readonly version: number };
};
type Tables = Kysely<ProviderTables>;
export type ProviderStore = ReturnType<typeof providerStore>;

export function providerStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<ProviderTables>();
  const deals = () => tables.selectFrom("otcproviders_deal").selectAll();
  return {
    async add(row: DealRow): Promise<void> {
      await tables.insertInto("otcproviders_deal").values(row).execute();
    },
    find: (dealId: string): Promise<DealRow | undefined> => deals().where("deal_id", "=", dealId).executeTakeFirst(),
    ...dealLists(tables),
    async removeQuotes(userId: number, beforeMs: number): Promise<void> {
      const quotes = tables.deleteFrom("otcproviders_deal").where("user_id", "=", userId).where("state", "=", "QUOTED");
      await quotes.where("expires_ms", "<", beforeMs).execute();
    },
    async step(
      row: Pick<DealRow, "deal_id" | "state" | "result">,
      change: Partial<Pick<DealRow, "state" | "result" | "reason" | "changed_ms">>,
    ): Promise<DealRow | undefined> {
      return stepDeal(tables, row, change);
    },
    /** The last step and the money it moves with the provider, in one transaction. */
    end: (
      row: DealRow,
      change: Pick<DealRow, "state" | "reason" | "changed_ms">,
      userCents: bigint,
    ): Promise<DealRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        const ended = await stepDeal(inside, row, change);
        if (ended !== undefined && userCents !== 0n)
          await enter(inside, row, `${row.deal_id}:end`, userCents, change.changed_ms);
        return ended;
      }),
    /** Accepts a quote; money held with the provider is spent at once, if there is enough. */
    take: (row: DealRow, spentCents: bigint, timeMs: number): Promise<DealRow | "short" | undefined> =>
      tables.transaction().execute(async (inside) => {
        await inside
          .insertInto("otcproviders_lock")
          .values({ user_id: row.user_id, version: 1 })
          .onConflict((at) => at.column("user_id").doUpdateSet({ version: sql<number>`otcproviders_lock.version + 1` }))
          .execute();
        if (spentCents > 0n && (await sumOf(inside, row.user_id, row.fiat)) < spentCents) return "short";
        const taken = await stepDeal(inside, row, { state: "TAKING", changed_ms: timeMs });
        if (taken !== undefined && spentCents > 0n)
          await enter(inside, row, `${row.deal_id}:spent`, -spentCents, timeMs);
        return taken;
      }),
    listHeld: (userId: number) => listHeld(tables, userId),
  };
}

function dealLists(tables: Tables) {
  const deals = () => tables.selectFrom("otcproviders_deal").selectAll();
  return {
    listEnded: (userId: number, { before, since, asset, fiat }: BillsQuery, limit: number): Promise<DealRow[]> => {
      const upTo = billsUpTo(before);
      return deals()
        .where("user_id", "=", userId)
        .where("state", "=", "SUCCESS")
        .$if(upTo !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where("changed_ms", "<", upTo?.atMs ?? 0),
              where.and([where("changed_ms", "=", upTo?.atMs ?? 0), where("deal_id", "<=", upTo?.id ?? "")]),
            ]),
          ),
        )
        .$if(since !== undefined, (query) => query.where("changed_ms", ">=", since ?? 0))
        .$if(asset !== undefined, (query) => query.where("asset", "=", asset ?? ""))
        .$if(fiat !== undefined, (query) => query.where("fiat", "=", fiat ?? ""))
        .orderBy("changed_ms", "desc")
        .orderBy("deal_id", "desc")
        .limit(limit)
        .execute();
    },
    listTaken: (userId: number, after: PageMark | undefined, limit: number): Promise<DealRow[]> =>
      deals()
        .where("user_id", "=", userId)
        .where("state", "<>", "QUOTED")
        .$if(after !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where("created_ms", "<", after?.atMs ?? 0),
              where.and([where("created_ms", "=", after?.atMs ?? 0), where("deal_id", "<", after?.id ?? "")]),
            ]),
          ),
        )
        .orderBy("created_ms", "desc")
        .orderBy("deal_id", "desc")
        .limit(limit)
        .execute(),
    /** What a stop left unfinished: accepted and not started, or answered and not carried out. */
    listHalf: (beforeMs: number): Promise<DealRow[]> =>
      deals()
        .where((where) =>
          where.or([
            where("state", "=", "TAKING"),
            where.and([where("state", "=", "PENDING"), where("result", "<>", "")]),
          ]),
        )
        .where("changed_ms", "<=", beforeMs)
        .limit(100)
        .execute(),
    listPending: (): Promise<DealRow[]> => deals().where("state", "=", "PENDING").where("result", "=", "").execute(),
  };
}

/** A user's balance of each currency. */
async function listHeld(tables: Tables, userId: number): Promise<readonly { fiat: string; cents: bigint }[]> {
  const rows = await tables
    .selectFrom("otcproviders_entry")
    .select(["fiat", sql<string>`cast(sum(cents) as text)`.as("cents")])
    .where("user_id", "=", userId)
    .groupBy("fiat")
    .orderBy("fiat")
    .execute();
  return rows.map(({ fiat, cents }) => ({ fiat, cents: BigInt(cents) }));
}

function stepDeal(
  inside: Tables,
  row: Pick<DealRow, "deal_id" | "state" | "result">,
  change: Partial<Pick<DealRow, "state" | "result" | "reason" | "changed_ms">>,
): Promise<DealRow | undefined> {
  return inside
    .updateTable("otcproviders_deal")
    .set(change)
    .where("deal_id", "=", row.deal_id)
    .where("state", "=", row.state)
    .where("result", "=", row.result)
    .returningAll()
    .executeTakeFirst();
}

/** Two rows that sum to zero. */
async function enter(inside: Tables, row: DealRow, reference: string, userCents: bigint, at_ms: number): Promise<void> {
  const entry = { reference, fiat: row.fiat, at_ms };
  await inside
    .insertInto("otcproviders_entry")
    .values([
      { ...entry, user_id: row.user_id, cents: userCents },
      { ...entry, user_id: PROVIDER_SIDE, cents: -userCents },
    ])
    .execute();
}

async function sumOf(inside: Tables, userId: number, fiat: string): Promise<bigint> {
  const row = await inside
    .selectFrom("otcproviders_entry")
    .select(sql<string | null>`cast(sum(cents) as text)`.as("cents"))
    .where("user_id", "=", userId)
    .where("fiat", "=", fiat)
    .executeTakeFirst();
  return BigInt(row?.cents ?? "0");
}
