// The SQL of OTC's people.
import type { PaymentKind } from "@clockwork/kit/otc/fiat";
import { type Kysely, sql } from "kysely";
import type { MerchantState } from "./contract.ts";
import { nameKey } from "./rules.ts";

export interface PaymentRow {
  readonly payment_id: string;
  readonly user_id: number;
  readonly kind: PaymentKind;
  readonly fiat: string;
  readonly label: string;
  readonly sealed: Uint8Array;
  readonly slot: number;
  readonly created_ms: number;
}
export interface MerchantRow {
  readonly user_id: number;
  readonly name: string;
  readonly state: MerchantState;
  readonly level: number;
  readonly bond_units: bigint;
  readonly version: number;
  readonly opens_minute: number;
  readonly closes_minute: number;
  readonly reply: string;
  readonly reason: string;
  readonly is_simulated: boolean;
  readonly applied_ms: number;
  readonly changed_ms: number;
  readonly refill_by_ms: number;
  readonly exit_ms: number;
}
export interface MoveRow {
  readonly reference: string;
  readonly user_id: number;
  readonly to_user_id: number;
  readonly amount_units: bigint;
  readonly kind: "draw" | "fill";
  readonly state: "DUE" | "PAID" | "FAILED";
  readonly created_ms: number;
}
interface BlockRow {
  readonly user_id: number;
  readonly blocked_id: number;
  readonly created_ms: number;
}
type PeopleTables = {
  otcpeople_payment: PaymentRow;
  otcpeople_owner: { readonly user_id: number; readonly changes: number };
  otcpeople_merchant: MerchantRow & { readonly name_key: string };
  otcpeople_move: MoveRow;
  otcpeople_block: BlockRow;
  otcpeople_seen: { readonly user_id: number; readonly seen_ms: number };
};
type Tables = Kysely<PeopleTables>;
/** Everything but the key of the name, which is internal to the table. */
const MERCHANT = [
  ...(["user_id", "name", "state", "level", "bond_units", "version", "opens_minute", "closes_minute"] as const),
  ...(["reply", "reason", "is_simulated", "applied_ms", "changed_ms", "refill_by_ms", "exit_ms"] as const),
] as const;

export type PeopleStore = ReturnType<typeof peopleStore>;

export function peopleStore(kysely: Kysely<unknown>) {
  const tables: Tables = kysely.$extendTables<PeopleTables>();
  return { ...paymentQueries(tables), ...merchantQueries(tables), ...moveQueries(tables), ...blockQueries(tables) };
}

/** Locks the user's row until the transaction ends. */
async function holdOwner(inside: Tables, userId: number): Promise<void> {
  await inside
    .insertInto("otcpeople_owner")
    .values({ user_id: userId, changes: 1 })
    .onConflict((at) => at.column("user_id").doUpdateSet({ changes: sql<number>`otcpeople_owner.changes + 1` }))
    .execute();
}

function paymentQueries(tables: Tables) {
  const payments = () => tables.selectFrom("otcpeople_payment").selectAll();
  return {
    listPayments: (userId: number): Promise<PaymentRow[]> =>
      payments().where("user_id", "=", userId).orderBy("slot").execute(),
    findPayment: (paymentId: string): Promise<PaymentRow | undefined> =>
      payments().where("payment_id", "=", paymentId).executeTakeFirst(),
    listPaymentsOf: (paymentIds: readonly string[]): Promise<PaymentRow[]> =>
      paymentIds.length === 0
        ? Promise.resolve([])
        : payments()
            .where("payment_id", "in", [...paymentIds])
            .execute(),
    /** In the first free slot, determined under one lock of the user: concurrent calls see each other. */
    addPayment: (
      row: Omit<PaymentRow, "slot">,
      max: number,
      isFit: (present: readonly PaymentRow[]) => boolean = () => true,
    ): Promise<"added" | "full" | "unfit"> =>
      tables.transaction().execute(async (inside) => {
        await holdOwner(inside, row.user_id);
        const own = inside.selectFrom("otcpeople_payment").selectAll().where("user_id", "=", row.user_id);
        const present = await own.orderBy("slot").execute();
        if (!isFit(present)) return "unfit";
        const taken = new Set(present.map(({ slot }) => slot));
        const slot = Array.from({ length: max }, (_, at) => at + 1).find((one) => !taken.has(one));
        if (slot === undefined) return "full";
        await inside
          .insertInto("otcpeople_payment")
          .values({ ...row, slot })
          .execute();
        return "added";
      }),
    /** Of a simulated merchant, in a slot of its own; an existing one is unchanged. */
    async putPayment(row: PaymentRow): Promise<void> {
      const insert = tables.insertInto("otcpeople_payment").values(row);
      await insert.onConflict((at) => at.doNothing()).execute();
    },
    removePayment: (userId: number, paymentId: string): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        await holdOwner(inside, userId);
        const remove = inside.deleteFrom("otcpeople_payment").where("user_id", "=", userId);
        return (await remove.where("payment_id", "=", paymentId).executeTakeFirst()).numDeletedRows > 0n;
      }),
  };
}

function merchantQueries(tables: Tables) {
  const merchants = () => tables.selectFrom("otcpeople_merchant").select(MERCHANT);
  return {
    findMerchant: (userId: number): Promise<MerchantRow | undefined> =>
      merchants().where("user_id", "=", userId).executeTakeFirst(),
    listMerchants: (state: MerchantState | undefined): Promise<MerchantRow[]> =>
      (state === undefined ? merchants() : merchants().where("state", "=", state))
        .orderBy("changed_ms", "desc")
        .limit(200)
        .execute(),
    listState: (state: MerchantState): Promise<MerchantRow[]> =>
      merchants().where("state", "=", state).orderBy("changed_ms").limit(100).execute(),
    /** Those whose bond was drawn on and is due for a refill. */
    listUnfilled: (timeMs: number): Promise<MerchantRow[]> =>
      merchants()
        .where("state", "=", "ACTIVE")
        .where("refill_by_ms", ">", 0)
        .where("refill_by_ms", "<=", timeMs)
        .execute(),
    isNameTaken: async (name: string, userId: number): Promise<boolean> =>
      (await merchants().where("name_key", "=", nameKey(name)).where("user_id", "<>", userId).executeTakeFirst()) !==
      undefined,
    /** False when another call has started it, or the name is taken. */
    async addMerchant(row: MerchantRow): Promise<boolean> {
      const insert = tables.insertInto("otcpeople_merchant").values({ ...row, name_key: nameKey(row.name) });
      const added = await insert
        .onConflict((at) => at.doNothing())
        .returning("user_id")
        .executeTakeFirst();
      return added !== undefined;
    },
    /** A step from exactly the state read; undefined when it has changed. */
    stepMerchant: (
      row: Pick<MerchantRow, "user_id" | "version">,
      values: Partial<Omit<MerchantRow, "user_id" | "version">>,
    ): Promise<MerchantRow | undefined> => stepMerchant(tables, row, values),
  };
}

function stepMerchant(
  inside: Tables,
  row: Pick<MerchantRow, "user_id" | "version">,
  values: Partial<Omit<MerchantRow, "user_id" | "version">>,
): Promise<MerchantRow | undefined> {
  return inside
    .updateTable("otcpeople_merchant")
    .set({
      ...values,
      ...(values.name === undefined ? {} : { name_key: nameKey(values.name) }),
      version: row.version + 1,
    })
    .where("user_id", "=", row.user_id)
    .where("version", "=", row.version)
    .returning(MERCHANT)
    .executeTakeFirst();
}

function moveQueries(tables: Tables) {
  return {
    async addMove(row: MoveRow): Promise<void> {
      await tables
        .insertInto("otcpeople_move")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    /** A step that has moved a whole bond, with its line among the moves; undefined when the state has changed. */
    stepWithMove: (
      row: Pick<MerchantRow, "user_id" | "version">,
      values: Partial<Omit<MerchantRow, "user_id" | "version">>,
      move: MoveRow,
    ): Promise<MerchantRow | undefined> =>
      tables.transaction().execute(async (inside) => {
        const stepped = await stepMerchant(inside, row, values);
        if (stepped !== undefined) await inside.insertInto("otcpeople_move").values(move).execute();
        return stepped;
      }),
    listDue: (): Promise<MoveRow[]> =>
      tables.selectFrom("otcpeople_move").selectAll().where("state", "=", "DUE").orderBy("created_ms").execute(),
    findMove: (reference: string): Promise<MoveRow | undefined> =>
      tables.selectFrom("otcpeople_move").selectAll().where("reference", "=", reference).executeTakeFirst(),
    /** Ends it and counts it in the bond, once. */
    endMove: (row: MoveRow, state: "PAID" | "FAILED", refillByMs: number): Promise<boolean> =>
      tables.transaction().execute(async (inside) => {
        const ended = await inside
          .updateTable("otcpeople_move")
          .set({ state })
          .where("reference", "=", row.reference)
          .where("state", "=", "DUE")
          .executeTakeFirst();
        if (ended.numUpdatedRows === 0n) return false;
        const moved = row.kind === "draw" ? -row.amount_units : row.amount_units;
        // A failed one moved nothing, and the next try is a new one.
        await inside
          .updateTable("otcpeople_merchant")
          .set((to) => ({
            version: to("version", "+", 1),
            ...(state === "FAILED" ? {} : { bond_units: to("bond_units", "+", moved), refill_by_ms: refillByMs }),
          }))
          .where("user_id", "=", row.user_id)
          .execute();
        return true;
      }),
    listMoves: (userId: number): Promise<MoveRow[]> =>
      tables
        .selectFrom("otcpeople_move")
        .selectAll()
        .where((where) => where.or([where("user_id", "=", userId), where("to_user_id", "=", userId)]))
        .orderBy("created_ms", "desc")
        .limit(200)
        .execute(),
  };
}

function blockQueries(tables: Tables) {
  return {
    listBlocks: (userId: number): Promise<BlockRow[]> =>
      tables
        .selectFrom("otcpeople_block")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_ms", "desc")
        .execute(),
    /** All users excluded from meeting this user, by either side. */
    async listUnmet(userId: number): Promise<ReadonlySet<number>> {
      const rows = await tables
        .selectFrom("otcpeople_block")
        .selectAll()
        .where((where) => where.or([where("user_id", "=", userId), where("blocked_id", "=", userId)]))
        .execute();
      return new Set(rows.map((row) => (row.user_id === userId ? row.blocked_id : row.user_id)));
    },
    async addBlock(row: BlockRow): Promise<void> {
      await tables
        .insertInto("otcpeople_block")
        .values(row)
        .onConflict((at) => at.doNothing())
        .execute();
    },
    async removeBlock(userId: number, blockedId: number): Promise<boolean> {
      const remove = tables.deleteFrom("otcpeople_block").where("user_id", "=", userId);
      return (await remove.where("blocked_id", "=", blockedId).executeTakeFirst()).numDeletedRows > 0n;
    },
    async saveSeen(userId: number, seenMs: number): Promise<void> {
      await tables
        .insertInto("otcpeople_seen")
        .values({ user_id: userId, seen_ms: seenMs })
        .onConflict((at) => at.column("user_id").doUpdateSet({ seen_ms: seenMs }))
        .execute();
    },
    listSeen: (sinceMs: number): Promise<readonly { user_id: number; seen_ms: number }[]> =>
      tables.selectFrom("otcpeople_seen").selectAll().where("seen_ms", ">=", sinceMs).execute(),
  };
}
