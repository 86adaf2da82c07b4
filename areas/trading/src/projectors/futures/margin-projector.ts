// Owns the table of margin notices. Written with the cursor, so that notices a process did not send before it ended are
// sent by the next.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, eventKinds } from "@clockwork/core/protocol/event";
import { FIRST_USER_ACCOUNT } from "@clockwork/core/protocol/names";
import type { LedgerFacts, Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarginNotifiedRow } from "../rows/rows.ts";

const { account: accountField, sequence: sequenceField } = EVENT_HEADER;
const POSTING = EVENTS.posting.kind;
const STARTED = EVENTS.liquidationStarted.kind;
const { business } = EVENTS.posting.layout;
/** Longer than any notice takes to send; older rows are not read. */
const KEPT_MS = 14 * DAY_MS;

export const marginProjector: Projector = {
  name: "margin",
  tables: ["engine_margin_told"],
  kinds: [...eventKinds("marginWarning", "liquidationStarted", "deleveraged"), POSTING],
  open: (facts) => ({ begin: () => new MarginRun(facts) }),
};

/** Whether an event may produce a margin notice; most postings concern other things. */
export function isMarginEvent(kind: number, view: DataView, at: number): boolean {
  return kind === POSTING ? business.read(view, at) === "funding" : marginProjector.kinds.includes(kind);
}

class MarginRun implements ProjectorRun {
  readonly #facts: LedgerFacts;
  readonly #rows: MarginNotifiedRow[] = [];
  #sequence = 0;
  #lines = 0;
  #places = 0;

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (!isMarginEvent(kind, view, at)) return;
    const sequence = sequenceField.read(view, at);
    // A command stays whole in a run, so its lines are counted here only.
    if (sequence !== this.#sequence) [this.#sequence, this.#lines, this.#places] = [sequence, 0, 0];
    // The report of a liquidation is found by its place among all liquidations of its command, of any user.
    const place = kind === STARTED ? this.#places++ : 0;
    const account = accountField.read(view, at);
    if (account < FIRST_USER_ACCOUNT || this.#facts.simulated.has(account)) return;
    const event = readEvent(view, at, timeMs);
    const body = JSON.stringify({ ...event, place });
    this.#rows.push({ sequence, line: this.#lines++, account, kind: event.kind, body, time_ms: timeMs });
  }

  async write(session: WriteSession): Promise<void> {
    const last = this.#rows.at(-1);
    if (last === undefined) return;
    await session.writeRows(PUBLISHED, this.#rows);
    await session.run("delete from engine_margin_told where time_ms < ?", [last.time_ms - KEPT_MS]);
  }
}

const PUBLISHED = new RowShape({
  table: "engine_margin_told",
  columns: ["sequence", "line", "account", "kind", "body", "time_ms"],
  key: ["sequence", "line"],
});
