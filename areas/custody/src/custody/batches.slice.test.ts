// Batched withdrawals over the real development chain and by the real signer: one transaction, each paid once, also
// when its block is replaced, and chain and ledger agree to the last unit.

import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { allOf } from "@clockwork/kit/all-of";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { holds, place } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../chain/evm.ts";
import { openVault, type Vault } from "./custody-fixture.ts";

let vault: Vault;
beforeAll(async () => {
  vault = await openVault();
}, 240_000);
afterAll(() => vault?.close());

interface Owner {
  readonly visitor: Visitor;
  readonly email: string;
}
interface Sent {
  readonly key: string;
  readonly nonce: number;
  readonly asset: string;
  readonly state: string;
  readonly fee_units: string;
}
interface Part {
  readonly withdrawal_id: string;
  readonly batch_key: string;
  readonly is_success: boolean;
}
interface Listed {
  readonly withdrawalId: string;
  readonly state: string;
  readonly txHash: string | null;
}

const SHUT = checksumOf("0xc0de00000000000000000000000000000000dead");
const somewhere = (): string => checksumOf(`0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "7")}`);
const mine = (blocks: number) => vault.dev("mine", { network: "CWT", blocks });

async function owner(index: number): Promise<Owner> {
  const visitor = new Visitor(vault);
  const email = `together-${index}@example.com`;
  await visitor.signUp(email);
  for (const [asset, amount] of [["USDT", "500"] as const, ["ETH", "2"] as const])
    expect((await visitor.faucet(asset, amount)).status).toBe(200);
  await visitor.stepUp(email);
  const set = await visitor.post("/v2/users/security/trade-password/set", { password: "fund-password-1" });
  expect(set.status).toBe(200);
  return { visitor, email };
}

/** All are requested at one moment, and the simulated reviewer releases all at one moment. */
async function withdrawTogether(owners: readonly Owner[], requests: readonly object[]): Promise<readonly string[]> {
  vault.wait(61_000);
  const bodies: object[] = [];
  for (const [at, { visitor, email }] of owners.entries()) {
    expect((await visitor.post("/asset/v1/api/withdraw/code", { network: "CWT", ...requests[at] })).status).toBe(200);
    const proof = { tradePassword: "fund-password-1", code: await visitor.readCode(email) };
    bodies.push({ network: "CWT", clientId: crypto.randomUUID(), proof, ...requests[at] });
  }
  const requested = await Promise.all(
    owners.map(({ visitor }, at) => visitor.post("/asset/v1/api/withdraw/apply", bodies[at] ?? {})),
  );
  expect(requested.map(({ data }) => data?.state)).toEqual(owners.map(() => "REVIEW"));
  vault.wait(2_500);
  return requested.map(({ data }) => data.withdrawalId as string);
}

async function find({ visitor }: Owner, id: string | undefined): Promise<Listed | undefined> {
  const { data } = await visitor.get("/asset/v1/api/withdraw/list");
  return (data.withdrawals as readonly Listed[]).find(({ withdrawalId }) => withdrawalId === id);
}

const reach = (owners: readonly Owner[], ids: readonly string[], states: readonly string[], blocks = 2) =>
  vault.until(`${states.join()} of ${ids.join()}`, async () => {
    const rows: (Listed | undefined)[] = [];
    for (const [at, one] of owners.entries()) rows.push(await find(one, ids[at]));
    if (allOf(rows, (row) => states.includes(row?.state ?? ""))) return rows;
    await mine(blocks);
    return undefined;
  });

async function tables(): Promise<{ readonly sent: readonly Sent[]; readonly parts: readonly Part[] }> {
  const kysely = vault.kysely?.$extendTables<{ withdrawals_sending: Sent; withdrawals_part: Part }>();
  if (kysely === undefined) throw new Error("there is no database");
  return {
    sent: await kysely.selectFrom("withdrawals_sending").selectAll().orderBy("nonce").execute(),
    parts: await kysely.selectFrom("withdrawals_part").selectAll().execute(),
  };
}

async function makePrice(): Promise<void> {
  const [seller, buyer] = [await vault.trader({ ETH: "1" }), await vault.trader({ USDT: "100" })];
  const trade = { pairCode: "ETH_USDT", price: "3000", quantity: "0.01" };
  expect((await place(seller, { ...trade, side: "sell" })).status).toBe(200);
  expect((await place(buyer, { ...trade, side: "buy" })).status).toBe(200);
  await vault.until("a price", async () => {
    const coins = (await buyer.get("/asset/v1/api/wallet/coins")).data as { asset: string; priceUsdt: string | null }[];
    return coins.find(({ asset }) => asset === "ETH")?.priceUsdt === null ? undefined : true;
  });
}

test("[WAL-2] waiting payments leave together, once, and chain and ledger agree to the last unit", async () => {
  const owners: Owner[] = [];
  for (let index = 0; index < 4; index += 1) owners.push(await owner(index));
  await makePrice();
  const usdt = () => owners.map(() => ({ asset: "USDT", amount: "20", address: somewhere() }));
  // Until the contract has an allowance for a token no payment waits: each leaves separately.
  const first = await withdrawTogether(owners, usdt());
  await reach(owners, first, ["DONE"]);
  const before = await tables();
  expect(before.parts).toEqual([]);
  expect(before.sent.filter(({ key }) => first.includes(key))).toHaveLength(4);
  expect(before.sent.filter(({ key }) => key.startsWith("allow:USDT:"))).toHaveLength(1);

  const second = await withdrawTogether(owners, usdt());
  await reach(owners, second, ["CONFIRMING"], 1);
  // Its block is replaced: all of them wait again, and are mined in another one.
  expect((await vault.dev("reorg", { network: "CWT", depth: 3 })).status).toBe(200);
  const done = await reach(owners, second, ["DONE"]);
  expect(new Set(done.map((row) => row?.txHash)).size).toBe(1);
  const after = await tables();
  const many = after.sent.filter(({ key }) => key.startsWith("many:"));
  expect(many).toHaveLength(1);
  expect(after.parts.map((part) => part.withdrawal_id).sort()).toEqual([...second].sort());
  expect(allOf(after.parts, (part) => part.is_success && part.batch_key === many[0]?.key)).toBe(true);
  expect(after.sent.filter(({ key }) => second.includes(key))).toEqual([]);

  // The chain's own coin: to addresses that hold some already; a contract that refuses it is paid separately and
  // refunded.
  const known = [somewhere(), somewhere(), somewhere()];
  for (const address of known)
    expect((await vault.dev("faucet", { network: "CWT", asset: "ETH", address, amount: "1" })).status).toBe(200);
  await mine(1);
  const requests = [...known, SHUT].map((address) => ({ asset: "ETH", amount: "0.03", address }));
  const third = await withdrawTogether(owners, requests);
  const paid = await reach(owners.slice(0, 3), third.slice(0, 3), ["DONE"]);
  expect(new Set(paid.map((row) => row?.txHash)).size).toBe(1);
  await reach(owners.slice(3), third.slice(3), ["FAILED"], 8);
  const last = await tables();
  expect(last.parts.filter(({ withdrawal_id }) => third.includes(withdrawal_id))).toHaveLength(3);
  for (const [at, one] of owners.entries()) {
    const [asset, held] = at < 3 ? (["ETH", "1.97"] as const) : (["ETH", "2"] as const);
    await vault.until("what is left", async () =>
      (await holds(one.visitor, asset)).join() === `${held},0` ? true : undefined,
    );
    expect(await holds(one.visitor, "USDT")).toEqual(["460", "0"]);
  }

  await mine(40);
  const { operator } = await enterAsOperator(vault);
  const answer = await vault.until("a whole comparison after all fees", async () => {
    const { sent } = await tables();
    const { status, data } = await operator.post("/v2/operators/custody/reconcile", {});
    if (status === 200 && data.isWhole === true && allOf(sent, ({ state }) => state !== "OPEN")) return data;
    await mine(1);
    return undefined;
  });
  const strange = (answer.assets as readonly { difference: string; gifts: string; leaving: string }[]).filter(
    ({ difference, gifts, leaving }) => [difference, gifts, leaving].some((one) => one !== "0"),
  );
  expect(strange).toEqual([]);
}, 400_000);

test("[WAL-2] withdrawals to the address of the batch payout contract are refused", async () => {
  const { visitor } = await owner(9);
  const address = checksumOf("0xc0de000000000000000000000000000000009a71");
  const look = await visitor.get(`/asset/v1/api/withdraw/address/look?asset=USDT&network=CWT&address=${address}`);
  expect(look.code).toBe("ADDRESS_IS_HOUSE");
});
