// A small stampede over the wire, with the load in a process of its own; `npm run soak -- stampede` is the full one.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coins, launchOf } from "../launch-fixture.ts";
import { findSaleFaults, people, requestOf, rush } from "./stampede.ts";

const PEOPLE = 24;
const PRESSES = 50;
let server: TradingServer;
let participants: Visitor[];
beforeAll(async () => {
  server = await startTradingServer();
  participants = await people(server, PEOPLE, { USDT: "1000" });
}, 180_000);
afterAll(() => server?.close());

test("[EARN-2] a stampede of many presses by few users is answered press by press and sells every lot once", async () => {
  const round = await launchOf(server, "flash", coins(700));
  const requests = participants.map((one) => requestOf(one, "/seckill/buy", { roundId: round.round_id }));
  const answer = await rush({ port: server.port, requests, count: PEOPLE * PRESSES, overMs: 500 });
  expect(answer).toMatchObject({ unanswered: 0, lost: 0, unhelpful: 0, answers: { "200": PEOPLE * PRESSES } });
  expect(await findSaleFaults(server, round, participants)).toEqual([]);
});
