// Four eyes on real databases: one person proposes, another decides, it is carried out once despite concurrent changes.

import { createHash } from "node:crypto";
import { SILENT_LOG } from "@clockwork/host/log";
import type { ProposalCall, ProposalEnd, ProposalKind, Propose } from "@clockwork/host/proposal";
import type { Outcome, RouteContext, RouteSpec } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { clockOf } from "@clockwork/server/clock/clock-fixture";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachDatabase, type TestDatabase } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { Type } from "typebox";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { RoleService } from "../operators/role-service.ts";
import { OperatorService } from "../operators/service.ts";
import { operatorStore } from "../operators/store.ts";
import type { Proposal } from "../proposals/contract.ts";
import { composeProposals } from "./proposals.ts";

const [ANN, BEN, CAY, DAN] = [11, 12, 13, 14];
const GIFT = Type.Object({ user: Type.String(), amount: Type.String() }, { additionalProperties: false });
const EXPIRES_MS = 60_000;
const OLD = "before-several";

/** A proposal as stored when there was a single receiver. */
async function addOld(place: TestDatabase) {
  const [proposalId, payload] = ["00000000000000aa", `{"amount":"5","user":"${CAY}"}`];
  const hashed = JSON.stringify([proposalId, "gift.give", CAY, payload]);
  const payloadHash = createHash("sha256").update(hashed).digest("hex");
  await sql`insert into proposals_proposal
    (proposal_id, kind, client_id, payload, payload_hash, proposer_id, beneficiary_id, state, created_ms, expires_ms,
     is_simulated, reason, outcome)
    values (${proposalId}, 'gift.give', ${OLD}, ${payload}, ${payloadHash}, ${ANN}, ${CAY}, 'PROPOSED', 1000, 61000,
     ${false}, '', '')`.execute(place.database().kysely);
  return { proposalId, payloadHash };
}

interface House {
  readonly propose: Propose<typeof GIFT>;
  readonly kind: ProposalKind<typeof GIFT> & { run: (call: ProposalCall) => Promise<ProposalEnd> };
  call(path: string, userId: number, body: object, timeMs?: number): Promise<Outcome<Proposal>>;
  list(userId: number): Promise<readonly Proposal[]>;
  resume(): Promise<void>;
}

/** One process's view: its own services over the shared database. */
function openHouse(place: TestDatabase, hasSimulatedReviewer = false, nowMs = () => 1_000): House {
  const { kysely } = place.database();
  const store = operatorStore(kysely);
  const audit = new OperatorService({ store, needs: { mark: (text) => text.slice(0, 40) } });
  const roles = new RoleService({
    store,
    audit,
    needs: {
      hasTotp: async () => true,
      isVerified: async () => true,
      provedAt: async () => 0,
      findAccount: async () => undefined,
      nameOf: async (userId) => `user ${userId}`,
      setOperator: async () => undefined,
      endSessions: async () => undefined,
    },
  });
  const nameOf = async (userId: number) => `user ${userId}`;
  const part = composeProposals({
    kysely,
    log: SILENT_LOG,
    clock: clockOf(nowMs),
    roles,
    nameOf,
    hasSimulatedReviewer,
  });
  const kind: House["kind"] = {
    kind: "gift.give",
    permission: "coupons.issue",
    needsFreshProof: false,
    expiresAfterMs: EXPIRES_MS,
    payload: GIFT,
    beneficiariesOf: async ({ user }) => user.split(",").map(Number),
    describe: ({ user, amount }) => `${amount} for ${user}`,
    run: async () => ({ end: "done", outcome: "given" }),
    execute: (_, call) => kind.run(call),
  };
  const propose = part.register(kind);
  const route = (path: string) =>
    present(
      part.routes.find((one: RouteSpec) => one.path.endsWith(path)),
      "OPS-1",
      path,
    );
  return {
    propose,
    kind,
    call: (path, userId, body, timeMs = 1_000) =>
      route(path).handle({ query: {}, params: {}, body }, contextOf(userId, timeMs)) as Promise<Outcome<Proposal>>,
    list: async (userId) => {
      const page = await route("proposals").handle({ query: {}, params: {}, body: {} }, contextOf(userId, 1_000));
      return page.ok ? (page.data as { proposals: Proposal[] }).proposals : [];
    },
    resume: async () => part.start()(),
  };
}

function contextOf(userId: number, timeMs: number): RouteContext {
  const caller = { kind: "user", userId: String(userId), sessionId: "s" } as const;
  const who = { requestId: "r", ip: "::1", userId: String(userId), session: { id: "s" }, locale: "en_US" };
  return { ...who, caller, timeMs, header: () => undefined };
}

const codeOf = (outcome: Outcome<unknown>): unknown => (outcome.ok ? 0 : outcome.rejection.code);

forEachDatabase("proposals", (place) => {
  let house: House;
  let given: string[];
  let old: { readonly proposalId: string; readonly payloadHash: string };
  beforeAll(async () => {
    const root = new URL("../../../..", import.meta.url).pathname;
    const wanted = collectMigrations(root).filter(({ name }) => /^(?:operators|proposals)\//.test(name));
    const before = wanted.filter(({ name }) => !name.endsWith("002-beneficiaries.sql"));
    await migrate(place.database(), before);
    old = await addOld(place);
    await migrate(place.database(), wanted);
  });
  beforeEach(async () => {
    const { kysely } = place.database();
    await sql`delete from proposals_proposal where client_id <> ${OLD}`.execute(kysely);
    await sql`delete from operators_role`.execute(kysely);
    for (const user of [ANN, BEN, CAY, DAN])
      await sql`insert into operators_role values (${user}, 'admin', 0, 0)`.execute(kysely);
    house = openHouse(place);
    given = [];
    house.kind.run = async ({ reference }) => {
      // An effect that is idempotent by its reference, as every kind's must be.
      if (!given.includes(reference)) given.push(reference);
      return { end: "done", outcome: "given" };
    };
  });
  const make = async (clientId = "intent-1", user = String(CAY), who = ANN) => {
    const made = await house.propose(contextOf(who, 1_000), { user, amount: "5" }, clientId);
    if (!made.ok) throw new Error(made.rejection.code);
    return { proposalId: made.data.proposalId, payloadHash: made.data.payloadHash };
  };

  test("[OPS-1] the second person is neither the proposer nor a beneficiary, and reads what they approve", async () => {
    const own = await house.propose(contextOf(CAY, 1_000), { user: String(CAY), amount: "5" }, "own-gift");
    expect(codeOf(own)).toBe("BENEFICIARY_DECIDES");
    const made = await make();
    expect(codeOf(await house.call("approve", ANN, made))).toBe("PROPOSER_IS_APPROVER");
    expect(codeOf(await house.call("approve", CAY, made))).toBe("BENEFICIARY_DECIDES");
    expect(codeOf(await house.call("approve", 99, made))).toBe("FORBIDDEN");
    const other = await make("intent-2");
    expect(codeOf(await house.call("approve", BEN, { ...made, payloadHash: other.payloadHash }))).toBe(
      "PROPOSAL_CHANGED",
    );
    expect(given).toEqual([]);
    const done = await house.call("approve", BEN, made);
    expect(done).toMatchObject({ ok: true, data: { state: "EXECUTED", decidedBy: { user: String(BEN) } } });
    expect(given).toEqual([`proposal:${made.proposalId}`]);
  });

  test("[OPS-1] none of several beneficiaries proposes it or decides on it, not even by refusing", async () => {
    const users = [CAY, DAN, CAY].map(String).join(",");
    for (const one of [CAY, DAN]) {
      const own = await house.propose(contextOf(one, 1_000), { user: users, amount: "5" }, "own-share");
      expect(codeOf(own)).toBe("BENEFICIARY_DECIDES");
    }
    const made = await make("two-gain", users);
    for (const one of [CAY, DAN]) {
      expect(codeOf(await house.call("approve", one, made))).toBe("BENEFICIARY_DECIDES");
      expect(codeOf(await house.call("reject", one, { ...made, reason: "No." }))).toBe("BENEFICIARY_DECIDES");
    }
    const { kysely } = place.database();
    const put = (ids: string) =>
      sql`update proposals_proposal set beneficiary_ids = ${ids} where client_id = 'two-gain'`.execute(kysely);
    await put(`[${CAY}]`);
    expect(codeOf(await house.call("approve", DAN, made))).toBe("PROPOSAL_CHANGED");
    await put(`[${CAY},${DAN}]`);
    const [shown] = (await house.list(DAN)).filter(({ proposalId }) => proposalId === made.proposalId);
    expect(shown).toMatchObject({ mayDecide: false, beneficiaries: [{ user: String(CAY) }, { user: String(DAN) }] });
    expect(await house.call("approve", BEN, made)).toMatchObject({ ok: true, data: { state: "EXECUTED" } });
    expect(given).toEqual([`proposal:${made.proposalId}`]);
  });

  test("[OPS-1] a proposal from before there could be several beneficiaries keeps its hash and its receiver", async () => {
    expect(codeOf(await house.call("approve", CAY, old))).toBe("BENEFICIARY_DECIDES");
    expect(await house.call("approve", BEN, old)).toMatchObject({
      ok: true,
      data: { state: "EXECUTED", beneficiaries: [{ user: String(CAY) }] },
    });
    await sql`delete from proposals_proposal`.execute(place.database().kysely);
  });

  test("[OPS-1] a payload changed in the table is never carried out", async () => {
    const made = await make();
    const { kysely } = place.database();
    await sql`update proposals_proposal set payload = '{"amount":"500","user":"13"}'`.execute(kysely);
    expect(codeOf(await house.call("approve", BEN, made))).toBe("PROPOSAL_CHANGED");
    await sql`update proposals_proposal set state = 'APPROVED', decided_by = ${BEN}`.execute(kysely);
    await house.resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "FAILED" });
    expect(given).toEqual([]);
  });

  test("[OPS-1] two concurrent approvals are one, and carried out once; a repeated approval by the same person changes nothing", async () => {
    let runs = 0;
    const houses = [openHouse(place), openHouse(place)];
    for (const one of houses)
      one.kind.run = async ({ reference }) => {
        runs += 1;
        if (!given.includes(reference)) given.push(reference);
        return { end: "done", outcome: "given" };
      };
    for (let round = 0; round < 5; round += 1) {
      runs = 0;
      const made = await make(`round-${round}`);
      const answers = await Promise.all(
        [BEN, DAN].map((who, at) => houses[at]?.call("approve", who, made) ?? Promise.reject(new Error("no house"))),
      );
      expect(answers.map(codeOf).sort()).toEqual([0, "PROPOSAL_DECIDED"]);
      expect(runs).toBe(1);
      const winner = answers[0]?.ok === true ? BEN : DAN;
      expect(await house.call("approve", winner, made)).toMatchObject({ ok: true, data: { state: "EXECUTED" } });
      expect(runs).toBe(1);
    }
    expect(given).toHaveLength(5);
  });

  test("[OPS-1] one intent proposes once; another under its id is refused", async () => {
    const [one, same] = await Promise.all([make(), make()]);
    expect(one).toEqual(same);
    const other = await house.propose(contextOf(ANN, 1_000), { user: String(CAY), amount: "6" }, "intent-1");
    expect(codeOf(other)).toBe("CLIENT_ID_REUSED");
    expect(await house.list(BEN)).toHaveLength(1);
    const bad = await house.propose(contextOf(ANN, 1_000), { user: String(CAY) } as never, "intent-3");
    expect(codeOf(bad)).toBe("PROPOSAL_INVALID");
  });

  test("[OPS-1] a rejected, withdrawn or expired proposal is closed", async () => {
    const rejected = await make("a-rejected");
    expect(codeOf(await house.call("reject", ANN, { ...rejected, reason: "No." }))).toBe("PROPOSER_IS_APPROVER");
    expect(await house.call("reject", BEN, { ...rejected, reason: "No." })).toMatchObject({
      data: { state: "REJECTED", reason: "No.", mayDecide: false },
    });
    expect(codeOf(await house.call("approve", DAN, rejected))).toBe("PROPOSAL_DECIDED");
    const withdrawn = await make("a-withdrawn");
    expect(codeOf(await house.call("withdraw", BEN, withdrawn))).toBe("NOT_PROPOSER");
    expect(await house.call("withdraw", ANN, withdrawn)).toMatchObject({ data: { state: "WITHDRAWN" } });
    expect(codeOf(await house.call("approve", BEN, withdrawn))).toBe("PROPOSAL_DECIDED");
    const old = await make("an-old-one");
    expect(codeOf(await house.call("approve", BEN, old, 1_000 + EXPIRES_MS))).toBe("PROPOSAL_EXPIRED");
    const forgotten = await make("a-forgotten");
    await openHouse(place, false, () => 1_000 + EXPIRES_MS).resume();
    expect(codeOf(await house.call("approve", BEN, forgotten))).toBe("PROPOSAL_EXPIRED");
    expect((await house.list(BEN)).map(({ state }) => state)).toEqual(["EXPIRED", "EXPIRED", "WITHDRAWN", "REJECTED"]);
    expect(given).toEqual([]);
  });

  test("[OPS-1] what a process had started when it ended is completed by the next, once", async () => {
    const made = await make();
    const dying = openHouse(place);
    const startedAt = new Promise<void>((notify) => {
      dying.kind.run = ({ reference }) => {
        given.push(reference);
        notify();
        // The process has ended: its effect remains, and its row never records it.
        return new Promise(() => undefined);
      };
    });
    void dying.call("approve", BEN, made);
    await startedAt;
    expect((await house.list(ANN))[0]).toMatchObject({ state: "APPROVED" });
    // Operators who left since do not matter: execution had started.
    await sql`delete from operators_role where user_id in (${ANN}, ${BEN})`.execute(place.database().kysely);
    await house.resume();
    expect((await house.list(DAN))[0]).toMatchObject({ state: "EXECUTED" });
    expect(given).toEqual([`proposal:${made.proposalId}`]);
  });

  test("[OPS-1] a fault leaves it approved and is retried; a refusal ends it", async () => {
    const made = await make();
    const run = house.kind.run;
    house.kind.run = async () => {
      throw new Error("the disk is full");
    };
    expect(await house.call("approve", BEN, made)).toMatchObject({ data: { state: "APPROVED" } });
    house.kind.run = async () => ({ end: "later" });
    await house.resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "APPROVED" });
    house.kind.run = run;
    await house.resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "EXECUTED", outcome: "given" });
    house.kind.run = async () => ({ end: "refused", code: "TREASURY_SHORT", message: "Too little." });
    expect(await house.call("approve", BEN, await make("intent-2"))).toMatchObject({
      data: { state: "FAILED", outcome: "TREASURY_SHORT: Too little." },
    });
  });

  test("[OPS-1] approved but not started, it needs both people to hold their right still", async () => {
    const { kysely } = place.database();
    for (const gone of [ANN, BEN]) {
      await make(`gone-${gone}`);
      await sql`update proposals_proposal set state = 'APPROVED', decided_by = ${BEN} where state = 'PROPOSED'`.execute(
        kysely,
      );
      await sql`delete from operators_role where user_id = ${gone}`.execute(kysely);
      await house.resume();
      expect((await house.list(DAN))[0]).toMatchObject({
        state: "FAILED",
        outcome: expect.stringMatching(/LOST_RIGHT/),
      });
      await sql`insert into operators_role values (${gone}, 'admin', 0, 0)`.execute(kysely);
    }
    const made = await make("proposer-gone");
    await sql`delete from operators_role where user_id = ${ANN}`.execute(kysely);
    expect(codeOf(await house.call("approve", BEN, made))).toBe("PROPOSER_LOST_RIGHT");
    expect(given).toEqual([]);
  });

  test("[OPS-1] an approval by a simulated person is not carried out where there is none", async () => {
    const made = await make();
    const { kysely } = place.database();
    await openHouse(place, true, () => 2_000).resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "PROPOSED" });
    await openHouse(place, true, () => 3_000).resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "EXECUTED", isSimulated: true });
    await sql`update proposals_proposal set state = 'APPROVED', began_ms = null, outcome = ''`.execute(kysely);
    await house.resume();
    expect((await house.list(ANN))[0]).toMatchObject({ state: "FAILED", proposalId: made.proposalId });
  });
});
