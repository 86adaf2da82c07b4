// Reads paged lists of the exchange completely.

const PAGE = 100;

/** A whole list, page by page; rows of the moment a page ends at are read again, so that none is left out. */
export async function readAll<Row>(
  readPage: (query: string) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  timeOf: (row: Row) => number,
): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (let before: number | undefined; ; ) {
    const page = await readPage(`?limit=${PAGE}${before === undefined ? "" : `&before=${before}`}`);
    const known = rows.size;
    for (const row of page) rows.set(idOf(row), row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return [...rows.values()];
    if (rows.size === known) throw new Error("more rows of one moment than a page holds");
    before = timeOf(last) + 1;
  }
}
