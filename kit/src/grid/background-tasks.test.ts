import { expect, it } from "vitest";
import { BackgroundTasks } from "./background-tasks.ts";

function open() {
  let ids = 0;
  const ended: number[] = [];
  const finish = new Map<string, (made: number) => void>();
  const tasks = new BackgroundTasks<number, string, string, number>({
    now: () => 0,
    randomId: () => String(++ids),
    newEnd: () => {
      const signal = ids;
      return { signal, abort: () => void ended.push(signal) };
    },
    describe: (made, about) => `${about}:${made}`,
  });
  const begin = (userId: number) => {
    const { taskId } = tasks.begin(
      userId,
      "x",
      () => new Promise((resolve) => finish.set(String(ids), (made) => resolve(made))),
    );
    return taskId;
  };
  const end = async (id: string): Promise<void> => {
    finish.get(id)?.(7);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { tasks, begin, end, ended };
}

it("[GRID-1] one user has two back-tests under way and leaves room for others; all together four", async () => {
  const { tasks, begin, end } = open();
  const first = begin(1);
  begin(1);
  expect([tasks.isFullFor(1), tasks.isFullFor(2)]).toEqual([true, false]);
  begin(2);
  begin(3);
  expect(tasks.isFullFor(4)).toBe(true);
  await end(first);
  expect(tasks.read(1, first)).toMatchObject({ value: { state: "done", progress: 1, result: "x:7" } });
  expect([tasks.isFullFor(1), tasks.isFullFor(4)]).toEqual([false, false]);
  expect(tasks.read(2, first)).toMatchObject({ code: "UNKNOWN_TASK" });
});

it("[GRID-1] a user's ninth result evicts the oldest of their own and no other's", async () => {
  const { tasks, begin, end } = open();
  const other = begin(2);
  await end(other);
  const own: string[] = [];
  for (let i = 0; i < 9; i++) {
    own.push(begin(1));
    await end(own.at(-1) as string);
  }
  const isKept = (userId: number, id: string): boolean => tasks.read(userId, id).done;
  expect(own.map((id) => isKept(1, id))).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
  expect(isKept(2, other)).toBe(true);
});
