import { expect, test } from "vitest";
import { pageDomain, pickedBases } from "./bases.ts";
import { createDomainPicker } from "./domains.ts";
import { createLiveHub } from "./hub.ts";
import { createSocketPool } from "./socket.ts";
import { createStore } from "./store.ts";
import { ManualClock } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

test("[NET-3] without configuration everything is below the page's own origin", () => {
  expect(pageDomain("http://127.0.0.1:3000")).toEqual({
    api: "/api",
    futuresApi: "/futuresapi",
    socket: "ws://127.0.0.1:3000/ws",
    futuresSocket: "ws://127.0.0.1:3000/ws",
  });
  expect(pageDomain("https://www.clockwork.example").socket).toBe("wss://www.clockwork.example/ws");
});

test("[NET-3] with a domain of its own the futures API is at the address the server gives", () => {
  const own = pageDomain("https://clockwork.example", "https://futuresapi.clockwork.example");
  expect(own).toMatchObject({ api: "/api", futuresApi: "https://futuresapi.clockwork.example" });
});

test("[NET-7] the request client's bases follow the picked domain", () => {
  const picker = createDomainPicker({
    listUrls: [],
    fallback: pageDomain("https://www.clockwork.example"),
    fetch: () => Promise.reject(new Error("offline")),
    clock: new ManualClock(),
    storage: undefined,
  });
  const bases = pickedBases(picker);
  expect([bases.spot(), bases.futures()]).toEqual(["/api", "/futuresapi"]);
});

test("[NET-7] the socket moves with the domain and takes its subscriptions along", () => {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  const address = createStore("ws://one");
  const opened: string[] = [];
  const pool = createSocketPool({
    clock,
    random: () => 0,
    resolve: () => address.get(),
    open: (url, handlers) => {
      opened.push(url);
      return network.open(url, handlers);
    },
  });
  const hub = createLiveHub({ url: address, pool, clock });
  hub.socket.subscribe({ topic: { channel: "depth" }, onMessage: () => {} });
  hub.socket.start();
  network.last.open();
  address.set("ws://two");
  network.last.open();
  expect(opened).toEqual(["ws://one", "ws://two"]);
  expect(network.last.sent).toEqual([{ event: "sub", channel: "depth" }]);
});
