// The SQL of proposals, in the subset both databases share.
import type { ProposalState } from "@clockwork/kit/proposal-state";
import type { Generated, Kysely } from "kysely";

export interface ProposalRow {
  readonly id: number;
  readonly proposal_id: string;
  readonly kind: string;
  readonly client_id: string;
  readonly payload: string;
  readonly payload_hash: string;
  readonly proposer_id: number;
  /** A JSON array in ascending order. */
  readonly beneficiary_ids: string;
  readonly state: ProposalState;
  readonly created_ms: number;
  readonly expires_ms: number;
  readonly decided_by: number | null;
  readonly decided_ms: number | null;
  readonly is_simulated: boolean;
  readonly reason: string;
  readonly began_ms: number | null;
  readonly ended_ms: number | null;
  readonly outcome: string;
}

type Tables = { proposals_proposal: Omit<ProposalRow, "id"> & { readonly id: Generated<number> } };

export type ProposalStore = ReturnType<typeof proposalStore>;

export function proposalStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<Tables>();
  return { ...readings(tables), ...changes(tables) };
}

function readings(tables: Kysely<Tables>) {
  return {
    find: (proposalId: string): Promise<ProposalRow | undefined> =>
      tables.selectFrom("proposals_proposal").selectAll().where("proposal_id", "=", proposalId).executeTakeFirst(),
    findIntent: (proposerId: number, kind: string, clientId: string): Promise<ProposalRow | undefined> =>
      tables
        .selectFrom("proposals_proposal")
        .selectAll()
        .where("proposer_id", "=", proposerId)
        .where("kind", "=", kind)
        .where("client_id", "=", clientId)
        .executeTakeFirst(),
    /** Newest first. */
    list(
      kinds: readonly string[],
      states: readonly ProposalState[],
      before: number | undefined,
      limit: number,
    ): Promise<ProposalRow[]> {
      let query = tables
        .selectFrom("proposals_proposal")
        .selectAll()
        .where("kind", "in", kinds)
        .where("state", "in", states);
      if (before !== undefined) query = query.where("id", "<", before);
      return query.orderBy("id", "desc").limit(limit).execute();
    },
    /** Open ones and those being carried out, oldest first. */
    listOpen: (after: number, limit: number): Promise<ProposalRow[]> =>
      tables
        .selectFrom("proposals_proposal")
        .selectAll()
        .where("state", "in", ["PROPOSED", "APPROVED"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute(),
    countOpen: async (proposerId: number): Promise<number> => {
      const row = await tables
        .selectFrom("proposals_proposal")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("proposer_id", "=", proposerId)
        .where("state", "in", ["PROPOSED", "APPROVED"])
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

function changes(tables: Kysely<Tables>) {
  return {
    /** Does nothing when this person has proposed under this id before. */
    async add(row: Omit<ProposalRow, "id">): Promise<void> {
      await tables
        .insertInto("proposals_proposal")
        .values(row)
        .onConflict((conflict) => conflict.columns(["proposer_id", "kind", "client_id"]).doNothing())
        .execute();
    },
    /** Undefined when another caller was first. */
    step: (
      proposalId: string,
      from: ProposalState,
      values: Partial<
        Omit<ProposalRow, "id" | "proposal_id" | "kind" | "payload" | "payload_hash" | "beneficiary_ids">
      >,
    ): Promise<ProposalRow | undefined> =>
      tables
        .updateTable("proposals_proposal")
        .set(values)
        .where("proposal_id", "=", proposalId)
        .where("state", "=", from)
        .returningAll()
        .executeTakeFirst(),
  };
}
