// Ended orders and fills of the past, a page at a time, fetched again when a filter changes or the page was cut off.

import { useCallback, useContext, useEffect, useRef, useState } from "react";
import { LiveContext } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { type Page, type PastQuery, useProduct } from "#trade/product.ts";
import type { TradeFill, TradeOrder } from "#trade/trade-order.ts";
import { type OrderFilters, spanStart } from "./orders-model.ts";

const PAGE_SIZE = 50;

export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isFailing: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly retry: () => void;
  /** Everything the filters leave, fetched anew; nothing when a page did not come. */
  readonly all: () => Promise<readonly Row[] | undefined>;
}

type FetchPage<Row> = (query: PastQuery) => Promise<Page<Row> | undefined>;

function queryOf(filters: OrderFilters): PastQuery {
  return {
    limit: PAGE_SIZE,
    pairCode: filters.pairCode,
    side: filters.side === "all" ? undefined : filters.side,
    from: spanStart(filters, Date.now()),
  };
}

const EXPORT_PAGE = 200;
const EXPORT_PAGES_MAX = 500;

export async function fetchAll<Row>(fetchPage: FetchPage<Row>, query: PastQuery): Promise<readonly Row[] | undefined> {
  const rows: Row[] = [];
  let before: string | undefined;
  for (let count = 0; count < EXPORT_PAGES_MAX; count += 1) {
    const page = await fetchPage(before === undefined ? query : { ...query, before });
    if (page === undefined) return undefined;
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
  return rows;
}

/** `fetchPage` must keep its identity. */
export function usePages<Row>(fetchPage: FetchPage<Row>, filters: OrderFilters): Pages<Row> {
  const hub = useContext(LiveContext);
  const [pages, setPages] = useState<readonly Page<Row>[]>([]);
  const [state, setState] = useState<"loading" | "ready" | "failing">("loading");
  /** Outdated answers are dropped. */
  const round = useRef(0);
  const { pairCode, side, span } = filters;
  const load = useCallback(
    async (before: string | undefined, known: readonly Page<Row>[]) => {
      const mine = ++round.current;
      setState("loading");
      const query = queryOf({ pairCode, side, span, type: "all" });
      const page = await fetchPage(before === undefined ? query : { ...query, before });
      if (mine !== round.current) return;
      setState(page === undefined ? "failing" : "ready");
      if (page !== undefined) setPages([...known, page]);
    },
    [fetchPage, pairCode, side, span],
  );
  useEffect(() => {
    void load(undefined, []);
    return hub?.onBehind(() => void load(undefined, []));
  }, [load, hub]);
  const next = pages.at(-1)?.next ?? null;
  return {
    rows: pages.flatMap((page) => page.rows),
    isLoading: state === "loading",
    isFailing: state === "failing",
    hasMore: next !== null,
    more: () => {
      if (next !== null && state !== "loading") void load(next, pages);
    },
    retry: () => void load(undefined, []),
    all: () => fetchAll(fetchPage, { ...queryOf({ pairCode, side, span, type: "all" }), limit: EXPORT_PAGE }),
  };
}

export function useHistoryPages(filters: OrderFilters): Pages<TradeOrder> {
  const calls = useCalls();
  const { history } = useProduct().calls;
  const fetchPage = useCallback<FetchPage<TradeOrder>>(
    async (query) => history(await calls(), query),
    [calls, history],
  );
  return usePages(fetchPage, filters);
}

export function useFillPages(filters: OrderFilters): Pages<TradeFill> {
  const calls = useCalls();
  const { fills } = useProduct().calls;
  const fetchPage = useCallback<FetchPage<TradeFill>>(async (query) => fills(await calls(), query), [calls, fills]);
  return usePages(fetchPage, filters);
}
