// The public prints of liquidations of a contract, or without one of a whole product: what was there, and what comes over the socket.
import type { LiquidationEntry } from "@clockwork/trading/markets/contract";
import { useContext, useEffect, useState } from "react";
import { LiveContext } from "#live/react.ts";

const KEPT = 200;

function isEntry(value: unknown): value is LiquidationEntry {
  return typeof value === "object" && value !== null && "id" in value && "price" in value;
}

/** Each once, newest first. */
export function useLiquidations(
  { biz, pairCode }: { readonly biz: string; readonly pairCode?: string },
  served: readonly LiquidationEntry[],
): readonly LiquidationEntry[] {
  const hub = useContext(LiveContext);
  const [fresh, setFresh] = useState<readonly LiquidationEntry[]>([]);
  useEffect(() => {
    setFresh([]);
    return hub?.socket.subscribe({
      topic: { channel: "liquidations", biz, ...(pairCode === undefined ? { type: "all" } : { pairCode }) },
      onMessage: ({ data }) => {
        const entries = Array.isArray(data) ? data.filter(isEntry) : [];
        setFresh((now) => [...entries.toReversed(), ...now].slice(0, KEPT));
      },
    });
  }, [hub, biz, pairCode]);
  const all = new Map([...fresh, ...served].map((entry) => [entry.id, entry]));
  return [...all.values()].toSorted((left, right) => right.timeMs - left.timeMs);
}
