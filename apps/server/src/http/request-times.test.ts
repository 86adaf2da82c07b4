import { Histogram, type Metric, Registry } from "prom-client";
import { expect, test } from "vitest";
import { RequestTimes } from "./request-times.ts";

test("[OPS-3] request times are written exactly as the metrics library does", async () => {
  const options = { name: "took_seconds", help: "Time", buckets: [0.001, 0.01, 0.1] };
  const ours = new RequestTimes(options);
  const ourRegistry = new Registry();
  ourRegistry.registerMetric(ours as unknown as Metric);
  const theirRegistry = new Registry();
  const theirs = new Histogram({ ...options, labelNames: ["method", "route", "status"], registers: [theirRegistry] });
  const seen: [string, string, number, number][] = [
    ["GET", "/a", 200, 0.0005],
    ["GET", "/a", 204, 0.001],
    ["GET", "/a", 404, 0.05],
    ["POST", "/a", 200, 7],
    ["POST", "/b/:id", 503, 0.1],
    ["GET", "/a", 200, 0.02],
  ];
  for (const [method, route, status, seconds] of seen) {
    ours.observe(method, route, status, seconds);
    theirs.observe({ method, route, status: `${Math.trunc(status / 100)}xx` }, seconds);
  }
  const lines = (text: string): string[] => text.trim().split("\n").sort();
  expect(lines(await ourRegistry.metrics())).toEqual(lines(await theirRegistry.metrics()));
});
