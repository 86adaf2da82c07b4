// Does response time reveal whether an account exists? Calls about existing and missing accounts, in random order, one
// at a time; their medians must be within five percent.
import { randomInt } from "node:crypto";
import { addressOf, type Caller, PASSWORD, quantile } from "./accounts-site.ts";

const KNOWN = 240;
const APART_MAX = 0.05;

interface Probe {
  readonly name: string;
  readonly path: string;
  readonly body: (account: string) => unknown;
}

const PROBES: readonly Probe[] = [
  { name: "validate-type", path: "/login/validate-type", body: (account) => ({ account }) },
  {
    name: "do-login, wrong password",
    path: "/login/do-login",
    body: (account) => ({ account, password: `${PASSWORD}-wrong` }),
  },
  { name: "forget code", path: "/forget/code", body: (account) => ({ account }) },
  { name: "sign-up code", path: "/sign-up/code", body: (account) => ({ account }) },
  { name: "release code", path: "/risk-control/release/code", body: (account) => ({ account }) },
];

export interface Sameness {
  readonly name: string;
  readonly knownMs: number;
  readonly unknownMs: number;
  readonly knownP90Ms: number;
  readonly unknownP90Ms: number;
  readonly apart: number;
  readonly isAlike: boolean;
  readonly statuses: readonly number[];
}

function shuffle<Value>(list: Value[]): Value[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [list[last], list[other]] = [list[other] as Value, list[last] as Value];
  }
  return list;
}

export async function measureSameness(caller: Caller): Promise<readonly Sameness[]> {
  const known = Array.from({ length: KNOWN }, (_, index) => `known${index}@bench.example`);
  for (const [index, account] of known.entries()) await caller.signUp(account, addressOf(index), `device-${index}`);
  const results: Sameness[] = [];
  let calls = 100_000;
  // The code of the sign-up must be older than the pause before the next one.
  const settled = Date.now() + 61_000;
  for (const probe of PROBES) {
    if (probe.name === "sign-up code") await new Promise((done) => setTimeout(done, Math.max(0, settled - Date.now())));
    const accounts = shuffle([
      ...known.map((account) => ({ account, isKnown: true })),
      ...known.map((_, index) => ({ account: `nobody${index}@bench.example`, isKnown: false })),
    ]);
    const took: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    const statuses = new Set<number>();
    for (const { account, isKnown } of accounts) {
      calls += 1;
      const path = `/api/v2/users${probe.path}`;
      const reply = await caller.call({ path, body: probe.body(account), address: addressOf(calls) });
      took[isKnown ? "known" : "unknown"].push(reply.tookMs);
      statuses.add(reply.status);
    }
    results.push(compare(probe.name, took.known, took.unknown, [...statuses]));
  }
  return results;
}

function compare(
  name: string,
  known: readonly number[],
  unknown: readonly number[],
  statuses: readonly number[],
): Sameness {
  const [knownMs, unknownMs] = [quantile(known, 0.5), quantile(unknown, 0.5)];
  const apart = Math.abs(knownMs - unknownMs) / Math.max(knownMs, unknownMs);
  return {
    name,
    knownMs,
    unknownMs,
    knownP90Ms: quantile(known, 0.9),
    unknownP90Ms: quantile(unknown, 0.9),
    apart,
    isAlike: apart <= APART_MAX && statuses.length === 1,
    statuses,
  };
}
