// Users whose tasks may have changed since their last check. Must never drop a user who was reported and not checked
// with all actions up to then.

export interface Looking {
  /** Resolves when everything published so far is in the tables. */
  readonly settled: () => Promise<void>;
  readonly now: () => number;
  /** Further users to check. */
  readonly others: () => Promise<readonly number[]>;
  readonly look: (userId: number, timeMs: number) => Promise<void>;
}

export class Touched {
  readonly #users = new Set<number>();

  add(userId: number): void {
    this.#users.add(userId);
  }

  /** Checks all users once and returns as of when; one left out by a failure waits for the next time. */
  async checkAll({ settled, now, others, look }: Looking): Promise<number> {
    if (this.#users.size > 0) await settled();
    const users = new Set(this.#users);
    this.#users.clear();
    // Read after they were taken: actions during the wait for the tables count too.
    const timeMs = now();
    const failures: unknown[] = [];
    try {
      for (const userId of await others()) users.add(userId);
      for (const userId of users) {
        // A failing user delays no other.
        await look(userId, timeMs).then(
          () => users.delete(userId),
          (error: unknown) => failures.push(error),
        );
      }
    } finally {
      for (const userId of users) this.#users.add(userId);
    }
    if (failures.length > 0) throw failures[0];
    return timeMs;
  }
}
