// Which part of the markets is shown, from the address: a view can be linked to, and works without scripts.
import { SORTS, type Sort, type SortName, type Span } from "./market-rows.ts";

export const TABS = ["favourites", "spot", "new", "rankings"] as const;
export type MarketTab = (typeof TABS)[number];

export interface MarketView {
  readonly tab: MarketTab;
  /** A partition's key; nothing for all. */
  readonly group: string;
  readonly query: string;
  readonly shape: "table" | "heat";
  /** Tiles by volume or all alike. */
  readonly size: "volume" | "equal";
  /** Which change colours the tiles. */
  readonly span: Span;
  readonly sort: Sort;
  readonly page: number;
}

export const FIRST_SORT: Sort = { by: "turnover", isDown: true };
const QUERY_MAX = 40;

function oneOf<Value extends string>(values: readonly Value[], text: string | null, other: Value): Value {
  return values.find((value) => value === text) ?? other;
}

export function readView(search: URLSearchParams): MarketView {
  const sort = search.get("sort") ?? "";
  const by = oneOf<SortName | "">(SORTS, sort.replace(/^-/, ""), "");
  const page = Number(search.get("page") ?? "1");
  return {
    tab: oneOf(TABS, search.get("tab"), "spot"),
    group: (search.get("group") ?? "").slice(0, QUERY_MAX),
    query: (search.get("q") ?? "").trim().slice(0, QUERY_MAX),
    shape: oneOf(["table", "heat"] as const, search.get("view"), "table"),
    size: oneOf(["volume", "equal"] as const, search.get("size"), "volume"),
    span: oneOf(["day", "week"] as const, search.get("colour"), "day"),
    sort: by === "" ? FIRST_SORT : { by, isDown: sort.startsWith("-") },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The shortest address of a view: defaults are omitted. */
export function writeView(view: MarketView): string {
  const search = new URLSearchParams();
  if (view.tab !== "spot") search.set("tab", view.tab);
  if (view.group !== "") search.set("group", view.group);
  if (view.query !== "") search.set("q", view.query);
  if (view.shape !== "table") search.set("view", view.shape);
  if (view.size !== "volume") search.set("size", view.size);
  if (view.span !== "day") search.set("colour", view.span);
  if (view.sort.by !== FIRST_SORT.by || view.sort.isDown !== FIRST_SORT.isDown) {
    search.set("sort", `${view.sort.isDown ? "-" : ""}${view.sort.by}`);
  }
  if (view.page > 1) search.set("page", String(view.page));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** A clicked column: numbers start with the largest, names with A; another click reverses it. */
export function nextSort(sort: Sort, by: SortName): Sort {
  return sort.by === by ? { by, isDown: !sort.isDown } : { by, isDown: by !== "pair" };
}
