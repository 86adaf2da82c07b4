// Owns an account's current state of perpetuals: open positions, settings, stops and bonuses, read from the tables once
// and followed.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENTS } from "@clockwork/core/protocol/event";
import type { LedgerFacts, LiveRun, LiveView } from "@clockwork/host/projector";
import { FUTURES_KINDS, isPublishedPosting } from "./futures-projector.ts";
import type { BonusRow, PositionRow, SettingRow, StopRow } from "./futures-rows.ts";
import { PositionFold } from "./position-fold.ts";

export interface FuturesState {
  readonly positions: Map<number, PositionRow>;
  /** By market; 0 holds the modes of the whole account. */
  readonly settings: Map<number, SettingRow>;
  /** By order; ended ones are not kept. */
  readonly stops: Map<number, StopRow>;
  readonly bonuses: Map<number, BonusRow>;
}

export interface FuturesChange {
  readonly count: number;
  /** Closed ones included, once. */
  readonly positions: readonly PositionRow[];
  readonly stops: readonly StopRow[];
  readonly settings: readonly SettingRow[];
}

const POSTING = EVENTS.posting.kind;
/** The maximum of an account's stops: more belong to orders that ended. */
const STOPS_KEPT = 2_000;

export const futuresView: LiveView<FuturesState, FuturesChange> = {
  name: "futures",
  kinds: FUTURES_KINDS,
  empty: () => ({ positions: new Map(), settings: new Map(), stops: new Map(), bonuses: new Map() }),
  async load(read, account) {
    const [positions, settings, stops, bonuses] = await Promise.all([
      read<PositionRow>("select * from engine_positions where account = ? and closed_sequence is null", [account]),
      read<SettingRow>("select * from engine_perp_settings where account = ?", [account]),
      read<StopRow>(
        "select s.* from engine_stops s join engine_orders o on o.order_id = s.order_id " +
          "where o.account = ? and o.state in ('NEW', 'PARTIALLY_FILLED', 'PENDING_TRIGGER')",
        [account],
      ),
      read<BonusRow>("select * from engine_bonuses where account = ?", [account]),
    ]);
    return {
      positions: new Map(positions.map((row) => [row.position_id, row])),
      settings: new Map(settings.map((row) => [row.market, row])),
      stops: new Map(stops.map((row) => [row.order_id, row])),
      bonuses: new Map(bonuses.map((row) => [row.grant_id, row])),
    };
  },
  begin: (facts, stateOf) => new FuturesFollow(facts, stateOf),
};

class FuturesFollow implements LiveRun<FuturesChange> {
  readonly #stateOf: (account: number) => FuturesState | undefined;
  readonly #fold: PositionFold;

  constructor(facts: LedgerFacts, stateOf: (account: number) => FuturesState | undefined) {
    this.#stateOf = stateOf;
    this.#fold = new PositionFold(facts, {
      findPosition: (account, positionId) => stateOf(account)?.positions.get(positionId),
      addPosition: (row) => stateOf(row.account)?.positions.set(row.position_id, row) !== undefined,
      findBonus: (account, grant) => stateOf(account)?.bonuses.get(grant),
    });
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (kind === POSTING && !isPublishedPosting(view, at)) return;
    this.#fold.apply(readEvent(view, at, timeMs));
  }

  end(): ReadonlyMap<number, FuturesChange> {
    const found = new Map<
      number,
      { count: number; positions: PositionRow[]; stops: StopRow[]; settings: SettingRow[] }
    >();
    const changeOf = (account: number) => {
      let change = found.get(account);
      if (change === undefined) {
        change = { count: 0, positions: [], stops: [], settings: [] };
        found.set(account, change);
      }
      change.count += 1;
      return change;
    };
    const fold = this.#fold;
    for (const row of fold.positions) {
      changeOf(row.account).positions.push(row);
      if (row.closed_sequence !== null) this.#stateOf(row.account)?.positions.delete(row.position_id);
    }
    for (const row of fold.assumed.values()) {
      const settings = this.#stateOf(row.account)?.settings;
      if (settings?.has(row.market) === false) settings.set(row.market, row);
    }
    for (const row of fold.settings.values()) {
      changeOf(row.account).settings.push(row);
      setSetting(this.#stateOf(row.account), row);
    }
    for (const row of fold.stops) {
      changeOf(row.account).stops.push(row);
      setStop(this.#stateOf(row.account), row);
    }
    for (const row of fold.bonuses.values()) {
      changeOf(row.account);
      this.#stateOf(row.account)?.bonuses.set(row.grant_id, row);
    }
    return found;
  }
}

/** Split layout makes every contract of the account isolated for good. */
function setSetting(state: FuturesState | undefined, row: SettingRow): void {
  if (state === undefined) return;
  state.settings.set(row.market, row);
  if (row.market !== 0 || !row.split) return;
  for (const one of state.settings.values()) if (one.market !== 0) one.isolated = true;
}

function setStop(state: FuturesState | undefined, row: StopRow): void {
  if (state === undefined) return;
  state.stops.set(row.order_id, row);
  for (const orderId of state.stops.keys()) {
    if (state.stops.size <= STOPS_KEPT) return;
    state.stops.delete(orderId);
  }
}
