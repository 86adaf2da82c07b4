// What a page accepts as a notice: texts of the server, and links within this site alone.
import { expect, test } from "vitest";
import { readNotice } from "./live-notices.tsx";

const NOTICE = { kind: "fills", title: "Bought 0.5 BTC", body: "Filled.", path: "/spot/BTC_USDT", more: 1 };

test("[USR-3] a notice is read with its way", () => {
  expect(readNotice(NOTICE)).toEqual({
    kind: "fills",
    title: "Bought 0.5 BTC",
    body: "Filled.",
    path: "/spot/BTC_USDT",
  });
});

test.each([null, "https://elsewhere.example", "//elsewhere.example", 3, undefined])(
  "[USR-3] %j is no way to go",
  (path) => {
    expect(readNotice({ ...NOTICE, path })?.path).toBeNull();
  },
);

test.each([null, "text", { ...NOTICE, title: 1 }, { ...NOTICE, body: null }, {}])("[USR-3] %j is no notice", (data) => {
  expect(readNotice(data)).toBeUndefined();
});
