// Exchange rates from a service on the network: `{rates: {EUR: 0.86, …}}` per US dollar, numbers or decimal text, with
// an optional time. Bounded in bytes and time; the slice validates the content before it is shown.

import { CURRENCIES, type Currency } from "@clockwork/kit/constants";
import type { RateSource, SourcedRates } from "./needs.ts";

const TIMEOUT_MS = 5000;
const ANSWER_LIMIT_BYTES = 262_144;

export function urlRateSource(url: string, timeoutMs = TIMEOUT_MS): RateSource {
  return {
    // Only the host: the address may contain a key.
    name: new URL(url).host,
    isSimulated: false,
    async fetchRates(timeMs) {
      const response = await fetch(url, {
        headers: { accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`the rate source answered ${response.status}`);
      return readAnswer(JSON.parse(await readBounded(response)), timeMs);
    },
  };
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ANSWER_LIMIT_BYTES) throw new Error("the rate source's answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function readAnswer(body: unknown, timeMs: number): SourcedRates {
  const { base, rates, timestamp } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  if (base !== undefined && base !== "USD") throw new Error("the rate source's base is not USD");
  if (typeof rates !== "object" || rates === null) throw new Error("the rate source's answer has no rates");
  const given = rates as Record<string, unknown>;
  const read: Partial<Record<Currency, string>> = {};
  for (const currency of CURRENCIES) {
    const rate = given[currency];
    if (typeof rate === "number" || typeof rate === "string") read[currency] = String(rate);
  }
  if (Object.keys(read).length === 0) throw new Error("the rate source's answer names none of our currencies");
  return { rates: read, asOfMs: readTime(timestamp, timeMs) };
}

/** Seconds since 1970, as such services count; a time that is missing, broken or ahead of us counts as now. */
function readTime(timestamp: unknown, timeMs: number): number {
  const givenMs = typeof timestamp === "number" && Number.isSafeInteger(timestamp) ? timestamp * 1000 : timeMs;
  return givenMs > 0 && givenMs <= timeMs ? givenMs : timeMs;
}
