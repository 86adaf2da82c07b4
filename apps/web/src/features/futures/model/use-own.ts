// The user's own data for the futures screens: positions at the newest mark, accounts, settings of the contract, fees;
// and the ladders of all computations. Only ladders are for visitors too.

import type { SocketMessage } from "@clockwork/kit/wire";
import { FUTURES_CALLS, type FuturesBiz, type FuturesFee } from "@clockwork/trading/futures/contract";
import { CONTRACT_CALLS, type ContractInfo, type LadderStep } from "@clockwork/trading/markets/contract";
import {
  type ContractSettings,
  type FuturesAccount,
  type FuturesPosition,
  POSITION_CALLS,
} from "@clockwork/trading/positions/contract";
import { useContext, useEffect, useMemo, useState } from "react";
import { askData } from "#live/ask.ts";
import { useChannelPart, useHeldChannel } from "#live/channel-part.ts";
import { type FuturesFeeds, futuresFeeds, withMarks } from "#live/feeds/futures-feeds.ts";
import { readList } from "#live/feeds/own-feeds.ts";
import { Latest } from "#live/latest.ts";
import { LiveContext, RequestContext, useChannel } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { createStore, type Store } from "#live/store.ts";
import { useCalls } from "#session/auth-context.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { sampleStores } from "#trade/order/use-sampled-market.ts";
import { useProduct } from "#trade/product.ts";
import { useLinked } from "#trade/terminal-link.ts";
import { type KnownContract, readContract } from "./contract.ts";

/** Used until the page's clients are there; it has no listeners. */
const NO_CLIENT = {} as RequestClient;

export function useBiz(): FuturesBiz {
  return useProduct().biz as FuturesBiz;
}

export function useFuturesFeeds(): FuturesFeeds {
  return futuresFeeds(useContext(RequestContext) ?? NO_CLIENT, useBiz());
}

export interface OwnPositions {
  readonly positions: readonly FuturesPosition[];
  readonly isKnown: boolean;
}

/** Five a second, the rate of marks; in frames of the tape, so that rows are laid out and painted together with it. */
const paced = (listener: () => void) => createPacer(listener, { everyMs: 200 });

export function usePositions(): OwnPositions {
  const feeds = useFuturesFeeds();
  const result = useHeldChannel(feeds.positions, paced);
  const marks = useHeldChannel(feeds.marks, paced);
  const positions = useMemo(() => withMarks(result.value, marks.value), [result.value, marks.value]);
  return { positions, isKnown: !result.empty };
}

/** The number of positions; nothing before the first message. */
export function usePositionCount(): number | undefined {
  return useChannelPart(useFuturesFeeds().positions, ({ empty, value }) => (empty ? undefined : value.length));
}

export interface SampledOwn {
  readonly positions: readonly FuturesPosition[];
  readonly account: FuturesAccount | undefined;
}

const NOTHING_OWN: SampledOwn = { positions: [], account: undefined };

/** Positions and account as the form reads them: a few times a second, as it reads the market, however often they change. */
export function useSampledOwn(settle: string): SampledOwn {
  const hub = useContext(LiveContext);
  const feeds = useFuturesFeeds();
  const [own, setOwn] = useState(NOTHING_OWN);
  useEffect(() => {
    if (hub === undefined) return;
    const [result, marks, accounts] = [hub.feed(feeds.positions), hub.feed(feeds.marks), hub.feed(feeds.accounts)];
    const take = () =>
      setOwn({
        positions: withMarks(result.read().value, marks.read().value),
        account: accounts.read().value.find(({ asset }) => asset === settle),
      });
    const release = sampleStores([result, marks, accounts], take);
    take();
    return release;
  }, [hub, feeds, settle]);
  return own;
}

/** The account a contract settles in; nothing before the first message. */
export function useAccountOf(settle: string): FuturesAccount | undefined {
  const accounts = useChannel(useFuturesFeeds().accounts);
  return accounts.value.find(({ asset }) => asset === settle);
}

export function useFee(): FuturesFee | undefined {
  const calls = useCalls();
  const biz = useBiz();
  const hub = useContext(LiveContext);
  const [fee, setFee] = useState<FuturesFee>();
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const answer = await (await calls()).call(FUTURES_CALLS.fee, { biz }, { api: "futures" });
      if (answer.ok && !gone) setFee(answer.data);
    };
    void ask();
    const release = hub?.onBehind(() => void ask());
    return () => {
      gone = true;
      release?.();
    };
  }, [calls, biz, hub]);
  return fee;
}

const settingStores = new Map<string, Store<ContractSettings | undefined>>();

function settingsOf(biz: FuturesBiz, pairCode: string): Store<ContractSettings | undefined> {
  const key = `${biz}:${pairCode}`;
  const store = settingStores.get(key) ?? createStore<ContractSettings | undefined>(undefined);
  settingStores.set(key, store);
  return store;
}

const settingsRequested = new WeakMap<Store<ContractSettings | undefined>, Latest>();

function requestedOf(store: Store<ContractSettings | undefined>): Latest {
  const latest = settingsRequested.get(store) ?? new Latest();
  settingsRequested.set(store, latest);
  return latest;
}

/** The answer to a change applies to every panel at once, and overrides earlier requests. */
export function publishSettings(settings: ContractSettings): void {
  const store = settingsOf(settings.biz, settings.pairCode);
  requestedOf(store).drop();
  store.set(settings);
}

const readSettings = readList<ContractSettings>(
  (row) => typeof row.biz === "string" && typeof row.pairCode === "string" && typeof row.mode === "string",
);

function receiveSettings({ data }: SocketMessage): void {
  for (const one of readSettings(data) ?? []) publishSettings(one);
}

export function useContractSettings(pairCode: string): ContractSettings | undefined {
  const calls = useCalls();
  const biz = useBiz();
  const hub = useContext(LiveContext);
  const store = settingsOf(biz, pairCode);
  const known = useLinked(store);
  useEffect(() => {
    const ask = async () => {
      const answer = await requestedOf(store).ask(async () =>
        (await calls()).call(POSITION_CALLS.settings, { biz, pairCode }, { api: "futures" }),
      );
      // Every panel reads it there, also when the requesting one is gone.
      if (answer?.ok === true) store.set(answer.data);
    };
    void ask();
    const releases = [
      hub?.onBehind(() => void ask()),
      // Another page, a key or the core may have changed them.
      hub?.socket.subscribe({ topic: { channel: "settings", biz }, onMessage: receiveSettings }),
    ];
    return () => {
      for (const release of releases) release?.();
    };
  }, [calls, biz, pairCode, store, hub]);
  return known;
}

export type Ladder = readonly LadderStep[];
const ladders = new Map<string, Promise<Ladder | undefined>>();

async function fetchLadder(biz: FuturesBiz, pairCode: string): Promise<Ladder | undefined> {
  const data = await askData(CONTRACT_CALLS.ladder, { biz, pairCode }, { api: "futures" });
  return data !== undefined && data.length > 0 ? data : undefined;
}

/** A ladder changes with a listing: once per page is enough. A failed request is repeated. */
export function loadLadder(biz: FuturesBiz, pairCode: string): Promise<Ladder | undefined> {
  const key = `${biz}:${pairCode}`;
  const loading = ladders.get(key) ?? fetchLadder(biz, pairCode).catch(() => undefined);
  ladders.set(key, loading);
  void loading.then((ladder) => ladder === undefined && ladders.delete(key));
  return loading;
}

export interface LadderState {
  readonly ladder: Ladder | undefined;
  readonly isFailing: boolean;
  readonly retry: () => void;
}

export function useLadder(pairCode: string): LadderState {
  const biz = useBiz();
  const [state, setState] = useState<{ readonly pairCode: string; readonly ladder: Ladder | undefined }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers another try
  useEffect(() => {
    let gone = false;
    void loadLadder(biz, pairCode).then((ladder) => !gone && setState({ pairCode, ladder }));
    return () => {
      gone = true;
    };
  }, [biz, pairCode, attempt]);
  const isMine = state?.pairCode === pairCode;
  return {
    ladder: isMine ? state.ladder : undefined,
    isFailing: isMine && state.ladder === undefined,
    retry: () => setAttempt(attempt + 1),
  };
}

const lists = new Map<FuturesBiz, Promise<readonly ContractInfo[]>>();

function loadContracts(biz: FuturesBiz): Promise<readonly ContractInfo[]> {
  const loading =
    lists.get(biz) ??
    askData(CONTRACT_CALLS.instruments, { biz }, { api: "futures" }).then(
      (list) => list ?? [],
      () => [],
    );
  lists.set(biz, loading);
  void loading.then((list) => list.length === 0 && lists.delete(biz));
  return loading;
}

/** The contracts named, with their ladders, as far as they have arrived. */
export function useKnownContracts(pairCodes: readonly string[]): ReadonlyMap<string, KnownContract> {
  const biz = useBiz();
  const [known, setKnown] = useState<ReadonlyMap<string, KnownContract>>(new Map());
  const wanted = [...new Set(pairCodes)].sort().join();
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const infos = await loadContracts(biz);
      const found = await Promise.all(
        wanted.split(",").map(async (pairCode) => {
          const info = infos.find((one) => one.pairCode === pairCode);
          return info === undefined ? undefined : readContract(info, await loadLadder(biz, pairCode));
        }),
      );
      if (gone) return;
      setKnown(new Map(found.flatMap((one) => (one === undefined ? [] : [[one.rules.pairCode, one] as const]))));
    };
    if (wanted !== "") void load();
    return () => {
      gone = true;
    };
  }, [biz, wanted]);
  return known;
}
