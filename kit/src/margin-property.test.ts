import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ceilFraction, floorFraction } from "./fraction.ts";
import {
  type Contract,
  cashBeside,
  exactHeadroom,
  type Holding,
  isLiquidatable,
  liquidationPrices,
  type MarkedHolding,
  valueCeil,
} from "./margin.ts";
import { tiersA, tiersB, tiersInverse } from "./margin-tiers.ts";

const CONTRACTS: readonly Contract[] = [
  { kind: "linear", factor: 100n, tiers: tiersA(6), liquidationRate: 60_000n },
  { kind: "linear", factor: 10n, tiers: tiersB(6), liquidationRate: 60_000n },
  { kind: "inverse", factor: 100_000_000_000n, tiers: tiersInverse("BTC", 8), liquidationRate: 60_000n },
];
const TICKS_MAX = 0x3fffffffn;
const MARK = 500_000n;

interface Account {
  readonly contract: Contract;
  readonly own: Holding[];
  readonly others: MarkedHolding[];
  readonly cash: bigint;
}

const bigint = (min: bigint, max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min, max });

function holding(contract: Contract, side: 1n | -1n): fc.Arbitrary<Holding> {
  const lotsMax = contract.kind === "linear" ? 40_000n : 200_000n;
  return fc
    .tuple(bigint(1n, lotsMax), bigint(MARK - MARK / 20n, MARK + MARK / 20n))
    .map(([lots, entry]) => ({ side, lots, cost: valueCeil(contract, lots, entry) }));
}

/** Random margins from the edge of liquidation to several times the value. */
function account(contract: Contract, cross: boolean, hedge: boolean): fc.Arbitrary<Account> {
  const side = fc.constantFrom<1n | -1n>(1n, -1n);
  const own = hedge
    ? fc.tuple(holding(contract, 1n), holding(contract, -1n))
    : side.chain((s) => holding(contract, s).map((one) => [one]));
  const other = side.chain((s) => holding(contract, s)).map((one) => ({ ...one, contract, markTicks: MARK + 777n }));
  const others = cross ? fc.array(other, { maxLength: 3 }) : fc.constant<MarkedHolding[]>([]);
  return fc.tuple(own, others, bigint(1n, 4_000n)).map(([mine, rest, share]) => {
    const value = mine.reduce((sum, { cost }) => sum + cost, 0n);
    return { contract, own: [...mine], others: rest, cash: (value * share) / 1_000n };
  });
}

/** The last healthy price on the way from the mark to `end`; by the check itself. */
function bisect({ contract, own, others, cash }: Account, end: bigint): bigint | undefined {
  const isDead = (markTicks: bigint): boolean =>
    isLiquidatable(cash, [...own.map((one) => ({ ...one, contract, markTicks })), ...others]);
  let healthy = MARK;
  let dead = end;
  if (!isDead(dead)) return undefined;
  while (healthy - dead > 1n || dead - healthy > 1n) {
    const middle = (healthy + dead) / 2n;
    if (isDead(middle)) dead = middle;
    else healthy = middle;
  }
  return dead;
}

describe.each(CONTRACTS.map((contract, i) => [`${contract.kind} ${i}`, contract] as const))(
  "[FUT-2] the liquidation price by formula is the one the margin check gives, %s",
  (_, contract) => {
    test.each([
      ["isolated one-way", false, false],
      ["isolated hedge", false, true],
      ["cross one-way", true, false],
      ["cross hedge", true, true],
    ] as const)("%s", (_name, cross, hedge) => {
      fc.assert(
        fc.property(account(contract, cross, hedge), (given) => {
          const { own, others, cash } = given;
          // Isolated hedge keeps a margin for each side; both sides in one margin is cross.
          const scope = hedge && !cross ? { ...given, own: own.slice(0, 1) } : given;
          const marked = scope.own.map((one) => ({ ...one, contract, markTicks: MARK }));
          fc.pre(exactHeadroom(cash, [...marked, ...others]).over > 0n);
          const { below, above } = liquidationPrices(contract, cashBeside(cash, others), scope.own, MARK);
          const low = below === undefined ? 0n : floorFraction(below);
          const high = above === undefined ? TICKS_MAX + 1n : ceilFraction(above);
          expect(low > 0n ? low : undefined).toBe(bisect(scope, 1n));
          expect(high <= TICKS_MAX ? high : undefined).toBe(bisect(scope, TICKS_MAX));
        }),
        { numRuns: 1_000, seed: 8 },
      );
    });
  },
);
