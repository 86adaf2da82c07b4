// The end of a page of a list: the moment and, because a moment may hold several, the id of its last row. A mark of
// only a moment means everything before that moment.
export interface PageMark {
  readonly atMs: number;
  /** Empty for a mark of only a moment. */
  readonly id: string;
}

/** The pattern of a mark, for input validation. */
export const PAGE_MARK = { pattern: "^[1-9][0-9]{0,14}(\\.[A-Za-z0-9:._-]{1,80})?$", maxLength: 96 } as const;

/** Of a text that matches the pattern. */
export function readMark(text: string): PageMark {
  const dot = text.indexOf(".");
  return dot < 0 ? { atMs: Number(text), id: "" } : { atMs: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
}

export function writeMark({ atMs, id }: PageMark): string {
  return `${atMs}.${id}`;
}
