// Use cases of recurring buys: creating, changing, pausing and ending a plan, its runs, and its backtest.
import { firstRunMs, nextRunMs } from "@clockwork/kit/earn/schedule";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { CreateBody, Plan, PlanList, PlanRuns, PlanSource, Preview, PreviewBody, UpdateBody } from "./contract.ts";
import type { PlanNeeds } from "./needs.ts";
import type { PlanRefusal } from "./refusals.ts";
import { checkCoins, lookBack, PLAN_LEVEL, PLANS_MAX, scheduleOf, USDT_SCALE, type Weighted } from "./rules.ts";
import type { Leg } from "./run-service.ts";
import type { PlanRow, PlanStore, RunRow } from "./store.ts";

export interface PlanParts {
  readonly store: PlanStore;
  readonly needs: PlanNeeds;
}

type Outcome<Value> = Promise<Result<Value, PlanRefusal>>;
const usdt = (value: bigint): string => formatUnits(units(value), USDT_SCALE);
const PAST_MS = 180 * DAY_MS;
const PAST_HOURS_MS = 30 * DAY_MS;
const POINTS_MAX = 200;
const NEXT_RUNS = 4;

export class PlanService {
  readonly #store: PlanStore;
  readonly #needs: PlanNeeds;

  constructor({ store, needs }: PlanParts) {
    this.#store = store;
    this.#needs = needs;
  }

  async create(userId: number, body: CreateBody, timeMs: number): Outcome<PlanList> {
    const read = await this.#read(userId, body, timeMs);
    if (!read.done) return read;
    const row: PlanRow = {
      ...read.value,
      plan_id: this.#needs.randomId(),
      user_id: userId,
      client_id: body.clientId,
      state: "RUNNING",
      skips: 0,
      next_ms: firstRunMs(body, timeMs),
      created_ms: timeMs,
      changed_ms: timeMs,
    };
    const before = await this.#store.findByClient(userId, body.clientId);
    if (before === undefined && !(await this.#store.add(row, PLANS_MAX))) return refused("PLAN_LIMIT");
    const kept = await this.#store.findByClient(userId, body.clientId);
    if (kept === undefined || kept.coins !== row.coins || kept.amount_units !== row.amount_units)
      return refused("CLIENT_ID_REUSED");
    return done(await this.list(userId));
  }

  async update(userId: number, body: UpdateBody, timeMs: number): Outcome<PlanList> {
    const row = await this.#own(userId, body.planId);
    if (!row.done) return row;
    const read = await this.#read(userId, body, timeMs);
    if (!read.done) return read;
    const values = { ...read.value, next_ms: firstRunMs(body, timeMs), changed_ms: after(row.value, timeMs) };
    return (await this.#store.change(body.planId, row.value.changed_ms, values))
      ? done(await this.list(userId))
      : refused("PLAN_ENDED");
  }

  /** A resumed plan has its next run in the future: runs that passed are not bought. */
  async pause(userId: number, planId: string, isPaused: boolean, timeMs: number): Outcome<PlanList> {
    const row = await this.#own(userId, planId);
    if (!row.done) return row;
    const goes = {
      state: "RUNNING",
      skips: 0,
      next_ms: nextRunMs(scheduleOf(row.value), row.value.next_ms - 1, timeMs),
    } as const;
    const values = { ...(isPaused ? { state: "PAUSED" as const } : goes), changed_ms: after(row.value, timeMs) };
    return (await this.#store.change(planId, row.value.changed_ms, values))
      ? done(await this.list(userId))
      : refused("PLAN_ENDED");
  }

  async end(userId: number, planId: string, timeMs: number): Outcome<PlanList> {
    const row = await this.#own(userId, planId);
    if (!row.done) return row;
    await this.#store.change(planId, row.value.changed_ms, { state: "ENDED", changed_ms: after(row.value, timeMs) });
    return done(await this.list(userId));
  }

  async list(userId: number): Promise<PlanList> {
    const plans: Plan[] = [];
    for (const row of await this.#store.list(userId)) plans.push(await this.#describe(row));
    return { plans, plansMax: PLANS_MAX };
  }

  async listRuns(userId: number, planId: string, limit = 50): Outcome<PlanRuns> {
    const row = await this.#store.find(planId);
    if (row === undefined || row.user_id !== userId) return refused("PLAN_UNKNOWN");
    const runs = await this.#store.listRuns(planId, limit);
    return done({ runs: runs.map((run) => this.#describeRun(run)) });
  }

  async preview(body: PreviewBody, timeMs: number): Outcome<Preview> {
    const amount = parseUnits(body.amount, USDT_SCALE);
    const refusal = checkCoins(body.coins, amount.done ? amount.value : undefined);
    if (refusal !== undefined || !amount.done) return refused(refusal ?? "PLAN_AMOUNT");
    const isHourly = body.rhythm.endsWith("h");
    const fromMs = timeMs - (isHourly ? PAST_HOURS_MS : PAST_MS);
    const barMs = isHourly ? HOUR_MS : DAY_MS;
    const coins = await Promise.all(
      body.coins.map(async ({ asset, weight }) => ({
        weight,
        scale: this.#needs.findCoin(asset)?.scale ?? 8,
        // A bar is named by its beginning; its close is known at its end.
        closes: (await this.#needs.readCloses(asset, isHourly ? "1h" : "1d", fromMs - barMs, timeMs)).map((bar) => ({
          ...bar,
          timeMs: bar.timeMs + barMs,
        })),
      })),
    );
    if (body.coins.some(({ asset }) => !this.#needs.isTraded(asset))) return refused("COIN_NOT_TRADED");
    const points = lookBack(amount.value, coins, body, fromMs, timeMs);
    const step = Math.ceil(points.length / POINTS_MAX);
    const shown = points.filter((_, index) => (points.length - 1 - index) % step === 0);
    const last = points.at(-1);
    const nextRunsMs = [firstRunMs(body, timeMs)];
    while (nextRunsMs.length < NEXT_RUNS) nextRunsMs.push(nextRunMs(body, nextRunsMs.at(-1) ?? timeMs, 0));
    return done({
      runs: points.length,
      putIn: usdt(last?.putInUnits ?? 0n),
      worth: usdt(last?.worthUnits ?? 0n),
      nextRunsMs,
      points: shown.map(({ timeMs: at, putInUnits, worthUnits }) => ({
        timeMs: at,
        putIn: usdt(putInUnits),
        worth: usdt(worthUnits),
      })),
    });
  }

  async #own(userId: number, planId: string): Outcome<PlanRow> {
    const row = await this.#store.find(planId);
    if (row === undefined || row.user_id !== userId) return refused("PLAN_UNKNOWN");
    return row.state === "ENDED" ? refused("PLAN_ENDED") : done(row);
  }

  async #read(userId: number, body: Omit<CreateBody, "clientId">, timeMs: number) {
    if ((await this.#needs.levelOf(userId, timeMs)) < PLAN_LEVEL) return refused("KYC_LEVEL_REQUIRED");
    const amount = parseUnits(body.amount, USDT_SCALE);
    const refusal = checkCoins(body.coins, amount.done ? amount.value : undefined);
    if (refusal !== undefined || !amount.done) return refused(refusal ?? "PLAN_AMOUNT");
    if (new Set(body.sources).size !== body.sources.length) return refused("PLAN_SOURCES");
    if (body.coins.some(({ asset }) => !this.#needs.isTraded(asset))) return refused("COIN_NOT_TRADED");
    return done({
      name: body.name.trim(),
      coins: JSON.stringify(body.coins),
      amount_units: amount.value as bigint,
      rhythm: body.rhythm,
      minute_of_day: body.minuteOfDay,
      weekday: body.weekday,
      month_day: body.monthDay,
      sources: JSON.stringify(body.sources),
    });
  }

  async #describe(row: PlanRow): Promise<Plan> {
    const runs = await this.#store.listBought(row.plan_id);
    const bought = runs.flatMap(({ legs }) => JSON.parse(legs) as Leg[]);
    const worth = bought.reduce((sum, { asset, bought: amount }) => {
      const coin = this.#needs.findCoin(asset);
      return sum + (coin === undefined ? 0n : (this.#needs.worthUnits(coin.asset, BigInt(amount)) ?? 0n));
    }, 0n);
    return {
      planId: row.plan_id,
      name: row.name,
      coins: JSON.parse(row.coins) as Weighted[],
      amount: usdt(row.amount_units),
      rhythm: row.rhythm,
      minuteOfDay: row.minute_of_day,
      weekday: row.weekday,
      monthDay: row.month_day,
      sources: JSON.parse(row.sources) as PlanSource[],
      state: row.state,
      skips: row.skips,
      nextRunMs: row.state === "RUNNING" ? row.next_ms : null,
      putIn: usdt(runs.reduce((sum, { spent_units }) => sum + spent_units, 0n)),
      worth: usdt(worth),
      changedAtMs: row.changed_ms,
    };
  }

  #describeRun(run: RunRow): PlanRuns["runs"][number] {
    const legs = JSON.parse(run.legs) as Leg[];
    return {
      dueMs: run.due_ms,
      state: run.state,
      spent: usdt(run.spent_units),
      note: run.note,
      bought: legs.map(({ asset, bought, code }) => ({
        asset,
        amount: formatUnits(units(BigInt(bought)), this.#needs.findCoin(asset)?.scale ?? 8),
        code,
      })),
    };
  }
}

/** Changes are identified by their time, so it always increases. */
function after(row: PlanRow, timeMs: number): number {
  return Math.max(timeMs, row.changed_ms + 1);
}
