// The exchange's own moves over the real development chain: sweeps with their gas, and a refill signed by the cold key.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signRefill } from "../chain/cold-sign.ts";
import type { Levels, RefillFile } from "../treasury/contract.ts";
import { openVault, type Vault } from "./custody-fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "cw-treasury-"));
let vault: Vault;
let operator: Visitor;
beforeAll(async () => {
  vault = await openVault({ CW_DATA: folder });
  operator = (await enterAsOperator(vault)).operator;
}, 240_000);
afterAll(async () => {
  await vault?.close();
  rmSync(folder, { recursive: true, force: true });
});

const mine = (blocks: number) => vault.dev("mine", { network: "CWT", blocks });
const levels = (): Promise<Levels> =>
  vault.until("the levels", async () => {
    const { status, data } = await operator.get("/v2/operators/custody/levels");
    return status === 200 ? (data as Levels) : undefined;
  });
const levelOf = async (asset: string) =>
  (await levels()).levels.find((one) => one.network === "CWT" && one.asset === asset);
const isWhole = () =>
  vault.until("chain and ledger to agree", async () => {
    const { status, data } = await operator.post("/v2/operators/custody/reconcile", {});
    if (status === 200 && data.isWhole === true) return true;
    // Pending transactions need a block.
    await mine(1);
    return undefined;
  });

interface Move {
  readonly sender: string;
  readonly asset: string;
  readonly kind: string;
  readonly state: string;
}

async function listMoves(): Promise<readonly Move[]> {
  const { kysely } = vault;
  if (kysely === undefined) throw new Error("there is no database");
  return kysely.$extendTables<{ treasury_move: Move }>().selectFrom("treasury_move").selectAll().execute();
}

test("[WAL-2] final deposits are swept into the hot wallet with gas from it, and are no new deposits", async () => {
  const [first, second] = [await vault.trader(), await vault.trader()];
  for (const [visitor, asset, amount] of [
    [first, "USDT", "500"],
    [second, "ETH", "2"],
  ] as const) {
    const address = await vault.address(visitor, asset);
    expect((await vault.dev("faucet", { network: "CWT", asset, address, amount })).status).toBe(200);
  }
  await mine(40);
  const swept = await vault.until("both sweeps", async () => {
    const ended = (await listMoves()).filter(({ state }) => state === "DONE");
    if (ended.length >= 2) return ended;
    await mine(5);
    return undefined;
  });
  expect(new Set(swept.map(({ asset, kind }) => `${kind} ${asset}`))).toEqual(new Set(["sweep USDT", "sweep ETH"]));
  expect((await levelOf("USDT"))?.deposits).toBe("0");
  await mine(40);
  await isWhole();
  for (const visitor of [first, second]) {
    expect((await visitor.get("/asset/v1/api/deposit/list")).data.deposits).toHaveLength(1);
  }
  expect(await holds(second, "ETH")).toEqual(["2", "0"]);
}, 240_000);

test("[WAL-2] the hot wallet is refilled only by a transaction the cold key signed elsewhere", async () => {
  const body = { network: "CWT", asset: "BTC", amount: "3" };
  const prepare = (ask: object): Promise<Answer> =>
    vault.until("an answer of the chain", async () => {
      const answer = await operator.post("/v2/operators/custody/refill/prepare", ask);
      return answer.code === "CUSTODY_NOT_READY" ? undefined : answer;
    });
  expect((await prepare({ ...body, amount: "99999999999" })).code).toBe("COLD_WALLET_SHORT");
  const file = (await prepare(body)).data as RefillFile;
  const path = join(folder, "refill.json");
  writeFileSync(path, JSON.stringify(file));
  await expect(signRefill(join(folder, "signer"), path, `0x${"1".repeat(40)}`)).rejects.toThrow("not the hot wallet");
  await signRefill(join(folder, "signer"), path, file.to);
  const { raw } = JSON.parse(readFileSync(`${path}.signed`, "utf8")) as { raw: string };
  const submit = (text: string) => operator.post("/v2/operators/custody/refill/submit", { network: "CWT", raw: text });
  expect((await submit(`0x02${"ab".repeat(60)}`)).code).toBe("REFILL_NOT_READABLE");
  const outsider = privateKeyToAccount(`0x${"7".repeat(64)}`);
  const plain = {
    type: "eip1559",
    chainId: file.chainId,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 9n,
    maxPriorityFeePerGas: 1n,
  } as const;
  const foreign = await outsider.signTransaction({ ...plain, to: file.to as `0x${string}`, value: 1n });
  expect((await submit(foreign)).code).toBe("REFILL_NOT_COLD");
  const before = (await levelOf("BTC"))?.hot ?? "0";
  const sent = await submit(raw);
  expect(sent.data).toMatchObject({ asset: "BTC", amount: "3" });
  expect((await submit(raw)).data).toEqual(sent.data);
  await mine(2);
  await vault.until("the refill", async () =>
    Number((await levelOf("BTC"))?.hot) - Number(before) === 3 ? true : undefined,
  );
  await isWhole();
}, 240_000);
