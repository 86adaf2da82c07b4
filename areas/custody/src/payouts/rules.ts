// Pure rules of batch payments: the minimum size that saves, the keys, and the order of payments.
import { batchGas, KEY_STARTS, PARTS_MAX, PLAIN_GAS } from "@clockwork/kit/chains/batch";
import type { Planned, Sent, Waiting } from "./needs.ts";

/** Measured: two of a token save a fifth and more; of the chain's own coin three are needed to save. */
const TOKEN_MIN = 2;
const NATIVE_MIN = 3;

/**
 * Of the chain's own coin only to addresses without code: a contract may need more gas than it is given there. Whether
 * they have a balance is read from the chain, as an address new to it costs more than a batch saves.
 */
export function mayJoin(one: Waiting, isToken: boolean): boolean {
  return isToken || one.gas === PLAIN_GAS;
}

export function savesTogether(count: number, isToken: boolean): boolean {
  return count >= (isToken ? TOKEN_MIN : NATIVE_MIN);
}

/** By coin, in the order of waiting, as many as one transaction takes. */
export function groupByAsset(waiting: readonly Waiting[]): ReadonlyMap<string, readonly Waiting[]> {
  const groups = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const group = groups.get(one.asset) ?? [];
    groups.set(one.asset, group);
    if (group.length < PARTS_MAX) group.push(one);
  }
  return groups;
}

/** How payments leave: a batch in the position of its first, everything else separately. */
export function arrange(
  waiting: readonly Waiting[],
  groups: readonly (readonly Waiting[])[],
  how: { readonly contract: string; readonly isToken: (asset: string) => boolean; readonly timeMs: number },
): readonly Planned[] {
  const groupOf = new Map(groups.flatMap((group) => group.map((one) => [one.key, group] as const)));
  return waiting.flatMap((one): readonly Planned[] => {
    const group = groupOf.get(one.key);
    if (group === undefined) return [{ ...one, parts: [] }];
    if (group[0]?.key !== one.key) return [];
    const sum = group.reduce((all, { chain_units }) => all + BigInt(chain_units), 0n);
    return [
      {
        key: `${KEY_STARTS.many}${one.key}:${how.timeMs}`,
        asset: one.asset,
        receiver: how.contract,
        chain_units: sum.toString(),
        gas: batchGas(how.isToken(one.asset), group.length).toString(),
        parts: group,
      },
    ];
  });
}

/**
 * What batches may still take of the contract's allowance. Mined ones too, until they are final: a replaced block
 * returns what they took, and they take it again.
 */
export function leavingTogether(open: readonly Sent[], asset: string): bigint {
  return open
    .filter((one) => one.key.startsWith(KEY_STARTS.many) && one.asset === asset)
    .reduce((sum, { chain_units }) => sum + BigInt(chain_units), 0n);
}

/** Resetting an allowance: until that is final nothing may count on it, whatever the newest block shows. */
export function isResetting(open: readonly Sent[], asset: string): boolean {
  return open.some((one) => one.key.startsWith(KEY_STARTS.reset) && one.asset === asset);
}

export function isAllowing(open: readonly Sent[], asset: string): boolean {
  return isResetting(open, asset) || open.some((one) => one.key.startsWith(KEY_STARTS.allow) && one.asset === asset);
}
