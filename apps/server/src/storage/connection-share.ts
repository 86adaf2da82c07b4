// Decides which caller gets the next of a few connections: the one with fewest, in order of arrival. Only the process itself
// may exceed a caller's share; a caller that waits too long is refused. Opens none.
import { DatabaseFault } from "./fault.ts";

/** What the process does for itself: never held back by callers. */
const HOUSE = "";

interface Waiting {
  readonly key: string;
  grant(): void;
}

export class ConnectionShare {
  readonly #max: number;
  readonly #maxEach: number;
  readonly #waitMaxMs: number;
  readonly #held = new Map<string, number>();
  /** In the order of the requests. */
  #waiting: Waiting[] = [];
  #taken = 0;

  constructor(max: number, maxEach: number, waitMaxMs: number) {
    this.#max = max;
    this.#maxEach = maxEach;
    this.#waitMaxMs = waitMaxMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Answers when one is free for this caller how to give it back. */
  async enter(caller: string | undefined): Promise<() => void> {
    const key = caller ?? HOUSE;
    if (this.#waiting.length === 0 && this.#taken < this.#max && this.#mayHold(key)) this.#take(key);
    else {
      await this.#wait(key);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#give(key);
    };
  }

  #wait(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(new DatabaseFault("overloaded", `no connection was free within ${this.#waitMaxMs} ms`));
      };
      const timer = setTimeout(refuse, this.#waitMaxMs);
      const grant = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { key, grant };
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  #mayHold(key: string): boolean {
    return key === HOUSE || (this.#held.get(key) ?? 0) < this.#maxEach;
  }

  #take(key: string): void {
    this.#taken += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  #give(key: string): void {
    this.#taken -= 1;
    const left = (this.#held.get(key) ?? 1) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
    this.#next();
  }

  #next(): void {
    while (this.#taken < this.#max) {
      const heldBy = ({ key }: Waiting): number => (key === HOUSE ? -1 : (this.#held.get(key) ?? 0));
      let chosen: Waiting | undefined;
      for (const one of this.#waiting)
        if (this.#mayHold(one.key) && (chosen === undefined || heldBy(one) < heldBy(chosen))) chosen = one;
      if (chosen === undefined) return;
      const { key, grant } = chosen;
      this.#waiting = this.#waiting.filter((one) => one !== chosen);
      this.#take(key);
      grant();
    }
  }
}
