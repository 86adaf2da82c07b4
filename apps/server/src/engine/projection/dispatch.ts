// Owns the dispatch of a run's events to the registered consumers, by kind. Kinds without a consumer are skipped
// unread: most events of a busy market are.
import { EVENT_BYTES, EVENT_HEADER, EVENTS } from "@clockwork/core/protocol/event";
import type { EventBatch } from "@clockwork/host/engine";
import type { EventFold, OpenFacts, ProjectorSet } from "@clockwork/host/projector";

const KINDS = 256;
const CLOCK = EVENTS.clock.kind;
const { time } = EVENTS.clock.layout;
const { sequence } = EVENT_HEADER;

/** Which of several take a kind, by position; nothing where none does. */
export class KindTable {
  readonly #takers: (readonly number[] | undefined)[] = Array.from({ length: KINDS });

  constructor(kinds: readonly (readonly number[])[]) {
    for (const [taker, own] of kinds.entries()) {
      for (const kind of own) this.#takers[kind] = [...(this.#takers[kind] ?? []), taker];
    }
  }

  takers(kind: number): readonly number[] | undefined {
    return this.#takers[kind];
  }
}

/** A set of projectors with its facts, ready for runs of events. */
export class Dispatcher {
  readonly #table: KindTable;
  readonly #factKinds: Uint8Array;

  constructor(set: ProjectorSet) {
    this.#table = new KindTable(set.projectors.map(({ kinds }) => kinds));
    this.#factKinds = new Uint8Array(KINDS);
    for (const kind of set.facts.kinds) this.#factKinds[kind] = 1;
  }

  /** Hands every event after a sequence to the folds; the journal's time at the end. */
  dispatch(
    batches: readonly EventBatch[],
    facts: OpenFacts,
    folds: readonly EventFold[],
    afterSequence: number,
  ): { readonly timeMs: number } {
    let timeMs = batches[0]?.timeBeforeMs ?? 0;
    for (const { bytes, timeBeforeMs } of batches) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      timeMs = timeBeforeMs;
      for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
        const kind = bytes[at] as number;
        if (kind === CLOCK) {
          timeMs = time.read(view, at);
          continue;
        }
        const takers = this.#table.takers(kind);
        const isFact = this.#factKinds[kind] === 1;
        if ((takers === undefined && !isFact) || sequence.read(view, at) <= afterSequence) continue;
        if (isFact) facts.note(kind, view, at);
        if (takers !== undefined) for (const taker of takers) folds[taker]?.add(kind, view, at, timeMs);
      }
    }
    return { timeMs };
  }
}
