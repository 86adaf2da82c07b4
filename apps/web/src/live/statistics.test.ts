import type { Fields } from "@clockwork/kit/endpoint";
import { expect, test } from "vitest";
import type { CallOptions } from "./request.ts";
import { createStatistics, parseUtm } from "./statistics.ts";

function recorder(loggedIn: boolean, mobile: boolean) {
  const calls: { path: string; query: Fields | undefined; options: CallOptions | undefined }[] = [];
  const report = createStatistics({
    request: {
      get: async (path, query, options) => {
        calls.push({ path, query, options });
        return { ok: false, code: 500, data: {}, message: "", err: { kind: "network", message: "" } };
      },
    },
    isLoggedIn: () => loggedIn,
    isMobile: () => mobile,
    utm: () => parseUtm("?utm_source=news&utm_campaign=spring"),
  });
  return { report, calls };
}

test("[NET-8] an event is reported with its source, type and campaign", () => {
  const { report, calls } = recorder(true, false);
  report("open_spot", "page");
  expect(calls).toEqual([
    {
      path: "/open/activity/statistics",
      query: { event: "open_spot", request_source: "PC", type: "page", utm_source: "news", utm_campaign: "spring" },
      options: { anonymous: true },
    },
  ]);
});

test("[NET-8] a phone reports as H5", () => {
  const { report, calls } = recorder(true, true);
  report("x", "y");
  expect(calls[0]?.query).toMatchObject({ request_source: "H5" });
});

test("[NET-8] nothing is reported about visitors", () => {
  const { report, calls } = recorder(false, false);
  report("x", "y");
  expect(calls).toEqual([]);
});

test("[NET-8] only the defined campaign fields are taken, the first of each, cut to a limit", () => {
  const search = `?utm_source=a&utm_source=b&utm_medium=%20&utm_evil=1&x=2&utm_content=${"c".repeat(300)}&utm_id=7`;
  expect(parseUtm(search)).toEqual({ utm_source: "a", utm_content: "c".repeat(128), utm_id: "7" });
  expect(parseUtm("")).toEqual({});
  expect(parseUtm("?utm_source=%E0%A4%A")).toHaveProperty("utm_source");
});
