// Owns what events mean for positions, settings of contracts, stops and bonuses. Pure: stored rows come in, changed
// rows go out. Must give the same rows however the events are cut into batches, as long as a command stays whole.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { excessOf } from "@clockwork/core/protocol/event-perp";
import type { LedgerFacts } from "@clockwork/host/projector";
import type { BonusRow, MarginRow, ModeRow, PositionRow, ResetRow, SettingRow, StopRow } from "./futures-rows.ts";

/** Where the rows are that the events change. */
export interface FuturesRows {
  findPosition(account: number, positionId: number): PositionRow | undefined;
  /** False when the account is not followed. */
  addPosition(row: PositionRow): boolean;
  findBonus(account: number, grant: number): BonusRow | undefined;
}

const FEES: ReadonlySet<string> = new Set(["openFee", "closeFee"]);

export class PositionFold {
  readonly #facts: LedgerFacts;
  readonly #rows: FuturesRows;
  /** Each once, in the order of their first change; as they are at the end. */
  readonly positions = new Set<PositionRow>();
  readonly settings = new Map<string, SettingRow>();
  readonly modes: ModeRow[] = [];
  readonly margins: MarginRow[] = [];
  /** The settings implied by a position of a contract without stored ones; used only where there are no others. */
  readonly assumed = new Map<string, SettingRow>();
  readonly stops: StopRow[] = [];
  readonly bonuses = new Map<number, BonusRow>();
  readonly resets = new Map<number, ResetRow>();
  #sequence = 0;
  /** Fees of this command not yet assigned to a position, by account and market. */
  readonly #fees = new Map<string, bigint>();
  /** The liquidation that is going on, its place among those of this command, and the last position it was about. */
  #liquidated: { readonly account: number; readonly place: number; positionId: number } | undefined;
  #places = 0;
  #line = 0;
  readonly #deleveraged = new Set<number>();
  readonly #delisted = new Set<number>();

  constructor(facts: LedgerFacts, rows: FuturesRows) {
    this.#facts = facts;
    this.#rows = rows;
  }

  apply(event: MachineEvent): void {
    if (event.sequence !== this.#sequence) this.#begin(event.sequence);
    switch (event.kind) {
      case "positionChanged":
        this.#changePosition(event);
        break;
      case "marginChanged":
        this.#changeMargin(event);
        break;
      case "perpSettings":
        this.#set(event);
        break;
      case "positionStop": {
        const { account, orderId, position, pair, whole } = event;
        this.stops.push(stopRow(account, orderId, position, whole, pair));
        break;
      }
      case "bonusChanged":
        this.#changeBonus(event);
        break;
      case "posting":
        this.#post(event);
        break;
      case "deleveraged":
        this.#deleveraged.add(event.position);
        break;
      case "demoReset":
        this.#reset(event);
        break;
      case "marketStatus":
        if (event.status === "DELISTED") this.#delisted.add(event.market);
        break;
      default:
        this.#liquidate(event);
        break;
    }
  }

  #begin(sequence: number): void {
    this.#sequence = sequence;
    this.#fees.clear();
    this.#liquidated = undefined;
    this.#places = 0;
    this.#line = 0;
    this.#deleveraged.clear();
    this.#delisted.clear();
  }

  #liquidate(event: MachineEvent): void {
    if (event.kind === "liquidationStarted") {
      this.#liquidated = { account: event.account, place: this.#places, positionId: event.position };
      this.#places += 1;
    } else if (event.kind === "liquidationStep" && this.#liquidated !== undefined) {
      this.#liquidated.positionId = event.position;
    } else if (event.kind === "liquidationEnded") this.#liquidated = undefined;
  }

  #touch(event: EventHead, positionId: number, change: (row: PositionRow) => void): void {
    const row = this.#rows.findPosition(event.account, positionId);
    if (row === undefined) return;
    change(row);
    row.updated_sequence = event.sequence;
    row.updated_ms = event.time;
    this.positions.add(row);
  }

  #changeMargin(event: EventOf<"marginChanged">): void {
    const { account, sequence, market, position, deltaUnits, marginUnits, automatic, time } = event;
    this.#touch(event, position, (row) => {
      row.margin_units = BigInt(marginUnits);
      this.margins.push({
        account,
        sequence,
        line: this.#line,
        market,
        position_id: position,
        side: row.side,
        delta_units: BigInt(deltaUnits),
        margin_units: BigInt(marginUnits),
        automatic,
        time_ms: time,
      });
    });
    this.#line += 1;
  }

  #changePosition(event: EventOf<"positionChanged">): void {
    const known = this.#rows.findPosition(event.account, event.position);
    const row = known ?? makeRow(event);
    if (known === undefined && (event.lots === 0 || !this.#rows.addPosition(row))) return;
    const [lots, cost, excess] = [BigInt(event.lots), BigInt(event.costUnits), BigInt(excessOf(event))];
    const [before, now] = [size(row.lots), size(lots)];
    if (now > before) {
      row.entered_lots += now - before;
      row.entered_units += cost - row.cost_units;
      row.entered_excess += excess - row.cost_excess;
      if (now > row.max_lots) row.max_lots = now;
    } else if (now < before) {
      row.closed_lots += before - now;
      row.closed_units += row.cost_units - cost + this.#gainSign(row) * BigInt(event.realizedUnits);
    }
    row.lots = lots;
    row.cost_units = cost;
    row.cost_excess = excess;
    row.margin_units = BigInt(event.marginUnits);
    row.realized_units += BigInt(event.realizedUnits);
    row.leverage = event.leverage;
    this.#takeFee(event, row);
    if (event.lots === 0) this.#end(event, row);
    else row.isolated = event.marginUnits > 0;
    if (known === undefined) this.#assume(event);
    row.updated_sequence = event.sequence;
    row.updated_ms = event.time;
    this.positions.add(row);
  }

  /** +1 when a position gains as its value grows. */
  #gainSign({ market, side }: PositionRow): bigint {
    const isInverse = this.#facts.markets.get(market)?.kind === "inverse";
    return (side === "long") === isInverse ? -1n : 1n;
  }

  #end(event: EventOf<"positionChanged">, row: PositionRow): void {
    row.closed_sequence = event.sequence;
    row.ended_by = "close";
    if (this.#delisted.has(row.market)) row.ended_by = "delisting";
    else if (this.#deleveraged.has(row.position_id)) row.ended_by = "adl";
    else if (this.#liquidated?.account === row.account) {
      row.ended_by = "liquidation";
      row.liquidation_place = this.#liquidated.place;
    }
  }

  /** Fees come before the change of the position they were charged for. */
  #takeFee(event: EventOf<"positionChanged">, row: PositionRow): void {
    const key = `${event.account}:${event.market}`;
    const fee = this.#fees.get(key);
    if (fee === undefined) return;
    row.fee_units += fee;
    this.#fees.delete(key);
  }

  #post(event: EventOf<"posting">): void {
    const units = BigInt(event.deltaUnits);
    if (FEES.has(event.business)) {
      const key = `${event.account}:${event.market}`;
      this.#fees.set(key, (this.#fees.get(key) ?? 0n) + units);
    } else if (event.business === "funding") {
      this.#touch(event, event.reference, (row) => {
        row.funding_units += units;
      });
    } else if (event.business === "liquidationFee" && this.#liquidated?.account === event.account) {
      this.#touch(event, this.#liquidated.positionId, (row) => {
        row.fee_units += units;
      });
    }
  }

  #set(event: EventOf<"perpSettings">): void {
    const { account, market, isolated, hedge, split, autoAppend, leverageLong, leverageShort } = event;
    if (market === 0) this.modes.push({ account, sequence: event.sequence, hedge });
    this.settings.set(`${account}:${market}`, {
      account,
      market,
      isolated,
      hedge,
      split,
      auto_append: autoAppend,
      leverage_long: leverageLong,
      leverage_short: leverageShort,
    });
  }

  /** A contract first traded in split layout is isolated from then on, without an event. */
  #assume({ account, market, leverage, marginUnits }: EventOf<"positionChanged">): void {
    if (marginUnits === 0) return;
    const modes = { isolated: true, hedge: false, split: false, auto_append: false };
    const row = { account, market, ...modes, leverage_long: leverage, leverage_short: leverage };
    this.assumed.set(`${account}:${market}`, row);
  }

  #changeBonus(event: EventOf<"bonusChanged">): void {
    const { account, grant, asset, sequence, time } = event;
    const known = this.bonuses.get(grant) ?? this.#rows.findBonus(account, grant);
    this.bonuses.set(grant, {
      grant_id: grant,
      account,
      asset,
      state: event.state,
      given_units: known?.given_units ?? BigInt(event.leftUnits),
      left_units: BigInt(event.leftUnits),
      expires_ms: event.expiresAt,
      granted_sequence: known?.granted_sequence ?? sequence,
      granted_ms: known?.granted_ms ?? time,
      updated_ms: time,
      source: event.source,
      returned_units: (known?.returned_units ?? 0n) + BigInt(event.returnedUnits),
    });
  }

  /** A reset closes everything at the mark; its event comes last. */
  #reset(event: EventOf<"demoReset">): void {
    const { account, asset, units, time } = event;
    this.resets.set(account, { account, asset, units: BigInt(units), time_ms: time });
    for (const row of this.positions) {
      if (row.account === account && row.closed_sequence === event.sequence) row.ended_by = "reset";
    }
  }
}

export function stopRow(account: number, orderId: number, position: number, whole: boolean, pair: number): StopRow {
  return {
    order_id: orderId,
    account,
    position_id: position,
    is_whole: whole,
    pair_id: pair === 0 ? null : pair,
  };
}

interface EventHead {
  readonly account: number;
  readonly sequence: number;
  readonly time: number;
}

const size = (lots: bigint): bigint => (lots < 0n ? -lots : lots);

function makeRow(event: EventOf<"positionChanged">): PositionRow {
  return {
    position_id: event.position,
    account: event.account,
    market: event.market,
    side: event.lots > 0 ? "long" : "short",
    leverage: event.leverage,
    isolated: event.marginUnits > 0,
    lots: 0n,
    cost_units: 0n,
    cost_excess: 0n,
    margin_units: 0n,
    realized_units: 0n,
    fee_units: 0n,
    funding_units: 0n,
    max_lots: 0n,
    entered_lots: 0n,
    entered_units: 0n,
    entered_excess: 0n,
    closed_lots: 0n,
    closed_units: 0n,
    opened_sequence: event.sequence,
    opened_ms: event.time,
    updated_sequence: event.sequence,
    updated_ms: event.time,
    closed_sequence: null,
    ended_by: null,
    liquidation_place: null,
  };
}
