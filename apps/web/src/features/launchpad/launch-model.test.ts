// Shares of launches as bars and figures show them.
import type { LaunchProject, LaunchState } from "@clockwork/earning/launchpad/contract";
import { expect, test } from "vitest";
import { doneShare, orderLaunches, supplyShare } from "./launch-model.ts";

test("[EARN-2] a round's bar is what was paid, committed or sold of what there is", () => {
  const round = { kind: "lottery", paid: 129, winners: 400, committed: "0", stock: "160000", left: null } as const;
  const price = { price: "0.25" };
  expect(doneShare(round, price)).toBeCloseTo(32.25);
  expect(doneShare({ ...round, winners: 0 }, price)).toBe(0);
  expect(doneShare({ ...round, kind: "subscription", committed: "10000" }, price)).toBeCloseTo(25);
  // More is committed than there is: the bar is full.
  expect(doneShare({ ...round, kind: "subscription", committed: "900000" }, price)).toBe(100);
  expect(doneShare({ ...round, kind: "flash", left: "120000" }, price)).toBeCloseTo(25);
  expect(supplyShare({ forSale: "4560000", supply: "200000000" })).toBe("2.28%");
});

test("[LAUNCH-1] launches stand by what opens next: open ones by their end, coming ones by their start, past ones last", () => {
  const round = (opensAtMs: number, closesAtMs: number) => ({ opensAtMs, closesAtMs, payUntilMs: closesAtMs });
  const launch = (name: string, state: LaunchState, listingAtMs: number, ...rounds: ReturnType<typeof round>[]) => ({
    name,
    state,
    listingAtMs,
    rounds: rounds as unknown as LaunchProject["rounds"],
  });
  const all = [
    launch("older", "DISTRIBUTED", 10, round(1, 2)),
    launch("later", "UPCOMING", 900, round(300, 400)),
    launch("newer", "CANCELLED", 20, round(1, 2)),
    launch("long", "SUBSCRIBE", 900, round(50, 500)),
    launch("soon", "PREHEAT", 900, round(150, 400)),
    launch("short", "PAY", 900, round(50, 120)),
  ];
  expect(orderLaunches(all, 100).map(({ name }) => name)).toEqual(["short", "long", "soon", "later", "newer", "older"]);
});
