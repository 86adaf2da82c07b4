// Owns the traders that only move money: mint, burn, transfer, hold, capture, release, with repeats and lies.
import { BUSINESSES } from "@clockwork/core/protocol/names";
import type { SingleCommand } from "./reference.ts";
import { FIRST_TRADER, LAST_ACCOUNT, type World } from "./world.ts";

const HOLDS = 6;
const REFERENCES_KEPT = 40;

function pickAccount({ random }: World): number {
  // Mostly users, sometimes a house book, the external one, or nobody.
  return random.chance(1, 8)
    ? random.pick([0, 1, 4, 8, 10, 11, 15, LAST_ACCOUNT + 1])
    : random.between(FIRST_TRADER, LAST_ACCOUNT);
}

/** Mostly new references, some seen before, some that are none. */
function pickReference(world: World): string {
  const { random, references } = world;
  if (references.length > 0 && random.chance(1, 6)) return random.pick(references);
  if (random.chance(1, 40)) return random.pick(["", "no spaces", "x".repeat(36), "what?"]);
  const fresh = `r:${world.exchange.sequence}`;
  references.push(fresh);
  if (references.length > REFERENCES_KEPT) references.shift();
  return fresh;
}

export function moveMoney(world: World): SingleCommand {
  const { random } = world;
  const account = pickAccount(world);
  const asset = random.chance(1, 30) ? random.pick([0, 4, -1]) : random.between(1, 3);
  const units = random.chance(1, 20)
    ? random.pick([0, -5, Number.MAX_SAFE_INTEGER])
    : random.chance(1, 3)
      ? random.between(1, 400)
      : random.between(1, 4_000_000_000);
  const reference = pickReference(world);
  const business = random.pick(BUSINESSES);
  const hold = `h:${random.below(HOLDS)}`;
  const outgoing = random.chance(1, 3);
  switch (random.below(13)) {
    case 0:
      // Money comes from outside, mostly.
      return {
        kind: "mint",
        account,
        asset,
        business: random.chance(3, 4) ? random.pick(["deposit", "adjustment"] as const) : business,
        units,
        reference,
      };
    case 1:
      return { kind: "burn", account, asset, business, outgoing, units, reference };
    case 2:
      return {
        kind: "hold",
        account,
        asset,
        business,
        outgoing,
        units,
        reference: random.chance(4, 5) ? hold : reference,
        expiresAt: pickEnd(world),
      };
    case 3:
      return {
        kind: "capture",
        account: holder(world, hold),
        business,
        units,
        reference,
        to: pickAccount(world),
        hold,
      };
    case 4:
      return { kind: "release", account: holder(world, hold), units: random.chance(1, 2) ? 0 : units, reference, hold };
    case 5:
      return { kind: "extendHold", account: holder(world, hold), expiresAt: pickEnd(world), reference, hold };
    case 6: {
      const into = random.chance(1, 20) ? "no name" : `h:${random.below(HOLDS)}`;
      const part = random.chance(1, 2) ? units : random.between(1, 100);
      return { kind: "splitHold", account: holder(world, hold), units: part, reference, hold, into };
    }
    case 9:
    case 10:
      return restriction(world, reference);
    case 7:
    case 8:
      return settlement(world, reference);
    default:
      return { kind: "transfer", account, asset, business, outgoing, units, reference, to: pickAccount(world) };
  }
}

/** Never, soon, or a time that is over. */
function pickEnd({ random, time }: World): number {
  return random.pick([0, 0, time + random.between(1, 5_000), time + random.between(1, 90_000), time - 1, time]);
}

/** More are lifted than made, or nothing would leave any more. */
function restriction(world: World, reference: string): SingleCommand {
  const { random, exchange } = world;
  const known = [...exchange.restrictions.keys()];
  if (known.length > 3 || random.chance(1, 2)) {
    const name = known.length === 0 || random.chance(1, 10) ? "nothing" : random.pick(known);
    return { kind: "unrestrict", units: random.pick([0, 0, 1, 40_000]), reference, restriction: name };
  }
  return {
    kind: "restrict",
    user: random.chance(1, 20) ? 0 : random.between(1, 6),
    units: random.pick([1, 50_000, 900_000_000, 5_000_000_000_000, Number.MAX_SAFE_INTEGER]),
    reference,
    until: pickEnd(world),
  };
}

/** Some legs of small amounts, so that many pass, with now and then a leg that cannot. */
function settlement(world: World, reference: string): SingleCommand {
  const { random } = world;
  const legs = Array.from({ length: random.pick([0, 1, 2, 3, 8]) }, () => {
    const hold = random.chance(1, 3) ? `h:${random.below(HOLDS)}` : "";
    const held = world.exchange.holds.get(hold)?.balance;
    return {
      from: hold === "" ? pickAccount(world) : holder(world, hold),
      to: pickAccount(world),
      asset: random.chance(1, 30) ? random.pick([0, 4]) : (held?.asset ?? random.between(1, 3)),
      business: random.pick(BUSINESSES),
      units: random.chance(1, 30) ? random.pick([0, -1, Number.MAX_SAFE_INTEGER]) : random.between(1, 90_000),
      hold,
    };
  });
  return { kind: "settle", outgoing: random.chance(1, 3), reference, legs };
}

/** Who holds it, mostly. */
function holder(world: World, hold: string): number {
  const owner = world.exchange.holds.get(hold)?.balance.account.id;
  return owner === undefined || world.random.chance(1, 10) ? pickAccount(world) : owner;
}
