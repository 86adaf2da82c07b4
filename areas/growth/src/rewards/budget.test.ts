// The budget as a property: claims of many users against a real ledger in every interleaving a seed makes, with stops
// in the middle, repeated calls and later funding. Grants never exceed the funding.

import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf } from "@clockwork/core/machine/machine";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createStage } from "@clockwork/core/testing/stage";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { expect, test } from "vitest";
import type { MoneyEnd } from "../spring/needs.ts";
import { ClaimService } from "./claim-service.ts";
import type { RewardNeeds } from "./needs.ts";
import type { CampaignRow, ClaimRow, RewardStore, TaskRow } from "./store.ts";
import { TaskService } from "./task-service.ts";

const core = (amountUnits: bigint): number => toCoreUnits(units(amountUnits));
const PEOPLE = 6;
const COSTS = [7n, 11n, 20n];
const STOPPED = new Error("stopped");

/** A small seeded generator, so that a failing seed can be run again. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return (state >>> 0) % below;
  };
}

const taskOf = (index: number): TaskRow => ({
  task_id: `t${index}`,
  campaign_id: "c",
  kind: "copy",
  target: 1n,
  course: "",
  after_task: null,
  level_min: 0,
  reward: "airdrop",
  cost_units: COSTS[index] ?? 1n,
  terms: JSON.stringify({ kind: "airdrop", amount: "1" }),
  starts_ms: 0,
  ends_ms: 100,
  claim_until_ms: 100,
  position: index,
  is_open: true,
  created_ms: 0,
});

/** The tables in memory: each call is one step, before and after which others may run. */
function memoryStore(yields: () => Promise<void>) {
  const claims = new Map<string, ClaimRow>();
  const done = new Map<string, number>();
  const tasks = COSTS.map((_, index) => taskOf(index));
  const campaign: CampaignRow = {
    campaign_id: "c",
    number: 1,
    name: "c",
    is_open: true,
    is_simulated: false,
    created_ms: 0,
  };
  const step = async <Value>(run: () => Value): Promise<Value> => {
    await yields();
    const value = run();
    await yields();
    return value;
  };
  const change = (claimId: string, from: (row: ClaimRow) => boolean, next: Partial<ClaimRow>): boolean => {
    const row = claims.get(claimId);
    if (row === undefined || !from(row)) return false;
    claims.set(claimId, { ...row, ...next });
    return true;
  };
  const store = {
    findTask: (id: string) => step(() => tasks.find(({ task_id }) => task_id === id)),
    listTasks: () => step(() => tasks),
    listCampaigns: () => step(() => [campaign]),
    findCampaign: () => step(() => campaign),
    listDone: (userId: number) =>
      step(() =>
        [...done]
          .filter(([key]) => key.endsWith(`:${userId}`))
          .map(([key, done_ms]) => ({ task_id: key.split(":")[0] ?? "", done_ms })),
      ),
    markDone: (userId: number, taskId: string, timeMs: number) =>
      step(() => !done.has(`${taskId}:${userId}`) && done.set(`${taskId}:${userId}`, timeMs) !== undefined),
    listClaims: (userId: number) => step(() => [...claims.values()].filter(({ user_id }) => user_id === userId)),
    findClaim: (id: string) => step(() => claims.get(id)),
    intend: (row: ClaimRow) =>
      step(() => {
        if (!claims.has(row.claim_id)) claims.set(row.claim_id, { ...row, returned_units: null });
        change(row.claim_id, ({ state }) => state === "SHORT", { state: "INTENDED" });
      }),
    markShort: (id: string) => step(() => void change(id, ({ state }) => state === "INTENDED", { state: "SHORT" })),
    complete: (id: string, timeMs: number) =>
      step(() => change(id, ({ state }) => state !== "CLAIMED", { state: "CLAIMED", claimed_ms: timeMs })),
    listIntended: () => step(() => [...claims.values()].filter(({ state }) => state === "INTENDED")),
    // Every second claim is of a coupon with an unused part.
    listOver: () =>
      step(() =>
        [...claims.values()].filter(
          ({ state, returned_units, user_id }) => state === "CLAIMED" && returned_units === null && user_id % 2 === 0,
        ),
      ),
    setReturned: (id: string, returned_units: bigint) =>
      step(() => void change(id, ({ returned_units: known }) => known === null, { returned_units })),
  };
  return { claims, store: store as unknown as RewardStore };
}

async function run(seed: number): Promise<void> {
  const chance = chanceOf(seed);
  const stage = createStage();
  const house = (sub: number): number =>
    eventsOf(stage.send({ kind: "openHouseAccount", purpose: "campaignTreasury", sub }), "houseAccountOpened")[0]
      ?.account ?? 0;
  const source = stage.trader(0, 10_000);
  const treasury = house(1);
  const people = Array.from({ length: PEOPLE }, () => stage.trader());
  const free = (account: number): number => {
    const { ledger } = coreOf(stage.machine);
    return ledger.available(ledger.cellIndex.find(account, stage.quote));
  };
  const settle = (reference: string, from: number, to: number, units: number): MoneyEnd => {
    const events = stage.send({ kind: "settle", reference, legs: [{ from, to, asset: stage.quote, units }] });
    const [refusal] = eventsOf(events, "rejected");
    return refusal === undefined ? "done" : { code: String(refusal.code) };
  };
  let funded = 0;
  const fund = (units: number): void => {
    funded += units;
    expect(settle(`fund:${funded}:${units}`, source, treasury, units)).toBe("done");
  };
  const yields = async (): Promise<void> => {
    for (let turns = chance(4); turns > 0; turns--) await Promise.resolve();
    // The process is stopped here: this call is never completed by it.
    if (chance(120) === 0) throw STOPPED;
  };
  const { claims, store } = memoryStore(yields);
  const needs = {
    settled: async () => undefined,
    count: async () => 1n,
    levelOf: async () => 3,
    takeReward: async () => undefined,
    readLeft: async () => BigInt(free(treasury)),
    async take(_number, given) {
      await yields();
      if (chance(10) === 0) return "later";
      const end = settle(`reward:${given.claimId}`, treasury, people[given.userId] ?? 0, core(given.costUnits));
      await yields();
      return end;
    },
    async give() {
      await yields();
      return chance(8) === 0 ? "later" : "done";
    },
    unusedUnits: async ({ costUnits }) => costUnits / 2n,
    async giveBack(_number, given, unusedUnits) {
      await yields();
      if (chance(10) === 0) return "later";
      const end = settle(`unused:${given.claimId}`, people[given.userId] ?? 0, treasury, core(unusedUnits));
      await yields();
      return end;
    },
    hash: (text) => text.replaceAll(":", "").padEnd(16, "0"),
    changed: () => undefined,
    notify: async () => undefined,
    report: () => undefined,
  } as Partial<RewardNeeds> as RewardNeeds;
  const parts = { store, needs };
  const service = new ClaimService(parts, new TaskService(parts));
  fund(20 + chance(60));
  const check = (): void => {
    const given = people.reduce((sum, account) => sum + free(account), 0);
    expect(given).toBeLessThanOrEqual(funded);
    expect(given + free(treasury)).toBe(funded);
  };
  const attempt = async (call: Promise<unknown>): Promise<void> => {
    await call.catch((error: unknown) => expect(error).toBe(STOPPED));
    check();
  };
  for (let round = 0; round < 4; round++) {
    const calls = Array.from({ length: 30 }, () =>
      attempt(
        service.claim(`t${chance(COSTS.length)}`, { userId: chance(PEOPLE), device: "", address: "", timeMs: 50 }),
      ),
    );
    if (chance(2) === 0) calls.push(attempt(service.resume(50)));
    if (chance(3) === 0) fund(chance(30) + 1);
    await Promise.all(calls);
  }
  const isOpen = ({ state, returned_units, user_id }: ClaimRow): boolean =>
    state === "INTENDED" || (state === "CLAIMED" && user_id % 2 === 0 && returned_units === null);
  for (let turns = 0; turns < 400 && [...claims.values()].some(isOpen); turns++) await attempt(service.resume(50));
  // Each user has the amount of their claims, each claim once, less the unused part, once too; a user who was refused
  // has nothing.
  for (const [userId, account] of people.entries()) {
    const own = [...claims.values()].filter(({ user_id, state }) => user_id === userId && state === "CLAIMED");
    const back = (cost: bigint): bigint => (userId % 2 === 0 ? cost / 2n : 0n);
    const paid = own.reduce((sum, { cost_units }) => sum + core(cost_units - back(cost_units)), 0);
    const waiting = [...claims.values()].filter(({ user_id, state }) => user_id === userId && state === "SHORT");
    const most = waiting.reduce((sum, { cost_units }) => sum + core(cost_units), paid);
    expect(free(account)).toBeGreaterThanOrEqual(paid);
    expect(free(account)).toBeLessThanOrEqual(most);
  }
  expect(checkInvariants(stage.machine)).toEqual([]);
}

test("[USR-5] a campaign's budget is never exceeded by any interleaving, each claim is paid once and its unused part returned once", async () => {
  for (let seed = 1; seed <= 24; seed++) await run(seed);
}, 60_000);
