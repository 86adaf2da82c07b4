// The SQL of commitments and orders: what users committed and what they may buy or have bought.
import { sql } from "kysely";
import type { CommitRow, OrderRow, OrderState, Tables } from "./store.ts";

export const LIST_MAX = 500;

/** Locks an open round for the rest of the transaction. */
export async function takeOpen(inside: Tables, roundId: string): Promise<boolean> {
  const taken = inside.updateTable("launchpad_round").set({ stage: "OPEN" }).where("round_id", "=", roundId);
  return (await taken.where("stage", "=", "OPEN").executeTakeFirst()).numUpdatedRows > 0n;
}

export function commits(tables: Tables) {
  const all = tables.selectFrom("launchpad_commit").selectAll();
  return {
    findCommit: (roundId: string, userId: number, clientId: string): Promise<CommitRow | undefined> =>
      all
        .where("round_id", "=", roundId)
        .where("user_id", "=", userId)
        .where("client_id", "=", clientId)
        .executeTakeFirst(),
    listIntendedCommits: (): Promise<CommitRow[]> => all.where("state", "=", "intended").limit(LIST_MAX).execute(),
    listCommits: (roundId: string, state: CommitRow["state"]): Promise<CommitRow[]> =>
      all.where("round_id", "=", roundId).where("state", "=", state).orderBy("reference").limit(LIST_MAX).execute(),
    /** Only into an open round: later shares and refunds are complete. */
    addCommit: (row: CommitRow): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        if (!(await takeOpen(inside, row.round_id))) return false;
        const insert = inside.insertInto("launchpad_commit").values(row);
        await insert.onConflict((at) => at.doNothing()).execute();
        return true;
      }),
    async refundCommit(reference: string): Promise<void> {
      const refunded = tables.updateTable("launchpad_commit").set({ state: "refunded" });
      await refunded.where("reference", "=", reference).where("state", "=", "done").execute();
    },
    /** Done once, with its entry. */
    endCommit: (row: CommitRow, state: "done" | "refused"): Promise<void> =>
      tables.transaction().execute(async (inside) => {
        const ended = await inside
          .updateTable("launchpad_commit")
          .set({ state })
          .where("reference", "=", row.reference)
          .where("state", "=", "intended")
          .executeTakeFirst();
        if (ended.numUpdatedRows === 0n || state === "refused") return;
        await inside
          .updateTable("launchpad_entry")
          .set({ commit_units: sql<bigint>`commit_units + ${row.units}` })
          .where("round_id", "=", row.round_id)
          .where("user_id", "=", row.user_id)
          .execute();
      }),
  };
}

export function orders(tables: Tables) {
  const all = tables.selectFrom("launchpad_order").selectAll();
  return {
    findOrder: (orderId: string): Promise<OrderRow | undefined> =>
      all.where("order_id", "=", orderId).executeTakeFirst(),
    listOwnOrders: (projectId: string, userId: number): Promise<OrderRow[]> =>
      all.where("project_id", "=", projectId).where("user_id", "=", userId).orderBy("made_ms").execute(),
    listOrders: (roundId: string, states: readonly OrderState[]): Promise<OrderRow[]> =>
      all.where("round_id", "=", roundId).where("state", "in", states).orderBy("place").execute(),
    listPaid: (projectId: string, after: string): Promise<OrderRow[]> =>
      all
        .where("project_id", "=", projectId)
        .where("state", "=", "PAID")
        .where("order_id", ">", after)
        .orderBy("order_id")
        .limit(LIST_MAX)
        .execute(),
    async sumSold(roundId: string): Promise<bigint> {
      const row = await tables
        .selectFrom("launchpad_order")
        .select(sql<string>`coalesce(cast(sum(token_units) as text), '0')`.as("sold"))
        .where("round_id", "=", roundId)
        .where("state", "=", "PAID")
        .executeTakeFirst();
      return BigInt(row?.sold ?? "0");
    },
    async countOrders(roundId: string): Promise<Readonly<Record<string, number>>> {
      const rows = await tables
        .selectFrom("launchpad_order")
        .select(["state", sql<number>`cast(count(*) as bigint)`.as("count")])
        .where("round_id", "=", roundId)
        .groupBy("state")
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
    async addOrders(rows: readonly OrderRow[]): Promise<void> {
      for (let at = 0; at < rows.length; at += 200) {
        const part = rows.slice(at, at + 200);
        await tables
          .insertInto("launchpad_order")
          .values(part)
          .onConflict((on) => on.doNothing())
          .execute();
      }
    },
    async stepOrder(orderId: string, from: OrderState, to: OrderState): Promise<boolean> {
      const change = tables.updateTable("launchpad_order").set({ state: to }).where("order_id", "=", orderId);
      return (await change.where("state", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
    },
    async stepMany(orderIds: readonly string[], from: OrderState, to: OrderState): Promise<void> {
      if (orderIds.length === 0) return;
      const change = tables.updateTable("launchpad_order").set({ state: to }).where("order_id", "in", orderIds);
      await change.where("state", "=", from).execute();
    },
    async release(order: OrderRow, releasedUnits: bigint): Promise<boolean> {
      const change = tables
        .updateTable("launchpad_order")
        .set({ released_units: releasedUnits })
        .where("order_id", "=", order.order_id)
        .where("released_units", "=", order.released_units);
      return (await change.executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

/** Orders that wait for a turn, a payment or an end, in pages. */
export function waitingOrders(tables: Tables) {
  const all = tables.selectFrom("launchpad_order").selectAll();
  return {
    /** Those in line, in their order. */
    listQueued: (): Promise<OrderRow[]> =>
      all.where("state", "=", "QUEUED").orderBy("round_id").orderBy("place").limit(LIST_MAX).execute(),
    /** A page of those whose time ends by then. */
    listState: (state: OrderState, untilMs: number, after = ""): Promise<OrderRow[]> =>
      all
        .where("state", "=", state)
        .where("until_ms", "<=", untilMs)
        .where("order_id", ">", after)
        .orderBy("order_id")
        .limit(LIST_MAX)
        .execute(),
    /** A page of wins with auto-pay, as long as they may be paid. */
    listAutoWon: (timeMs: number, after: string): Promise<OrderRow[]> =>
      tables
        .selectFrom("launchpad_order")
        .innerJoin("launchpad_entry", (at) =>
          at
            .onRef("launchpad_entry.round_id", "=", "launchpad_order.round_id")
            .onRef("launchpad_entry.user_id", "=", "launchpad_order.user_id"),
        )
        .selectAll("launchpad_order")
        .where("launchpad_entry.is_auto", "=", true)
        .where("launchpad_order.state", "=", "WON")
        .where("launchpad_order.until_ms", ">", timeMs)
        .where("launchpad_order.order_id", ">", after)
        .orderBy("launchpad_order.order_id")
        .limit(LIST_MAX)
        .execute(),
  };
}
