// Of overlapping requests the newer answer remains, and an answer to a request from before a choice or an update is
// ignored.

export class Latest {
  #requested = 0;
  #counted = 0;

  /** Something newer is set: requests in flight are older. */
  drop(): void {
    this.#counted = this.#requested;
  }

  /** The answer, or nothing where something newer has arrived by then. */
  async ask<Value>(question: () => Promise<Value>): Promise<Value | undefined> {
    this.#requested += 1;
    const mine = this.#requested;
    const answer = await question();
    if (mine <= this.#counted) return undefined;
    this.#counted = mine;
    return answer;
  }
}
