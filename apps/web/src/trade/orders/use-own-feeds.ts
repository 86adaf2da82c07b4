// Own orders and fills of the product on the screen. Only for signed-in users.
import { useContext, useEffect, useState } from "react";
import type { FeedState } from "#live/feed-definition.ts";
import { LiveContext, RequestContext } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { type OwnFeeds, useProduct } from "#trade/product.ts";

/** Used until the page's clients are there; it has no listeners. */
const NO_CLIENT = {} as RequestClient;

export function useOwnFeeds(): OwnFeeds {
  const { ownFeeds } = useProduct();
  return ownFeeds(useContext(RequestContext) ?? NO_CLIENT);
}

/** A failed stream is resubscribed by a new connection. */
export function useReconnect(): () => void {
  const hub = useContext(LiveContext);
  return () => hub?.socket.reconnect();
}

/** Longer than a slow connection takes, shorter than users wait. */
const LATE_MS = 8_000;

/** Nothing came, by socket or by call: the screen should say so and offer another try. */
export function useFailing(state: Pick<FeedState<unknown>, "empty" | "status">): boolean {
  const [isLate, setLate] = useState(false);
  const { empty } = state;
  useEffect(() => {
    setLate(false);
    if (!empty) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [empty]);
  return empty && (isLate || state.status === "stale");
}
