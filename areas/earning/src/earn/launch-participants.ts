// Simulated participants in the launches of the default run: a few more per call, until all are in.
import type { LaunchService } from "../launchpad/service.ts";
import type { LaunchStore, RoundRow } from "../launchpad/store.ts";
import { PEOPLE, personOf } from "./default-launches.ts";

const AT_ONCE = 3;

export class LaunchParticipants {
  readonly #store: LaunchStore;
  readonly #launches: LaunchService;
  /** The next participant, by round. Repeated after a restart, entries are unchanged. */
  readonly #next = new Map<string, number>();

  constructor(store: LaunchStore, launches: LaunchService) {
    this.#store = store;
    this.#launches = launches;
  }

  async join(timeMs: number): Promise<void> {
    const open = await this.#store.listOpenSimulated(timeMs);
    for (const round of open) await this.#joinRound(round, timeMs);
    for (const roundId of this.#next.keys()) {
      if (!open.some(({ round_id }) => round_id === roundId)) this.#next.delete(roundId);
    }
  }

  async #joinRound({ round_id: roundId, kind }: RoundRow, timeMs: number): Promise<void> {
    const first = this.#next.get(roundId) ?? 0;
    const last = Math.min(PEOPLE, first + AT_ONCE);
    this.#next.set(roundId, last);
    for (let index = first; index < last; index++) {
      const { userId, isAuto } = personOf(index);
      const amount = String(50 + ((index * 37) % 400));
      const body = kind === "lottery" ? { autoPay: isAuto } : { amount, clientId: "crowd" };
      // Participants without a ticket or enough money are skipped.
      await this.#launches.join(userId, { roundId, ...body }, timeMs);
    }
  }
}
