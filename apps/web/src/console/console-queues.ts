// What waits in the console's queues, and the state of the core: read at once and then every few seconds while the page
// is visible.
import { OVERVIEW_CALLS, type Queues } from "@clockwork/site/overview/contract";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";

export type QueueReading = Queues;

const READ_MS = 15_000;
/** Pages follow each other within this: the navigation between two of them does not blink. */
let newest: Queues | undefined;

export function useQueues(isOpen: boolean): QueueReading | undefined {
  const calls = useCalls();
  const [reading, setReading] = useState<Queues>();
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    setReading(newest);
    const read = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await (await calls()).call(OVERVIEW_CALLS.queues, {});
      if (!isCurrent || !answer.ok) return;
      newest = answer.data;
      setReading(answer.data);
    };
    void read();
    const timer = setInterval(() => void read(), READ_MS);
    document.addEventListener("visibilitychange", read);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [isOpen, calls]);
  return reading;
}
