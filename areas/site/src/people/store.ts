// The people slice's SQL: operators' notes, and the reads by which the console finds things of other slices. It writes
// notes alone.
import type { DepositRow } from "@clockwork/custody/custody/store";
import type { WithdrawalRow } from "@clockwork/custody/withdrawals/store";
import { type Kysely, sql } from "kysely";

export interface NoteRow {
  readonly user_id: number;
  readonly number: number;
  readonly operator_id: number;
  readonly text: string;
  readonly at_ms: number;
}

type PeopleTables = {
  people_note: NoteRow;
  engine_orders: { order_id: number; account: number; type: string; state: string; side: string; market: number };
  engine_accounts: { account: number; user_id: number };
  withdrawals_withdrawal: WithdrawalRow;
  custody_address: { network: string; address: string; user_id: number };
  custody_deposit: DepositRow;
  support_ticket: { number: string; kind: string; user_id: number | null; state: string };
  proposals_proposal: { proposal_id: string; kind: string; state: string };
  otcorders_order: { order_id: string; buyer_id: number; seller_id: number; state: string };
  sessions_session: { user_id: number; seen_at_ms: number };
};

const FOUND_MAX = 8;
const NOTES_MAX = 500;
const SENT_TO_ADDRESS = ["CREATED", "VERIFY", "REVIEW", "QUEUED", "BROADCAST", "CONFIRMING", "DONE"] as const;

export type PeopleStore = ReturnType<typeof peopleStore>;

export function peopleStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<PeopleTables>();
  return { ...noteQueries(tables), ...searchQueries(tables), ...personQueries(tables) };
}

function noteQueries(tables: Kysely<PeopleTables>) {
  return {
    listNotes: (userId: number): Promise<NoteRow[]> =>
      tables
        .selectFrom("people_note")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("number", "desc")
        .limit(NOTES_MAX)
        .execute(),
    /** False when the notes are full, or another was added at the same moment. */
    async addNote({ user_id, operator_id, text, at_ms }: Omit<NoteRow, "number">): Promise<boolean> {
      const last = await tables
        .selectFrom("people_note")
        .select((select) => select.fn.max("number").as("number"))
        .where("user_id", "=", user_id)
        .executeTakeFirst();
      const number = Number(last?.number ?? 0) + 1;
      if (number > NOTES_MAX) return false;
      const added = await tables
        .insertInto("people_note")
        .values({ user_id, number, operator_id, text, at_ms })
        .onConflict((at) => at.doNothing())
        .executeTakeFirst();
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
  };
}

function searchQueries(tables: Kysely<PeopleTables>) {
  return {
    findOrder: (orderId: number) =>
      tables
        .selectFrom("engine_orders")
        .innerJoin("engine_accounts", "engine_accounts.account", "engine_orders.account")
        .select(["order_id", "type", "side", "state", "user_id"])
        .where("order_id", "=", orderId)
        .executeTakeFirst(),
    findWithdrawal: (withdrawalId: string): Promise<WithdrawalRow | undefined> =>
      tables
        .selectFrom("withdrawals_withdrawal")
        .selectAll()
        .where("withdrawal_id", "=", withdrawalId)
        .executeTakeFirst(),
    listWithdrawals: (by: "address" | "tx_hash", value: string): Promise<WithdrawalRow[]> =>
      tables
        .selectFrom("withdrawals_withdrawal")
        .selectAll()
        .where(by, "=", value)
        .orderBy("created_ms", "desc")
        .limit(FOUND_MAX)
        .execute(),
    listDeposits: (txHash: string): Promise<DepositRow[]> =>
      tables.selectFrom("custody_deposit").selectAll().where("tx_hash", "=", txHash).limit(FOUND_MAX).execute(),
    listAddresses: (address: string) =>
      tables.selectFrom("custody_address").selectAll().where("address", "=", address).limit(FOUND_MAX).execute(),
    findTicket: (number: string) =>
      tables
        .selectFrom("support_ticket")
        .select(["number", "kind", "user_id", "state"])
        .where("number", "=", number)
        .executeTakeFirst(),
    findProposal: (proposalId: string) =>
      tables
        .selectFrom("proposals_proposal")
        .select(["proposal_id", "kind", "state"])
        .where("proposal_id", "=", proposalId)
        .executeTakeFirst(),
    findOtcOrder: (orderId: string) =>
      tables
        .selectFrom("otcorders_order")
        .select(["order_id", "buyer_id", "seller_id", "state"])
        .where("order_id", "=", orderId)
        .executeTakeFirst(),
  };
}

function personQueries(tables: Kysely<PeopleTables>) {
  return {
    async seenAt(userId: number): Promise<number | null> {
      const row = await tables
        .selectFrom("sessions_session")
        .select((select) => select.fn.max("seen_at_ms").as("seen"))
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row?.seen === null || row?.seen === undefined ? null : Number(row.seen);
    },
    /** Credited units of each coin, over the user's whole life. */
    async sumDeposits(userId: number): Promise<readonly { readonly asset: string; readonly units: bigint }[]> {
      const rows = await tables
        .selectFrom("custody_deposit")
        .select(["asset", sql<string>`cast(sum(units) as text)`.as("units")])
        .where("user_id", "=", userId)
        .where("state", "in", ["CREDITED", "UNLOCKED"])
        .groupBy("asset")
        .execute();
      return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
    },
    /** In USDT units, as each was worth when it was requested. */
    async sumWithdrawals(userId: number): Promise<bigint> {
      const row = await tables
        .selectFrom("withdrawals_withdrawal")
        .select(sql<string | null>`cast(sum(worth_units) as text)`.as("units"))
        .where("user_id", "=", userId)
        .where("network", "!=", "")
        .where("state", "in", [...SENT_TO_ADDRESS])
        .executeTakeFirst();
      return BigInt(row?.units ?? "0");
    },
  };
}
