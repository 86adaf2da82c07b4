import { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { FeedDefinition } from "./feed-definition.ts";
import { createLiveHub } from "./hub.ts";
import {
  getQuery,
  LiveContext,
  RefusedCall,
  RequestContext,
  useChannel,
  useConnection,
  useRefetchBehind,
  useRequest,
} from "./react.ts";
import type { RequestClient } from "./request.ts";
import { createSocketPool } from "./socket.ts";
import { readLatest } from "./stream.ts";
import { ManualClock } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

const STATUS: FeedDefinition<string, never> = {
  topic: { channel: "system", type: "status" },
  initial: "not yet",
  read: readLatest((data) => (typeof data === "string" ? data : undefined)),
  apply: (state) => state,
};

function Screen() {
  const connection = useConnection();
  const channel = useChannel(STATUS);
  return createElement("p", null, `${connection.status} ${connection.settled} ${channel.value} ${channel.status}`);
}

test("[NET-5] on the server the hooks show their initial values and open nothing", () => {
  expect(renderToString(createElement(Screen))).toBe("<p>stale false not yet idle</p>");
  const network = new FakeNetwork();
  const clock = new ManualClock();
  const pool = createSocketPool({ clock, random: () => 0, open: network.open });
  const hub = createLiveHub({ url: "ws://test", pool, clock });
  const page = createElement(LiveContext.Provider, { value: hub }, createElement(Screen));
  expect(renderToString(page)).toBe("<p>stale false not yet idle</p>");
  expect(network.connections).toHaveLength(0);
});

test("[NET-5] the hub keeps one feed per topic and opens the socket with the first listener", () => {
  const network = new FakeNetwork();
  const clock = new ManualClock();
  const pool = createSocketPool({ clock, random: () => 0, open: network.open });
  const hub = createLiveHub({ url: "ws://test", pool, clock });
  const feed = hub.feed(STATUS);
  expect(hub.feed({ ...STATUS })).toBe(feed);
  const seen: string[] = [];
  const behind: string[] = [];
  hub.onBehind(() => behind.push("behind"));
  const release = feed.subscribe(() => seen.push(feed.get().value));
  network.last.open();
  expect(behind).toEqual([]);
  network.last.say({ event: "data", ...STATUS.topic, data: "running" });
  expect(seen.at(-1)).toBe("running");
  expect(hub.connection.get()).toMatchObject({ status: "live", settled: true });
  network.last.drop();
  clock.advance(500);
  network.last.open();
  expect(behind).toEqual(["behind", "behind"]);
  release();
  hub.close();
  expect(network.last.closed).toBe(true);
});

test("[NET-2] a failed call is an error to react-query, with the code, and is not tried again by it", async () => {
  let calls = 0;
  const request = {
    call: async () => {
      calls += 1;
      return { ok: false, code: "NOT_FOUND", data: {}, message: "gone", err: { kind: "refused", message: "gone" } };
    },
  } as unknown as RequestClient;
  const queries = new QueryClient();
  const failure = await queries
    .fetchQuery(getQuery(request, { method: "GET", path: "/v1/x" }, { a: 1 }))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RefusedCall);
  expect((failure as RefusedCall).failed.code).toBe("NOT_FOUND");
  expect(calls).toBe(1);
});

test("[NET-1] screens reach the one request client through the context, and throw outside of it", () => {
  const queries = new QueryClient();
  const request = { mintOrderId: () => "cw-1" } as unknown as RequestClient;
  function Order() {
    useRefetchBehind(queries);
    return createElement("b", null, useRequest().mintOrderId());
  }
  const page = createElement(RequestContext.Provider, { value: request }, createElement(Order));
  expect(renderToString(page)).toBe("<b>cw-1</b>");
  expect(() => renderToString(createElement(Order))).toThrow("NET-1");
});
