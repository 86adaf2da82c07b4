import { CONNECTION_EVENT } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import type { GlobalStore } from "#boot/state.ts";
import { followSite } from "./site-stream.ts";

test("[SITE-22] [NET-5] a socket message outlives a late answer to an earlier request", async () => {
  const state: Record<string, unknown> = {};
  const store = { setState: (part: object) => Object.assign(state, part) } as unknown as GlobalStore;
  const answer = new Map<string, (message: { data: unknown }) => void>();
  let requestAll = () => {};
  const socket = {
    subscribe: ({ topic, onMessage }: { topic: { type: string }; onMessage: (message: { data: unknown }) => void }) => {
      answer.set(topic.type, onMessage);
      return () => undefined;
    },
    on: (event: string, run: () => void) => {
      if (event === CONNECTION_EVENT.httpMinute) requestAll = run;
      return () => undefined;
    },
    start: () => undefined,
  };
  const answers = new Map<string, (data: unknown) => void>();
  const call = ({ path }: { path: string }) =>
    new Promise<unknown>((done) => answers.set(path, (data) => done({ ok: true, data })));
  followSite(store, { socket } as never, { call } as never);

  requestAll();
  answer.get("config")?.({ data: { systemOut: "1" } });
  expect(state.systemOut).toBe(true);
  answers.get("/v1/common/global-config")?.({ systemOut: "0" });
  await new Promise((done) => setTimeout(done, 0));
  expect(state.systemOut).toBe(true);

  // Parts without a message since the request are taken from the answer, and so are later requests.
  answers.get("/v1/common/modules")?.({ modules: [] });
  requestAll();
  answers.get("/v1/common/global-config")?.({ systemOut: "0" });
  await new Promise((done) => setTimeout(done, 0));
  expect(state.systemOut).toBe(false);
  expect(state.modulesDown).toBeDefined();
});
