// The liveness check of the pictures: started, carried out by the configured provider, stored. Never invents a result:
// what is not judged is pending.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LivenessStarted, LivenessState } from "./contract.ts";
import type { Liveness } from "./needs.ts";
import type { LivenessRefusal } from "./refusals.ts";
import type { KycStore } from "./store.ts";

export class LivenessService {
  readonly #store: KycStore;
  readonly #liveness: Liveness;

  constructor({ store, liveness }: { readonly store: KycStore; readonly liveness: Liveness }) {
    this.#store = store;
    this.#liveness = liveness;
  }

  async begin(userId: number, timeMs: number): Promise<Result<LivenessStarted, LivenessRefusal>> {
    const started = await this.#liveness.begin(userId);
    if (started === undefined) return refused("KYC_LIVENESS_AWAY");
    const { kind } = this.#liveness;
    const { token, url, steps } = started;
    await this.#store.saveLiveness({ user_id: userId, kind, token, state: "waiting", at_ms: timeMs });
    return done({
      kind,
      ...(url === undefined ? {} : { url }),
      ...(steps === undefined ? {} : { steps: [...steps] }),
    });
  }

  /** Judges the check under way; repeatable until the provider has decided. */
  async complete(
    userId: number,
    answers: readonly string[],
    timeMs: number,
  ): Promise<Result<LivenessState, LivenessRefusal>> {
    const row = await this.#store.findLiveness(userId);
    if (row === undefined || row.kind !== this.#liveness.kind) return refused("KYC_LIVENESS_UNKNOWN");
    if (row.state !== "waiting") return done({ kind: row.kind, state: row.state });
    const state = await this.#liveness.judge(row.token, answers);
    if (state === undefined) return refused("KYC_LIVENESS_AWAY");
    if (state === "waiting") return done({ kind: row.kind, state });
    await this.#store.decideLiveness(row, state, timeMs);
    return done(await this.read(userId));
  }

  async read(userId: number): Promise<LivenessState> {
    const row = await this.#store.findLiveness(userId);
    return row === undefined ? { kind: this.#liveness.kind, state: "none" } : { kind: row.kind, state: row.state };
  }
}
