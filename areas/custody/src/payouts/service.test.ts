import type { Chain } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { expect, test } from "vitest";
import type { Sent, Waiting } from "./needs.ts";
import { BatchService } from "./service.ts";

const NETWORK: Network = {
  network: "N",
  name: "N",
  chainId: 1,
  isTest: true,
  blockSeconds: 1,
  payoutContract: "0xpay",
  creditBlocks: 1,
  unlockBlocks: 2,
  finalBlocks: 4,
  coins: ["ETH", "TOK", "TIK"].map((asset) => ({
    asset,
    contract: asset === "ETH" ? null : `0x${asset}`,
    decimals: 8,
    depositMin: "1",
    withdrawMin: "1",
    withdrawFee: "1",
  })),
};
const pay = (key: string, asset: string, values: Partial<Waiting> = {}): Waiting => ({
  key,
  asset,
  receiver: `0x${key}`,
  chain_units: "5",
  gas: asset === "ETH" ? "21000" : "120000",
  ...values,
});

function makeHouse() {
  const at = { nowMs: 1_000, allowed: 100n, hasCode: true };
  const service = new BatchService({ now: () => at.nowMs });
  const chain = {
    hasCode: async () => at.hasCode,
    head: async () => 9,
    balances: async (asks: readonly { address: string }[]) =>
      asks.map(({ address }) => (address === "0xnew" ? 0n : 1n)),
    allowance: async () => at.allowed,
  } as unknown as Chain;
  const plan = async (waiting: readonly Waiting[], open: readonly Sent[] = [], network = NETWORK) => {
    const { payments, allow } = await service.plan({ network, chain, hot: "0xhot", waiting, open });
    const answer = payments.map(({ key, parts }) => (parts.length === 0 ? key : parts.map((one) => one.key).join("+")));
    return { answer: answer.join(" "), allow, payments };
  };
  return { at, service, plan };
}

test("[WAL-2] two of a token leave together, three of the chain's own coin, in the order of waiting, and coins separately", async () => {
  const { plan } = makeHouse();
  expect((await plan([pay("a", "TOK"), pay("b", "TIK"), pay("c", "TOK"), pay("d", "ETH")])).answer).toBe("a+c b d");
  expect((await plan([pay("a", "ETH"), pay("b", "ETH")])).answer).toBe("a b");
  const { answer, payments } = await plan([pay("a", "ETH"), pay("b", "ETH"), pay("c", "ETH")]);
  expect(answer).toBe("a+b+c");
  expect(payments).toMatchObject([{ key: "many:a:1000", receiver: "0xpay", chain_units: "15", asset: "ETH" }]);
  const many = Array.from({ length: 27 }, (_, at) => pay(`w${at}`, "TOK", { chain_units: "1" }));
  expect((await plan(many)).payments.map(({ parts }) => parts.length)).toEqual([25, 0, 0]);
});

test("[WAL-2] of the chain's own coin neither contracts nor addresses new to it join a batch", async () => {
  const { plan } = makeHouse();
  const code = pay("code", "ETH", { gas: "120000" });
  const fresh = pay("new", "ETH");
  const three = [pay("a", "ETH"), pay("b", "ETH"), pay("c", "ETH")];
  expect((await plan([code, ...three, fresh])).answer).toBe("code a+b+c new");
  expect((await plan([code, fresh, ...three.slice(1)])).answer).toBe("code new b c");
});

test("[WAL-2] every payment leaves separately where there is no contract, or the signer refused the batch", async () => {
  const { at, plan, service } = makeHouse();
  const two = [pay("a", "TOK"), pay("b", "TOK")];
  at.hasCode = false;
  expect((await plan(two)).answer).toBe("a b");
  at.hasCode = true;
  const { payoutContract: _, ...plain } = NETWORK;
  expect((await plan(two, [], plain)).answer).toBe("a b");
  service.payAlone(["a", "b"]);
  expect((await plan([...two, pay("c", "TOK")])).answer).toBe("a b c");
  expect((await plan([...two, pay("c", "TOK")])).answer).toBe("a+b+c");
});

test("[WAL-2] a token gets an allowance before its first batch; no payment waits for it, and retries are limited", async () => {
  const { at, plan, service } = makeHouse();
  const two = [pay("a", "TOK"), pay("b", "TOK")];
  at.allowed = 0n;
  const wanted = { answer: "a b", allow: { asset: "TOK", isReset: false } };
  // A plan alone has no effect: the turn may have failed before anything started.
  for (let plans = 0; plans < 2; plans += 1) expect(await plan(two)).toMatchObject(wanted);
  service.allowing(NETWORK, wanted.allow);
  expect((await plan(two)).allow).toBeUndefined();
  at.nowMs += 3_600_000;
  const open = (key: string, chain_units = "0"): Sent => ({ key, asset: "TOK", chain_units });
  expect((await plan(two, [open("allow:TOK:N:7")])).allow).toBeUndefined();
  expect((await plan(two)).allow).toEqual({ asset: "TOK", isReset: false });
  at.allowed = 10n;
  expect(await plan(two)).toMatchObject({ answer: "a+b", allow: undefined });
  // The allowance of batches that are not final is used, and one being reset is not available.
  expect(await plan(two, [open("many:x:1", "1")])).toMatchObject({ answer: "a b", allow: undefined });
  expect(await plan(two, [open("reset:TOK:N:8")])).toMatchObject({ answer: "a b", allow: undefined });
  at.allowed = 9n;
  expect(await plan(two)).toMatchObject({ answer: "a b", allow: { asset: "TOK", isReset: true } });
});
