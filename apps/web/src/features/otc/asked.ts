// What an address of the OTC pages asks for: side, coin and currency, each checked; the usual ones where it says nothing.
import type { AdsQuery } from "@clockwork/fiat/otcads/contract";
import { FIAT_CODES, OTC_COINS } from "@clockwork/kit/otc/fiat";

export type Requested = Required<Pick<AdsQuery, "side" | "asset" | "fiat">>;

export function readRequested(search: URLSearchParams): Requested {
  const asset = OTC_COINS.find((one) => one === search.get("asset")) ?? "USDT";
  const fiat = FIAT_CODES.find((one) => one === search.get("fiat")) ?? "AED";
  return { side: search.get("side") === "sell" ? "sell" : "buy", asset, fiat };
}

export function requestedPath(path: string, { side, asset, fiat }: Requested): string {
  return `${path}?${new URLSearchParams({ side, asset, fiat }).toString()}`;
}
