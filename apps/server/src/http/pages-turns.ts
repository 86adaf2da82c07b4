// Answers pages and their calls a few in each turn of the event loop, with pauses between them while orders arrive: an
// order waits for one page and never for the whole queue.

export interface TurnsOptions {
  /** Whether orders have come lately. */
  readonly isTrading: () => boolean;
  /** How long pages pause between two turns while orders arrive. */
  readonly pauseMs?: number;
}

interface Waiting {
  readonly cost: number;
  readonly done: () => void;
}

/** How much is done in one turn: a page that is kept, or a few calls of pages that are drawn. */
const TURN_COST = 4;
export const PAGE_COST = 4;
export const CALL_COST = 1;
const PAUSE_MS = 3;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiting: Waiting[] = [];
  #isStarted = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  take(cost: number): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ cost, done });
      if (!this.#isStarted) setImmediate(this.#next);
      this.#isStarted = true;
    });
  }

  readonly #next = (): void => {
    let left = TURN_COST;
    while (left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      left -= next.cost;
      next.done();
    }
    // Started until a turn found the queue empty: a page right after a turn waits for the pause as well.
    this.#isStarted = left < TURN_COST;
    if (!this.#isStarted) return;
    if (this.#options.isTrading()) setTimeout(this.#next, this.#options.pauseMs ?? PAUSE_MS);
    else setImmediate(this.#next);
  };
}
