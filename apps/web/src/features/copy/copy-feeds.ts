// A follower's overview and a leader's, live: complete over the socket, by the plain calls while it is down.
import type { Endpoint } from "@clockwork/kit/endpoint";
import {
  COPY_CALLS,
  COPY_CHANNEL,
  type CopyKind,
  type CopyOverview,
  LEAD_CHANNEL,
  type LeadOverview,
} from "@clockwork/strategies/copy/contract";
import { useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { FeedDefinition } from "#live/feed-definition.ts";
import { Latest } from "#live/latest.ts";
import { RequestContext, useChannel } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { readLatest } from "#live/stream.ts";

type Overview = CopyOverview | LeadOverview;
type Definition<State> = FeedDefinition<State | undefined, never>;

/** Requests every part by its own call; undefined when one of them is not answered. */
async function fetchParts<State extends Overview>(
  request: RequestClient,
  parts: Readonly<Record<keyof State, Endpoint>>,
  signal?: AbortSignal,
): Promise<State | undefined> {
  const answers = await Promise.all(
    Object.entries<Endpoint>(parts).map(async ([part, called]) => {
      const answer = await request.call(called, {}, signal === undefined ? {} : { signal });
      return answer.ok ? [part, answer.data] : undefined;
    }),
  );
  const result = answers.filter((part) => part !== undefined);
  return result.length === answers.length ? (Object.fromEntries(result) as State) : undefined;
}

interface OverviewFeed<State extends Overview> {
  readonly definition: Definition<State>;
  readonly ask: (() => Promise<State | undefined>) | undefined;
}

function overviewFeed<State extends Overview>(
  topic: { readonly channel: string; readonly biz: CopyKind },
  parts: Readonly<Record<keyof State, Endpoint>>,
  request: RequestClient | undefined,
): OverviewFeed<State> {
  const isOverview = (data: unknown): data is State =>
    typeof data === "object" && data !== null && Object.keys(parts).every((part) => part in data);
  return {
    definition: {
      topic,
      initial: undefined,
      read: readLatest<State | undefined>((data) => (isOverview(data) ? data : undefined)),
      apply: (state) => state,
      fetch: async (signal) => {
        const state = request === undefined ? undefined : await fetchParts<State>(request, parts, signal);
        return state === undefined ? undefined : { sequence: 0, state };
      },
    },
    ask: request === undefined ? undefined : () => fetchParts<State>(request, parts),
  };
}

export function copyOverviewFeed(kind: CopyKind, request: RequestClient | undefined): OverviewFeed<CopyOverview> {
  const { follows, positions, copies, profits } = COPY_CALLS[kind];
  const parts = { follows, positions, copies, profits };
  return overviewFeed<CopyOverview>({ channel: COPY_CHANNEL, biz: kind }, parts, request);
}

export function leadOverviewFeed(kind: CopyKind, request: RequestClient | undefined): OverviewFeed<LeadOverview> {
  const { identity, followers } = COPY_CALLS[kind];
  return overviewFeed<LeadOverview>({ channel: LEAD_CHANNEL, biz: kind }, { identity, followers }, request);
}

/** As served, then live; `refresh` requests only without a live stream. */
function useOverview<State extends Overview, First>(
  make: (kind: CopyKind, request: RequestClient | undefined) => OverviewFeed<State>,
  kind: CopyKind,
  first: First,
) {
  const request = useContext(RequestContext);
  const { definition, ask } = useMemo(() => make(kind, request), [make, kind, request]);
  const { value, status, updatedAtMs } = useChannel(definition);
  const [overview, setOverview] = useState<State | First>(first);
  const [latest] = useState(() => new Latest());
  useEffect(() => setOverview(first), [first]);
  const isLive = status === "live";
  // A value kept from an earlier visit is older than the page: only a new message replaces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal message counts again
  useEffect(() => {
    if (value === undefined || (!isLive && status !== "polling")) return;
    latest.drop();
    setOverview(value);
  }, [value, isLive, status, updatedAtMs]);
  const refresh = useCallback(async () => {
    // Messages during the request are newer than its answer.
    const requested = isLive || ask === undefined ? undefined : await latest.ask(ask);
    if (requested !== undefined) setOverview(requested);
  }, [isLive, ask, latest]);
  return { overview, refresh };
}

export type FirstCopyOverview = Omit<CopyOverview, "copies" | "profits"> & {
  readonly copies: CopyOverview["copies"] | null;
  readonly profits: CopyOverview["profits"] | null;
};

export const useCopyOverview = (kind: CopyKind, first: FirstCopyOverview) => useOverview(copyOverviewFeed, kind, first);
export const useLeadOverview = (kind: CopyKind, first: LeadOverview) => useOverview(leadOverviewFeed, kind, first);
