// Owns which sources carry money and which tests must notice when one of them is changed, nearest tests first.
import { globSync } from "node:fs";

export interface Room {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  readonly postgres?: boolean;
}

const SPOT_SIM = ["sim/src/findings.test.ts", "sim/src/sessions.test.ts"];
const TWINS = [
  "sim/src/liquidation-reference/scripts.test.ts",
  "sim/src/liquidation-reference/liquidation-reference.test.ts",
];
const CORE = "core/src";

/** How many tests of a file of seeds are tried: they fail at their first seeds when they fail at all. */
export const FIRST: Readonly<Record<string, number>> = {
  "sim/src/sessions.test.ts": 6,
  "sim/src/liquidation-reference/liquidation-reference.test.ts": 1,
};

export const FOLDERS: Readonly<Record<string, Room>> = {
  money: {
    sources: ["kit/src/{money,decimal,fraction,instrument}.ts"],
    tests: ["kit/src/{money,decimal,fraction,instrument,margin}.test.ts"],
  },
  margin: {
    sources: ["kit/src/margin{,-funding,-tiers}.ts"],
    tests: ["kit/src/margin.test.ts", "kit/src/margin-property.test.ts"],
  },
  ledger: {
    sources: [`${CORE}/{ledger,account,spot}/*.ts`],
    tests: [
      `${CORE}/{ledger,account,spot}/*.test.ts`,
      `${CORE}/order/**/*.test.ts`,
      `${CORE}/machine/{records,snapshot}.test.ts`,
      `${CORE}/copy/{share,spot,futures}.test.ts`,
      `${CORE}/perp/{account,demo,margin,order}/*.test.ts`,
      ...SPOT_SIM,
    ],
  },
  book: {
    sources: [`${CORE}/{book,memory,market,trigger}/*.ts`],
    tests: [
      `${CORE}/{book,memory,market,trigger}/*.test.ts`,
      `${CORE}/order/**/*.test.ts`,
      `${CORE}/{fast,follow-up,listing}/*.test.ts`,
      `${CORE}/machine/{records,snapshot}.test.ts`,
      `${CORE}/account/{holds,restrict}.test.ts`,
      `${CORE}/bot/{spot,trigger}.test.ts`,
      `${CORE}/bot/rebalance/rebalance.test.ts`,
      `${CORE}/perp/{order,state}/*.test.ts`,
      ...SPOT_SIM,
    ],
  },
  order: {
    sources: [`${CORE}/order/**/*.ts`, `${CORE}/follow-up/*.ts`],
    tests: [
      `${CORE}/order/**/*.test.ts`,
      `${CORE}/follow-up/*.test.ts`,
      `${CORE}/machine/*.test.ts`,
      `${CORE}/{book,fast,listing}/*.test.ts`,
      `${CORE}/perp/{account,demo,margin,order,fast}/*.test.ts`,
      `${CORE}/perp/liquidation/{liquidation,bounds}.test.ts`,
      `${CORE}/account/{holds,restrict}.test.ts`,
      `${CORE}/bot/{spot,futures,change,refusals,trigger}.test.ts`,
      `${CORE}/bot/rebalance/rebalance.test.ts`,
      `${CORE}/copy/{spot,share,futures}.test.ts`,
      "sim/src/late.test.ts",
      ...SPOT_SIM,
    ],
  },
  liquidation: {
    sources: [`${CORE}/perp/liquidation/*.ts`, `${CORE}/perp/margin/insurance.ts`],
    tests: [
      `${CORE}/perp/liquidation/*.test.ts`,
      `${CORE}/perp/margin/{insurance,rules}.test.ts`,
      `${CORE}/perp/demo/demo.test.ts`,
      `${CORE}/bot/futures.test.ts`,
      `${CORE}/perp/account/operations.test.ts`,
      ...TWINS,
    ],
  },
  positions: {
    sources: [`${CORE}/perp/{margin,state}/*.ts`],
    tests: [
      `${CORE}/perp/margin/*.test.ts`,
      `${CORE}/perp/**/*.test.ts`,
      `${CORE}/copy/{share,futures,guards,told}.test.ts`,
      `${CORE}/bot/futures.test.ts`,
      `${CORE}/account/{chains,checks,house,money,restrict,settle}.test.ts`,
      ...TWINS,
    ],
  },
  perp: {
    sources: [`${CORE}/perp/{account,order,price,demo}/*.ts`, `${CORE}/perp/*.ts`],
    tests: [
      `${CORE}/perp/**/*.test.ts`,
      `${CORE}/copy/{futures,moved-stops,refusals,told}.test.ts`,
      `${CORE}/bot/{futures,missing}.test.ts`,
      ...TWINS,
    ],
  },
  journal: {
    sources: ["apps/server/src/engine/journal/*.ts", "apps/server/src/engine/recovery/*.ts"],
    // Without those that start a whole engine or replay an hour of commands on two threads.
    tests: [
      "apps/server/src/engine/journal/{file*,frame*,journal-*,segments}.test.ts",
      "apps/server/src/engine/recovery/{chunk-ring,read-ahead-spans,recovery,snapshot*}.test.ts",
    ],
  },
  wallet: {
    sources: ["areas/trading/src/wallet/*.ts"],
    // Others start a whole exchange each.
    tests: ["areas/trading/src/wallet/*.test.ts"],
    postgres: true,
  },
};

/** Files of patterns, each once, in the patterns' order; tests only on request. */
export function filesOf(root: string, patterns: readonly string[], tests: boolean): string[] {
  const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  // An exercise before the first commit carries no money, and what only threads load cannot be changed from here.
  const helper = /-fixture|fault-files|\/test-|warm-up|-worker/;
  return [...new Set(found)].filter((path) => path.includes(".test.") === tests && (tests || !helper.test(path)));
}
