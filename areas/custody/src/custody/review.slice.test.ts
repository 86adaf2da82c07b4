// The checks between a request and the queue: the address book's mode with its waiting times, a passkey in place of the
// fund password, and two people above a worth. Nothing is sent here.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { SoftAuthenticator } from "@clockwork/identity/accounts/soft-authenticator";
import type { ProposalPage } from "@clockwork/identity/proposals/contract";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { holds, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../chain/evm.ts";
import { NAME_RULE } from "../withdrawals/rules.ts";

let server: TradingServer;
let owners = 0;
beforeAll(async () => {
  server = await startTradingServer({ CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", ...TWO_OPERATORS });
}, 240_000);
afterAll(() => server?.close());

const DAY_MS = 86_400_000;
const somewhere = (): string => checksumOf(`0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "7")}`);
const apply = (visitor: Visitor, body: object): Promise<Answer> =>
  visitor.post("/asset/v1/api/withdraw/apply", { asset: "USDT", network: "CWT", amount: "100", ...body });

interface Owner {
  readonly visitor: Visitor;
  readonly email: string;
}

async function owner(usdt: string): Promise<Owner> {
  const visitor = new Visitor(server);
  owners += 1;
  const email = `keeper-${owners}@example.com`;
  await visitor.signUp(email);
  await visitor.dev("/identity", { level: 2 });
  expect((await visitor.faucet("USDT", usdt)).status).toBe(200);
  await visitor.stepUp(email);
  await visitor.post("/v2/users/security/trade-password/set", { password: "fund-password-1" });
  return { visitor, email };
}

/** Sessions do not last a day without a call: the owner signs in again. */
async function passDay({ visitor, email }: Owner): Promise<void> {
  server.wait(DAY_MS);
  expect((await visitor.signIn(email)).status).toBe(200);
}

async function code({ visitor, email }: Owner): Promise<string> {
  server.wait(61_000);
  await visitor.post("/v2/users/security/step-up/code");
  return visitor.readCode(email);
}
/** With a code that was sent for exactly this. */
async function proof({ visitor, email }: Owner, request: object) {
  server.wait(61_000);
  const { status } = await visitor.post("/asset/v1/api/withdraw/code", { asset: "USDT", ...request });
  expect(status).toBe(200);
  return { tradePassword: "fund-password-1", code: await visitor.readCode(email) };
}
const proofOut = (who: Owner, address: string) => proof(who, { network: "CWT", amount: "100", address });
/** Where what is asked for is refused before a proof is looked at. */
const UNREAD = { tradePassword: "fund-password-1", code: "123456" };

/** Entered once: an authenticator is bound to each. */
let entered: Promise<readonly [Visitor, Visitor]> | undefined;
function operators(): Promise<readonly [Visitor, Visitor]> {
  entered ??= (async () => [
    (await enterAsOperator(server)).operator,
    (await enterAsOperator(server, 1)).operator,
  ])() as Promise<readonly [Visitor, Visitor]>;
  return entered;
}

const setMode = async (who: Owner, isWhitelist: boolean) =>
  who.visitor.post("/asset/v1/api/withdraw/address/risk-control", { isWhitelist, code: await code(who) });
const save = ({ visitor }: Owner, body: object) =>
  visitor.post("/asset/v1/api/withdraw/address/add", { network: "CWT", name: "Ledger", ...body });

test("[WAL-2] every new address is proved and waits a day in the mode; entering it restarts all waiting times, leaving it suspends everything", async () => {
  const who = await owner("500");
  const { visitor } = who;
  const address = somewhere();
  expect((await save(who, { address })).code).toBe("PROOF_REQUIRED");
  expect((await save(who, { address, code: "000000" })).code).toBe("PROOF_WRONG");
  const [early] = (await save(who, { address, code: await code(who) })).data.addresses;
  expect(early).toMatchObject({ isResting: true, usableAtMs: early.createdAtMs + DAY_MS });
  await passDay(who);
  expect((await visitor.get("/asset/v1/api/withdraw/address")).data.addresses).toMatchObject([{ isResting: false }]);
  const on = await setMode(who, true);
  expect(on.data).toMatchObject({ isWhitelist: true, addresses: [{ address, isResting: true }] });
  expect((await apply(visitor, { address, clientId: "b", proof: UNREAD })).code).toBe("ADDRESS_RESTS");
  expect((await apply(visitor, { address: somewhere(), clientId: "a", proof: UNREAD })).code).toBe("ADDRESS_NOT_SAVED");
  await passDay(who);
  expect((await setMode(who, true)).data.addresses).toMatchObject([{ isResting: false }]);
  const made = await apply(visitor, { address, clientId: "c", proof: await proofOut(who, address) });
  expect(made.data).toMatchObject({ state: "REVIEW" });
  expect((await setMode(who, false)).data.isWhitelist).toBe(false);
  expect((await apply(visitor, { address, clientId: "d", proof: UNREAD })).code).toBe("WITHDRAWALS_REST");
  await passDay(who);
  expect((await apply(visitor, { address, clientId: "e", proof: await proofOut(who, address) })).data?.state).toBe(
    "REVIEW",
  );
  expect(await holds(visitor, "USDT")).toEqual(["300", "200"]);
});

test("[WAL-2] a transfer does not reveal which users exist before it is proved, never reaches operators, and is bound by the mode", async () => {
  const [who, other] = [await owner("500"), await owner("1")];
  const operator = /account (\S+), /.exec(server.announced[0] ?? "")?.[1] ?? "";
  const number = (await other.visitor.post("/v2/users/top-info")).data.id as string;
  let sent = 0;
  const send = (to: string, proved?: object) => {
    sent += 1;
    const body = { asset: "USDT", amount: "10", clientId: `send-${sent}`, to, ...(proved && { proof: proved }) };
    return who.visitor.post("/asset/v1/api/internal/transfer", body);
  };
  const proofTo = (to: string) => proof(who, { amount: "10", to });
  const names = [other.email, number, "nobody@example.com", "123456789", operator];
  const result = await Promise.all(names.map((to) => send(to)));
  expect(new Set(result.map(({ code: refusal, message }) => `${refusal} ${message}`)).size).toBe(1);
  expect(result[0]?.code).toBe("PROOF_REQUIRED");
  expect((await send(operator, await proofTo(operator))).code).toBe("RECEIVER_UNKNOWN");
  expect((await send(other.email, await proofTo(other.email))).data).toMatchObject({ state: "DONE", receiver: number });
  // In the mode only saved receivers are paid, and nothing is revealed about others.
  expect((await setMode(who, true)).status).toBe(200);
  for (const to of [other.email, "nobody@example.com"])
    expect((await send(to, await proofTo(to))).code).toBe("RECEIVER_NOT_SAVED");
  const user = { network: "USER", name: "Friend" };
  expect((await save(who, { ...user, address: other.email })).code).toBe("PROOF_REQUIRED");
  expect((await save(who, { ...user, address: operator, code: await code(who) })).code).toBe("RECEIVER_UNKNOWN");
  const added = await save(who, { ...user, address: other.email, code: await code(who) });
  expect(added.data.addresses).toMatchObject([{ network: "USER", address: number, isResting: true }]);
  expect((await send(number, await proofTo(number))).code).toBe("RECEIVER_RESTS");
  await passDay(who);
  expect((await send(number, await proofTo(number))).data?.state).toBe("DONE");
  await other.visitor.signIn(other.email);
  expect((await holds(other.visitor, "USDT"))[0]).toBe("21");
  const gone = { network: "USER", address: number };
  expect((await who.visitor.post("/asset/v1/api/withdraw/address/delete", gone)).data.addresses).toEqual([]);
});

test("[WAL-2] names new to the caller are counted, and too many of them are delayed", async () => {
  const who = await owner("500");
  const { visitor } = who;
  const nobody = { amount: "10", to: "nobody@example.com" };
  const made = { asset: "USDT", clientId: "one", ...nobody, proof: await proof(who, nobody) };
  expect((await visitor.post("/asset/v1/api/internal/transfer", made)).code).toBe("RECEIVER_UNKNOWN");
  const other = await owner("1");
  const paid = { ...made, to: other.email, proof: await proof(who, { amount: "10", to: other.email }) };
  expect((await visitor.post("/asset/v1/api/internal/transfer", paid)).data?.state).toBe("DONE");
  // A clientId in use requires no proof: each other name is a guess.
  const guess = (at: number) =>
    visitor.post("/asset/v1/api/internal/transfer", { ...paid, to: `guess-${at}@example.com`, proof: undefined });
  const result = await Promise.all(Array.from({ length: 30 }, (_, at) => guess(at)));
  expect(result.filter(({ code: refusal }) => refusal === "CLIENT_ID_REUSED")).toHaveLength(NAME_RULE.triesMax - 2);
  const locked = result.find(({ status }) => status === 429);
  expect(Number(locked?.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("[WAL-2] the owner's passkey proves a withdrawal as the fund password does, another user's does not", async () => {
  const [who, other] = [await owner("500"), await owner("1")];
  const keys = new Map<Visitor, SoftAuthenticator>();
  for (const { visitor } of [who, other]) {
    const key = new SoftAuthenticator(server.url);
    keys.set(visitor, key);
    const { options } = (await visitor.post("/v2/users/passkey/bind/challenge")).data;
    expect((await visitor.post("/v2/users/passkey/bind", { response: key.create(options.challenge, {}) })).status).toBe(
      200,
    );
  }
  await passDay(other);
  await passDay(who);
  const show = async (of: Visitor) => {
    const { options } = (await who.visitor.post("/v2/users/passkey/challenge")).data;
    return keys.get(of)?.get(options.challenge, {});
  };
  const request = { address: somewhere(), clientId: "key" };
  const foreign = { passkey: await show(other.visitor), code: "123456" };
  expect(await apply(who.visitor, { ...request, proof: foreign })).toMatchObject({ code: "PROOF_WRONG" });
  const { code: sent } = await proofOut(who, request.address);
  const own = { passkey: await show(who.visitor), code: sent };
  expect((await apply(who.visitor, { ...request, proof: own })).data?.state).toBe("REVIEW");
});

test("[WAL-2] above a worth two people release it; neither alone, nor its owner", async () => {
  const who = await owner("200000");
  const address = somewhere();
  await passDay(who);
  const large = { network: "CWT", amount: "60000", address };
  const made = await apply(who.visitor, { ...large, clientId: "large", proof: await proof(who, large) });
  expect(made.data).toMatchObject({ state: "REVIEW", review: ["first", "newAddress"] });
  const { withdrawalId } = made.data;
  const [first, second] = await operators();
  const decide = (visitor: Visitor, body: object) => visitor.post("/v2/operators/withdrawals/decide", body);
  const { waiting } = (await first.get("/v2/operators/withdrawals")).data;
  expect(waiting).toContainEqual(expect.objectContaining({ withdrawalId, needsTwo: true }));
  const proposed = await decide(first, { withdrawalId, decision: "APPROVED" });
  expect(proposed.data).toMatchObject({ state: "REVIEW" });
  const { proposals } = (await first.get("/v2/operators/proposals?openOnly=true")).data as ProposalPage;
  const proposal = proposals.find(({ proposalId }) => proposalId === proposed.data.proposalId);
  const answer: Answer = { ...proposed, data: proposal };
  expect((await approve(first, answer)).status).not.toBe(200);
  expect((await approve(second, answer)).status).toBe(200);
  const state = async () =>
    ((await who.visitor.get("/asset/v1/api/withdraw/list")).data.withdrawals as { state: string }[])[0]?.state;
  while ((await state()) === "REVIEW") await new Promise((wake) => setTimeout(wake, 30));
  expect(["QUEUED", "BROADCAST", "CONFIRMING", "DONE"]).toContain(await state());
  expect((await decide(second, { withdrawalId, decision: "REJECTED", reason: "late" })).code).toBe(
    "WITHDRAWAL_DECIDED",
  );
});

test("[WAL-2] one person pauses a network; opening it again takes a second one, and applies only to that pause", async () => {
  const [first, second] = await operators();
  const set = (visitor: Visitor, isPaused: boolean, cause: string) =>
    visitor.post("/v2/operators/withdrawals/pause", { network: "CWS", isPaused, cause });
  const pauses = async () => (await first.get("/v2/operators/withdrawals")).data.paused as { cause: string }[];
  expect((await set(first, false, "nothing")).code).toBe("NOT_PAUSED");
  expect((await set(first, true, "the nodes look odd")).data.proposalId).toBe(null);
  expect(await pauses()).toMatchObject([{ network: "CWS", cause: "the nodes look odd" }]);
  const proposed = await set(first, false, "they are well");
  expect(await pauses()).toHaveLength(1);
  const { proposals } = (await first.get("/v2/operators/proposals?openOnly=true")).data as ProposalPage;
  const proposal = proposals.find(({ proposalId }) => proposalId === proposed.data.proposalId);
  const answer: Answer = { ...proposed, data: proposal };
  expect((await approve(first, answer)).status).not.toBe(200);
  expect(await pauses()).toHaveLength(1);
  expect((await approve(second, answer)).status).toBe(200);
  await expect.poll(pauses).toEqual([]);
});
