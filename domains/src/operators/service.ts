// The operators' audit log: every action is written before it counts, each row sealed to the one before, so that a row
// changed or taken out afterwards shows.
import type { OperatorNeeds } from "./needs.ts";
import type { AuditRow, OperatorStore } from "./store.ts";

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
  list(afterId: number): Promise<readonly AuditRow[]>;
  /** The first row that is not as it was written, or nothing. */
  findTampered(): Promise<number | undefined>;
}

const PAGE = 200;

export function operatorService({ store, needs }: { store: OperatorStore; needs: OperatorNeeds }): OperatorService {
  // One row after another, or two would follow the same one.
  let last: Promise<unknown> = Promise.resolve();
  const digest = (row: Omit<AuditRow, "id" | "digest">, before: string): string =>
    needs.mark(
      JSON.stringify([before, row.operator_id, row.action, row.subject, row.detail, row.address, row.at_ms]),
      "audit",
    );
  return {
    record(entry, timeMs) {
      const write = async (): Promise<void> => {
        const row = {
          operator_id: entry.operatorId,
          action: entry.action,
          subject: entry.subject,
          detail: entry.detail,
          address: entry.address,
          at_ms: timeMs,
        };
        await store.add({ ...row, digest: digest(row, await store.lastDigest()) });
      };
      const written = last.then(write);
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
