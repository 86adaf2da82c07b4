// Withdrawals requested before the account was frozen: they wait, give the reason, and continue or are cancelled after
// the freeze.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import type { ProposalPage } from "@clockwork/identity/proposals/contract";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../chain/evm.ts";
import { openVault, type Vault } from "./custody-fixture.ts";

let vault: Vault;
beforeAll(async () => {
  vault = await openVault({ ...TWO_OPERATORS, CW_SIMULATED_REVIEWER: "off" });
}, 240_000);
afterAll(() => vault?.close());

const USERS = "/v2/users";
const PASSWORD = "correct-horse-1";
const RELEASE_MS = 24 * 3_600_000 + 1_000;
const somewhere = (): string => checksumOf(`0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "7")}`);

interface Owner {
  readonly visitor: Visitor;
  readonly email: string;
}

async function owner(email: string): Promise<Owner> {
  const visitor = new Visitor(vault);
  await visitor.signUp(email);
  expect((await visitor.faucet("USDT", "500")).status).toBe(200);
  await visitor.stepUp(email);
  await visitor.post(`${USERS}/security/trade-password/set`, { password: "fund-password-1" });
  return { visitor, email };
}

async function apply({ visitor, email }: Owner): Promise<Answer> {
  vault.wait(61_000);
  const request = { asset: "USDT", network: "CWT", amount: "100", address: somewhere() };
  await visitor.post("/asset/v1/api/withdraw/code", request);
  const proof = { tradePassword: "fund-password-1", code: await visitor.readCode(email) };
  return visitor.post("/asset/v1/api/withdraw/apply", { ...request, clientId: crypto.randomUUID(), proof });
}

async function thaw({ email }: Owner): Promise<void> {
  const visitor = new Visitor(vault);
  vault.wait(61_000);
  expect((await visitor.post(`${USERS}/risk-control/release/code`, { account: email })).status).toBe(200);
  const body = { account: email, password: PASSWORD, code: await visitor.readCode(email) };
  expect((await visitor.post(`${USERS}/risk-control/release`, body)).status).toBe(200);
}

const state = async (visitor: Visitor, id: string) => {
  const { withdrawals } = (await visitor.get("/asset/v1/api/withdraw/list")).data;
  const row = withdrawals.find(({ withdrawalId }: { withdrawalId: string }) => withdrawalId === id);
  return { state: row.state as string, review: row.review as string[], mayCancel: row.mayCancel as boolean };
};

test("[WAL-2] of a frozen account nothing is sent: waiting withdrawals give the reason to owner and operator, continue afterwards, or are refunded", async () => {
  const [operator, second] = [(await enterAsOperator(vault)).operator, (await enterAsOperator(vault, 1)).operator];
  const [keeps, calls] = [await owner("keeps@example.com"), await owner("calls@example.com")];
  const [kept, called] = [(await apply(keeps)).data.withdrawalId, (await apply(calls)).data.withdrawalId];
  const decide = (withdrawalId: string) =>
    operator.post("/v2/operators/withdrawals/decide", { withdrawalId, decision: "APPROVED" });
  const pause = (isPaused: boolean) =>
    operator.post("/v2/operators/withdrawals/pause", { network: "CWT", isPaused, cause: "a look at the nodes" });
  // Queued by an operator, and held while its owner freezes the account.
  expect((await pause(true)).status).toBe(200);
  expect((await decide(kept)).data.state).toBe("QUEUED");
  for (const { visitor } of [keeps, calls]) expect((await visitor.post(`${USERS}/security/freeze`)).status).toBe(200);
  const opened = await pause(false);
  const { proposals } = (await operator.get("/v2/operators/proposals?openOnly=true")).data as ProposalPage;
  const proposal = proposals.find(({ proposalId }) => proposalId === opened.data.proposalId);
  expect((await approve(second, { ...opened, data: proposal })).status).toBe(200);
  const waiting = async () => {
    const rows = (await operator.get("/v2/operators/withdrawals")).data.waiting as Record<string, unknown>[];
    return Object.fromEntries(rows.map(({ withdrawalId, review }) => [withdrawalId, review]));
  };
  await vault.until("both on the desk", async () => {
    await vault.dev("mine", { network: "CWT", blocks: 1 });
    return kept in (await waiting()) ? true : undefined;
  });
  const why = ["first", "newAddress", "held"];
  expect(await waiting()).toEqual({ [kept]: why, [called]: why });
  for (const withdrawalId of [kept, called]) expect((await decide(withdrawalId)).code).toBe("OWNER_RESTS");
  for (const who of [keeps, calls]) {
    await thaw(who);
    expect((await who.visitor.signIn(who.email)).status).toBe(200);
  }
  // It is suspended for a day longer, so that its owner can review and cancel it.
  expect(await state(calls.visitor, called)).toMatchObject({ state: "REVIEW", mayCancel: true });
  expect((await calls.visitor.post("/asset/v1/api/withdraw/cancel", { withdrawalId: called })).data.state).toBe(
    "CANCELLED",
  );
  await vault.until("the coins", async () => ((await holds(calls.visitor, "USDT"))[0] === "500" ? true : undefined));
  expect(await state(keeps.visitor, kept)).toMatchObject({ state: "REVIEW", review: why });
  vault.wait(RELEASE_MS);
  expect((await keeps.visitor.signIn(keeps.email)).status).toBe(200);
  await vault.until("the one that was kept", async () => {
    await vault.dev("mine", { network: "CWT", blocks: 2 });
    return (await state(keeps.visitor, kept)).state === "DONE" ? true : undefined;
  });
}, 240_000);
