// Owns the tables of rebalancing bots: each bot's current state, its coins, and its rounds with their trades.
import { readEvent } from "@clockwork/core/protocol/codec";
import { type EventOf, eventKinds } from "@clockwork/core/protocol/event";
import type { Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";

export const rebalancerProjector: Projector = {
  name: "rebalancers",
  tables: ["engine_rebalancers", "engine_rebalancer_coins", "engine_rebalancer_rounds", "engine_rebalancer_legs"],
  kinds: eventKinds("rebalancerChanged", "rebalancerCoin"),
  open: () => ({ begin: () => new RebalancerRun() }),
};

type Changed = EventOf<"rebalancerChanged">;

/** Its start is 0 and its end one more than its last round, so that every change has a number of its own. */
function numberOf({ change, rounds }: Changed): number {
  if (change === "created") return 0;
  return change === "closed" ? rounds + 1 : rounds;
}

class RebalancerRun implements ProjectorRun {
  readonly #started = new Map<number, object>();
  readonly #changed = new Map<number, Record<string, unknown>>();
  readonly #coins = new Map<string, object>();
  readonly #rounds: object[] = [];
  readonly #legs: object[] = [];
  /** The change whose coins follow: a command stays whole in a run. */
  #number = 0;

  add(_: number, view: DataView, at: number, timeMs: number): void {
    const event = readEvent(view, at, timeMs);
    if (event.kind === "rebalancerChanged") this.#change(event);
    else if (event.kind === "rebalancerCoin") this.#coin(event);
  }

  #change(event: Changed): void {
    const { rebalancer, change, cause, rounds, sequence, time } = event;
    // Nothing was traded: only its owner is notified.
    if (change === "failed") return;
    this.#number = numberOf(event);
    const [value_units, fees_units] = [BigInt(event.valueUnits), BigInt(event.feesUnits)];
    const columns = {
      status: change === "closed" ? "CLOSED" : "RUNNING",
      rounds,
      fees_units,
      value_units,
      updated_sequence: sequence,
      updated_ms: time,
    };
    if (change === "created")
      this.#started.set(rebalancer, {
        rebalancer,
        account: event.account,
        source: event.source,
        threshold_bps: event.thresholdBps,
        interval_ms: event.intervalMs,
        invested_units: BigInt(event.investedUnits),
        created_ms: time,
        ...columns,
      });
    else if (this.#started.has(rebalancer))
      this.#started.set(rebalancer, { ...this.#started.get(rebalancer), ...columns });
    else this.#changed.set(rebalancer, columns);
    const number = this.#number;
    this.#rounds.push({ rebalancer, number, sequence, change, cause, value_units, fees_units, time_ms: time });
  }

  #coin({
    rebalancer,
    place,
    market,
    weightBps,
    priceTicks,
    heldLots,
    valueUnits,
    tradedLots,
  }: EventOf<"rebalancerCoin">) {
    this.#coins.set(`${rebalancer}:${place}`, {
      rebalancer,
      place,
      market,
      weight_bps: weightBps,
      price_ticks: priceTicks,
      held_lots: BigInt(heldLots),
      value_units: BigInt(valueUnits),
    });
    if (tradedLots === 0) return;
    const number = this.#number;
    this.#legs.push({ rebalancer, number, place, market, price_ticks: priceTicks, traded_lots: BigInt(tradedLots) });
  }

  async write(session: WriteSession): Promise<void> {
    await session.writeRows(REBALANCERS, [...this.#started.values()]);
    for (const [rebalancer, columns] of this.#changed) {
      const set = Object.keys(columns)
        .map((name) => `${name} = ?`)
        .join(", ");
      const values = [...Object.values(columns), rebalancer];
      await session.run(`update engine_rebalancers set ${set} where rebalancer = ?`, values);
    }
    await session.writeRows(COINS, [...this.#coins.values()]);
    await session.writeRows(ROUNDS, this.#rounds);
    await session.writeRows(LEGS, this.#legs);
  }
}

const REBALANCERS = new RowShape({
  table: "engine_rebalancers",
  columns: [
    "rebalancer",
    "account",
    "source",
    "threshold_bps",
    "interval_ms",
    "status",
    "rounds",
    "invested_units",
    "fees_units",
    "value_units",
    "created_ms",
    "updated_sequence",
    "updated_ms",
  ],
  key: ["rebalancer"],
});
const COINS = new RowShape({
  table: "engine_rebalancer_coins",
  columns: ["rebalancer", "place", "market", "weight_bps", "price_ticks", "held_lots", "value_units"],
  key: ["rebalancer", "place"],
});
const ROUNDS = new RowShape({
  table: "engine_rebalancer_rounds",
  columns: ["rebalancer", "number", "sequence", "change", "cause", "value_units", "fees_units", "time_ms"],
  key: ["rebalancer", "number"],
});
const LEGS = new RowShape({
  table: "engine_rebalancer_legs",
  columns: ["rebalancer", "number", "place", "market", "price_ticks", "traded_lots"],
  key: ["rebalancer", "number", "place"],
});
