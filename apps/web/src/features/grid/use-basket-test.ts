// A back-test of a typed basket on the server: started once, read until it is over, ended when no page waits for it.
import { type BasketTest, REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";
import { useEffect, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { type BasketDraft, bodyOf } from "./model/basket-model.ts";

const READ_MS = 300;

interface Tested {
  readonly of: BasketDraft;
  readonly result?: BasketTest;
  readonly failure?: string;
  /** 0 to 1 while it runs. */
  readonly progress?: number;
}

export function useBasketTest(draft: BasketDraft) {
  const calls = useCalls();
  const [tested, setTested] = useState<Tested>();
  const [task, setTask] = useState<{ readonly id: string; readonly of: BasketDraft }>();
  const isBusy = task !== undefined;
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  useEffect(() => {
    if (task === undefined) return;
    const timer = setInterval(() => {
      calls()
        .then((client) => client.call(REBALANCE_CALLS.readTest, { taskId: task.id }))
        .then((answer) => {
          if (!answer.ok) {
            setTested({ of: task.of, failure: answer.message });
            setTask(undefined);
            return;
          }
          const { state, progress, result } = answer.data;
          if (state === "running") setTested((now) => ({ ...now, of: task.of, progress }));
          else {
            setTested(result === null ? { of: task.of } : { of: task.of, result });
            setTask(undefined);
          }
        })
        .catch(() => undefined);
    }, READ_MS);
    return () => clearInterval(timer);
  }, [calls, task]);
  const begin = async (days: number): Promise<void> => {
    const answer = await (await calls()).call(REBALANCE_CALLS.startTest, {
      ...bodyOf(draft),
      days,
    });
    if (gone.current) return;
    if (answer.ok) setTask({ id: answer.data.taskId, of: draft });
    else setTested({ of: draft, failure: answer.message });
  };
  const cancel = async (): Promise<void> => {
    if (task === undefined) return;
    setTask(undefined);
    await (await calls()).call(REBALANCE_CALLS.cancelTest, { taskId: task.id });
  };
  return { tested, isBusy, begin, cancel };
}
