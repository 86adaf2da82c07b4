// A small stampede over the wire, with the crowd in a process of its own; `npm run soak -- stampede` has the whole one.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type Floor, openFloor } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coins, launchOf } from "../launch-fixture.ts";
import { findSaleFaults, people, requestOf, rush } from "./stampede.ts";

const PEOPLE = 24;
const PRESSES = 50;
let floor: Floor;
let crowd: Visitor[];
beforeAll(async () => {
  floor = await openFloor();
  crowd = await people(floor, PEOPLE, { USDT: "1000" });
}, 180_000);
afterAll(() => floor?.close());

test("[EARN-2] a stampede of many presses by few people is answered press by press and sells every lot once", async () => {
  const round = await launchOf(floor, "flash", coins(700));
  const requests = crowd.map((one) => requestOf(one, "/seckill/buy", { roundId: round.round_id }));
  const told = await rush({ port: floor.port, requests, count: PEOPLE * PRESSES, overMs: 500 });
  expect(told).toMatchObject({ unanswered: 0, lost: 0, unhelpful: 0, answers: { "200": PEOPLE * PRESSES } });
  expect(await findSaleFaults(floor, round, crowd)).toEqual([]);
});
