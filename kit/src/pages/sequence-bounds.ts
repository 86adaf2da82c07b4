// The journal's sequences of a time span, as parts of a statement: rows are ordered by sequence, queries are by time.
// Bounds are a minute or two wider than the time, so the time itself is compared as well.
const MINUTE_MS = 60_000;

/** How a store writes a part of a statement with bound values. */
type WriteSql<Part> = (texts: TemplateStringsArray, ...values: number[]) => Part;

export function sequenceBounds<Part>(sql: WriteSql<Part>) {
  return {
    /** No row of this time or later is before it. */
    least: (fromMs: number): Part => sql`coalesce((select m.sequence from engine_minutes m
      where m.minute < ${Math.floor(fromMs / MINUTE_MS)} order by m.minute desc limit 1), 0)`,
    /** No row of this time or earlier is after it. */
    most: (toMs: number): Part => sql`coalesce((select m.sequence from engine_minutes m
      where m.minute > ${Math.floor(toMs / MINUTE_MS)} order by m.minute limit 1), ${Number.MAX_SAFE_INTEGER})`,
  };
}
