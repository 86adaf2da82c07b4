// What becomes of a difference between chains and ledger: more than is owed is somebody's gift, less is a loss.
import type { Network } from "@clockwork/kit/chains/network";
import type { GiftRow } from "./gift-store.ts";

/** Longer than an explanation takes: money from inside a contract is looked for every minute. */
const KEPT_MS = 600_000;

export type ReadBlocks = ReadonlyMap<string, number>;

interface GiftChange {
  readonly row: GiftRow;
  readonly fine_units: string;
  readonly is_kept: boolean;
}

interface Settled {
  readonly added: GiftRow | undefined;
  readonly changes: readonly GiftChange[];
  /** What is missing after young gifts have gone again; zero or below. */
  readonly missing: bigint;
}

/** `difference` already counts the coin's `gifts` in, newest first. */
export function settleDifference(
  asset: string,
  difference: bigint,
  gifts: readonly GiftRow[],
  at: { readonly nowMs: number; readonly read: ReadBlocks },
): Settled {
  const blocks = JSON.stringify(Object.fromEntries(at.read));
  if (difference > 0n) {
    const added = { asset, seen_ms: at.nowMs, fine_units: difference.toString(), blocks, is_kept: false };
    return { added, changes: [], missing: 0n };
  }
  let missing = difference;
  const changes: GiftChange[] = [];
  for (const row of gifts) {
    if (row.is_kept || missing === 0n) continue;
    const held = BigInt(row.fine_units);
    const left = held + missing > 0n ? held + missing : 0n;
    missing += held - left;
    changes.push({ row, fine_units: left.toString(), is_kept: false });
  }
  return { added: undefined, changes, missing };
}

/** No block it was seen in can be replaced any more, and whatever could explain it has had its time. */
export function isKept(
  row: GiftRow,
  networks: readonly Network[],
  { nowMs, read }: { readonly nowMs: number; readonly read: ReadBlocks },
): boolean {
  const seen = JSON.parse(row.blocks) as Readonly<Record<string, number>>;
  const isDeep = networks
    .filter(({ coins }) => coins.some((coin) => coin.asset === row.asset))
    .every(({ network, finalBlocks }) => (read.get(network) ?? 0) - (seen[network] ?? 0) >= finalBlocks);
  return isDeep && nowMs - row.seen_ms >= KEPT_MS;
}
