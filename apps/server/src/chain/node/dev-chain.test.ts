import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { DevChain } from "./dev-chain.ts";
import { answerRpc } from "./rpc.ts";
import type { ChainSpec } from "./wire.ts";

const HOLDER = `0x${"11".repeat(20)}`;
const SPEC: ChainSpec = {
  network: "TST",
  chainId: 31_999,
  blockMs: 1_000,
  heartbeatMs: 60_000,
  isTimed: false,
  finality: 32,
  coins: [{ symbol: "ETH", name: "Ether", decimals: 18, holders: [{ address: HOLDER, units: "1000" }] }],
  faucetCoins: 1_000,
};

let folder: string | undefined;
let chain: DevChain | undefined;
afterEach(() => {
  chain?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

test("[WAL-2] nothing of a made block or an answered call stays behind", async () => {
  folder = mkdtempSync(join(tmpdir(), "cw-chain-"));
  chain = new DevChain(folder, SPEC, () => undefined);
  await chain.open();
  const listeners = () => chain?.common.events.listenerCount("hardforkChanged");
  const before = listeners();
  expect(await chain.mine(5)).toBe(5);
  await answerRpc(chain, { method: "eth_call", params: [{ to: HOLDER, data: "0x" }, "latest"] });
  await chain.reorg(3, false);
  expect(listeners()).toBe(before);
});
