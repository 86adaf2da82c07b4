// SQL of sign-ins by QR code. Every step names its expected state, so that none is taken twice.
import type { Kysely } from "kysely";

export type QrState = "NEW" | "SCANNED" | "CONFIRMED" | "REJECTED" | "DONE";

export interface QrRow {
  readonly id: string;
  readonly secret: string;
  readonly state: QrState;
  readonly user_id: number;
  readonly device_name: string;
  readonly address: string;
  readonly expires_at_ms: number;
  /** The security version of the session that confirmed. */
  readonly version: number;
}

export type QrStore = ReturnType<typeof qrStore>;

export function qrStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<{ qr_login: QrRow }>();
  return {
    async add(row: QrRow): Promise<void> {
      await tables.insertInto("qr_login").values(row).execute();
    },
    find: (id: string): Promise<QrRow | undefined> =>
      tables.selectFrom("qr_login").selectAll().where("id", "=", id).executeTakeFirst(),
    /** The row after the step; undefined when it was not in that state, not this user's, or too old. */
    step: (
      id: string,
      from: { readonly state: QrState; readonly userId: number },
      to: { readonly state: QrState; readonly userId: number; readonly version?: number },
      nowMs: number,
    ): Promise<QrRow | undefined> =>
      tables
        .updateTable("qr_login")
        .set({
          state: to.state,
          user_id: to.userId,
          ...(to.version === undefined ? {} : { version: to.version }),
        })
        .where("id", "=", id)
        .where("state", "=", from.state)
        .where("user_id", "=", from.userId)
        .where("expires_at_ms", ">", nowMs)
        .returningAll()
        .executeTakeFirst(),
    async remove(beforeMs: number): Promise<void> {
      await tables.deleteFrom("qr_login").where("expires_at_ms", "<", beforeMs).execute();
    },
  };
}
