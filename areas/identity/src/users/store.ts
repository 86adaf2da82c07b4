// The SQL of users.
import type { AccountName } from "@clockwork/kit/account";
import type { Kysely } from "kysely";
import type { AccountRow, ProfileRow } from "./rules.ts";

type UserTables = {
  users_account: AccountRow;
  users_profile: ProfileRow;
};

/** Undefined members filter nothing. */
export interface PeopleFilter {
  readonly before?: number | undefined;
  readonly status?: AccountRow["status"] | undefined;
  readonly country?: string | undefined;
}

export type UserStore = ReturnType<typeof userStore>;

export function userStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<UserTables>();
  return { ...accountQueries(tables), ...bookQueries(tables), ...profileQueries(tables) };
}

function profileQueries(tables: Kysely<UserTables>) {
  return {
    findProfile: (userId: number): Promise<ProfileRow | undefined> =>
      tables.selectFrom("users_profile").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    async saveProfile(row: ProfileRow): Promise<void> {
      const { user_id: _, ...values } = row;
      await tables
        .insertInto("users_profile")
        .values(row)
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
  };
}

function accountQueries(tables: Kysely<UserTables>) {
  return {
    /** False when the number, the address or the invite code is taken. */
    async add(row: AccountRow): Promise<boolean> {
      const added = await tables
        .insertInto("users_account")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return added !== undefined;
    },
    findByName: ({ kind, value }: AccountName): Promise<AccountRow | undefined> =>
      tables.selectFrom("users_account").selectAll().where(kind, "=", value).executeTakeFirst(),
    listNewest: ({ before, status, country }: PeopleFilter, limit: number): Promise<AccountRow[]> => {
      let query = tables.selectFrom("users_account").selectAll();
      if (before !== undefined) query = query.where("created_at_ms", "<", before);
      if (status !== undefined) query = query.where("status", "=", status);
      if (country !== undefined) query = query.where("country", "=", country);
      return query.orderBy("created_at_ms", "desc").orderBy("id", "desc").limit(limit).execute();
    },
    /** Addresses or numbers that start so, in their order. */
    listByPrefix: (kind: AccountName["kind"], prefix: string, limit: number): Promise<AccountRow[]> =>
      tables
        .selectFrom("users_account")
        .selectAll()
        .where(kind, ">=", prefix)
        .where(kind, "<", `${prefix}\uffff`)
        .orderBy(kind)
        .limit(limit)
        .execute(),
    find: (id: number): Promise<AccountRow | undefined> =>
      tables.selectFrom("users_account").selectAll().where("id", "=", id).executeTakeFirst(),
    async findInviter(inviteCode: string): Promise<number | undefined> {
      const row = await tables
        .selectFrom("users_account")
        .select("id")
        .where("invite_code", "=", inviteCode)
        .executeTakeFirst();
      return row?.id;
    },
    async change(
      id: number,
      values: Partial<
        Pick<
          AccountRow,
          "password_hash" | "nickname" | "status" | "closed_at_ms" | "role" | "user_language" | "pricing_currency"
        >
      >,
    ): Promise<void> {
      await tables.updateTable("users_account").set(values).where("id", "=", id).execute();
    },
    /** False when another account has it; the unique column decides a race, and aborts the losing transaction. */
    async setContact(id: number, { kind, value }: AccountName): Promise<boolean> {
      const values = kind === "email" ? { email: value } : { phone: value };
      try {
        const row = await tables
          .updateTable("users_account")
          .set(values)
          .where("id", "=", id)
          .returning("id")
          .executeTakeFirst();
        return row !== undefined;
      } catch (error) {
        if ((error as { readonly kind?: unknown }).kind === "duplicate") return false;
        throw error;
      }
    },
  };
}

function bookQueries(tables: Kysely<UserTables>) {
  return {
    async setBooksOpen(userId: number): Promise<void> {
      await tables.updateTable("users_account").set({ books: "open" }).where("id", "=", userId).execute();
    },
    listIntended(limit: number): Promise<Pick<AccountRow, "id" | "role">[]> {
      return tables
        .selectFrom("users_account")
        .select(["id", "role"])
        .where("books", "=", "intended")
        .orderBy("created_at_ms")
        .limit(limit)
        .execute();
    },
  };
}
