// What an address of the OTC pages asks for: side, coin and currency, each checked; the usual ones where it says nothing.
import type { AdsQuery } from "@clockwork/fiat/otcads/contract";
import { FIAT_CODES, OTC_COINS } from "@clockwork/kit/otc/fiat";

export type Asked = Required<Pick<AdsQuery, "side" | "asset" | "fiat">>;

export function readAsked(search: URLSearchParams): Asked {
  const asset = OTC_COINS.find((one) => one === search.get("asset")) ?? "USDT";
  const fiat = FIAT_CODES.find((one) => one === search.get("fiat")) ?? "AED";
  return { side: search.get("side") === "sell" ? "sell" : "buy", asset, fiat };
}

export function askedPath(path: string, { side, asset, fiat }: Asked): string {
  return `${path}?${new URLSearchParams({ side, asset, fiat }).toString()}`;
}
