import { expect, test } from "vitest";
import { sampleOf } from "./dialect-samples.ts";

test("[BOT-1] the Python sample sends every address here, sockets too, with the scheme of this site", () => {
  for (const [origin, http, ws] of [
    ["http://localhost:8080", "http://localhost:8080/api/v3", "ws://localhost:8080/ws-api/v3"],
    ["https://exchange.example", "https://exchange.example/api/v3", "wss://exchange.example/ws-api/v3"],
  ] as const) {
    const sample = sampleOf("python", origin);
    const [, pattern = "", target = ""] = /re\.sub\(\s*r"([^"]+)", r"([^"]+)", url/.exec(sample) ?? [];
    const lead = (url: string) => url.replace(new RegExp(pattern), target.replace("\\1", "$1"));
    expect(lead("https://api.binance.com/api/v3")).toBe(http);
    expect(lead("wss://ws-api.binance.com:443/ws-api/v3")).toBe(ws);
    expect(sample).toContain(`"${origin.replace("http", "ws")}/stream/ws"`);
  }
});
