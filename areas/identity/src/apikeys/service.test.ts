// What is stored of a key's use, and when its owner is notified of its expiry.
import { DAY_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import type { ApiKeyNeeds } from "./needs.ts";
import { ApiKeyReading } from "./reading-service.ts";
import { ApiKeyService } from "./service.ts";
import type { ApiKeyRow, ApiKeyStore } from "./store.ts";

test("[USR-2] a burst from one address is written once, another address at once", () => {
  const written: string[] = [];
  const store = {
    find: async () => undefined,
    touch: async (_: string, { timeMs, address }: { timeMs: number; address: string }) => {
      written.push(`${timeMs} ${address}`);
    },
  };
  const reading = new ApiKeyReading({ store, needs: { open: (bytes) => bytes, isActive: async () => true } });
  const use = (timeMs: number, address: string) => reading.touch("key", { timeMs, address, call: "GET /x" });
  for (const [timeMs, address] of [
    [20_000, "192.0.2.1"],
    [20_500, "192.0.2.1"],
    [20_600, "192.0.2.9"],
    [20_700, "192.0.2.9"],
    [30_599, "192.0.2.9"],
    [30_600, "192.0.2.9"],
  ] as const)
    use(timeMs, address);
  expect(written).toEqual(["20000 192.0.2.1", "20600 192.0.2.9", "30600 192.0.2.9"]);
});

test("[USR-2] the owner of a key that expires within seven days is notified, each expiry under one reference", async () => {
  const nowMs = 100 * DAY_MS;
  const row = (apiKey: string, endsMs: number) =>
    ({ user_id: 7, api_key: apiKey, label: apiKey, expires_at_ms: endsMs }) as ApiKeyRow;
  const rows = [
    row("never", 0),
    row("gone", nowMs - 1),
    row("soon", nowMs + 6 * DAY_MS),
    row("later", nowMs + 8 * DAY_MS),
  ];
  const answer: unknown[] = [];
  const store = {
    listEnding: async (afterMs: number, toMs: number) =>
      rows.filter(({ expires_at_ms: endsMs }) => endsMs > afterMs && endsMs <= toMs),
  } as unknown as ApiKeyStore;
  const needs = {
    notify: async (userId: number, change: string, { apiKey }: { apiKey: string }, timeMs: number) => {
      answer.push([userId, change, apiKey, timeMs]);
    },
  } as unknown as ApiKeyNeeds;
  await new ApiKeyService({ store, needs }).warn(nowMs);
  expect(answer).toEqual([[7, "ending", "soon", nowMs + 6 * DAY_MS]]);
});
