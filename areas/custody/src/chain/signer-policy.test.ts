// The signer's policy for batched payments: each as if it left separately, all of them as one, and nothing twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SignerPolicy } from "./signer-policy.ts";
import type { SignerNetwork, SignerRequest } from "./signer-wire.ts";

type Many = Extract<SignerRequest, { kind: "payMany" }>;
const address = (digit: string): string => `0x${digit.repeat(40)}`;
const [HOT, COLD, PAYOUT, COIN] = [address("1"), address("2"), address("3"), address("4")];
const NETWORK: SignerNetwork = {
  network: "N",
  chainId: 7,
  payoutContract: PAYOUT,
  coins: [
    { asset: "ETH", contract: null, paymentMax: "100", dayMax: "150" },
    { asset: "TOK", contract: COIN, paymentMax: "100", dayMax: "150" },
  ],
};
const FEES = { gas: "280000", maxFee: "10", tip: "1" };
const part = (key: string, units = "30", to = address("a")) => ({ key, to, units });
const many = (values: Partial<Many> = {}): Many => ({
  kind: "payMany",
  key: "many:1",
  network: "N",
  asset: "TOK",
  nonce: 5,
  ...FEES,
  parts: [part("w1"), part("w2")],
  ...values,
});
const single = (key: string, nonce: number, units = "30"): SignerRequest => ({
  kind: "pay",
  key,
  network: "N",
  asset: "TOK",
  to: address("a"),
  units,
  nonce,
  ...FEES,
});

let folder: string;
let policy: SignerPolicy;
const open = (networks: readonly SignerNetwork[] = [NETWORK]) =>
  new SignerPolicy(join(folder, "policy.sqlite"), networks);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-policy-"));
  policy = open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const decide = (ask: SignerRequest, by = policy) => by.decide(ask, ask.kind === "pay" ? ask.to : "", [HOT, COLD]);

test("[WAL-2] the same batch is signed again with another fee, also after a stop, and never changed", () => {
  expect(decide(many())).toBeUndefined();
  expect(decide(many({ maxFee: "20" }), open())).toBeUndefined();
  for (const changed of [
    { parts: [part("w1"), part("w2", "31")] },
    { parts: [part("w1"), part("w2", "30", address("b"))] },
    { parts: [part("w1", "29"), part("w2", "31")] },
    { parts: [part("w2"), part("w1")] },
    { parts: [part("w1"), part("w3")] },
    { parts: [part("w1", "20"), part("w2", "20"), part("w3", "20")] },
    ...[{ nonce: 6 }, { asset: "ETH", gas: "100000" }],
  ])
    expect(decide(many(changed))).toBe("POLICY_CHANGED");
});

test("[WAL-2] no receiver is paid a second time: neither separately after a batch, nor in a batch after that, nor under one number", () => {
  expect(decide(single("w0", 4))).toBeUndefined();
  expect(decide(many({ parts: [part("w0"), part("w1")] }))).toBe("POLICY_CHANGED");
  // A refusal leaves no trace: neither its number nor its other part is used.
  expect(decide(many())).toBeUndefined();
  expect(decide(single("w1", 6))).toBe("POLICY_CHANGED");
  expect(decide(many({ key: "many:2", nonce: 6, parts: [part("w2"), part("w3")] }))).toBe("POLICY_CHANGED");
  expect(decide(many({ key: "many:2", nonce: 5, parts: [part("w3"), part("w4")] }))).toBe("POLICY_NONCE");
  expect(decide(single("w3", 5))).toBe("POLICY_NONCE");
  expect(decide(single("w3", 6))).toBeUndefined();
});

test("[WAL-2] the limits per payment and per day apply to the whole batch", () => {
  expect(decide(many({ parts: [part("w1", "50"), part("w2", "51")] }))).toBe("POLICY_PAYMENT_MAX");
  expect(decide(many({ parts: [part("w1", "50"), part("w2", "50")] }))).toBeUndefined();
  expect(decide(many({ key: "many:2", nonce: 6, parts: [part("w3", "25"), part("w4", "26")] }))).toBe("POLICY_DAY_MAX");
  expect(decide(single("w3", 6, "51"))).toBe("POLICY_DAY_MAX");
  expect(decide(many({ key: "many:2", nonce: 6, parts: [part("w3", "25"), part("w4", "25")] }))).toBeUndefined();
});

test("[WAL-2] receivers, amounts, keys, gas and the contract are checked one by one, and a wrong one refuses all", () => {
  for (const to of [HOT, COLD, PAYOUT, COIN, "0xee", `${address("a")}ff`])
    expect(decide(many({ parts: [part("w1"), part("w2", "30", to)] }))).toBe("POLICY_RECEIVER");
  for (const units of ["0", "-5", "0x5", "1.5", "", " 5"])
    expect(decide(many({ parts: [part("w1"), part("w2", units)] }))).toBe("POLICY_SHAPE");
  const tooMany = Array.from({ length: 26 }, (_, at) => part(`w${at}`, "1"));
  for (const parts of [[], [part("w1")], [part("w1"), part("w1")], [part("w1"), part("many:1")], tooMany])
    expect(decide(many({ parts }))).toBe("POLICY_SHAPE");
  expect(decide(many({ gas: "280001" }))).toBe("POLICY_FEE");
  expect(decide(many({ tip: "11" }))).toBe("POLICY_FEE");
  expect(decide(many({ asset: "DOGE" }))).toBe("POLICY_COIN");
  expect(decide(many({ network: "M" }))).toBe("POLICY_NETWORK");
  expect(decide(many(), open([{ ...NETWORK, payoutContract: null }]))).toBe("POLICY_SHAPE");
  // None of these refusals was recorded.
  expect(decide(many())).toBeUndefined();
});

test("[WAL-2] the contract's allowance of a token is at most the daily limit, and never of the chain's own coin", () => {
  const allow = (asset: string, isReset: boolean, nonce: number) =>
    ({ kind: "allow", key: `allow:${asset}:${nonce}`, network: "N", asset, isReset, nonce, ...FEES }) as const;
  expect(decide(allow("TOK", false, 1))).toBeUndefined();
  expect(policy.allowanceOf(allow("TOK", false, 1))).toBe(150n);
  expect(policy.allowanceOf(allow("TOK", true, 2))).toBe(0n);
  expect(decide(allow("ETH", false, 2))).toBe("POLICY_SHAPE");
  expect(decide(allow("TOK", false, 2), open([{ ...NETWORK, payoutContract: null }]))).toBe("POLICY_SHAPE");
  // It uses a number and nothing of the daily limit.
  expect(decide(many({ nonce: 1 }))).toBe("POLICY_NONCE");
  expect(decide(many({ parts: [part("w1", "50"), part("w2", "50")] }))).toBeUndefined();
});
