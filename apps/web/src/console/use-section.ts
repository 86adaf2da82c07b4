// Pages of rows of one call, by its cursor: read when shown, again after a failure, further at the press of a button,
// and whole for an export that says how far it is.
import type { DataOf, Endpoint, EndpointBase, InputOf } from "@clockwork/kit/endpoint";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";

export interface SectionSource<Called extends Endpoint, Row> {
  readonly called: Called;
  readonly input: InputOf<Called>;
  /** Named where the call is below the futures base. */
  readonly api?: EndpointBase;
  rowsOf(data: DataOf<Called>): readonly Row[];
  /** What the next page adds to the input; undefined after the last. */
  nextOf?(data: DataOf<Called>): Partial<InputOf<Called>> | undefined;
}

export interface SectionRows<Row> {
  /** Undefined while loading, null after a failure. */
  readonly rows: readonly Row[] | undefined | null;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  reload(): void;
  more(): void;
  /** Every row from the first; false from `onProgress` stops it. Undefined when it was stopped or failed. */
  readAll(onProgress: (count: number) => boolean): Promise<readonly Row[] | undefined>;
}

const EXPORT_ROWS_MAX = 200_000;

export function useSection<Called extends Endpoint, Row>(source: SectionSource<Called, Row>): SectionRows<Row> {
  const calls = useCalls();
  const latest = useRef(source);
  latest.current = source;
  const [pages, setPages] = useState<readonly DataOf<Called>[] | null>();
  const [isBusy, setBusy] = useState(false);
  const key = JSON.stringify([source.called.path, source.input]);
  const current = useRef(key);
  current.current = key;
  const read = useCallback(
    async (next: Partial<InputOf<Called>> | undefined): Promise<DataOf<Called> | undefined> => {
      const { called, input, api } = latest.current;
      const whole = { ...(input as object), ...(next as object | undefined) } as InputOf<Called>;
      const answer = await (await calls()).call(called, whole, api === undefined ? {} : { api });
      return answer.ok ? answer.data : undefined;
    },
    [calls],
  );
  const reload = useCallback(() => {
    const started = current.current;
    setPages(undefined);
    void read(undefined).then((page) => {
      if (current.current === started) setPages(page === undefined ? null : [page]);
    });
  }, [read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another input is another section
  useEffect(reload, [reload, key]);
  const last = pages?.at(-1);
  const next = last === undefined ? undefined : source.nextOf?.(last);
  const more = async () => {
    if (isBusy || next === undefined) return;
    setBusy(true);
    const page = await read(next);
    setBusy(false);
    if (page !== undefined && pages) setPages([...pages, page]);
  };
  const readAll = async (onProgress: (count: number) => boolean) => {
    const rows: Row[] = [];
    let then: Partial<InputOf<Called>> | undefined;
    for (;;) {
      const page = await read(then);
      if (page === undefined) return undefined;
      rows.push(...source.rowsOf(page));
      if (!onProgress(rows.length)) return undefined;
      then = source.nextOf?.(page);
      if (then === undefined || rows.length >= EXPORT_ROWS_MAX) return rows;
    }
  };
  return {
    rows: pages?.flatMap((page) => source.rowsOf(page)) ?? (pages as undefined | null),
    hasMore: next !== undefined,
    isBusy,
    reload,
    more: () => void more(),
    readAll,
  };
}
