import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTranslator } from "./translation.ts";

let asked: unknown;
let answer = "";
const provider = createServer((request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => {
    body += part.toString();
  });
  request.on("end", () => {
    asked = JSON.parse(body);
    response.setHeader("content-type", "application/json");
    response.end(answer);
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((done) => provider.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/translate`;
});
afterAll(() => provider.close());

test("[COPY-1] a configured provider translates; one that answers nonsense or is away translates nothing", async () => {
  const translate = openTranslator(url);
  answer = JSON.stringify({ translatedText: "Good day" });
  expect(await translate?.("Guten Tag", "en_US")).toBe("Good day");
  expect(asked).toEqual({ q: "Guten Tag", source: "auto", target: "en", format: "text" });
  for (const bad of ["{", "null", '{"translatedText":7}', '{"translatedText":""}']) {
    answer = bad;
    expect(await translate?.("Guten Tag", "en")).toBeUndefined();
  }
  expect(await openTranslator("http://127.0.0.1:9/")?.("Guten Tag", "en")).toBeUndefined();
  expect(openTranslator(undefined)).toBeUndefined();
});
