// The process is killed while rewards are being claimed and restarted: every claim is paid once or not at all, a repeat
// completes it, and the campaign's budget is exact.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { DAY_MS } from "@clockwork/kit/time";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { type ServedProgram, serveProgram } from "@clockwork/server/process/program-fixture";
import { holds, place } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";

const DESK = "/v1/console/rewards";
const TASK = "killed-claims";
const PEOPLE = 5;
const REWARD = 10;
/** For three of them, and a remainder too small for a fourth. */
const BUDGET = 35;
/** 1 000 less the hold of the order of 95 USDT. */
const BEFORE = 905;

const at = { url: "" };
let folder = "";
let served: ServedProgram | undefined;

async function serve(): Promise<ServedProgram> {
  served = await serveProgram(folder, TWO_OPERATORS);
  at.url = served.url;
  return served;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-rewards-restart-"));
});
afterAll(async () => {
  await served?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Two operators who approve each other's proposals. */
async function openDesk(announced: readonly string[]) {
  // The address changes after a restart.
  const door = Object.assign(at, { announced, nowMs: Date.now });
  const [{ operator }, { operator: second }] = [await enterAsOperator(door), await enterAsOperator(door, 1)];
  let ids = 0;
  return {
    operator,
    async agree(path: string, body: object): Promise<void> {
      ids += 1;
      const end = await approve(second, await operator.post(path, { ...body, clientId: `desk-intent-${ids}` }));
      if (end.data.state !== "EXECUTED") throw new Error(`not carried out: ${end.data.outcome}`);
    },
  };
}

function taskOf(taskId: string): object {
  const nowMs = Date.now();
  return {
    taskId,
    campaignId: taskId,
    kind: "limitOrder",
    target: "1",
    course: "",
    after: null,
    levelNeeded: 1,
    reward: { kind: "airdrop", amount: String(REWARD) },
    startsAtMs: nowMs - DAY_MS,
    endsAtMs: nowMs + DAY_MS,
    claimUntilMs: nowMs + 2 * DAY_MS,
    position: 1,
  };
}

async function orderer(index: number): Promise<Visitor> {
  const visitor = new Visitor(at);
  expect((await visitor.signUp(`claims-${index}@example.com`)).code).toBe(0);
  await visitor.dev("/identity", { level: 1 });
  await visitor.faucet("USDT", "1000");
  expect((await place(visitor, { side: "buy", price: "95000", quantity: "0.001" })).status).toBe(200);
  return visitor;
}

type Requested = readonly Promise<Answer | undefined>[];

/** Reads the file from outside until a claim is stored as intended: from then on it is under way. */
async function intended(requested: Requested): Promise<void> {
  const file = new DatabaseSync(join(folder, "clockwork.sqlite"), { readOnly: true });
  const query = file.prepare("select 1 from rewards_claim where task_id = ?");
  let answers: readonly (Answer | undefined)[] | undefined;
  void Promise.all(requested).then((all) => {
    answers = all;
  });
  while (query.get(TASK) === undefined) {
    if (answers !== undefined) throw new Error(`nobody claims: ${answers.map((one) => one?.code).join()}`);
    await new Promise((done) => setImmediate(done));
  }
  file.close();
}

test("[USR-5] killed while rewards are claimed: each is paid once or not at all, a repeat completes it, the budget is exact", async () => {
  const { operator, agree } = await openDesk((await serve()).announced);
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => orderer(index)));
  const claim = (visitor: Visitor): Promise<Answer | undefined> =>
    visitor.post("/v1/welfare/claim", { taskId: TASK }).catch(() => undefined);
  const balance = async (visitor: Visitor): Promise<number> => Number((await holds(visitor, "USDT"))[0]);
  await agree(`${DESK}/campaign`, { campaignId: TASK, name: TASK });
  await agree(`${DESK}/fund`, { campaignId: TASK, amount: String(BUDGET), reason: "test" });
  await agree(`${DESK}/task`, taskOf(TASK));
  // A task counts what the tables hold, which on a busy machine are behind for longer than a claim waits for them.
  const stateOf = async (visitor: Visitor): Promise<unknown> =>
    (await visitor.get("/v1/welfare/tasks")).data.tasks.find((one: { taskId: string }) => one.taskId === TASK)?.state;
  for (const visitor of people) await expect.poll(() => stateOf(visitor)).toBe("DONE");
  const requested = people.map(claim);
  await intended(requested);
  await served?.kill();
  const answer = await Promise.all(requested);
  await serve();
  // Whatever the killed process had done, a claim is worth one reward or nothing, and what was confirmed is paid.
  for (const [index, visitor] of people.entries()) {
    const gained = (await balance(visitor)) - BEFORE;
    expect(answer[index]?.status === 200 ? [REWARD] : [0, REWARD]).toContain(gained);
  }
  // Repeated twice at once by every user, each is completed.
  const ends = await Promise.all(people.map((one) => Promise.all([claim(one), claim(one)])));
  for (const [one, same] of ends) expect([same?.status, same?.code]).toEqual([one?.status, one?.code]);
  const isGiven = ends.map(([one]) => one?.status === 200);
  expect(isGiven.filter(Boolean)).toHaveLength(Math.floor(BUDGET / REWARD));
  for (const [index, [one]] of ends.entries()) {
    expect([200, "REWARD_BUDGET_SPENT"]).toContain(one?.status === 200 ? 200 : one?.code);
    const before = answer[index];
    expect(one?.data).toEqual(before?.status === 200 ? before.data : one?.data);
  }
  expect(await Promise.all(people.map(balance))).toEqual(isGiven.map((given) => BEFORE + (given ? REWARD : 0)));
  const reported = async () =>
    (await operator.get(DESK)).data.campaigns.find((one: { campaignId: string }) => one.campaignId === TASK);
  await expect.poll(reported).toMatchObject({ funded: "35", spent: "30", left: "5", held: "0", difference: "0" });
  for (const [index, visitor] of people.entries()) {
    const { letters } = (await visitor.get("/v2/users/letters")).data;
    const written = letters.filter(({ title }: { title: string }) => title === "Your reward is here");
    expect(written).toHaveLength(isGiven[index] ? 1 : 0);
  }
}, 300_000);
