// Moves the clock ahead in demo runs: stored first, so that a restart does not fall behind the journal, then moved,
// then journalled. Never back.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { ClockState } from "./contract.ts";
import type { ClockNeeds } from "./needs.ts";
import type { ClockStore } from "./store.ts";

const AHEAD_MS_MAX = 3_660 * DAY_MS;

export class ClockService {
  readonly #store: ClockStore;
  readonly #needs: ClockNeeds;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({
    store,
    needs,
  }: {
    readonly store: ClockStore;
    readonly needs: ClockNeeds;
  }) {
    this.#store = store;
    this.#needs = needs;
  }

  read(): ClockState {
    const { aheadMs, wallDriftMs } = this.#needs.read();
    return { nowMs: this.#needs.now(), aheadMs, wallDriftMs };
  }

  advance(byMs: number): Promise<Result<ClockState, "CLOCK_TOO_FAR">> {
    const mine = this.#turn.then(() => this.#advance(byMs));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #advance(byMs: number): Promise<Result<ClockState, "CLOCK_TOO_FAR">> {
    if (this.#needs.read().aheadMs + byMs > AHEAD_MS_MAX) return refused("CLOCK_TOO_FAR");
    await this.#store.add(byMs);
    this.#needs.advance(byMs);
    await this.#needs.journal();
    return done(this.read());
  }
}
