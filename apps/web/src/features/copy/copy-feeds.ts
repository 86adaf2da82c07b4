// A follower's desk and a leader's as they are told live: whole over the socket, by the plain calls while it is down.
import {
  COPY_CHANNEL,
  COPY_PATHS,
  type CopyDesk,
  type CopyKind,
  LEAD_CHANNEL,
  type LeadDesk,
} from "@clockwork/domains/copy/api";
import { useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { FeedDefinition } from "#live/feed-definition.ts";
import { RequestContext, useChannel } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { readLatest } from "#live/stream.ts";

type Desk = CopyDesk | LeadDesk;
type Definition<State> = FeedDefinition<State | undefined, never>;

/** Asks for every part by its own call; undefined when one of them is not answered. */
async function fetchParts<State extends Desk>(
  request: RequestClient,
  addresses: Readonly<Record<keyof State, string>>,
  signal?: AbortSignal,
): Promise<State | undefined> {
  const parts = await Promise.all(
    Object.entries<string>(addresses).map(async ([part, address]) => {
      const answer = await request.get<unknown>(address, {}, signal === undefined ? {} : { signal });
      return answer.ok ? [part, answer.data] : undefined;
    }),
  );
  const told = parts.filter((part) => part !== undefined);
  return told.length === parts.length ? (Object.fromEntries(told) as State) : undefined;
}

interface DeskFeed<State extends Desk> {
  readonly definition: Definition<State>;
  readonly ask: (() => Promise<State | undefined>) | undefined;
}

function deskFeed<State extends Desk>(
  topic: { readonly channel: string; readonly biz: CopyKind },
  addresses: Readonly<Record<keyof State, string>>,
  request: RequestClient | undefined,
): DeskFeed<State> {
  const isDesk = (data: unknown): data is State =>
    typeof data === "object" && data !== null && Object.keys(addresses).every((part) => part in data);
  return {
    definition: {
      topic,
      initial: undefined,
      read: readLatest<State | undefined>((data) => (isDesk(data) ? data : undefined)),
      apply: (state) => state,
      fetch: async (signal) => {
        const state = request === undefined ? undefined : await fetchParts<State>(request, addresses, signal);
        return state === undefined ? undefined : { sequence: 0, state };
      },
    },
    ask: request === undefined ? undefined : () => fetchParts<State>(request, addresses),
  };
}

export function copyDeskFeed(kind: CopyKind, request: RequestClient | undefined): DeskFeed<CopyDesk> {
  const base = COPY_PATHS[kind];
  const addresses = {
    follows: `${base}/follows`,
    positions: `${base}/positions`,
    copies: `${base}/copies`,
    profits: `${base}/profits`,
  };
  return deskFeed<CopyDesk>({ channel: COPY_CHANNEL, biz: kind }, addresses, request);
}

export function leadDeskFeed(kind: CopyKind, request: RequestClient | undefined): DeskFeed<LeadDesk> {
  const base = COPY_PATHS[kind];
  const addresses = { identity: `${base}/identity`, followers: `${base}/followers` };
  return deskFeed<LeadDesk>({ channel: LEAD_CHANNEL, biz: kind }, addresses, request);
}

/** As served, then as told; `refresh` asks only while nothing is told. */
function useDesk<State extends Desk, First>(
  make: (kind: CopyKind, request: RequestClient | undefined) => DeskFeed<State>,
  kind: CopyKind,
  first: First,
) {
  const request = useContext(RequestContext);
  const { definition, ask } = useMemo(() => make(kind, request), [make, kind, request]);
  const { value, status, updatedAtMs } = useChannel(definition);
  const [desk, setDesk] = useState<State | First>(first);
  useEffect(() => setDesk(first), [first]);
  const isLive = status === "live";
  // A value kept from an earlier visit is older than the page: only what is told now replaces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again the same, it counts again
  useEffect(() => {
    if (value !== undefined && (isLive || status === "polling")) setDesk(value);
  }, [value, isLive, status, updatedAtMs]);
  const refresh = useCallback(async () => {
    const asked = isLive ? undefined : await ask?.();
    if (asked !== undefined) setDesk(asked);
  }, [isLive, ask]);
  return { desk, refresh };
}

export type FirstCopyDesk = Omit<CopyDesk, "copies" | "profits"> & {
  readonly copies: CopyDesk["copies"] | null;
  readonly profits: CopyDesk["profits"] | null;
};

export const useCopyDesk = (kind: CopyKind, first: FirstCopyDesk) => useDesk(copyDeskFeed, kind, first);
export const useLeadDesk = (kind: CopyKind, first: LeadDesk) => useDesk(leadDeskFeed, kind, first);
