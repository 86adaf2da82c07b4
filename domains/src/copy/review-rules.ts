// What operators see of leaders, and in which order. Pure.
import type { ReviewRow } from "./api.ts";
import { rateText } from "./rules.ts";
import type { LeaderRow } from "./store.ts";

/** Who waits for an answer stands first, the longest waiting before the others. */
export function describeReviews(rows: readonly LeaderRow[], flags: ReadonlyMap<number, number>): ReviewRow[] {
  const place = (row: LeaderRow): number => (row.state === "APPLIED" ? row.applied_ms : Number.MAX_SAFE_INTEGER);
  const sorted = [...rows].sort((left, right) => place(left) - place(right) || left.account - right.account);
  return sorted.map((row) => ({
    leaderId: String(row.account),
    kind: row.kind,
    userId: String(row.user_id),
    nickname: row.nickname,
    bio: row.bio,
    state: row.state,
    level: row.level,
    shareRate: rateText(row.share_rate),
    isSimulated: row.is_simulated,
    reason: row.reason,
    appliedAtMs: row.applied_ms,
    washTrades: flags.get(row.account) ?? 0,
  }));
}
