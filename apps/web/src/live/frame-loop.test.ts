import { expect, test } from "vitest";
import { createFrameLoop } from "./frame-loop.ts";

/** Frames and timers that run when the test triggers them. */
function createTime() {
  let handle = 0;
  const waiting = new Map<number, { readonly kind: "frame" | "timer"; readonly run: () => void }>();
  const add = (kind: "frame" | "timer", run: () => void) => {
    waiting.set(++handle, { kind, run });
    return handle;
  };
  const fire = (kind: "frame" | "timer") => {
    const due = [...waiting].filter(([, entry]) => entry.kind === kind);
    for (const [key] of due) waiting.delete(key);
    for (const [, entry] of due) entry.run();
    return due.length;
  };
  return {
    fire,
    time: {
      requestFrame: (run: () => void) => add("frame", run),
      cancelFrame: (key: number) => void waiting.delete(key),
      after: (_delayMs: number, run: () => void) => add("timer", run),
      cancel: (key: number) => void waiting.delete(key),
    },
  };
}

test("[NET-6] all changes are published first, then all is drawn, in one frame", () => {
  const { time, fire } = createTime();
  const loop = createFrameLoop(time);
  const ran: string[] = [];
  loop.draw(() => ran.push("draw a"));
  loop.publish(() => {
    ran.push("tell");
    loop.draw(() => ran.push("draw b"));
  });
  expect(ran).toEqual([]);
  expect(fire("frame")).toBe(1);
  expect(ran).toEqual(["tell", "draw a", "draw b"]);
  expect([fire("frame"), fire("timer")]).toEqual([0, 0]);
});

test("[NET-6] the same work queued twice runs once, and requests during drawing wait for the next frame", () => {
  const { time, fire } = createTime();
  const loop = createFrameLoop(time);
  let answer = 0;
  const work = () => {
    answer += 1;
  };
  loop.publish(work);
  loop.publish(work);
  let drawn = 0;
  loop.draw(() => {
    drawn += 1;
    loop.draw(() => {
      drawn += 1;
    });
  });
  fire("frame");
  expect([answer, drawn]).toEqual([1, 1]);
  fire("frame");
  expect([answer, drawn]).toEqual([1, 2]);
});

test("[NET-6] a hidden tab is updated by a timer and draws when it is visible again", () => {
  const { time, fire } = createTime();
  const loop = createFrameLoop(time);
  const ran: string[] = [];
  loop.publish(() => ran.push("tell"));
  loop.draw(() => ran.push("draw"));
  expect(fire("timer")).toBe(1);
  expect(ran).toEqual(["tell"]);
  fire("frame");
  expect(ran).toEqual(["tell", "draw"]);
});

test("[NET-6] a cancelled request is not drawn, and an empty loop requests no frame", () => {
  const { time, fire } = createTime();
  const loop = createFrameLoop(time);
  const ran: string[] = [];
  const release = loop.draw(() => ran.push("gone"));
  loop.draw(() => ran.push("kept"));
  release();
  fire("frame");
  expect(ran).toEqual(["kept"]);
  loop.draw(() => ran.push("never"))();
  expect(fire("frame")).toBe(0);
});

test("[NET-6] work that throws delays other work no longer than its frame", () => {
  const { time, fire } = createTime();
  const loop = createFrameLoop(time);
  loop.publish(() => {
    throw new Error("one listener");
  });
  expect(() => fire("frame")).toThrow("one listener");
  let answer = 0;
  loop.publish(() => {
    answer += 1;
  });
  fire("frame");
  expect(answer).toBe(1);
});
