// The rows of a follower's statement: what was copied, what was not and why, what was paid to leaders. Pure.

import type { TimezoneName } from "@clockwork/kit/constants";
import { formatDateTime } from "@clockwork/kit/time";
import type { CopyLine, ShareLine } from "@clockwork/strategies/copy/contract";

/** The header contains the zone, as a file is read without its page. */
export const headOf = (zone: string): readonly string[] => [`time, ${zone}`, ...HEAD];

const HEAD = [
  "leader",
  "kind",
  "what",
  "pair",
  "quantity",
  "filled",
  "price",
  "leader price",
  "slippage bps",
  "reason",
  "bound",
  "share rate",
  "realised",
  "high-water mark",
  "paid",
  "reference",
] as const;

/** Newest first, however the two lists interleave. */
export function sheetRows(
  copies: readonly CopyLine[],
  shares: readonly ShareLine[],
  names: ReadonlyMap<string, string>,
  zone: TimezoneName,
): string[][] {
  const rows = [
    ...copies.map((line) => ({ timeMs: line.timeMs, cells: copyCells(line, names, zone) })),
    ...shares
      .filter(({ role }) => role === "follower")
      .map((line) => ({ timeMs: line.timeMs, cells: shareCells(line, names, zone) })),
  ];
  return rows.sort((left, right) => right.timeMs - left.timeMs).map(({ cells }) => cells);
}

function copyCells(line: CopyLine, names: ReadonlyMap<string, string>, zone: TimezoneName): string[] {
  return [
    formatDateTime(line.timeMs, zone),
    names.get(line.leaderId) ?? line.leaderId,
    line.reason === null ? "copy" : "skipped",
    line.what,
    line.pairCode,
    line.quantity,
    line.filled,
    line.price ?? "",
    line.leaderPrice ?? "",
    line.slippageBps ?? "",
    line.reason ?? "",
    line.bound ?? "",
    ...["", "", "", ""],
    line.id,
  ];
}

function shareCells(line: ShareLine, names: ReadonlyMap<string, string>, zone: TimezoneName): string[] {
  return [
    formatDateTime(line.timeMs, zone),
    names.get(line.leaderId) ?? line.leaderId,
    "profit share",
    line.cause,
    ...["", "", "", "", "", "", "", ""],
    line.shareRate,
    line.realizedPnl,
    line.highWaterMark,
    line.paid,
    line.id,
  ];
}
