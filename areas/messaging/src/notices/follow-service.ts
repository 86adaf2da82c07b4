// Sends notices for rows in order, from a stored position: those a process did not send are sent by the next. A row may
// come twice, since the position is stored after sending; the sender deduplicates.
import type { NoticePlace, PlaceStore } from "./place-store.ts";

export interface FollowNeeds<Row extends NoticePlace> {
  /** In order behind a place. */
  list(after: NoticePlace, limit: number): Promise<readonly Row[]>;
  notify(row: Row): Promise<void>;
}

const ROWS_MAX = 100;

export class FollowService<Row extends NoticePlace> {
  readonly #name: string;
  readonly #store: PlaceStore;
  readonly #needs: FollowNeeds<Row>;
  #place: NoticePlace | undefined;

  constructor(parts: { readonly name: string; readonly store: PlaceStore; readonly needs: FollowNeeds<Row> }) {
    this.#name = parts.name;
    this.#store = parts.store;
    this.#needs = parts.needs;
  }

  /** Up to the newest row; one call at a time. */
  async follow(): Promise<void> {
    let place = this.#place ?? (await this.#store.read(this.#name));
    for (;;) {
      const rows = await this.#needs.list(place, ROWS_MAX);
      const before = place;
      try {
        for (const row of rows) {
          await this.#needs.notify(row);
          place = { sequence: row.sequence, line: row.line };
        }
      } finally {
        if (place !== before) await this.#store.keep(this.#name, place);
        this.#place = place;
      }
      if (rows.length < ROWS_MAX) return;
    }
  }
}
