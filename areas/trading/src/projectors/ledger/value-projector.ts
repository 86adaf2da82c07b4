// Owns the history of asset values, as the core published them: the last value of each minute and of each day.
import { EVENTS } from "@clockwork/core/protocol/event";
import type { Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { ValueRow } from "../rows/rows.ts";

const VALUED = EVENTS.assetValued;
const VALUES = new RowShape({
  table: "engine_values",
  columns: ["asset", "span_ms", "slot_ms", "up", "down"],
  key: ["asset", "span_ms", "slot_ms"],
});

export const valueProjector: Projector = {
  name: "values",
  tables: ["engine_values"],
  kinds: [VALUED.kind],
  open: () => ({ begin: () => new ValueRun() }),
};

class ValueRun implements ProjectorRun {
  readonly #rows = new Map<string, ValueRow>();

  add(_: number, view: DataView, at: number, timeMs: number): void {
    const { layout } = VALUED;
    const [up, down] = [layout.up.read(view, at), layout.down.read(view, at)];
    // No longer valued: the last value remains.
    if (down === 0) return;
    const asset = layout.asset.read(view, at);
    for (const span_ms of [MINUTE_MS, DAY_MS]) {
      const slot_ms = timeMs - (timeMs % span_ms);
      this.#rows.set(`${asset}:${span_ms}:${slot_ms}`, { asset, span_ms, slot_ms, up, down });
    }
  }

  async write(session: WriteSession): Promise<void> {
    await session.writeRows(VALUES, [...this.#rows.values()]);
  }
}
