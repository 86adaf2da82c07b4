// Owns a journal of the products that move money without trading: deposits, withdrawals, conversions, savings, launches, fiat trades,
// coupons, bonuses, debts and restrictions, as the server sends them. For the corpus alone.
import type { Command } from "@clockwork/core/protocol/command";
import type { Business, HousePurpose } from "@clockwork/core/protocol/names";
import { EXTERNAL_ACCOUNT } from "@clockwork/core/protocol/names";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createPerpStage, type PerpStage } from "@clockwork/core/testing/perp-stage";
import { present } from "@clockwork/kit/assert";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;

export function playProducts(): readonly Uint8Array[] {
  const stage = createPerpStage();
  const { usdt, btc } = stage;
  let number = 0;
  const reference = (): string => `p:${number++}`;
  const send = (command: Command): void => {
    const [refusal] = eventsOf(stage.send(command), "rejected");
    if (refusal !== undefined) throw new Error(`${command.kind} is refused: ${refusal.code}`);
  };
  const open = (user: number): number => {
    const made = stage.send({ kind: "createAccount", user, book: "funding" });
    const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", "account");
    for (const asset of [usdt, btc])
      send({ kind: "mint", account, asset, business: "deposit", units: 5_000 * COIN, reference: reference() });
    return account;
  };
  const house = (purpose: HousePurpose, sub = 0): number => {
    const made = stage.send({ kind: "openHouseAccount", purpose, sub });
    const { account } = present(eventsOf(made, "houseAccountOpened")[0], "STAGE-1", purpose);
    send({ kind: "mint", account, asset: usdt, business: "deposit", units: 9_000 * COIN, reference: reference() });
    return account;
  };
  const [ann, ben, cleo] = [open(101), open(102), open(103)];
  const pay = (account: number, to: number, business: Business, units: number, outgoing = false): void =>
    send({ kind: "transfer", account, to, asset: usdt, business, units, reference: reference(), outgoing });
  const hold = (account: number, business: Business, units: number, expiresAt = 0): string => {
    const name = reference();
    send({ kind: "hold", account, asset: usdt, business, units, reference: name, expiresAt });
    return name;
  };
  send({ kind: "setSeed", seed: "5eed".repeat(16) });
  withdraw(send, hold, reference, ann);
  // A conversion: two legs, one of them out of what is held.
  const quoted = hold(ann, "convert", 90 * COIN);
  const reserves = house("reserves");
  send({ kind: "mint", account: reserves, asset: btc, business: "deposit", units: COIN, reference: reference() });
  send({
    kind: "settle",
    reference: reference(),
    legs: [
      { from: ann, to: reserves, asset: usdt, business: "convert", units: 90 * COIN, hold: quoted },
      { from: reserves, to: ann, asset: btc, business: "convert", units: 90_000 },
    ],
  });
  const [pool, interest] = [house("earnPool"), house("interestTreasury")];
  for (let day = 0; day < 5; day++) {
    pay(ben, pool, "earnSubscribe", 100 * COIN);
    stage.time += DAY_MS;
    pay(interest, ben, "earnInterest", 12_345 + day);
    if (day % 2 === 1) pay(pool, ben, "earnRedeem", 50 * COIN);
  }
  launch(send, hold, reference, house("launchEscrow"), house("sale", 7), [ann, ben, cleo], usdt);
  trade(send, hold, reference, house("otcEscrow"), house("merchantBond"), ann, ben, usdt);
  for (const [purpose, business] of [
    ["couponTreasury", "coupon"],
    ["campaignTreasury", "reward"],
    ["rebateSource", "rebate"],
  ] as const)
    pay(house(purpose), cleo, business, 3 * COIN);
  owe(stage, send, reference, cleo, ben);
  stage.time += 91 * DAY_MS;
  send({ kind: "tick" });
  pay(ann, ben, "internalTransfer", COIN);
  return stage.journal;
}

type Send = (command: Command) => void;
type Hold = (account: number, business: Business, units: number, expiresAt?: number) => string;

function withdraw(send: Send, hold: Hold, reference: () => string, account: number): void {
  const name = hold(account, "withdrawal", 60 * COIN);
  const into = reference();
  send({ kind: "splitHold", account, units: 10 * COIN, reference: reference(), hold: name, into });
  const taken = { kind: "capture", account, business: "withdrawal", to: EXTERNAL_ACCOUNT } as const;
  send({ ...taken, units: 40 * COIN, reference: reference(), hold: name });
  send({ kind: "release", account, reference: reference(), hold: name });
  send({ kind: "extendHold", account, expiresAt: 0, reference: reference(), hold: into });
  send({ ...taken, business: "withdrawalFee", units: 10 * COIN, reference: reference(), hold: into });
  send({
    kind: "burn",
    account,
    asset: 2,
    business: "withdrawal",
    units: COIN,
    reference: reference(),
    outgoing: true,
  });
}

/** Three commit, one is drawn, one is drawn in part, one gets all back. */
function launch(
  send: Send,
  hold: Hold,
  reference: () => string,
  escrow: number,
  sale: number,
  people: readonly number[],
  asset: number,
): void {
  for (const [at, account] of people.entries()) {
    const name = hold(account, "launchCommit", 200 * COIN);
    const drawn = [200, 70, 0][at] ?? 0;
    const legs = [
      { from: account, to: escrow, asset, business: "launchCommit", units: drawn * COIN, hold: name },
      { from: sale, to: account, asset, business: "launchAllocate", units: drawn * 1_000 },
    ] as const;
    if (drawn > 0) send({ kind: "settle", reference: reference(), legs });
    if (drawn < 200) send({ kind: "release", account, reference: reference(), hold: name });
  }
}

/** A trade that is released, and one that runs out of time. */
function trade(
  send: Send,
  hold: Hold,
  reference: () => string,
  escrow: number,
  bond: number,
  seller: number,
  buyer: number,
  asset: number,
): void {
  send({
    kind: "transfer",
    account: seller,
    to: bond,
    asset,
    business: "merchantBond",
    units: COIN,
    reference: reference(),
  });
  const name = hold(seller, "otcEscrow", 25 * COIN);
  const legs = [
    { from: seller, to: escrow, asset, business: "otcEscrow", units: 25 * COIN, hold: name },
    { from: escrow, to: buyer, asset, business: "otcRelease", units: 24 * COIN },
  ] as const;
  send({ kind: "settle", reference: reference(), legs });
  hold(seller, "otcEscrow", 15 * COIN, 1_700_000_000_000 + 400 * DAY_MS);
}

/** A restriction that is lifted in part, and a debt that later credits repay. */
function owe(stage: PerpStage, send: Send, reference: () => string, debtor: number, friend: number): void {
  const name = reference();
  send({ kind: "restrict", user: 103, units: 20 * COIN, reference: name, until: stage.time + DAY_MS });
  send({ kind: "unrestrict", units: 5 * COIN, reference: reference(), restriction: name });
  send({ kind: "owe", user: 103, units: 7_000 * COIN, reference: reference(), asset: stage.usdt });
  const credit = { kind: "transfer", account: friend, to: debtor, asset: stage.usdt, business: "transfer" } as const;
  send({ ...credit, units: 300 * COIN, reference: reference() });
  send({ kind: "setUserFees", user: 103, spotMakerRate: 5_000, spotTakerRate: 9_000 });
  const loan = { kind: "mint", account: debtor, asset: stage.usdt, business: "deposit", units: 9_000 * COIN } as const;
  send({ ...loan, reference: reference() });
}
