// Withdrawals over the real development chain: the whole course, refusals that change nothing, races, failure and
// refund, and the reconciliation of chain and ledger after all of it.

import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { done, refused } from "@clockwork/kit/result";
import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../chain/evm.ts";
import { DEVELOPMENT_NETWORKS } from "../chain/networks.ts";
import { WithdrawService } from "../withdrawals/service.ts";
import { withdrawStore } from "../withdrawals/store.ts";
import { openVault, type Vault } from "./custody-fixture.ts";

let vault: Vault;
let owners = 0;
beforeAll(async () => {
  vault = await openVault();
});
afterAll(() => vault?.close());

const SHUT = checksumOf("0xc0de00000000000000000000000000000000dead");
/** A checksummed address that has capitals: one address in some thousand has none. */
const CAPITALS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const somewhere = (): string => checksumOf(`0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "7")}`);
const mine = (blocks: number) => vault.dev("mine", { network: "CWT", blocks });

/** A user with funds and a fund password; every withdrawal gets a code of its own. */
async function owner(funds: Record<string, string>): Promise<{ visitor: Visitor; email: string }> {
  const visitor = new Visitor(vault);
  owners += 1;
  const email = `owner-${owners}@example.com`;
  await visitor.signUp(email);
  for (const [asset, amount] of Object.entries(funds)) expect((await visitor.faucet(asset, amount)).status).toBe(200);
  await visitor.stepUp(email);
  expect((await visitor.post("/v2/users/security/trade-password/set", { password: "fund-password-1" })).status).toBe(
    200,
  );
  vault.wait(61_000);
  return { visitor, email };
}

/** With a code that was sent for exactly this. */
async function proofOf({ visitor, email }: { visitor: Visitor; email: string }, request: object) {
  vault.wait(61_000);
  const body = { asset: "USDT", network: "CWT", amount: "100", ...request };
  expect((await visitor.post("/asset/v1/api/withdraw/code", body)).status).toBe(200);
  return { tradePassword: "fund-password-1", code: await visitor.readCode(email) };
}

const apply = (visitor: Visitor, body: object): Promise<Answer> =>
  visitor.post("/asset/v1/api/withdraw/apply", { asset: "USDT", network: "CWT", amount: "100", ...body });
const find = async (visitor: Visitor, id: string): Promise<{ state: string; txHash: string | null }> =>
  (
    (await visitor.get("/asset/v1/api/withdraw/list")).data.withdrawals as {
      withdrawalId: string;
      state: string;
      txHash: string | null;
    }[]
  ).find(({ withdrawalId }) => withdrawalId === id) ?? { state: "NONE", txHash: null };
const reaches = (visitor: Visitor, id: string, state: string) =>
  vault.until(`${state} of ${id}`, async () => {
    const row = await find(visitor, id);
    if (row.state === state) return row;
    await mine(2);
    return undefined;
  });

test("[WAL-2] a withdrawal is frozen, reviewed, signed, mined and settled; the same clientId is the same one", async () => {
  const who = await owner({ USDT: "500" });
  const address = somewhere();
  const request = { address: address.toLowerCase(), clientId: "road" };
  const proof = await proofOf(who, { address });
  // A code that names one withdrawal proves no other.
  for (const other of [{ amount: "99" }, { address: somewhere() }])
    expect((await apply(who.visitor, { ...request, ...other, clientId: "other", proof })).code).toBe("PROOF_WRONG");
  const body = { ...request, proof };
  const made = await apply(who.visitor, body);
  expect(made.data).toMatchObject({
    state: "REVIEW",
    amount: "100",
    fee: "1",
    arrives: "99",
    review: ["first", "newAddress"],
  });
  expect(await holds(who.visitor, "USDT")).toEqual(["400", "100"]);
  const again = await apply(who.visitor, { ...body, proof: undefined });
  expect(again.data.withdrawalId).toBe(made.data.withdrawalId);
  expect((await apply(who.visitor, { ...body, amount: "101" })).code).toBe("CLIENT_ID_REUSED");
  vault.wait(2_500);
  const { txHash } = await reaches(who.visitor, made.data.withdrawalId, "DONE");
  expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
  await vault.until("the ledger to be told", async () =>
    (await holds(who.visitor, "USDT")).join() === "400,0" ? true : undefined,
  );
});

test("[WAL-2] bad input is refused with its code and freezes nothing", async () => {
  const who = await owner({ USDT: "500" });
  const other = await vault.trader();
  const own = await vault.address(who.visitor, "USDT");
  const token = checksumOf(DEVELOPMENT_NETWORKS[0]?.coins.find(({ asset }) => asset === "USDT")?.contract ?? "");
  const address = somewhere();
  const tries: readonly [object, string][] = [
    [{ address: CAPITALS.replace("A", "a") }, "ADDRESS_CHECKSUM"],
    [{ address: `0x${"0".repeat(40)}` }, "ADDRESS_INVALID"],
    [{ address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" }, "ADDRESS_OTHER_NETWORK"],
    [{ address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" }, "ADDRESS_OTHER_NETWORK"],
    [{ address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }, "ADDRESS_OTHER_NETWORK"],
    [{ address: address.slice(0, 41) }, "ADDRESS_INVALID"],
    [{ address: token }, "ADDRESS_IS_TOKEN"],
    [{ address: own, amount: "0" }, "AMOUNT_INVALID"],
    [{ address: own, amount: "2" }, "AMOUNT_TOO_SMALL"],
    [{ address: own }, "PROOF_REQUIRED"],
    [{ address, amount: "0" }, "AMOUNT_INVALID"],
    [{ address, amount: "9.9999999" }, "AMOUNT_INVALID"],
    [{ address, amount: "2" }, "AMOUNT_TOO_SMALL"],
    [{ address, network: "NONE" }, "UNKNOWN_NETWORK"],
    [{ address, network: "CWS", asset: "DOGE" }, "COIN_NOT_ON_NETWORK"],
    [{ address }, "PROOF_REQUIRED"],
    [{ address, proof: { tradePassword: "fund-password-2", code: "123456" } }, "PROOF_WRONG"],
  ];
  for (const [index, [body, code]] of tries.entries()) {
    expect((await apply(who.visitor, { clientId: `bad-${index}`, ...body })).code).toBe(code);
  }
  const given = { tradePassword: "fund-password-1", code: "123456" };
  // What is too much is refused before a code is sent, and before one is looked at.
  for (const [amount, code] of [
    ["1200", "LIMIT_REACHED"],
    ["600", "INSUFFICIENT_BALANCE"],
  ]) {
    const much = { asset: "USDT", network: "CWT", address, amount };
    expect((await apply(who.visitor, { ...much, clientId: "much", proof: given })).code).toBe(code);
    const requested = await who.visitor.post("/asset/v1/api/withdraw/code", much);
    expect([requested.code, Object.keys(requested.fields ?? {})]).toEqual([code, ["body.amount"]]);
  }
  expect(await holds(who.visitor, "USDT")).toEqual(["500", "0"]);
  expect((await who.visitor.get("/asset/v1/api/withdraw/list")).data.withdrawals).toEqual([]);
  expect((await who.visitor.faucet("USDT", "300")).status).toBe(200);
  // To one's own address: over no chain, free, at once, and within every limit, from every book of one's own.
  const look = (to: string) =>
    who.visitor.get(`/asset/v1/api/withdraw/address/look?asset=USDT&network=CWT&address=${to}`);
  expect((await look(own)).data).toEqual({ way: "self", fee: "0", address: own });
  expect((await look(address.toLowerCase())).data).toEqual({ way: "network", fee: "1", address });
  expect((await look(CAPITALS.replace("A", "a"))).code).toBe("ADDRESS_CHECKSUM");
  expect((await look(token)).code).toBe("ADDRESS_IS_TOKEN");
  const stays = { address: own, clientId: "stays", proof: await proofOf(who, { address: own }) };
  expect((await apply(who.visitor, stays)).data).toMatchObject({
    state: "DONE",
    network: null,
    address: own,
    fee: "0",
    arrives: "100",
  });
  expect(await holds(who.visitor, "USDT")).toEqual(["800", "0"]);
  const beyond = { address: own, amount: "800.5", clientId: "beyond", proof: given };
  expect((await apply(who.visitor, beyond)).code).toBe("INSUFFICIENT_BALANCE");
  const move = { asset: "USDT", amount: "60", from: "1", to: "2", clientId: "to-funding" };
  expect((await who.visitor.post("/asset/v1/api/wallet/transfer", move)).status).toBe(200);
  const funded = { address: own, amount: "60", from: "2" };
  const toSelf = { ...funded, clientId: "self", proof: await proofOf(who, funded) };
  expect((await apply(who.visitor, toSelf)).data).toMatchObject({ state: "DONE", network: null, fee: "0" });
  expect(await holds(who.visitor, "USDT")).toEqual(["800", "0"]);
  const { usedUsdt } = (await who.visitor.get("/asset/v1/api/withdraw/limits")).data;
  expect(usedUsdt).toBe("0");
  const theirs = await vault.address(other, "USDT");
  expect((await look(theirs)).data).toEqual({ way: "inside", fee: "0", address: theirs });
  const inside = await apply(who.visitor, {
    address: theirs,
    clientId: "inside",
    proof: await proofOf(who, { address: theirs }),
  });
  expect(inside.data).toMatchObject({ state: "DONE", network: null, fee: "0" });
  expect((await holds(other, "USDT"))[0]).toBe("100");
  expect((await other.get("/asset/v1/api/internal/book")).data.withdrawals).toHaveLength(1);
  // The book contains other people; withdrawal addresses are listed with the withdrawals.
  expect((await who.visitor.get("/asset/v1/api/internal/book")).data.withdrawals).toHaveLength(1);
  const listed = (await who.visitor.get("/asset/v1/api/withdraw/list")).data.withdrawals as { clientId: string }[];
  expect(listed.map(({ clientId }) => clientId).sort()).toEqual(["inside", "self", "stays"]);
});

test("[WAL-2] of fifty concurrent withdrawals of the whole balance one is accepted, and one clientId fifty times is one", async () => {
  const visitor = await vault.trader({ USDT: "300" });
  const { kysely, engine } = vault;
  if (kysely === undefined) throw new Error("there is no database");
  const userId = Number((await visitor.post("/v2/users/top-info")).data.id);
  const account = await engine.submit({ kind: "createAccount", user: userId, book: "spot" });
  const created = account.done === true ? account.events.find((event) => event.kind === "accountCreated") : undefined;
  const usdt = (await engine.readListing())?.assets.find(({ symbol }) => symbol === "USDT")?.asset ?? -1;
  let ids = 0;
  const service = new WithdrawService({
    store: withdrawStore(kysely),
    needs: {
      chains: {
        networks: DEVELOPMENT_NETWORKS,
        chain: () => {
          throw new Error("nothing is sent here");
        },
        addressOf: () => undefined,
        checksumOf,
        house: () => undefined,
      },
      coins: {
        find: (symbol) => (symbol === "USDT" ? { asset: usdt, symbol, scale: 6 } : undefined),
        worthUnits: () => 1n,
      },
      ledger: {
        submit: (command) => engine.submit(command),
        openAccount: async () => created?.account,
        availableUnits: async () => 10n ** 12n,
      },
      locked: async () => ({ mayLeaveUsdt: null, withdrawable: [] }),
      // As if requested an hour later: the simulated reviewer does not decide while this test does.
      now: () => vault.nowMs() + 3_600_000,
      limitOf: async () => "1000",
      levelOf: async () => 2,
      listLocks: async () => [],
      changeAt: async (_, __, write) => kysely.transaction().execute(write),
      isHeld: async () => false,
      protection: async () => ({ hasTradePassword: true, hasPasskeys: false, codeBy: "email" }),
      addressProblem: () => undefined,
      ownerOf: async () => undefined,
      findUser: async () => undefined,
      judge: async () => undefined,
      confirmationsOf: () => 0,
      reasonsOf: async () => ["first"],
      hasCode: async () => true,
      isPaused: () => false,
      randomId: () => {
        ids += 1;
        return `feed${String(ids).padStart(12, "0")}`;
      },
      wake: () => undefined,
      changed: () => undefined,
    },
  });
  const prove = async () => done(null);
  const sendCode = async () => refused("CODE_TOO_SOON" as const);
  const caller = { userId, isKey: false, readVersion: async () => 0, prove, sendCode };
  const body = { asset: "USDT", network: "CWT", address: somewhere(), amount: "300" };
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, at) => service.apply(caller, { ...body, clientId: `race-${at}` })),
  );
  expect(all.filter((one) => one.done)).toHaveLength(1);
  expect(new Set(all.flatMap((one) => (one.done ? [] : one.code)))).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
  const loser = all.findIndex((one) => !one.done);
  expect(await holds(visitor, "USDT")).toEqual(["0", "300"]);
  const winner = all.find((one) => one.done);
  const clientId = winner?.done === true ? winner.value.client_id : "";
  const same = await Promise.all(Array.from({ length: 50 }, () => service.apply(caller, { ...body, clientId })));
  expect(new Set(same.map((one) => (one.done ? one.value.withdrawal_id : one.code))).size).toBe(1);
  const id = winner?.done === true ? winner.value.withdrawal_id : "";
  expect((await visitor.post("/asset/v1/api/withdraw/cancel", { withdrawalId: id })).data.state).toBe("CANCELLED");
  await vault.until("what was frozen", async () => ((await holds(visitor, "USDT"))[0] === "300" ? true : undefined));
  const late = await service.apply(caller, { ...body, clientId: `race-${loser}` });
  expect(late).toMatchObject({ done: false, code: "INSUFFICIENT_BALANCE" });
  expect(await holds(visitor, "USDT")).toEqual(["300", "0"]);
});

test("[WAL-2] a payment the chain refuses is fully refunded, and chain and ledger agree to the last unit", async () => {
  const who = await owner({ ETH: "2" });
  const request = { asset: "ETH", amount: "0.1", address: SHUT, clientId: "shut" };
  await vault.until("a price", async () => {
    const coins = (await who.visitor.get("/asset/v1/api/wallet/coins")).data as {
      asset: string;
      priceUsdt: string | null;
    }[];
    return coins.find(({ asset }) => asset === "ETH")?.priceUsdt === null ? undefined : true;
  });
  const { clientId: _, ...named } = request;
  const body = { ...request, proof: await proofOf(who, named) };
  const made = await apply(who.visitor, body);
  expect(made.data?.state).toBe("REVIEW");
  vault.wait(2_500);
  await reaches(who.visitor, made.data.withdrawalId, "FAILED");
  await vault.until("the refund", async () => ((await holds(who.visitor, "ETH"))[0] === "2" ? true : undefined));
  const { operator } = await enterAsOperator(vault);
  const answer = await vault.until("a whole comparison", async () => {
    const { status, data } = await operator.post("/v2/operators/custody/reconcile", {});
    if (status === 200 && data.isWhole === true) return data;
    // Pending transactions need a block.
    await mine(1);
    return undefined;
  });
  expect(answer.assets.map(({ difference }: { difference: string }) => difference)).toEqual(
    answer.assets.map(() => "0"),
  );
  // One unsolicited unit for the hot wallet: reported to operators, and nothing is delayed.
  const house = vault.kysely?.$extendTables<{ custody_house: { name: string; value: string } }>();
  const hot = (await house?.selectFrom("custody_house").select("value").where("name", "=", "hot").executeTakeFirst())
    ?.value;
  const unclaimed = { network: "CWT", asset: "USDT", address: checksumOf(hot ?? ""), amount: "0.000001" };
  expect((await vault.dev("faucet", unclaimed)).status).toBe(200);
  await mine(1);
  await vault.until("the gift", async () => {
    const { data } = await operator.post("/v2/operators/custody/reconcile", {});
    const usdt = data?.assets.find(({ asset }: { asset: string }) => asset === "USDT");
    return usdt?.gifts === "0.000001" && data.isWhole === true ? true : undefined;
  });
  const desk = (await operator.get("/v2/operators/withdrawals")).data;
  expect(desk.paused).toEqual([]);
  expect(desk.gifts).toMatchObject([{ asset: "USDT", amount: "0.000001", isKept: false }]);
});
