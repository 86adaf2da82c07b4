// Reads the postings of several books in journal order, each book in pages of its own: the cost depends on the rows
// returned, not on the length of the journal or of a book. Commands are never split.

export const PAGE_ROWS = 500;

interface Place {
  readonly sequence: number;
  readonly line: number;
}

/** One book's postings in order: a limited number after a command and up to another. */
type ReadBook<Row> = (account: number, after: number, through: number, limit: number) => Promise<Row[]>;

/** Rows of one book that were read and not returned yet. */
interface Pending<Row> {
  readonly account: number;
  rows: Row[];
  /** Every posting of the book up to this command was read. */
  reached: number;
}

interface MovementPage<Row> {
  readonly rows: readonly Row[];
  /** The rows are all there are up to this command. */
  readonly through: number;
}

export async function* readMovements<Row extends Place>(
  read: ReadBook<Row>,
  accounts: readonly number[],
  after = 0,
  through = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<MovementPage<Row>> {
  const books: Pending<Row>[] = accounts.map((account) => ({ account, rows: [], reached: after }));
  for (let reached = after; reached < through && books.length > 0; ) {
    const empty = books.filter((book) => book.rows.length === 0 && book.reached < through);
    await Promise.all(empty.map((book) => refill(read, book, through)));
    reached = books.reduce((least, book) => Math.min(least, book.reached), through);
    const rows = books.flatMap((book) => takeThrough(book, reached));
    rows.sort((left, right) => left.sequence - right.sequence || left.line - right.line);
    yield { rows, through: reached };
  }
}

async function refill<Row extends Place>(read: ReadBook<Row>, book: Pending<Row>, through: number): Promise<void> {
  for (let limit = PAGE_ROWS; ; limit *= 2) {
    const rows = await read(book.account, book.reached, through, limit);
    const last = rows.at(-1);
    if (rows.length < limit || last === undefined) {
      book.rows = rows;
      book.reached = through;
      return;
    }
    // The last command may have more than the page had room for.
    const whole = rows.filter(({ sequence }) => sequence < last.sequence);
    if (whole.length === 0) continue;
    book.rows = whole;
    book.reached = last.sequence - 1;
    return;
  }
}

function takeThrough<Row extends Place>(book: Pending<Row>, sequence: number): Row[] {
  const end = book.rows.findIndex((row) => row.sequence > sequence);
  return book.rows.splice(0, end === -1 ? book.rows.length : end);
}
