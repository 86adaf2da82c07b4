// The parameters in an address of the OTC pages: side, coin and currency, each checked; the defaults where missing.
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
