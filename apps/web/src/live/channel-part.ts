// Streams read with care, for lists that change many times a second: told when a painter sees fit, or only when a part of them
// changed. Apart from the plain hooks, so that pages without such lists do not carry them.
import { useCallback, useContext, useSyncExternalStore } from "react";
import type { FeedDefinition, FeedState } from "./feed-definition.ts";
import { initialState, LiveContext } from "./react.ts";

const silent = (): (() => void) => () => {};

/** Holds back what a stream tells: `ask` asks for the listener to be called. */
interface Held {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** As `useChannel`, told when `holdBack` sees fit; it should be made once. */
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

/** A part of a stream: whoever shows only that is drawn again when it changes. The part is compared by identity. */
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
