// The line of a flash sale is bounded: users beyond it get a retry time, and no place is lost.

import type { RouteContext } from "@clockwork/host/route";
import { expect, test } from "vitest";
import type { LaunchBook } from "../launchpad/book-service.ts";
import { LAUNCH_CALLS } from "../launchpad/contract.ts";
import { DrawService, type LaunchParts } from "../launchpad/draw-service.ts";
import { FlashService } from "../launchpad/flash-service.ts";
import type { LaunchNeeds } from "../launchpad/needs.ts";
import { launchRoutes } from "../launchpad/routes.ts";
import { LaunchService } from "../launchpad/service.ts";
import type { LaunchStore, ProjectRow, RoundRow } from "../launchpad/store.ts";

const NOW_MS = 1_000_000;
const project = { project_id: "park", asset: "DOT", scale: 8, price_units: 500_000n, state: "ACTIVE" } as ProjectRow;
const round = {
  round_id: "park-1",
  project_id: "park",
  kind: "flash",
  lot_units: 100n,
  stage: "OPEN",
  preheat_ms: 0,
  opens_ms: 0,
  closes_ms: 2 * NOW_MS,
} as RoundRow;

/** A line for two, whose first chunk waits for the table as long as the test requires. */
function stage() {
  let written = Promise.withResolvers<void>();
  const store = {
    findRound: async () => round,
    findProject: async () => project,
    listOrders: async () => [],
    listQueued: async () => [],
    addOrders: () => written.promise,
    stepMany: async () => undefined,
  } as unknown as LaunchStore;
  const levels = new Map([[9, 1]]);
  const needs = {
    now: () => NOW_MS + 60_000,
    report: () => undefined,
    hash: (text: string) => Buffer.from(text).toString("hex"),
    levelOf: async (userId: number) => levels.get(userId) ?? 2,
  } as unknown as LaunchNeeds;
  const book = { reserve: async () => "done" } as unknown as LaunchBook;
  const flash = new FlashService({ store, needs, book, lineMax: 2 });
  const parts: LaunchParts = { store, needs, book, flash };
  const routes = launchRoutes(new LaunchService(parts, new DrawService(parts)), async () => {
    throw new Error("nothing is proposed here");
  });
  const buy = routes.find(({ path }) => path === LAUNCH_CALLS.buy.path);
  const press = (userId: number) =>
    buy?.handle({ query: {}, params: {}, body: { roundId: "park-1" } }, {
      userId: String(userId),
      timeMs: NOW_MS,
    } as RouteContext);
  const write = {
    resolve: () => written.resolve(),
    fail: () => {
      const before = written;
      written = Promise.withResolvers<void>();
      before.reject(new Error("the table is away"));
    },
  };
  return { press, written: write, resume: () => flash.resume(NOW_MS) };
}

test("[EARN-2] a full line answers 429 with a retry time, and places are kept", async () => {
  const { press, written } = stage();
  // The first is being written; two more wait behind it.
  for (const userId of [1, 2, 3]) expect(await press(userId)).toMatchObject({ ok: true, data: { state: "QUEUED" } });
  expect(await press(4)).toMatchObject({
    ok: false,
    rejection: { code: "SALE_BUSY", status: 429, retryAfterSeconds: 1 },
  });
  expect(await press(9)).toMatchObject({ ok: false, rejection: { code: "KYC_LEVEL_REQUIRED" } });
  expect(await press(3)).toMatchObject({ ok: true, data: { place: 3 } });
  written.resolve();
  await expect.poll(() => press(3)).toMatchObject({ ok: true, data: { state: "WON" } });
  expect(await press(4)).toMatchObject({ ok: true });
});

test("[EARN-2] a failed write loses no place, and ten minutes count from the turn", async () => {
  const { press, written, resume } = stage();
  for (const userId of [1, 2]) await press(userId);
  written.fail();
  written.resolve();
  await expect
    .poll(async () => {
      await resume();
      return press(2);
    })
    .toMatchObject({ ok: true, data: { state: "WON", untilMs: NOW_MS + 60_000 + 10 * 60_000 } });
  expect(await press(1)).toMatchObject({ ok: true, data: { state: "WON" } });
});
