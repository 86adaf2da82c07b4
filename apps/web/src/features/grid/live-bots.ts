// The stream of the caller's running bots of one kind. Holds the last list received.
import { useContext, useEffect, useState } from "react";
import { LiveContext } from "#live/react.ts";

function isList(value: unknown): value is { readonly bots: readonly unknown[] } {
  return typeof value === "object" && value !== null && "bots" in value && Array.isArray(value.bots);
}

/** Undefined until the first word. */
export function useLiveBots<One>(channel: string, biz?: string): readonly One[] | undefined {
  const hub = useContext(LiveContext);
  const [bots, setBots] = useState<readonly One[]>();
  useEffect(
    () =>
      hub?.socket.subscribe({
        topic: { channel, ...(biz === undefined ? {} : { biz }) },
        onMessage: ({ data }) => {
          if (isList(data)) setBots(data.bots as readonly One[]);
        },
      }),
    [hub, channel, biz],
  );
  return bots;
}
