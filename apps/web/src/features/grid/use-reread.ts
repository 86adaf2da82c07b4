// A served bot that is read again: when its owner's stream reports a change, on request, and at an interval where its
// figures move with the prices. Contains no rule.
import type { DataOf, InputOf } from "@clockwork/kit/endpoint";
import type { GRID_CALLS, GridBiz } from "@clockwork/strategies/grid/contract";
import type { REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";
import { useEffect, useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";

type DetailCall = (typeof GRID_CALLS)[GridBiz]["detail"] | typeof REBALANCE_CALLS.detail;

export interface Reread<One> {
  readonly bot: One;
  readonly reload: () => void;
}

/** `mark` is the stream's version of it; empty before the first message. */
export function useReread<Called extends DetailCall>(
  first: DataOf<Called>,
  called: Called,
  mark: string,
  everyMs = 0,
): Reread<DataOf<Called>> {
  const calls = useCalls();
  const [bot, setBot] = useState(first);
  const [turn, setTurn] = useState(0);
  const [latest] = useState(() => new Latest());
  const isRunning = bot.status !== "CLOSED";
  useEffect(() => {
    if (!isRunning || everyMs === 0) return;
    const timer = setInterval(() => setTurn((now) => now + 1), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, everyMs]);
  useEffect(() => {
    if (mark === "" && turn === 0) return;
    latest
      .ask(async () => (await calls()).call(called, { id: first.id } as InputOf<Called>))
      .then((answer) => {
        if (answer?.ok === true) setBot(answer.data);
      })
      .catch(() => undefined);
  }, [calls, latest, first, called, mark, turn]);
  return { bot, reload: () => setTurn((now) => now + 1) };
}
