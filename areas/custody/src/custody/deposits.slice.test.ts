// Deposits over the real development chain: confirmations, one credit each, reorganisations before and after the
// credit.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { holds, place } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVault, type Vault } from "./custody-fixture.ts";

let vault: Vault;
beforeAll(async () => {
  vault = await openVault();
});
afterAll(() => vault?.close());

const mine = (blocks: number) => vault.dev("mine", { network: "CWT", blocks });
const send = async (address: string, asset: string, amount: string): Promise<void> => {
  const sent = await vault.dev("faucet", { network: "CWT", asset, address, amount });
  expect(sent.status).toBe(200);
};
interface Row {
  readonly state: string;
  readonly amount: string;
  readonly confirmations: number;
  readonly asset: string;
}
const list = async (visitor: Visitor): Promise<Row[]> =>
  (await visitor.get("/asset/v1/api/deposit/list")).data.deposits as Row[];
/** The next turn may already have moved a credited deposit on: an unlocked one was credited. */
const reaches = (visitor: Visitor, state: string, count = 1): Promise<Row[]> =>
  vault.until(`${count} × ${state}`, async () => {
    const isThere = (row: Row): boolean => row.state === state || (state === "CREDITED" && row.state === "UNLOCKED");
    const rows = (await list(visitor)).filter(isThere);
    return rows.length >= count ? rows : undefined;
  });

test("[WAL-2] a deposit is detected with its block, tradable at n₁, withdrawable at n₂, and credited once", async () => {
  const visitor = await vault.trader();
  const address = await vault.address(visitor, "USDT");
  expect(await vault.address(visitor, "BTC")).toBe(address);
  expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  await send(address, "USDT", "250.5");
  await send(address, "ETH", "1.500000000000000001");
  await mine(1);
  const seen = await reaches(visitor, "CONFIRMING", 2);
  expect(seen.map(({ asset, amount }) => `${amount} ${asset}`).sort()).toEqual(["1.5 ETH", "250.5 USDT"]);
  await mine(6);
  await reaches(visitor, "CREDITED", 2);
  expect((await holds(visitor, "USDT"))[0]).toBe("250.5");
  expect((await holds(visitor, "ETH"))[0]).toBe("1.5");
  await mine(6);
  await reaches(visitor, "UNLOCKED", 2);
  const bills = await visitor.get("/asset/v1/api/wallet/bills?business=deposit");
  expect(bills.data.bills).toHaveLength(2);
});

test("[WAL-2] deposits below the minimum are accumulated, and unknown coins are only listed", async () => {
  const visitor = await vault.trader();
  const address = await vault.address(visitor, "USDT");
  await send(address, "USDT", "0.4");
  await send(address, "ODD", "5");
  await mine(7);
  await reaches(visitor, "KEPT");
  expect((await holds(visitor, "USDT"))[0]).toBe("0");
  await send(address, "USDT", "0.7");
  await mine(7);
  await reaches(visitor, "CREDITED", 2);
  expect((await holds(visitor, "USDT"))[0]).toBe("1.1");
  expect(await list(visitor)).toHaveLength(2);
});

test("[WAL-2] a reorganisation before the credit counts again from the new block", async () => {
  const visitor = await vault.trader();
  await send(await vault.address(visitor, "USDT"), "USDT", "33");
  await mine(3);
  await reaches(visitor, "CONFIRMING");
  await vault.dev("reorg", { network: "CWT", depth: 4, dropped: true });
  await reaches(visitor, "REPLACED");
  await mine(8);
  expect((await holds(visitor, "USDT"))[0]).toBe("0");
  expect((await list(visitor)).map(({ state }) => state)).toEqual(["REPLACED"]);
});

test("[WAL-2] a reorganisation past n₁ takes back what is free in every book, closes what does not repay, and the next credit repays", async () => {
  const maker = await vault.trader({ BTC: "1" });
  await place(maker, { side: "sell", price: "96420", quantity: "0.1" });
  const visitor = await vault.trader();
  const address = await vault.address(visitor, "USDT");
  await send(address, "USDT", "100");
  await mine(7);
  await reaches(visitor, "CREDITED");
  const buy = () => place(visitor, { side: "buy", price: "96420", quantity: "0.0005" });
  expect((await buy()).data.status).toBe("FILLED");
  const moved = { asset: "USDT", amount: "20", from: "1", to: "2", clientId: "away" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
  expect((await holds(visitor, "USDT"))[0]).toBe("31.79");
  await vault.dev("reorg", { network: "CWT", depth: 9, dropped: true });
  await vault.until("what is free to be taken", async () =>
    (await holds(visitor, "USDT"))[0] === "0" ? true : undefined,
  );
  // 48.21 are owed for the coins: the remaining balance buys nothing more, and the other book is empty.
  expect((await buy()).code).toBe("IN_DEBT");
  const back = { ...moved, amount: "0.01", from: "2", to: "1", clientId: "back" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", back)).code).toBe("INSUFFICIENT_BALANCE");
  await send(address, "USDT", "200");
  await mine(7);
  await reaches(visitor, "CREDITED");
  expect((await holds(visitor, "USDT"))[0]).toBe("151.79");
  expect((await buy()).data.status).toBe("FILLED");
  const bills = await visitor.get("/asset/v1/api/wallet/bills?business=reorg");
  const changes = bills.data.bills.map(({ change }: { change: string }) => change);
  expect(changes.sort()).toEqual(["-20", "-31.79", "-48.21"]);
});
