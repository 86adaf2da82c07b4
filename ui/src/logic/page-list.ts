// Which page numbers a pager shows. Always the first, the last and the neighbours; a gap replaces at least two pages.

export type PageEntry = number | "gap-before" | "gap-after";

export function listPages(current: number, count: number, around = 1): readonly PageEntry[] {
  if (count <= 5 + around * 2) return Array.from({ length: count }, (_, index) => index + 1);
  const left = Math.max(2, Math.min(current - around, count - 3 - around * 2));
  const right = Math.min(count - 1, Math.max(current + around, 4 + around * 2 - 1));
  const entries: PageEntry[] = [1];
  if (left > 2) entries.push(left === 3 ? 2 : "gap-before");
  for (let page = left; page <= right; page++) entries.push(page);
  if (right < count - 1) entries.push(right === count - 2 ? count - 1 : "gap-after");
  entries.push(count);
  return entries;
}
