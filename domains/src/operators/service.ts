// The operators' audit log: every action is written before it counts, each row sealed to the one before, so that a row
// changed or taken out afterwards shows.
import type { Kysely } from "kysely";
import type { OperatorNeeds } from "./needs.ts";
import { type AuditRow, type OperatorStore, operatorStore } from "./store.ts";

export interface AuditEntry {
  readonly operatorId: number;
  readonly action: string;
  /** Whom or what it was done to. */
  readonly subject: string;
  readonly detail: string;
  readonly address: string;
}

export interface OperatorService {
  record(entry: AuditEntry, timeMs: number): Promise<void>;
  /** As part of the caller's own transaction: the row stands if and only if what it tells of does. */
  recordWithin(inside: Kysely<unknown>, entry: AuditEntry, timeMs: number): Promise<void>;
  list(afterId: number): Promise<readonly AuditRow[]>;
  /** The first row that is not as it was written, or nothing. */
  findTampered(): Promise<number | undefined>;
}

const PAGE = 200;

export function operatorService({ store, needs }: { store: OperatorStore; needs: OperatorNeeds }): OperatorService {
  // In the order they were asked for; the lock keeps apart those of other transactions and processes.
  let last: Promise<unknown> = Promise.resolve();
  const digest = (row: Omit<AuditRow, "id" | "digest">, before: string): string =>
    needs.mark(
      JSON.stringify([before, row.operator_id, row.action, row.subject, row.detail, row.address, row.at_ms]),
      "audit",
    );
  const recordWithin = async (inside: Kysely<unknown>, entry: AuditEntry, timeMs: number): Promise<void> => {
    const own = operatorStore(inside);
    await own.take("audit");
    const row = {
      operator_id: entry.operatorId,
      action: entry.action,
      subject: entry.subject,
      detail: entry.detail,
      address: entry.address,
      at_ms: timeMs,
    };
    // Two rows would follow the same one without the lock.
    await own.add({ ...row, digest: digest(row, await own.lastDigest()) });
  };
  return {
    recordWithin,
    record(entry, timeMs) {
      const written = last.then(() => store.transact((inside) => recordWithin(inside, entry, timeMs)));
      last = written.catch(() => undefined);
      return written;
    },
    list: (afterId) => store.list(afterId, PAGE),
    async findTampered() {
      let before = "";
      for (let afterId = 0; ; ) {
        const rows = await store.list(afterId, PAGE);
        for (const row of rows) {
          if (row.digest !== digest(row, before)) return row.id;
          before = row.digest;
          afterId = row.id;
        }
        if (rows.length < PAGE) return undefined;
      }
    },
  };
}
