// A served bot that is read again: when its owner's stream says that it changed, when somebody asks, and every so often where its
// figures move with the prices. Holds no rule.
import { useEffect, useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";

export interface Reread<One> {
  readonly bot: One;
  readonly reload: () => void;
}

/** `mark` is what the stream says of it; empty until it has said something. */
export function useReread<One extends { readonly id: number; readonly status: string }>(
  first: One,
  path: string,
  mark: string,
  everyMs = 0,
): Reread<One> {
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
      .ask(async () => (await calls()).get<One>(`${path}/detail`, { id: String(first.id) }))
      .then((answer) => {
        if (answer?.ok === true) setBot(answer.data);
      })
      .catch(() => undefined);
  }, [calls, latest, first, path, mark, turn]);
  return { bot, reload: () => setTurn((now) => now + 1) };
}
