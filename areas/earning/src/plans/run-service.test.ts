// An interrupted run resumes where it was: nothing is bought again, and no more money is moved for it.
import { HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import type { PlanNeeds } from "./needs.ts";
import { PlanRunner } from "./run-service.ts";
import type { PlanRow, PlanStore, RunRow } from "./store.ts";

const DUE_MS = 1_000 * HOUR_MS;
const plan = {
  plan_id: "0011223344556677",
  user_id: 7,
  name: "Majors",
  coins: JSON.stringify([
    { asset: "BTC", weight: 50 },
    { asset: "ETH", weight: 50 },
  ]),
  sources: JSON.stringify(["spot", "funding"]),
  amount_units: 100_000_000n,
} as unknown as PlanRow;

/** Spot and funding of one user, and a market that sells a unit for a unit; the table holds one run. */
function stage() {
  const free = new Map([
    ["spot", 60_000_000n],
    ["funding", 45_000_000n],
  ]);
  const orders = new Set<string>();
  let run: RunRow | undefined = {
    plan_id: plan.plan_id,
    due_ms: DUE_MS,
    user_id: 7,
    state: "RUNNING",
    spent_units: 0n,
    legs: "[]",
    note: "",
  };
  const cut = { after: Number.POSITIVE_INFINITY };
  const store = {
    listUnended: async () => (run?.state === "RUNNING" ? [run] : []),
    listDue: async () => [],
    find: async () => plan,
    keep: async (row: RunRow) => {
      run = { ...row, state: "RUNNING" };
    },
    end: async (row: RunRow) => {
      run = row;
      return "ended";
    },
  } as unknown as PlanStore;
  const needs = {
    freeUnits: async (_: number, source: string) => free.get(source) ?? 0n,
    bring: async (_: number, source: string, amountUnits: bigint) => {
      free.set(source, (free.get(source) ?? 0n) - amountUnits);
      free.set("spot", (free.get("spot") ?? 0n) + amountUnits);
      return "done";
    },
    buy: async (_: number, _symbol: string, quoteUnits: bigint, reference: string) => {
      if (orders.size >= cut.after) return "later";
      expect(orders.has(reference)).toBe(false);
      orders.add(reference);
      free.set("spot", (free.get("spot") ?? 0n) - quoteUnits);
      return { boughtUnits: quoteUnits, spentUnits: quoteUnits, code: "" };
    },
    notify: async () => undefined,
  } as unknown as PlanNeeds;
  return { runner: new PlanRunner({ store, needs } as never), free, cut, read: () => run };
}

test("[EARN-1] money comes from the sources in their order, and an interrupted run resumes without buying or moving twice", async () => {
  const { runner, free, cut, read } = stage();
  cut.after = 1;
  await runner.run(DUE_MS + MINUTE_MS);
  // Spot gave its whole balance, funding the rest; half is bought.
  expect([free.get("spot"), free.get("funding")]).toEqual([50_000_000n, 5_000_000n]);
  expect(read()).toMatchObject({ state: "RUNNING", spent_units: 50_000_000n });
  cut.after = 9;
  await runner.run(DUE_MS + 2 * MINUTE_MS);
  expect(read()).toMatchObject({ state: "DONE", spent_units: 100_000_000n, note: "" });
  expect([free.get("spot"), free.get("funding")]).toEqual([0n, 5_000_000n]);
});

test("[EARN-1] an interrupted run over an hour late reports what was bought, or is late", async () => {
  const half = stage();
  half.cut.after = 1;
  await half.runner.run(DUE_MS + MINUTE_MS);
  await half.runner.run(DUE_MS + HOUR_MS + 1);
  expect(half.read()).toMatchObject({ state: "PART", spent_units: 50_000_000n });
  const none = stage();
  none.cut.after = 0;
  await none.runner.run(DUE_MS + MINUTE_MS);
  await none.runner.run(DUE_MS + HOUR_MS + 1);
  expect(none.read()).toMatchObject({ state: "LATE", spent_units: 0n });
});

test("[EARN-1] an amount flexible cannot pay today skips the whole run: nothing is moved and nothing bought", async () => {
  const requested: string[] = [];
  const free = { spot: 10_000_000n, funding: 40_000_000n, flexible: 60_000_000n } as Readonly<Record<string, bigint>>;
  const ended: RunRow[] = [];
  const waiting = { plan_id: plan.plan_id, due_ms: DUE_MS, user_id: 7, spent_units: 0n, legs: "[]", note: "" };
  const store = {
    listUnended: async () => [{ ...waiting, state: "RUNNING" }],
    listDue: async () => [],
    find: async () => ({ ...plan, sources: JSON.stringify(["spot", "funding", "flexible"]) }),
    end: async (row: RunRow) => {
      ended.push(row);
      return "ended";
    },
  } as unknown as PlanStore;
  const needs = {
    freeUnits: async (_: number, source: string) => free[source] ?? 0n,
    bring: async (_: number, source: string, amountUnits: bigint) => {
      requested.push(`${source} ${amountUnits}`);
      return source === "flexible" ? "The pool is used up." : "done";
    },
    notify: async () => undefined,
  } as unknown as PlanNeeds;
  await new PlanRunner({ store, needs } as never).run(DUE_MS + MINUTE_MS);
  expect(requested).toEqual(["flexible 50000000"]);
  expect(ended).toMatchObject([{ state: "SKIPPED", spent_units: 0n, legs: "[]", note: "The pool is used up." }]);
});
