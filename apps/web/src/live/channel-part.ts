// Controlled reads of streams, for lists that change many times a second: notified when a painter decides, or only when
// a part of them changed. Apart from the plain hooks, so that pages without such lists do not load them.
import { useCallback, useContext, useSyncExternalStore } from "react";
import type { FeedDefinition, FeedState } from "./feed-definition.ts";
import { initialState, LiveContext } from "./react.ts";

const silent = (): (() => void) => () => {};

/** Holds back a stream's updates: `ask` requests that the listener be called. */
interface Held {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** As `useChannel`, notified when `holdBack` decides; it should be created once. */
export function useHeldChannel<State, Delta>(
  definition: FeedDefinition<State, Delta>,
  holdBack: (listener: () => void) => Held,
): FeedState<State> {
  const feed = useContext(LiveContext)?.feed(definition);
  const getInitial = () => initialState(definition);
  const subscribe = useCallback(
    (listener: () => void) => {
      if (feed === undefined) return () => {};
      const held = holdBack(listener);
      const release = feed.subscribe(held.ask);
      return () => {
        release();
        held.stop();
      };
    },
    [feed, holdBack],
  );
  return useSyncExternalStore(subscribe, feed?.read ?? getInitial, getInitial);
}

/**
 * A part of a stream: a component that shows only that is rendered when it changes. The part is compared by identity.
 */
export function useChannelPart<State, Delta, Part>(
  definition: FeedDefinition<State, Delta>,
  partOf: (state: FeedState<State>) => Part,
): Part {
  const feed = useContext(LiveContext)?.feed(definition);
  const getInitial = () => partOf(initialState(definition));
  return useSyncExternalStore(
    feed?.subscribe ?? silent,
    feed === undefined ? getInitial : () => partOf(feed.read()),
    getInitial,
  );
}
