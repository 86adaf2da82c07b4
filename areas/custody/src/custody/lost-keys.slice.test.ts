// The signer's folder is lost between two starts: the exchange keeps running, reports what is missing, pays nothing and
// creates no new keys; restored, everything continues.
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, expect, test } from "vitest";
import { checksumOf } from "../chain/evm.ts";
import { openVault } from "./custody-fixture.ts";

const root = mkdtempSync(join(tmpdir(), "cw-lost-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const EMAIL = "lost@example.com";
const ADDRESS = { asset: "USDT", network: "CWT" };

test("[WAL-2] lost keys are missed: no withdrawal, no address, no new key, until they are put back", async () => {
  const data = join(root, "data");
  const [signer, away] = [join(data, "signer"), join(root, "signer")];
  const first = await openVault({ CW_DATA: data });
  const owner = new Visitor(first);
  await owner.signUp(EMAIL);
  const address = await first.address(owner, "USDT");
  await first.close();
  renameSync(signer, away);
  const vault = await openVault({ CW_DATA: data });
  try {
    const visitor = new Visitor(vault);
    // Twice: a sign-in from a new device suspends withdrawals for a day.
    expect((await visitor.signIn(EMAIL)).code).toBe(0);
    vault.wait(86_400_000);
    expect((await visitor.signIn(EMAIL)).code).toBe(0);
    const networks = async () =>
      (await visitor.get("/asset/v1/api/wallet/networks")).data as { state: string; signer: string }[];
    await vault.until("the refusal", async () => ((await networks())[0]?.signer === "refused" ? true : undefined));
    await vault.until("a read chain", async () => ((await networks())[0]?.state === "paused" ? true : undefined));
    expect(existsSync(signer)).toBe(false);
    expect((await visitor.post("/asset/v1/api/deposit/address", ADDRESS)).code).toBe("CUSTODY_NOT_READY");
    const request = { address: checksumOf(`0x${"7a".repeat(20)}`), amount: "100", clientId: "lost" };
    expect((await visitor.post("/asset/v1/api/withdraw/apply", { ...ADDRESS, ...request })).code).toBe(
      "WITHDRAWALS_PAUSED",
    );
    const { operator } = await enterAsOperator({ ...vault, announced: first.announced });
    expect((await operator.get("/v2/operators/withdrawals")).data.signer).toEqual({
      state: "refused",
      problem: expect.stringContaining("keys.sealed is missing"),
    });
    // An address issued before is still the user's.
    await vault.dev("faucet", { ...ADDRESS, address, amount: "40" });
    await vault.dev("mine", { network: "CWT", blocks: 8 });
    await vault.until("the credit", async () => ((await holds(visitor, "USDT"))[0] === "40" ? true : undefined));
    renameSync(away, signer);
    expect(await vault.address(visitor, "USDT")).toBe(address);
    expect((await networks())[0]?.signer).toBe("ready");
  } finally {
    await vault.close();
  }
});
