// Runs plans that are due: each due time once, whole or not at all, never more than an hour late. Every movement and
// every order has a reference of its own, so an interrupted run resumes without buying twice.
import { nextRunMs, splitByWeights } from "@clockwork/kit/earn/schedule";
import { formatUnits, units } from "@clockwork/kit/money";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { PlanSource } from "./contract.ts";
import type { PlanNeeds } from "./needs.ts";
import { LATE_MS, SKIPS_MAX, scheduleOf, takeFrom, USDT_SCALE, type Weighted } from "./rules.ts";
import type { PlanParts } from "./service.ts";
import type { PlanRow, PlanStore, RunRow } from "./store.ts";

/** The note of a run whose money is all in spot. */
const BROUGHT = "The money is in spot.";

const isFlexible = ({ source }: { readonly source: PlanSource }): boolean => source === "flexible";

/** The amount bought of one coin, in its units as text. */
export interface Leg {
  readonly asset: string;
  readonly bought: string;
  readonly code: string;
}

export class PlanRunner {
  readonly #store: PlanStore;
  readonly #needs: PlanNeeds;

  constructor({ store, needs }: PlanParts) {
    this.#store = store;
    this.#needs = needs;
  }

  async run(timeMs: number): Promise<void> {
    for (const run of await this.#store.listUnended()) {
      const plan = await this.#store.find(run.plan_id);
      if (plan !== undefined) await this.#carryOut(plan, run, timeMs);
    }
    for (let due = await this.#store.listDue(timeMs); due.length > 0; due = await this.#store.listDue(timeMs)) {
      for (const plan of due) await this.#begin(plan, timeMs);
    }
  }

  async #begin(plan: PlanRow, timeMs: number): Promise<void> {
    const { plan_id, user_id, next_ms } = plan;
    const isLate = timeMs - next_ms > LATE_MS;
    // Runs missed in a long stop are one late run: the next is the first still in time.
    const nextMs = nextRunMs(scheduleOf(plan), next_ms, timeMs - LATE_MS - 1);
    const run: RunRow = { plan_id, due_ms: next_ms, user_id, state: "RUNNING", spent_units: 0n, legs: "[]", note: "" };
    if (!(await this.#store.begin(plan, nextMs, run))) return;
    if (isLate) return this.#end(plan, { ...run, state: "LATE", note: "More than an hour late." }, timeMs);
    await this.#carryOut(plan, run, timeMs);
  }

  async #carryOut(plan: PlanRow, run: RunRow, timeMs: number): Promise<void> {
    if (timeMs - run.due_ms > LATE_MS) {
      const state = run.legs === "[]" ? "LATE" : "PART";
      return this.#end(plan, { ...run, state, note: "It was cut short and is more than an hour late." }, timeMs);
    }
    const name = `plan:${run.plan_id}:${Math.floor(run.due_ms / MINUTE_MS).toString(36)}`;
    // Buys before a stop are final: the money for the rest is there.
    const brought = run.note === BROUGHT ? undefined : await this.#bring(plan, name);
    if (brought === "later") return;
    if (brought !== undefined) return this.#end(plan, { ...run, state: "SKIPPED", note: brought }, timeMs);
    await this.#store.keep({ ...run, note: BROUGHT });
    const coins = JSON.parse(plan.coins) as Weighted[];
    const parts = splitByWeights(
      plan.amount_units,
      coins.map(({ weight }) => weight),
    );
    const legs = JSON.parse(run.legs) as Leg[];
    let spentUnits = run.spent_units;
    for (const [index, { asset }] of coins.entries()) {
      if (index < legs.length) continue;
      const bought = await this.#needs.buy(plan.user_id, asset, parts[index] as bigint, `${name}:${index}`);
      if (bought === "later") return;
      legs.push({ asset, bought: bought.boughtUnits.toString(), code: bought.code });
      spentUnits += bought.spentUnits;
      await this.#store.keep({ ...run, note: BROUGHT, spent_units: spentUnits, legs: JSON.stringify(legs) });
    }
    const codes = legs.flatMap(({ asset, code }) => (code === "" ? [] : [`${asset}: ${code}`]));
    const state = codes.length === 0 ? "DONE" : "PART";
    await this.#end(
      plan,
      { ...run, state, spent_units: spentUnits, legs: JSON.stringify(legs), note: codes.join(", ") },
      timeMs,
    );
  }

  /** Undefined when all of it is in spot; otherwise the reason why the run is skipped. */
  async #bring(plan: PlanRow, name: string): Promise<string | undefined> {
    const sources = JSON.parse(plan.sources) as PlanSource[];
    const free = await Promise.all(
      sources.map(async (source) => ({ source, freeUnits: await this.#needs.freeUnits(plan.user_id, source) })),
    );
    const taken = takeFrom(plan.amount_units, free);
    if (taken === undefined) {
      const text = (value: bigint): string => formatUnits(units(value), USDT_SCALE);
      return free.map(({ source, freeUnits }) => `${source} ${text(freeUnits)}`).join(", ");
    }
    // Flexible first: a refusal of its pool moves nothing, and the run is skipped whole.
    const [fromFlexible, others] = [taken.filter(isFlexible), taken.filter((one) => !isFlexible(one))];
    for (const { source, takenUnits } of [...fromFlexible, ...others]) {
      if (source === "spot" || takenUnits === 0n) continue;
      const end = await this.#needs.bring(plan.user_id, source, takenUnits, `${name}:${source[0]}`);
      if (end !== "done") return end;
    }
    return undefined;
  }

  async #end(plan: PlanRow, run: RunRow, timeMs: number): Promise<void> {
    const end = await this.#store.end(run, SKIPS_MAX);
    const reference = `plan:${run.plan_id}:${run.due_ms}`;
    if (end === "paused") {
      const body = `${plan.name} was skipped three times in a row. Put money where it looks for it and resume the plan.`;
      await this.#needs.notify(plan.user_id, { reference, title: "Your recurring buy is paused", body }, timeMs);
    } else if (end === "ended" && run.state !== "DONE") {
      const body = `${plan.name}: ${run.state === "PART" ? "bought in part" : "skipped"}. ${run.note}`;
      await this.#needs.notify(plan.user_id, { reference, title: "About your recurring buy", body }, timeMs);
    }
  }
}
