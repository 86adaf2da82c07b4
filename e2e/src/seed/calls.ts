// The specification's statements about roles and calls (sections 6 and 7), rephrased.
import { allOf } from "@clockwork/kit/all-of";
import { answered, callOf, hasFuturesHeaders, product, type Statement, seen, sentFrame, shown } from "./statement.ts";

const FORM = "application/x-www-form-urlencoded";
const HEADERS =
  "accept language x-language x-authorization selecttype token logintoken deviceid cwdeviceid systemversion devicename clienttag";

export const CALLS: readonly Statement[] = [
  seen(
    "6.1",
    "visits are reported for signed-in users alone",
    ({ visitor, user }) =>
      callOf(visitor, "activity/statistics") === undefined && callOf(user, "activity/statistics") !== undefined,
  ),
  seen(
    "6.2",
    "the futures API takes its token, else the login's, and its token opens nothing else",
    ({ wrappers: { known } }) =>
      known.futures === true &&
      known.login === true &&
      known.fallback === true &&
      known.neither === false &&
      known.elsewhere === false,
  ),
  seen(
    "7.1",
    "the bases are as the page was given them, in one process /api and /futuresapi",
    ({ user, contracts }) =>
      user.calls.some(({ path }) => path.startsWith("/api/v2/")) &&
      contracts.calls.some(({ path }) => path.startsWith("/futuresapi/v1/")),
  ),
  shown(
    "7.2",
    "the futures base is a subdomain where a domain is configured",
    "e2e/src/addresses.test.ts",
    "trades on at the futures API's own name",
  ),
  shown("7.3", "each route has a payload", "e2e/src/browser.test.ts", "a click fetches the page's payload"),
  seen("7.4", "every call carries its twelve headers, none of the device's empty", ({ user }) =>
    allOf(
      user.calls.filter(({ path }) => path.startsWith("/api/")),
      ({ headers }) => {
        const named = allOf(HEADERS.split(" "), (name) => headers[name] !== undefined);
        const known = ["deviceid", "cwdeviceid", "systemversion", "devicename"].every((name) => headers[name] !== "");
        return named && known && headers.clienttag === "web" && headers.system === undefined;
      },
    ),
  ),
  seen("7.33", "inside an app calls name its system", ({ places }) =>
    ["ios", "android", "flutter"].every((shell) => places.shells[shell]?.system === shell),
  ),
  seen("7.5", "futures calls add version, language, app token and id", ({ contracts }) => hasFuturesHeaders(contracts)),
  seen(
    "7.6",
    "wrappers: GET, POST as JSON and form, DELETE as both, futures GET and POST",
    ({ wrappers, contracts, user }) => {
      const all = [...wrappers.calls, ...contracts.calls, ...user.calls];
      const has = (method: string, path: string, type: string) =>
        all.some(
          (call) =>
            call.method === method && call.path.includes(path) && (call.headers["content-type"] ?? "").startsWith(type),
        );
      return (
        all.some(({ method, query }) => method === "GET" && query.get("priceType") !== null) &&
        has("POST", "/api/", "application/json") &&
        has("POST", "/marketing/confirm", FORM) &&
        // A missing body has no JSON type.
        has("DELETE", "/v1/spot/orders/", "") &&
        has("DELETE", "alerts", FORM) &&
        has("GET", "/futuresapi/", "application/json") &&
        has("POST", "/futuresapi/v1/futuresc/positions/mode", "application/json")
      );
    },
  ),
  seen(
    "7.7",
    "a failed request is an answer of its own, shown where it was asked for; nothing is thrown",
    ({ wrappers }) => wrappers.unanswered !== "" && wrappers.thrown.length === 0,
  ),
  seen("7.8", "text answers are read as JSON", ({ wrappers }) => wrappers.asText.startsWith("Confirmed.")),
  seen(
    "7.9",
    "changing the currency asks changePriceType with priceType",
    ({ user }) => callOf(user, "/index/changePriceType")?.query.get("priceType") === "EUR",
  ),
  seen("7.10", "the wallet is asked for type 1 by the root", ({ user }) =>
    allOf(
      user.calls.filter(({ path }) => path.endsWith("/asset/v1/api/wallet/account")),
      ({ body }) => body === '{"walletTypeList":["1"]}',
    ),
  ),
  seen("7.11", "preferences are read by GET, with code 0, language and currency", ({ user, api }) => {
    const { code, data } = api.get("/api/v2/users/membership/user-perfenerce/get") ?? {};
    const isWhole = typeof data === "object" && data !== null && "userLanguage" in data && "pricingCurrency" in data;
    return callOf(user, "user-perfenerce/get")?.method === "GET" && code === 0 && isWhole;
  }),
  seen("7.34", "the language menu has a white list, of the nine languages there are", ({ api }) => {
    const { data } = api.get("/api/v2/users/language-menu") ?? {};
    const list = (data as { whiteList?: readonly { readonly lang: string }[] } | undefined)?.whiteList ?? [];
    const nine = "ru_RU zh_TW en_US tr_TR zh_CN es_ES ja_JP fr_FR pt_PT".split(" ");
    return allOf(list, ({ lang }) => nine.includes(lang));
  }),
  seen("7.12", "and updated with deviceType h5 on a phone", ({ user }) => {
    const update = callOf(user, "user-perfenerce/update");
    return (JSON.parse(update?.body ?? "{}") as Record<string, string>).deviceType === "h5";
  }),
  seen("7.13", "statistics carry event, source H5 on a phone, type and campaign", ({ user }) => {
    const query = callOf(user, "activity/statistics")?.query;
    return (
      query?.get("event") === "page_view" &&
      query.get("request_source") === "H5" &&
      (query.get("type") ?? "") !== "" &&
      query.get("utm_source") === "letter"
    );
  }),
  seen("7.14", "common calls: config, rates, letters, countries, footer, banners", (evidence) =>
    answered(
      evidence,
      ...["global-config", "exchange-rate", "countries", "footer-list", "social-media"].map(
        (name) => `/api/v1/common/${name}`,
      ),
      "/api/v2/users/letters",
      "/api/v1/home/banners",
    ),
  ),
  product(
    "7.15",
    "calls of coin-margined perpetuals",
    "/delivery/BTC_USD",
    ...["assets", "positions", "fills", "bills", "user-level-fee", "open-orders"].map(
      (name) => `/futuresapi/v1/perpcm/${name}`,
    ),
  ),
  product(
    "7.16",
    "calls of perpetuals",
    "/futures/BTC_USDT",
    ...["accounts", "positions", "fills", "bills", "user-level-fee", "orders?state=open"].map(
      (name) => `/futuresapi/v1/futuresc/${name}`,
    ),
  ),
  product("7.17", "calls of futures copy trading", "/copy", "/api/follow/v1/leaders", "/api/follow/v1/config"),
  product("7.18", "calls of spot copy trading", "/copy/spot", "/api/spot-follow/leaders", "/api/spot-follow/config"),
  product(
    "7.19",
    "calls of earn, coupons and launchpad",
    "/earn",
    "/api/financial/v1/products",
    "/api/financial/v1/holdings",
    "/api/spot-coupon/v1/coupons",
    "/api/open/seckill/projects",
  ),
  product(
    "7.20",
    "calls of grid strategies",
    "/grid/spot",
    ...["list", "ranking", "protocol"].flatMap((name) => [`/api/v1/spot/strategy/${name}`, `/api/v1/sps/${name}`]),
  ),
  seen("7.21", "calls of the first page, recommendations among them", (evidence) =>
    answered(evidence, ...["banners", "notices", "recommendations"].map((name) => `/api/v1/home/${name}`)),
  ),
  product("7.22", "calls of OTC", "/otc", "/api/v2/otc/index", "/api/v2/otc/ads/page", "/api/v2/otc/orders/list"),
  product(
    "7.23",
    "calls of spot",
    "/spot/BTC_USDT",
    ...["pairs", "quotations", "balance", "fills", "fee", "orders?state=open"].map((name) => `/api/v1/spot/${name}`),
  ),
  seen("7.24", "calls of users", (evidence) =>
    answered(evidence, ...["devices", "security/overview", "kyc/base-info"].map((name) => `/api/v2/users/${name}`)),
  ),
  product(
    "7.25",
    "calls of the wallet beyond accounts, transfers and bills",
    "/wallet",
    ...["wallet/coins", "wallet/networks", "deposit/list", "withdraw/list", "profit/analysis"].map(
      (name) => `/api/asset/v1/api/${name}`,
    ),
  ),
  seen("7.26", "college, announcements, social links, news, marketing", (evidence) =>
    answered(
      evidence,
      "/api/v1/college/courses",
      "/api/v1/announcements/list",
      "/api/v1/common/social-media",
      "/api/v1/news/list",
      "/api/v1/home/popups",
    ),
  ),
  product(
    "7.27",
    "welfare, rewards, tasks and activity cards",
    "/rewards",
    "/api/v1/welfare/tasks",
    "/api/v1/welfare/coupons",
    "/api/v1/activity/spring",
  ),
  seen("7.28", "the topic of all spot tickers is subscribed to", ({ visitor }) => {
    const named = visitor.frames.filter(({ sent }) => sent).map(({ message }) => JSON.stringify(message));
    return named.some((text) => text.includes('"ticker"'));
  }),
  seen("7.29", "topics: all tickers of spot, the app's index ticker and rise/fall", ({ topics }) => {
    const rise = topics.get("rise") as { rise?: unknown; fall?: unknown } | undefined;
    return Array.isArray(topics.get("index")) && Array.isArray(rise?.rise) && Array.isArray(rise?.fall);
  }),
  shown(
    "7.30",
    "moves of socket addresses are told as spot and futures WS change",
    "e2e/src/addresses.test.ts",
    "trades on at the futures API's own name",
  ),
  seen("7.31", "the socket's URL takes a ping event", ({ visitor }) => sentFrame(visitor, "ping")?.event === "ping"),
  shown(
    "7.32",
    "a list of domains is fetched from elsewhere, signed",
    "e2e/src/frame-data.test.ts",
    "by the published list the other origin carries",
  ),
];
