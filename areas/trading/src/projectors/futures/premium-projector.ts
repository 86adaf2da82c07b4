// Owns the table of premium samples: the inputs of a funding rate, sample by sample. Appends, so that it need not read.
import { EVENTS } from "@clockwork/core/protocol/event";
import type { Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { DAY_MS } from "@clockwork/kit/time";
import { SLOT_MS, slotOf, writeSample } from "../../premiums/rules.ts";

const SAMPLED = EVENTS.premiumSampled;
const SETTLED = EVENTS.fundingSettled;
const KEPT_MS = 30 * DAY_MS;

export const premiumProjector: Projector = {
  name: "premiums",
  tables: ["engine_premiums"],
  kinds: [SAMPLED.kind, SETTLED.kind],
  open: () => ({ begin: () => new PremiumRun() }),
};

class PremiumRun implements ProjectorRun {
  readonly #slots = new Map<string, { readonly market: number; readonly slotMs: number; samples: string }>();
  /** By market: entries that end before this are evicted. */
  readonly #forgotten = new Map<number, number>();

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (kind === SETTLED.kind) {
      const { market, dueAt } = SETTLED.layout;
      this.#forgotten.set(market.read(view, at), dueAt.read(view, at) - KEPT_MS);
      return;
    }
    const market = SAMPLED.layout.market.read(view, at);
    const slotMs = slotOf(timeMs);
    const key = `${market}:${slotMs}`;
    const slot = this.#slots.get(key) ?? { market, slotMs, samples: "" };
    slot.samples += writeSample(timeMs - (slotMs - SLOT_MS), SAMPLED.layout.premium.read(view, at));
    this.#slots.set(key, slot);
  }

  async write(session: WriteSession): Promise<void> {
    for (const { market, slotMs, samples } of this.#slots.values()) {
      await session.run(
        `insert into engine_premiums (market, slot_ms, samples) values (?, ?, ?)
         on conflict (market, slot_ms) do update set samples = engine_premiums.samples || excluded.samples`,
        [market, slotMs, samples],
      );
    }
    for (const [market, beforeMs] of this.#forgotten) {
      await session.run("delete from engine_premiums where market = ? and slot_ms <= ?", [market, beforeMs]);
    }
  }
}
