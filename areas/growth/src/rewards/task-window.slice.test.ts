// What tasks count: friends who signed up in their time, deposits of some worth, and sign-ups, which are checked
// without a trigger.

import { DAY_MS } from "@clockwork/kit/time";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rewardStore, type TaskRow } from "./store.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
}, 180_000);
afterAll(() => server?.close());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const own = async (visitor: Visitor, taskId: string): Promise<any> =>
  (await visitor.get("/v1/welfare/tasks")).data.tasks.find((one: { taskId: string }) => one.taskId === taskId);

const taskOf = (task_id: string, more: Partial<TaskRow>): TaskRow => ({
  task_id,
  campaign_id: "come",
  kind: "invite",
  target: 1n,
  course: "",
  after_task: null,
  level_min: 0,
  reward: "airdrop",
  cost_units: 5_000_000n,
  terms: JSON.stringify({ kind: "airdrop", amount: "5" }),
  starts_ms: server.nowMs() - DAY_MS,
  ends_ms: server.nowMs() + 30 * DAY_MS,
  claim_until_ms: server.nowMs() + 60 * DAY_MS,
  position: 1,
  is_open: true,
  created_ms: 0,
  ...more,
});

test("[USR-5] friends count for a task only in its own time, dust is no deposit, and an inviter is notified automatically", async () => {
  const nowMs = server.nowMs();
  const store = rewardStore(server.kysely as never);
  await store.addCampaign({
    campaign_id: "come",
    name: "Come",
    is_open: true,
    is_simulated: false,
    created_ms: 0,
  } as never);
  await Promise.all([
    store.addTask(taskOf("come-now", { kind: "invite" })),
    store.addTask(taskOf("come-past", { kind: "invite", starts_ms: nowMs - 10 * DAY_MS, ends_ms: nowMs - DAY_MS })),
    store.addTask(taskOf("come-in", { kind: "deposit" })),
  ]);
  const inviter = await server.trader();
  const userId = Number((await inviter.post("/v2/users/top-info")).data.id);
  const { code } = (await inviter.get("/v1/common/invite/profile")).data.links[0];
  const friend = new Visitor(server);
  await friend.signUp("came-by-link@example.com", "correct-horse-1", { inviteCode: code });
  await friend.dev("/identity", { level: 1 });
  const isDone = async (taskId: string) => (await store.listDone(userId)).some(({ task_id }) => task_id === taskId);
  // The page is not read: the sign-up itself triggers the check.
  const looked = async () => {
    server.wait(3_000);
    return isDone("come-now");
  };
  await expect.poll(looked).toBe(true);
  expect(await isDone("come-past")).toBe(false);
  const opened = await server.engine.submit({ kind: "createAccount", user: userId, book: "spot" });
  const account = opened.events.find((event) => event.kind === "accountCreated")?.account ?? 0;
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? 0;
  const deposit = (units: number) =>
    server.engine.submit({ kind: "mint", account, asset, business: "deposit", units, reference: `dust:${units}` });
  await deposit(9_999_999);
  expect((await own(inviter, "come-in")).state).toBe("OPEN");
  await deposit(10_000_000);
  await expect.poll(async () => (await own(inviter, "come-in")).state).toBe("DONE");
});
