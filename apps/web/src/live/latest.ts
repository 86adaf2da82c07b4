// Of questions that overtake each other the newer answer stays, and an answer to what was asked before something was chosen or
// told says nothing about it.

export class Latest {
  #requested = 0;
  #counted = 0;

  /** Something newer is known: whatever is still on its way was asked before it. */
  drop(): void {
    this.#counted = this.#requested;
  }

  /** The answer, or nothing where something newer is known by the time it comes. */
  async ask<Value>(question: () => Promise<Value>): Promise<Value | undefined> {
    this.#requested += 1;
    const mine = this.#requested;
    const answer = await question();
    if (mine <= this.#counted) return undefined;
    this.#counted = mine;
    return answer;
  }
}
