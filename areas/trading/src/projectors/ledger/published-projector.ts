// Owns the tables of events the core publishes once and products read later: expired holds, restricted worth and debts
// of users, exchange accounts, replaced seeds.
import { readEvent } from "@clockwork/core/protocol/codec";
import { eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import type { Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import type { DebtRow, ExpiredHoldRow, HouseAccountRow, RestrictionRow, SeedRow } from "../rows/rows.ts";

/** A week of one a second; older ones are in the journal. */
const SEEDS_KEPT = 604_800;

export const publishedProjector: Projector = {
  name: "told",
  tables: ["engine_expired_holds", "engine_restrictions", "engine_debts", "engine_house_accounts", "engine_seeds"],
  kinds: eventKinds(
    "holdExpired",
    "restricted",
    "restrictionEnded",
    "debtChanged",
    "houseAccountOpened",
    "seedReplaced",
  ),
  open: () => ({ begin: () => new PublishedRun() }),
};

class PublishedRun implements ProjectorRun {
  readonly #expired: ExpiredHoldRow[] = [];
  readonly #restrictions = new Map<number, RestrictionRow>();
  readonly #debts = new Map<string, DebtRow>();
  readonly #houses = new Map<number, HouseAccountRow>();
  readonly #seeds: SeedRow[] = [];

  add(_: number, view: DataView, at: number, timeMs: number): void {
    this.#take(readEvent(view, at, timeMs));
  }

  #take(event: MachineEvent): void {
    switch (event.kind) {
      case "holdExpired": {
        const { sequence, account, business, asset, units, hold, time } = event;
        const last = this.#expired.at(-1);
        // A command stays whole in a run, so its lines are counted here only.
        const line = last?.sequence === sequence ? last.line + 1 : 0;
        this.#expired.push({ sequence, line, account, business, asset, units: BigInt(units), hold, time_ms: time });
        break;
      }
      case "restricted":
      case "restrictionEnded": {
        const { user, totalUnits, sequence, time } = event;
        const total_units = BigInt(totalUnits);
        this.#restrictions.set(user, { user_id: user, total_units, updated_sequence: sequence, updated_ms: time });
        break;
      }
      case "debtChanged": {
        const { user, asset, owedUnits, sequence, time } = event;
        const owed_units = BigInt(owedUnits);
        const row = { user_id: user, asset, owed_units, updated_sequence: sequence, updated_ms: time };
        this.#debts.set(`${user}:${asset}`, row);
        break;
      }
      case "houseAccountOpened":
        this.#houses.set(event.account, { account: event.account, purpose: event.purpose, sub: event.sub });
        break;
      case "seedReplaced": {
        const { number, seed, since, sequence, time } = event;
        this.#seeds.push({ number, seed, since_sequence: since, until_sequence: sequence, replaced_ms: time });
        break;
      }
      default:
        break;
    }
  }

  async write(session: WriteSession): Promise<void> {
    await session.writeRows(EXPIRED, this.#expired);
    await session.writeRows(RESTRICTIONS, [...this.#restrictions.values()]);
    await session.writeRows(DEBTS, [...this.#debts.values()]);
    await session.writeRows(HOUSES, [...this.#houses.values()]);
    await session.writeRows(SEEDS, this.#seeds);
    const last = this.#seeds.at(-1);
    if (last !== undefined && last.number > SEEDS_KEPT) {
      await session.run("delete from engine_seeds where number <= ?", [last.number - SEEDS_KEPT]);
    }
  }
}

const EXPIRED = new RowShape({
  table: "engine_expired_holds",
  columns: ["sequence", "line", "account", "business", "asset", "units", "hold", "time_ms"],
  key: ["sequence", "line"],
});
const RESTRICTIONS = new RowShape({
  table: "engine_restrictions",
  columns: ["user_id", "total_units", "updated_sequence", "updated_ms"],
  key: ["user_id"],
});
const DEBTS = new RowShape({
  table: "engine_debts",
  columns: ["user_id", "asset", "owed_units", "updated_sequence", "updated_ms"],
  key: ["user_id", "asset"],
});
const HOUSES = new RowShape({
  table: "engine_house_accounts",
  columns: ["account", "purpose", "sub"],
  key: ["account"],
});
const SEEDS = new RowShape({
  table: "engine_seeds",
  columns: ["number", "seed", "since_sequence", "until_sequence", "replaced_ms"],
  key: ["number"],
});
