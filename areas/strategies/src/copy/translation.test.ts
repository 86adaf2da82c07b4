import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import { allOf } from "@clockwork/kit/all-of";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commentsOn } from "./simulated-comments.ts";
import { openTranslator } from "./translation.ts";

let requested: unknown;
let answer = "";
const provider = createServer((request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => {
    body += part.toString();
  });
  request.on("end", () => {
    requested = JSON.parse(body);
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

const provided = (more: object = {}) => openTranslator({ url, key: "", isDefaultRun: true, ...more });

test("[COPY-1] a configured provider translates; one that answers nonsense or is unavailable translates nothing", async () => {
  const translate = provided();
  answer = JSON.stringify({ translatedText: "Good day" });
  expect(await translate("Guten Tag", "en_US")).toEqual({ text: "Good day", isSimulated: false });
  expect(requested).toEqual({ q: "Guten Tag", source: "auto", target: "en", format: "text" });
  await provided({ key: "secret" })("Guten Tag", "fr_FR");
  expect(requested).toMatchObject({ target: "fr", api_key: "secret" });
  for (const bad of ["{", "null", '{"translatedText":7}', '{"translatedText":""}']) {
    answer = bad;
    expect(await translate("Guten Tag", "en")).toBeUndefined();
  }
  expect(await provided({ url: "http://127.0.0.1:9/" })("Guten Tag", "en")).toBeUndefined();
});

test("[COPY-1] simulated comments carry translations labelled as simulated, only in the default run", async () => {
  const comments = [0, 1, 2, 3].flatMap((index) => commentsOn(100 + index, index, 86_400_000));
  const own = provided({ url: undefined });
  const translated = await Promise.all(comments.map(({ text }) => own(text, "en_US")));
  expect(allOf(translated, (one) => one?.isSimulated === true && one.text !== "")).toBe(true);
  const [{ text } = { text: "" }] = comments;
  expect(await own(text, "fr_FR")).toBeUndefined();
  expect(await own("Guten Tag", "en_US")).toBeUndefined();
  expect(await provided({ url: undefined, isDefaultRun: false })(text, "en_US")).toBeUndefined();
  answer = JSON.stringify({ translatedText: "By the provider" });
  expect(await provided()(text, "en_US")).toEqual({ text: "By the provider", isSimulated: false });
});

test("[COPY-1] each simulated trader comments once on a leader, in the past, under an intent of its own", () => {
  const rows = [0, 1, 2, 3, 4].flatMap((index) => commentsOn(100 + index, index, 86_400_000));
  expect(new Set(rows.map(({ user_id, client_id }) => `${user_id} ${client_id}`)).size).toBe(rows.length);
  expect(allOf(rows, ({ user_id, created_ms }) => isSimulatedUser(user_id) && created_ms < 86_400_000)).toBe(true);
});
