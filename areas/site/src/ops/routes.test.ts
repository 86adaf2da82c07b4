// The wire of the ops slice: its schema's bounds, and that an admitted call reaches the service.
import { VISITOR } from "@clockwork/kit/caller";
import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { StatisticsQuery } from "./contract.ts";
import { opsRoutes } from "./routes.ts";
import type { OpsService } from "./service.ts";

const GOOD = { event: "page_view", request_source: "PC", type: "home", utm_campaign: "春 2026" };

test.each([
  ["no event", { ...GOOD, event: undefined }],
  ["an empty event", { ...GOOD, event: "" }],
  ["an event with a space", { ...GOOD, event: "page view" }],
  ["a name kept for folded rows", { ...GOOD, event: "(other)" }],
  ["an event of 65 letters", { ...GOOD, event: "e".repeat(65) }],
  ["an unknown source", { ...GOOD, request_source: "TV" }],
  ["a campaign of 129 letters", { ...GOOD, utm_campaign: "c".repeat(129) }],
  ["a control character", { ...GOOD, utm_term: "a\u0000b" }],
])("[NET-8] a call with %s is refused", (_what, query) => {
  expect(Value.Check(StatisticsQuery, JSON.parse(JSON.stringify(query)))).toBe(false);
});

test("[NET-8] GET /open/activity/statistics hands the event and its time to the service", async () => {
  expect(Value.Check(StatisticsQuery, GOOD)).toBe(true);
  const seen: unknown[] = [];
  const service: Pick<OpsService, "recordEvent"> = {
    recordEvent: async (query, timeMs) => {
      seen.push([query, timeMs]);
    },
  };
  const [route] = opsRoutes(service);
  expect([route?.method, route?.path]).toEqual(["GET", "/open/activity/statistics"]);
  const context = {
    requestId: "r",
    ip: "::1",
    caller: VISITOR,
    userId: null,
    timeMs: 7,
    locale: "en_US",
    header: () => undefined,
  };
  const outcome = await route?.handle({ query: GOOD, params: {}, body: undefined }, context);
  expect(outcome).toEqual({ ok: true, data: null });
  expect(seen).toEqual([[GOOD, 7]]);
});
