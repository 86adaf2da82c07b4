import { SAMPLE_WAYS, sampleOf } from "@clockwork/kit/programs/dialect-samples";
import { expect, test } from "vitest";
import { paintSample } from "./sample-paint.ts";

test("[BOT-1] a painted sample is the sample, letter by letter, with words, texts and numbers distinguished", () => {
  for (const way of SAMPLE_WAYS) {
    const sample = sampleOf(way, "http://localhost:8080");
    const parts = paintSample(sample);
    expect(parts.map(({ text }) => text).join("")).toBe(sample);
    expect(new Set(parts.map(({ at }) => at)).size).toBe(parts.length);
  }
  const parts = paintSample(sampleOf("ccxt", "https://exchange.example"));
  const of = (paint: string) => parts.filter((part) => part.paint === paint).map(({ text }) => text);
  expect(of("word").slice(0, 3)).toEqual(["import", "from", "const"]);
  expect(of("text")).toContain('"wss://exchange.example/stream/ws"');
  expect(of("number")).toEqual(["0.001", "60000"]);
});
