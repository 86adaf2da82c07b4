// An operator looks a user up by any identifier; every lookup is logged.

import { enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const FIND = "/v2/operators/users/find";

let server: TradingServer;
let operator: Visitor;
let trader: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  operator = (await enterAsOperator(server, 0)).operator;
  trader = await server.trader({ USDT: "1234" });
});
afterAll(() => server.close());

test("[OPS-1] a user is found by number and by invite code, with level and worth, and the lookup is in the audit log", async () => {
  const { id, userInfo } = (await trader.post("/v2/users/top-info", {})).data;
  const { inviteCode } = userInfo;
  const own = String(id);
  const found = await operator.post(FIND, { query: own, reason: "Ticket 7" });
  expect(found).toMatchObject({ status: 200, data: { id: own, status: "active", role: "user", totalUsdt: "1234" } });
  if (typeof inviteCode === "string") {
    expect((await operator.post(FIND, { query: inviteCode, reason: "Ticket 7" })).data.id).toBe(own);
  }
  const { rows } = (await operator.get("/v2/operators/audit")).data;
  const looks = rows.filter(({ action }: { action: string }) => action === "user.looked-up");
  expect(JSON.stringify(looks)).toContain(own);
  expect(JSON.stringify(looks)).toContain("Ticket 7");
});

test("[OPS-1] no other role looks users up, and nothing is found without a reason", async () => {
  expect((await trader.post(FIND, { query: "123456789", reason: "Curious" })).status).toBe(403);
  expect((await operator.post(FIND, { query: "nobody@nowhere.example", reason: "Ticket 8" })).code).toBe(
    "USER_UNKNOWN",
  );
  expect((await operator.post(FIND, { query: "nobody@nowhere.example" })).code).toBe("VALIDATION_FAILED");
});
