// Paints figures into rows of the page outside React: stores what each cell shows and writes only changes. The rows
// themselves are created by React once, or cloned here; React never updates them again.

interface RowCells {
  readonly row: HTMLElement;
  readonly texts: readonly Text[];
  readonly shown: string[];
  mark: string;
}

function textOf(cell: Element): Text {
  const first = cell.firstChild;
  if (first instanceof Text) return first;
  const text = document.createTextNode("");
  cell.replaceChildren(text);
  return text;
}

/** A row's cells are its direct children with `data-cell`, in order. */
function openRow(row: HTMLElement): RowCells {
  const texts = [...row.querySelectorAll(":scope > [data-cell]")].map(textOf);
  const shown = texts.map((text) => text.data);
  return { row, texts, shown, mark: row.dataset.own ?? "" };
}

export class RowPainter {
  readonly #list: HTMLElement;
  readonly #rows: RowCells[];
  readonly #nameId: (index: number) => string;

  constructor(list: HTMLElement, nameId: (index: number) => string) {
    this.#list = list;
    this.#nameId = nameId;
    this.#rows = [...list.querySelectorAll<HTMLElement>(":scope > [data-row]")].map(openRow);
  }

  get count(): number {
    return this.#rows.length;
  }

  rowAt(index: number): HTMLElement | undefined {
    return this.#rows[index]?.row;
  }

  /** Makes room for this many rows; rows too many are hidden, not removed. */
  ensure(count: number): void {
    const pattern = this.#rows[0]?.row;
    while (pattern !== undefined && this.#rows.length < count) {
      const row = pattern.cloneNode(true) as HTMLElement;
      row.id = this.#nameId(this.#rows.length);
      row.dataset.row = String(this.#rows.length);
      row.removeAttribute("aria-selected");
      this.#list.append(row);
      this.#rows.push(openRow(row));
    }
  }

  write(index: number, cell: number, text: string): void {
    const cells = this.#rows[index];
    if (cells === undefined || cells.shown[cell] === text) return;
    const node = cells.texts[cell];
    if (node === undefined) return;
    // A row that shows nothing is not there: an empty option would have no name.
    if (cell === 0) cells.row.hidden = text === "";
    node.data = text;
    cells.shown[cell] = text;
  }

  mark(index: number, isOwn: boolean): void {
    const cells = this.#rows[index];
    const mark = isOwn ? "1" : "";
    if (cells === undefined || cells.mark === mark) return;
    if (isOwn) cells.row.dataset.own = "1";
    else delete cells.row.dataset.own;
    cells.mark = mark;
  }

  /** Rows past `count` show nothing. */
  blank(count: number): void {
    for (let index = count; index < this.#rows.length; index += 1) {
      const cells = this.#rows[index];
      if (cells === undefined || cells.shown[0] === "") continue;
      for (let cell = 0; cell < cells.texts.length; cell += 1) this.write(index, cell, "");
      this.mark(index, false);
    }
  }
}
