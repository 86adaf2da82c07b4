// A simulated provider of money: quotes near the index and calls back after a few seconds, signed like a real one. For
// runs whose coins have no value; marked as simulated wherever it is shown. An amount that ends in .13 fails.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "@clockwork/host/clock";
import { FIAT_CODES } from "@clockwork/kit/otc/fiat";
import type { CallbackBody } from "../otcproviders/contract.ts";
import type { FiatProvider } from "../otcproviders/needs.ts";
import { signedText } from "../otcproviders/rules.ts";
import type { DealRow } from "../otcproviders/store.ts";

const NAME = "simulated-pay";
const SPREAD_BPS = 100n;
const ANSWERS_MS = 3_000;
const UNLUCKY_CENTS = 13n;

export interface SimulatedProvider extends FiatProvider {
  /** The callback address; set once everything is connected. */
  connect(callback: (body: CallbackBody, signature: string) => Promise<unknown>): void;
  close(): void;
}

export function simulatedProvider(
  clock: Pick<Clock, "at" | "now">,
  onFailure: (error: unknown) => void,
): SimulatedProvider {
  const secret = randomBytes(32);
  const sign = (text: string): Buffer => createHmac("sha256", secret).update(text).digest();
  const stops = new Set<() => void>();
  let callback: ((body: CallbackBody, signature: string) => Promise<unknown>) | undefined;
  const answer = (deal: DealRow): void => {
    const state = deal.amount_cents % 100n === UNLUCKY_CENTS ? "FAILED" : "SUCCESS";
    const body: CallbackBody = { provider: NAME, dealId: deal.deal_id, state, at: clock.now() };
    callback?.(body, sign(signedText(body)).toString("hex")).catch(onFailure);
  };
  return {
    name: NAME,
    label: "Simulated Pay",
    isSimulated: true,
    fiats: FIAT_CODES,
    minUsd: 10,
    maxUsd: 5_000,
    quote: (side, indexPriceE4) =>
      side === "buy"
        ? (indexPriceE4 * (10_000n + SPREAD_BPS) + 9_999n) / 10_000n
        : (indexPriceE4 * (10_000n - SPREAD_BPS)) / 10_000n,
    async begin(deal) {
      const stop = clock.at(clock.now() + ANSWERS_MS, () => {
        stops.delete(stop);
        answer(deal);
      });
      stops.add(stop);
    },
    isSigned(text, signature) {
      const given = Buffer.from(signature, "hex");
      const right = sign(text);
      return given.length === right.length && timingSafeEqual(given, right);
    },
    connect(to) {
      callback = to;
    },
    close() {
      for (const stop of stops) stop();
      stops.clear();
    },
  };
}
