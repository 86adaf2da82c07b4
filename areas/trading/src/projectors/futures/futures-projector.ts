// Owns the tables of perpetuals. Positions of simulated traders are kept while they are open, because the deleveraging
// order is computed over all; their liquidations are kept completely, because they are public.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import { FIRST_USER_ACCOUNT, INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import type { LedgerFacts, Projector, ProjectorRun, ReadRows, WriteSession } from "@clockwork/host/projector";
import { STATEMENT_SIZES } from "@clockwork/host/row-shape";
import {
  ASSUMED_SETTINGS,
  BONUSES,
  type BonusRow,
  DELEVERAGINGS,
  LIQUIDATIONS,
  MARGINS,
  MODES,
  POSITIONS,
  type PositionRow,
  RESETS,
  SETTINGS,
  STEPS,
  STOPS,
} from "./futures-rows.ts";
import { LiquidationFold } from "./liquidation-fold.ts";
import { PositionFold } from "./position-fold.ts";

const { account: accountField } = EVENT_HEADER;
const POSTING = EVENTS.posting.kind;
const TRADE = EVENTS.trade.kind;
const STARTED = EVENTS.liquidationStarted.kind;
const ENDED = EVENTS.liquidationEnded.kind;
const STATUS = EVENTS.marketStatus.kind;
const { business } = EVENTS.posting.layout;

export const FUTURES_KINDS = eventKinds(
  "posting",
  "marketStatus",
  "positionChanged",
  "perpSettings",
  "marginChanged",
  "liquidationStarted",
  "liquidationStep",
  "liquidationEnded",
  "deleveraged",
  "bonusChanged",
  "positionStop",
  "demoReset",
);
/** Postings that say something of a position. */
const PUBLISHING: ReadonlySet<string> = new Set(["openFee", "closeFee", "funding", "liquidationFee"]);

/** Positions as the tables have them, those written last. */
const KNOWN_MAX = 20_000;

export const futuresProjector: Projector = {
  name: "futures",
  tables: [
    "engine_positions",
    "engine_perp_settings",
    "engine_perp_modes",
    "engine_margin_changes",
    "engine_stops",
    "engine_bonuses",
    "engine_demo_resets",
    "engine_liquidations",
    "engine_liquidation_steps",
    "engine_deleveragings",
  ],
  kinds: [...FUTURES_KINDS, TRADE, EVENTS.liquidationPrint.kind],
  open(facts) {
    const known = new Map<number, PositionRow>();
    return { begin: () => new FuturesRun(facts, known) };
  },
};

/** Whether a posting concerns a position of its account. */
export function isPublishedPosting(view: DataView, at: number): boolean {
  return PUBLISHING.has(business.read(view, at));
}

class FuturesRun implements ProjectorRun {
  readonly #facts: LedgerFacts;
  readonly #known: Map<number, PositionRow>;
  readonly #events: MachineEvent[] = [];
  #isLiquidating = false;
  #written: readonly PositionRow[] = [];

  constructor(facts: LedgerFacts, known: Map<number, PositionRow>) {
    this.#facts = facts;
    this.#known = known;
  }

  /** Most postings and trades are irrelevant here and are not decoded. */
  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (kind === STARTED) this.#isLiquidating = true;
    else if (kind === ENDED) this.#isLiquidating = false;
    else if (kind === TRADE && !this.#isLiquidating) return;
    else if (kind === POSTING && !this.#isPublished(view, at)) return;
    if (kind !== POSTING && kind !== TRADE && kind !== STATUS) {
      const account = accountField.read(view, at);
      if (account !== 0 && account < FIRST_USER_ACCOUNT) return;
    }
    this.#events.push(readEvent(view, at, timeMs));
  }

  #isPublished(view: DataView, at: number): boolean {
    const account = accountField.read(view, at);
    if (this.#isLiquidating && account === INSURANCE_ACCOUNT) return true;
    if (account < FIRST_USER_ACCOUNT || !isPublishedPosting(view, at)) return false;
    return this.#isLiquidating || !this.#facts.simulated.has(account);
  }

  async write(session: WriteSession): Promise<void> {
    if (this.#events.length === 0) return;
    const rows = await this.#readPositions(session.read);
    const bonuses = await readBonuses(session.read, this.#events);
    const find = (_: number, positionId: number) => rows.get(positionId);
    const positions = new PositionFold(this.#facts, {
      findPosition: find,
      addPosition: (row) => rows.set(row.position_id, row) !== undefined,
      findBonus: (_, grant) => bonuses.get(grant),
    });
    const liquidations = new LiquidationFold(this.#facts, find);
    for (const event of this.#events) {
      liquidations.apply(event);
      positions.apply(event);
    }
    await this.#writePositions(session, positions);
    await writeSettings(session, positions);
    const isKept = ({ account }: { readonly account: number }): boolean => !this.#facts.simulated.has(account);
    await session.writeRows(MARGINS, positions.margins.filter(isKept));
    await session.writeRows(STOPS, positions.stops);
    await session.writeRows(BONUSES, [...positions.bonuses.values()]);
    await session.writeRows(RESETS, [...positions.resets.values()]);
    await session.writeRows(LIQUIDATIONS, liquidations.liquidations);
    await session.writeRows(STEPS, liquidations.steps);
    await session.writeRows(DELEVERAGINGS, liquidations.deleveragings);
  }

  /** Closed positions of simulated traders are not read. */
  async #writePositions(session: WriteSession, fold: PositionFold): Promise<void> {
    const rows = [...fold.positions];
    const isRemoved = (row: PositionRow): boolean =>
      row.closed_sequence !== null && this.#facts.simulated.has(row.account);
    this.#written = rows;
    await session.writeRows(
      POSITIONS,
      rows.filter((row) => !isRemoved(row)),
    );
    for (const { position_id } of rows.filter(isRemoved)) {
      await session.run("delete from engine_positions where position_id = ?", [position_id]);
    }
  }

  async #readPositions(read: ReadRows): Promise<Map<number, PositionRow>> {
    const rows = new Map<number, PositionRow>();
    const unknown = new Set<number>();
    for (const event of this.#events) {
      const id = positionOf(event);
      if (id === 0 || rows.has(id)) continue;
      const known = this.#known.get(id);
      // Removed: the fold changes rows in place, and they are put back when they are written.
      if (known === undefined) unknown.add(id);
      else rows.set(id, known);
      this.#known.delete(id);
    }
    for (const row of await readByIds<PositionRow>(read, "engine_positions", "position_id", [...unknown])) {
      rows.set(row.position_id, row);
    }
    return rows;
  }

  committed(): void {
    const known = this.#known;
    for (const row of this.#written) if (row.closed_sequence === null) known.set(row.position_id, row);
    for (const id of known.keys()) {
      if (known.size <= KNOWN_MAX) return;
      known.delete(id);
    }
  }
}

function positionOf(event: MachineEvent): number {
  if (event.kind === "posting") return event.business === "funding" ? event.reference : 0;
  return "position" in event ? event.position : 0;
}

/** Split layout makes every contract of the account isolated for good. */
async function writeSettings(session: WriteSession, fold: PositionFold): Promise<void> {
  await session.writeRows(ASSUMED_SETTINGS, [...fold.assumed.values()]);
  await session.writeRows(SETTINGS, [...fold.settings.values()]);
  // One command may change an account's modes twice; the last event counts.
  const modes = new Map(fold.modes.map((row) => [`${row.account}:${row.sequence}`, row]));
  await session.writeRows(MODES, [...modes.values()]);
  for (const row of fold.settings.values()) {
    if (row.market !== 0 || !row.split) continue;
    await session.run("update engine_perp_settings set isolated = true where account = ? and market <> 0", [
      row.account,
    ]);
  }
}

async function readBonuses(read: ReadRows, events: readonly MachineEvent[]): Promise<Map<number, BonusRow>> {
  const grants = new Set(events.flatMap((event) => (event.kind === "bonusChanged" ? [event.grant] : [])));
  const rows = await readByIds<BonusRow>(read, "engine_bonuses", "grant_id", [...grants]);
  return new Map(rows.map((row) => [row.grant_id, row]));
}

/** By statements of few sizes, the last filled up with an id it holds already. */
async function readByIds<Row>(read: ReadRows, table: string, column: string, all: readonly number[]): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < all.length; ) {
    const left = all.length - at;
    const size = STATEMENT_SIZES.find((_, index) => left > (STATEMENT_SIZES[index + 1] ?? 0)) ?? 1;
    const ids = all.slice(at, at + size);
    while (ids.length < size) ids.push(ids[0] ?? 0);
    found.push(
      ...(await read<Row>(`select * from "${table}" where "${column}" in (${ids.map(() => "?").join(", ")})`, ids)),
    );
    at += size;
  }
  return found;
}
