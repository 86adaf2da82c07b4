// TradingView's Universal Data Feed below /udf: symbols and candles of every market in the shape its charts read.
import type { Market } from "@clockwork/trading/market/offer";
import { CANDLES_LIMIT_MAX, type CandleInterval } from "@clockwork/trading/markets/contract";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { FastifyInstance } from "fastify";

const RESOLUTIONS: Readonly<Record<string, CandleInterval>> = {
  "1": "1m",
  "3": "3m",
  "5": "5m",
  "15": "15m",
  "30": "30m",
  "60": "1h",
  "120": "2h",
  "240": "4h",
  "360": "6h",
  "480": "8h",
  "720": "12h",
  "1D": "1d",
  D: "1d",
  "3D": "3d",
  "1W": "1w",
  W: "1w",
  "1M": "1M",
  M: "1M",
};
const SHOWN = Object.keys(RESOLUTIONS).filter((name) => !/^[DWM]$/.test(name));
const EXCHANGE = "Clockwork";
const PLACES = { SPOT: "spot", PERP: "futures", INVERSE: "delivery" } as const;
type Place = keyof typeof PLACES;
const SYMBOL = /^(?:Clockwork:)?([A-Z0-9]{1,12}_[A-Z0-9]{1,12})(?:\.(SPOT|PERP|INVERSE))?$/;
const FOUND_MAX = 30;
const PAGES_MAX = 10;
const WEIGHT = 5;

export interface UdfParts {
  readonly market: Pick<Market, "contracts" | "pairs" | "service">;
  readonly clock: () => number;
}

interface Named {
  readonly place: Place;
  readonly pair: MarketPair;
}

const nameOf = ({ place, pair }: Named): string => `${pair.pairCode}.${place}`;
const TYPES = { SPOT: "crypto", PERP: "swap", INVERSE: "swap" } as const;

function describe(named: Named): object {
  const { pair, place } = named;
  const name = nameOf(named);
  return {
    name,
    ticker: name,
    description: `${pair.base.symbol} / ${pair.quote.symbol}${place === "SPOT" ? "" : " perpetual"}`,
    type: TYPES[place],
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    session: "24x7",
    timezone: "Etc/UTC",
    minmov: pair.priceMantissa,
    pricescale: 10 ** pair.priceDecimals,
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: true,
    supported_resolutions: SHOWN,
    intraday_multipliers: SHOWN.filter((one) => /^[0-9]+$/.test(one)),
    volume_precision: pair.quantityDecimals,
    data_status: "streaming",
  };
}

export function mountUdf(app: FastifyInstance, { market, clock }: UdfParts): void {
  const find = (text: string | undefined): Named | undefined => {
    const [, pairCode = "", place = "SPOT"] = SYMBOL.exec(text ?? "") ?? [];
    const pair = market.pairs.findListed(PLACES[place as Place], pairCode);
    return pair === undefined ? undefined : { pair, place: place as Place };
  };
  const list = (): readonly Named[] =>
    (Object.keys(PLACES) as Place[]).flatMap((place) =>
      (place === "SPOT" ? market.pairs.pairs : market.pairs.listContracts(PLACES[place])).map((pair) => ({
        place,
        pair,
      })),
    );
  const serve = (path: string, answer: (query: Readonly<Record<string, string | undefined>>) => unknown): void => {
    app.get<{ Querystring: Record<string, string | undefined> }>(
      `/udf/${path}`,
      { config: { weight: WEIGHT } },
      async ({ query }, reply) => {
        reply.raw.setHeader("access-control-allow-origin", "*");
        const value = await answer(query);
        return typeof value === "string" ? reply.type("text/plain").send(value) : reply.send(value);
      },
    );
  };
  serve("config", () => ({
    supports_search: true,
    supports_group_request: false,
    supports_marks: false,
    supports_timescale_marks: false,
    supports_time: true,
    exchanges: [{ value: EXCHANGE, name: EXCHANGE, desc: EXCHANGE }],
    symbols_types: [
      { name: "Spot", value: "crypto" },
      { name: "Perpetual", value: "swap" },
    ],
    supported_resolutions: SHOWN,
  }));
  serve("time", () => String(Math.floor(clock() / 1_000)));
  serve("symbols", ({ symbol }) => {
    const found = find(symbol);
    return found === undefined ? { s: "error", errmsg: "unknown_symbol" } : describe(found);
  });
  serve("search", ({ query = "", type = "", limit = "" }) => {
    const text = query.toUpperCase().replace("/", "_");
    const most = Math.min(FOUND_MAX, /^[0-9]{1,3}$/.test(limit) ? Number(limit) : FOUND_MAX);
    return list()
      .filter((one) => nameOf(one).includes(text) && (type === "" || TYPES[one.place] === type))
      .slice(0, most)
      .map((one) => ({
        symbol: nameOf(one),
        full_name: `${EXCHANGE}:${nameOf(one)}`,
        ticker: nameOf(one),
        description: `${one.pair.base.symbol} / ${one.pair.quote.symbol}`,
        exchange: EXCHANGE,
        type: TYPES[one.place],
      }));
  });
  serve("history", (query) => readHistory(market, find(query.symbol), query, clock()));
}

const wholeOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?[0-9]{1,12}$/.test(text) ? Math.max(0, Number(text)) : undefined;

/** From `from` to before `to`, or the last `countback` before it; times are seconds. */
async function readHistory(
  market: UdfParts["market"],
  named: Named | undefined,
  query: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Promise<object> {
  const interval = RESOLUTIONS[query.resolution ?? ""];
  const [from, to, count] = [wholeOf(query.from), wholeOf(query.to), wholeOf(query.countback)];
  if (named === undefined) return { s: "error", errmsg: "unknown_symbol" };
  if (interval === undefined) return { s: "error", errmsg: "unsupported resolution" };
  if (to === undefined || (from === undefined && count === undefined))
    return { s: "error", errmsg: "from and to are needed" };
  const { pair, place } = named;
  const toMs = to * 1_000 - 1;
  const read = async (span: { readonly from?: number; readonly limit: number }) => {
    const request = { pairCode: pair.pairCode, interval, to: Math.max(0, toMs), ...span };
    const answer =
      place === "SPOT"
        ? await market.service.readCandles(request, nowMs)
        : await market.contracts.readCandles(
            { ...request, biz: place === "PERP" ? "futures" : "delivery", kind: "last" },
            nowMs,
          );
    return answer.done ? answer.value : [];
  };
  const candles = [];
  if (count !== undefined) candles.push(...(await read({ limit: Math.max(1, Math.min(count, CANDLES_LIMIT_MAX)) })));
  else {
    for (let at = (from ?? 0) * 1_000, page = 0; page < PAGES_MAX && at <= toMs; page += 1) {
      const found = await read({ from: at, limit: CANDLES_LIMIT_MAX });
      candles.push(...found);
      if (found.length < CANDLES_LIMIT_MAX) break;
      at = (found.at(-1)?.timeMs ?? toMs) + 1;
    }
  }
  const inside = candles.filter(({ timeMs }) => timeMs <= toMs);
  if (inside.length === 0) return { s: "no_data" };
  return {
    s: "ok",
    t: inside.map(({ timeMs }) => timeMs / 1_000),
    o: inside.map(({ open }) => Number(open)),
    h: inside.map(({ high }) => Number(high)),
    l: inside.map(({ low }) => Number(low)),
    c: inside.map(({ close }) => Number(close)),
    v: inside.map(({ volume }) => Number(volume)),
  };
}
