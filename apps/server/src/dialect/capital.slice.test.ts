// Deposits, withdrawals and transfers in the Binance dialect as ccxt speaks it, over the real development chain.

import { checksumOf } from "@clockwork/custody/chain/evm";
import { openVault, type Vault } from "@clockwork/custody/custody/custody-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKey, openCcxt } from "./dialect-fixture.ts";

let vault: Vault;
beforeAll(async () => {
  vault = await openVault();
});
afterAll(() => vault?.close());

const mine = (blocks: number) => vault.dev("mine", { network: "CWT", blocks });

test("[BOT-1] a deposit arrives at the address ccxt requested and is listed with its state", async () => {
  const visitor = await vault.trader();
  const client = openCcxt(vault.url, await makeKey(visitor), vault.nowMs);
  await client.loadMarkets();
  const usdt = client.currencies.USDT;
  expect(usdt?.networks).toHaveProperty("CWT");
  const { address, network } = await vault.until("an address", () =>
    client.fetchDepositAddress("USDT", { network: "CWT" }).catch(() => undefined),
  );
  expect(network).toBe("CWT");
  expect(address).toBe(await vault.address(visitor, "USDT"));
  await vault.dev("faucet", { network: "CWT", asset: "USDT", address, amount: "250.5" });
  await mine(20);
  const [deposit] = await vault.until("the deposit", async () => {
    const found = await client.fetchDeposits("USDT");
    if (found[0]?.status === "ok") return found;
    await mine(2);
    return undefined;
  });
  expect(deposit).toMatchObject({ currency: "USDT", amount: 250.5, network: "CWT", address, type: "deposit" });
  expect(await client.fetchDeposits("BTC")).toEqual([]);
  expect(Number((await client.fetchBalance()).USDT?.free)).toBe(250.5);
  for (const kind of ["linear", "inverse"] as const) {
    const other = openCcxt(vault.url, await makeKey(visitor), vault.nowMs, kind);
    expect((await other.fetchDeposits("USDT")).map(({ id }) => id)).toEqual([deposit?.id]);
    expect((await other.fetchDepositAddress("USDT", { network: "CWT" })).address).toBe(address);
    await other.close();
  }
  await client.close();
});

test("[BOT-1] a key withdraws to a saved address within its rights, once for each name, and nowhere else", async () => {
  const visitor = await vault.trader({ USDT: "5000" });
  expect((await visitor.dev("/identity", { level: 2 })).status).toBe(200);
  const address = checksumOf(`0x${"7".repeat(40)}`);
  expect((await visitor.post("/v2/users/security/step-up/code")).status).toBe(200);
  const saved = { network: "CWT", address, name: "cold", code: await visitor.readLastCode(visitor.account) };
  expect((await visitor.post("/asset/v1/api/withdraw/address/add", saved)).status).toBe(200);
  const reader = openCcxt(vault.url, await makeKey(visitor), vault.nowMs);
  const permissions = ["read", "withdraw"];
  const client = openCcxt(vault.url, await makeKey(visitor, { permissions, ipList: ["127.0.0.1"] }), vault.nowMs);
  await client.loadMarkets();
  const named = { network: "CWT", withdrawOrderId: "rent-1" };
  await expect(client.withdraw("USDT", 100, address, undefined, named)).rejects.toThrow(/-4036/);
  vault.wait(86_400_000);
  await visitor.signIn(visitor.account);
  expect((await visitor.stepUp(visitor.account)).status).toBe(200);
  const first = await client.withdraw("USDT", 100, address, undefined, named);
  expect((await client.withdraw("USDT", 100, address, undefined, named)).id).toBe(first.id);
  await expect(client.withdraw("USDT", 101, address, undefined, named)).rejects.toThrow(/-4001/);
  const other = checksumOf(`0x${"8".repeat(40)}`);
  await expect(client.withdraw("USDT", 100, other, undefined, { network: "CWT" })).rejects.toThrow(/-4035/);
  const more = { network: "CWT" };
  await expect(client.withdraw("USDT", 9_000, address, undefined, more)).rejects.toThrow(/-40(26|23)/);
  await reader.loadMarkets();
  await expect(reader.withdraw("USDT", 100, address, undefined, more)).rejects.toThrow(/-2015/);
  const listed = await client.fetchWithdrawals("USDT");
  expect(listed).toHaveLength(1);
  for (const kind of ["linear", "inverse"] as const) {
    const made = await makeKey(visitor, { permissions, ipList: ["127.0.0.1"] });
    const contracts = openCcxt(vault.url, made, vault.nowMs, kind);
    expect((await contracts.withdraw("USDT", 100, address, undefined, named)).id).toBe(first.id);
    expect((await contracts.fetchWithdrawals("USDT")).map(({ id }) => id)).toEqual([first.id]);
    await contracts.close();
  }
  expect(listed[0]).toMatchObject({ id: first.id, currency: "USDT", network: "CWT", address, type: "withdrawal" });
  expect(["pending", "ok"]).toContain(listed[0]?.status);
  await Promise.all([client.close(), reader.close()]);
});

test("[BOT-1] transfers between books are listed by the books they went between", async () => {
  const visitor = await vault.trader({ USDT: "500" });
  expect((await visitor.dev("/identity", { level: 1 })).status).toBe(200);
  const client = openCcxt(vault.url, await makeKey(visitor), vault.nowMs);
  await client.loadMarkets();
  await client.transfer("USDT", 100, "spot", "future");
  await client.transfer("USDT", 50, "spot", "funding");
  const between = (toAccount: string) =>
    client.fetchTransfers("USDT", undefined, undefined, { fromAccount: "spot", toAccount });
  expect((await between("future")).map(({ amount }) => amount)).toEqual([100]);
  expect((await between("funding")).map(({ amount }) => amount)).toEqual([50]);
  for (const amount of [1, 2]) await client.transfer("USDT", amount, "spot", "future");
  const page = (current: number) =>
    client.sapiGetAssetTransfer({ type: "MAIN_UMFUTURE", size: 2, current }) as Promise<{
      total: string;
      rows: { amount: string }[];
    }>;
  // Newest first, page by page.
  expect((await page(1)).rows.map(({ amount }) => Number(amount))).toEqual([2, 1]);
  expect((await page(2)).rows.map(({ amount }) => Number(amount))).toEqual([100]);
  expect(Number((await page(3)).total)).toBe(3);
  expect(Number((await client.fetchBalance({ type: "funding" })).USDT?.free)).toBe(50);
  await client.close();
});
