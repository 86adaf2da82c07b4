// Whose tasks may have moved since they were looked at last. Must never forget anybody who was told of and not looked at with
// everything he had done by then.

export interface Looking {
  /** Resolves when what was told so far is in the tables. */
  readonly settled: () => Promise<void>;
  readonly now: () => number;
  /** Who is to be looked at besides. */
  readonly others: () => Promise<readonly number[]>;
  readonly look: (userId: number, timeMs: number) => Promise<void>;
}

export class Touched {
  readonly #users = new Set<number>();

  add(userId: number): void {
    this.#users.add(userId);
  }

  /** Looks at everybody once and says as of when; whom a failure left out waits for the next time. */
  async checkAll({ settled, now, others, look }: Looking): Promise<number> {
    if (this.#users.size > 0) await settled();
    const users = new Set(this.#users);
    this.#users.clear();
    // Asked for after they were taken: what they did while the tables came level counts too.
    const timeMs = now();
    const failures: unknown[] = [];
    try {
      for (const userId of await others()) users.add(userId);
      for (const userId of users) {
        // One who cannot be looked at keeps nobody waiting.
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
