import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { geetestProvider } from "./geetest.ts";

let close: () => void = () => undefined;
afterEach(() => close());

test("[AUTH-8] a GeeTest answer is signed and verified by the provider, whose result counts", async () => {
  const requested: { path: string; form: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const form = Object.fromEntries(new URLSearchParams(text));
      requested.push({ path: request.url ?? "", form });
      if (form.lot_number === "broken") response.writeHead(500).end();
      else response.end(JSON.stringify({ status: "success", result: form.lot_number === "good" ? "success" : "fail" }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  close = () => server.close();
  const { port } = server.address() as AddressInfo;
  const provider = geetestProvider({
    geetestId: "the-id",
    geetestKey: "the-key",
    geetestScript: "https://static.example/gt4.js",
    geetestApi: `http://127.0.0.1:${port}/`,
  });
  const rest = { captcha_output: "o", pass_token: "p", gen_time: "1" };
  expect(await provider.check({ lot_number: "good", ...rest })).toBe(true);
  expect(await provider.check({ lot_number: "bad", ...rest })).toBe(false);
  expect(await provider.check({ lot_number: "good" })).toBe(false);
  await expect(provider.check({ lot_number: "broken", ...rest })).rejects.toThrow("500");
  const sign_token = createHmac("sha256", "the-key").update("good").digest("hex");
  expect(requested[0]).toEqual({
    path: "/validate?captcha_id=the-id",
    form: { lot_number: "good", ...rest, sign_token },
  });
});
