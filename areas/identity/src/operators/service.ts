// The operators' audit log: every action is written before it takes effect, each row chained to the one before, so that
// a changed or removed row is detected.
import type { Kysely } from "kysely";
import type { OperatorNeeds } from "./needs.ts";
import { type AuditRow, type OperatorStore, operatorStore } from "./store.ts";

export interface AuditEntry {
  readonly operatorId: number;
  readonly action: string;
  /** The subject of the action. */
  readonly subject: string;
  readonly detail: string;
  readonly address: string;
}

const PAGE = 200;

export class OperatorService {
  readonly #store: OperatorStore;
  readonly #needs: OperatorNeeds;
  // In order of request; the lock separates those of other transactions and processes.
  #last: Promise<unknown> = Promise.resolve();

  constructor({ store, needs }: { store: OperatorStore; needs: OperatorNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Part of the caller's own transaction: the row exists if and only if its action does. */
  async recordWithin(inside: Kysely<unknown>, entry: AuditEntry, timeMs: number): Promise<void> {
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
    await own.add({ ...row, digest: this.#digest(row, await own.lastDigest()) });
  }

  record(entry: AuditEntry, timeMs: number): Promise<void> {
    const written = this.#last.then(() => this.#store.transact((inside) => this.recordWithin(inside, entry, timeMs)));
    this.#last = written.catch(() => undefined);
    return written;
  }

  list(afterId: number): Promise<readonly AuditRow[]> {
    return this.#store.list(afterId, PAGE);
  }

  /** The first row that differs from what was written, or undefined. */
  async findTampered(): Promise<number | undefined> {
    let before = "";
    for (let afterId = 0; ; ) {
      const rows = await this.#store.list(afterId, PAGE);
      for (const row of rows) {
        if (row.digest !== this.#digest(row, before)) return row.id;
        before = row.digest;
        afterId = row.id;
      }
      if (rows.length < PAGE) return undefined;
    }
  }

  #digest(row: Omit<AuditRow, "id" | "digest">, before: string): string {
    return this.#needs.mark(
      JSON.stringify([before, row.operator_id, row.action, row.subject, row.detail, row.address, row.at_ms]),
      "audit",
    );
  }
}
