// The positions of the terminal's panels: three columns of stacked panels, their widths and shares. Pure: a change
// returns a new layout, and a text short enough for a cookie encodes a whole one.

export const PANELS = ["book", "chart", "orders", "form"] as const;
export type PanelId = (typeof PANELS)[number];
export type ColumnIndex = 0 | 1 | 2;

export interface Placed {
  readonly panel: PanelId;
  /** Thousandths of the column's height; those of a column add up to 1000. */
  readonly share: number;
}

/** The position of the trades: behind a tab, below the book, or by the screen's width. */
export const TRADES_PLACES = ["auto", "tab", "split"] as const;
export type TradesPlace = (typeof TRADES_PLACES)[number];

export interface Layout {
  readonly columns: readonly [readonly Placed[], readonly Placed[], readonly Placed[]];
  /** 0: the width the style sheet gives for this screen. */
  readonly leftPx: number;
  readonly rightPx: number;
  readonly trades: TradesPlace;
}

export const DEFAULT_LAYOUT: Layout = {
  columns: [
    [{ panel: "book", share: 1000 }],
    [
      { panel: "chart", share: 658 },
      { panel: "orders", share: 342 },
    ],
    [{ panel: "form", share: 1000 }],
  ],
  leftPx: 0,
  rightPx: 0,
  trades: "auto",
};

export const SIDE_MIN_PX = 220;
export const SIDE_MAX_PX = 560;
export const SHARE_MIN = 120;

const LETTERS: Readonly<Record<PanelId, string>> = { book: "b", chart: "c", orders: "o", form: "f" };

export type Columns = Layout["columns"];

export function mapColumns(
  columns: Columns,
  change: (stack: readonly Placed[], column: ColumnIndex) => readonly Placed[],
) {
  return [change(columns[0], 0), change(columns[1], 1), change(columns[2], 2)] as const;
}

/** Scales the shares of a stack to 1000 again, none below the smallest. */
export function levelShares(stack: readonly Placed[]): readonly Placed[] {
  if (stack.length === 0) return stack;
  const bounded = stack.map((placed) => ({ ...placed, share: Math.max(SHARE_MIN, placed.share) }));
  const sum = bounded.reduce((total, placed) => total + placed.share, 0);
  let left = 1000;
  return bounded.map((placed, index) => {
    const share = index === bounded.length - 1 ? left : Math.round((placed.share * 1000) / sum);
    left -= share;
    return { ...placed, share };
  });
}

export function resizeSide(layout: Layout, side: "left" | "right", px: number): Layout {
  const bounded = Math.round(Math.max(SIDE_MIN_PX, Math.min(SIDE_MAX_PX, px)));
  return side === "left" ? { ...layout, leftPx: bounded } : { ...layout, rightPx: bounded };
}

/** Moves the border below the panel at `index`: `share` is what that panel and all above it take together. */
export function resizeStack(layout: Layout, column: ColumnIndex, index: number, share: number): Layout {
  const columns = mapColumns(layout.columns, (stack, at) => {
    const upper = stack[index];
    const lower = stack[index + 1];
    if (at !== column || upper === undefined || lower === undefined) return stack;
    const above = stack.slice(0, index).reduce((sum, placed) => sum + placed.share, 0);
    const both = upper.share + lower.share;
    const mine = Math.round(Math.max(SHARE_MIN, Math.min(both - SHARE_MIN, share - above)));
    return stack.map((placed, place) => {
      if (place === index) return { ...placed, share: mine };
      return place === index + 1 ? { ...placed, share: both - mine } : placed;
    });
  });
  return { ...layout, columns };
}

export interface PanelPlace {
  readonly column: ColumnIndex;
  readonly top: number;
  readonly share: number;
  readonly isLast: boolean;
}

/** Every shown panel with its place; hidden ones are left out. */
export function placePanels(layout: Layout): ReadonlyMap<PanelId, PanelPlace> {
  const places = new Map<PanelId, PanelPlace>();
  for (const column of [0, 1, 2] as const) {
    let top = 0;
    const stack = layout.columns[column];
    for (const [index, { panel, share }] of stack.entries()) {
      places.set(panel, { column, top, share, isLast: index === stack.length - 1 });
      top += share;
    }
  }
  return places;
}

/** `b1000.c658-o342.f1000~0~0~a` */
export function encodeLayout(layout: Layout): string {
  const columns = layout.columns.map((stack) => stack.map(({ panel, share }) => LETTERS[panel] + share).join("-"));
  return [columns.join("."), layout.leftPx, layout.rightPx, layout.trades[0]].join("~");
}

function decodeStack(text: string, seen: Set<PanelId>): readonly Placed[] {
  const stack: Placed[] = [];
  for (const part of text === "" ? [] : text.split("-")) {
    const panel = PANELS.find((id) => LETTERS[id] === part[0]);
    const share = Number(part.slice(1));
    if (panel === undefined || seen.has(panel) || !Number.isInteger(share) || share < 1 || share > 1000) continue;
    seen.add(panel);
    stack.push({ panel, share });
  }
  return levelShares(stack);
}

function decodePx(text: string | undefined): number {
  const px = Number(text);
  return Number.isInteger(px) && px >= SIDE_MIN_PX && px <= SIDE_MAX_PX ? px : 0;
}

/** Unreadable text gives the default; a layout without a panel is invalid. */
export function decodeLayout(text: string | undefined): Layout {
  const [columnsText = "", leftText, rightText, tradesText] = (text ?? "").split("~");
  const parts = columnsText.split(".");
  if (parts.length !== 3) return DEFAULT_LAYOUT;
  const seen = new Set<PanelId>();
  const [left = "", centre = "", right = ""] = parts;
  const columns = [decodeStack(left, seen), decodeStack(centre, seen), decodeStack(right, seen)] as const;
  if (seen.size === 0) return DEFAULT_LAYOUT;
  const trades = TRADES_PLACES.find((place) => place[0] === tradesText) ?? "auto";
  return { columns, leftPx: decodePx(leftText), rightPx: decodePx(rightText), trades };
}
