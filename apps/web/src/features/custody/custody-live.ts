// The last message of a private channel, initially the page's own data.
import { useContext, useEffect, useState } from "react";
import { LiveContext } from "#live/react.ts";

export function useLatest<Data>(channel: string, first: Data): Data {
  const hub = useContext(LiveContext);
  const [latest, setLatest] = useState(first);
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({ topic: { channel }, onMessage: ({ data }) => setLatest(data as Data) });
  }, [hub, channel]);
  return latest;
}

export function shortHash(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}
