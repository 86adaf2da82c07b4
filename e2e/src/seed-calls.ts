// The specification's statements about input, roles, calls, errors and constants (sections 5 to 9), in own words.
import {
  answered,
  callOf,
  cookieOf,
  hasFuturesHeaders,
  product,
  type Statement,
  seen,
  sentFrame,
  shown,
} from "./seed-statement.ts";

const VALIDATE = "kit/src/validate.test.ts";
const REQUEST = "apps/web/src/live/request.test.ts";
const SOCKET = "apps/web/src/live/socket.test.ts";
const HEADERS =
  "accept language x-language x-authorization selecttype token logintoken deviceid cwdeviceid systemversion devicename clienttag";

export const CALLS: readonly Statement[] = [
  seen(
    "5.1",
    "an email is trimmed and matches a pattern",
    ({ typed }) => typed.mail === "taken" && typed.badMail === "refused",
  ),
  seen(
    "5.2",
    "a phone has six digits or more",
    ({ typed }) => typed.phone === "taken" && typed.shortPhone === "refused",
  ),
  shown("5.3", "a password has 8 to 32 letters of two classes", VALIDATE, "the password %j: %s"),
  shown("5.4", "a code has six digits at most", VALIDATE, "a captcha code is six digits"),
  shown("5.5", "digits alone", VALIDATE, "typing %j leaves %j"),
  seen("5.6", "decimals are cut, zeros and dots stripped", ({ typed }) => /^30,?000\.1$/.test(typed.price ?? "")),
  shown("5.7", "a bounded number is clamped", VALIDATE, "clamp"),
  seen("5.8", "a futures amount has its options: as many digits as the contract", ({ typed }) =>
    /^1\.234$/.test(typed.amount ?? ""),
  ),
  shown("5.9", "text of letters, digits, Chinese and a few marks", VALIDATE, "typing %j leaves %j"),
  shown(
    "5.10",
    "English letters, digits and symbols: the number of a document",
    "e2e/src/auth-identity.test.ts",
    "hands in three levels",
  ),
  shown(
    "5.11",
    "letters and Chinese alone: the name as an Asian document has it",
    "e2e/src/auth-identity.test.ts",
    "hands in three levels",
  ),
  shown(
    "5.12",
    "letters and digits alone: an invite code",
    "apps/server/src/accounts/sign-up.slice.test.ts",
    "with an invite code",
  ),
  shown(
    "5.13",
    "digits, hyphen and underscore alone: the number of a card one is paid on",
    "domains/src/otcpeople/rules.test.ts",
    "grouped by hyphens, underscores",
  ),
  shown(
    "5.14",
    "languages are restricted by clientSupperLanguage and the allowed list",
    "kit/src/locale.test.ts",
    "clientSupperLanguage",
  ),
  shown("5.15", "about 90 public mail providers, 23 of them offered", "kit/src/mail-domains.test.ts", "ninety"),
  seen(
    "6.1",
    "visits are reported for signed-in users alone",
    ({ visitor, user }) =>
      callOf(visitor, "activity/statistics") === undefined && callOf(user, "activity/statistics") !== undefined,
  ),
  shown(
    "6.2",
    "the futures API takes its token, else the login's",
    "apps/server/src/accounts/cookies.slice.test.ts",
    "takes a futures token, else the login token",
  ),
  seen("7.1", "the spot base is as configured, /api in one process", ({ user, visitor }) =>
    [...user.calls, ...visitor.calls].some(({ path }) => path.startsWith("/api/v1/")),
  ),
  shown(
    "7.2",
    "the futures base is a subdomain where a domain is configured",
    "e2e/src/addresses.test.ts",
    "at the futures API's own name",
  ),
  shown("7.3", "each route has a payload", "e2e/src/browser.test.ts", "[SITE-13]"),
  seen("7.4", "every call carries its twelve headers, none of the device's empty", ({ user }) =>
    user.calls
      .filter(({ path }) => path.startsWith("/api/"))
      .every(({ headers }) => {
        const named = HEADERS.split(" ").every((name) => headers[name] !== undefined);
        const known = ["deviceid", "cwdeviceid", "systemversion", "devicename"].every((name) => headers[name] !== "");
        return named && known && headers.clienttag === "web" && headers.system === undefined;
      }),
  ),
  seen("7.5", "futures calls add version, language, app token and id", ({ contracts }) => hasFuturesHeaders(contracts)),
  shown("7.6", "wrappers: GET, POST as JSON and form, DELETE as both, futures GET and POST", REQUEST, "[NET-1]"),
  shown("7.7", "a failed request is code 500, empty data and err", REQUEST, "[NET-2]"),
  shown("7.8", "text answers are read as JSON", REQUEST, "JSON"),
  seen(
    "7.9",
    "changing the currency asks changePriceType with priceType",
    ({ user }) => callOf(user, "/index/changePriceType")?.query.get("priceType") === "EUR",
  ),
  seen("7.10", "the wallet is asked for type 1 by the root", ({ user }) =>
    user.calls
      .filter(({ path }) => path.endsWith("/asset/v1/api/wallet/account"))
      .every(({ body }) => body === '{"walletTypeList":["1"]}'),
  ),
  seen("7.11", "preferences are read by GET", ({ user }) => callOf(user, "user-perfenerce/get")?.method === "GET"),
  seen("7.12", "and updated with deviceType h5 on a phone", ({ user }) => {
    const update = callOf(user, "user-perfenerce/update");
    return (JSON.parse(update?.body ?? "{}") as Record<string, string>).deviceType === "h5";
  }),
  seen("7.13", "statistics carry event, source H5 on a phone, type and campaign", ({ user }) => {
    const query = callOf(user, "activity/statistics")?.query;
    return (
      query?.get("event") === "page_view" &&
      query.get("request_source") === "H5" &&
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
    "apps/web/src/clients/addresses.test.ts",
    "the living one is taken, shared and remembered",
  ),
  seen("7.31", "the socket's URL takes a ping event", ({ visitor }) => sentFrame(visitor, "ping")?.event === "ping"),
  shown(
    "7.32",
    "a list of domains is fetched from elsewhere, signed",
    "e2e/src/frame-data.test.ts",
    "by the published list the other origin carries",
  ),
  seen("8.1", "an audio fingerprint that hangs reads audioTimeout", ({ hung }) => {
    const { record } = JSON.parse(hung === "" ? "{}" : hung) as { record?: { audio?: string } };
    return record?.audio === "audioTimeout";
  }),
  shown("8.2", "generic labels", "e2e/src/frame-rules.test.ts", "[SITE-17]"),
  seen(
    "9.1",
    "twelve languages are known, English is the default and the one on offer",
    ({ home, answers }) => home.offered.includes("English") && answers.get("/ja_JP/docs")?.status === 302,
  ),
  seen("9.2", "a currency for each language, and its symbol", ({ home }) =>
    ["USD", "KRW", "TWD", "VND", "TRY", "RUB", "UAH", "EUR", "JPY"].every((one) => home.offered.includes(one)),
  ),
  seen(
    "9.3",
    "backgrounds #ffffff and #212121",
    ({ home, darkHtml }) =>
      home.background === "rgb(255, 255, 255)" && darkHtml.includes('<meta name="theme-color" content="#212121"'),
  ),
  seen("9.4", "one retry of GET, none of others", ({ tries }) => tries.read === 2 && tries.change === 1),
  shown("9.14", "on eight statuses", REQUEST, "[NET-2]"),
  shown(
    "9.5",
    "head updates wait 10 ms, device detection 50 ms after a resize",
    "e2e/src/frame-rules.test.ts",
    "[SITE-16]",
  ),
  seen("9.6", "the locale cookie: a year, the whole site, lax", ({ visitor }) => {
    const cookie = cookieOf(visitor, "cw_language");
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    return cookie?.path === "/" && cookie.sameSite === "Lax" && days > 364 && days < 366;
  }),
  shown("9.7", "the guard of a reload is ten seconds", "apps/web/src/boot/chunk-guard.test.ts", "[SITE-12]"),
  shown("9.8", "names and throttles of connection events", SOCKET, "connectHttp_1m"),
  shown(
    "9.9",
    "number text: K M B T Q, in Chinese 万 亿 万亿",
    "kit/src/format.test.ts",
    "in Chinese locales %s is %s",
  ),
  shown("9.10", "times of the loading bar", "apps/web/src/shell/loading-bar-model.test.ts", "[SITE-9]"),
  seen("9.11", "the base layer is 2000", ({ home }) => home.baseLayer.trim() === "2000"),
  shown(
    "9.12",
    "touch: tap 10, swipe 30, hold 400, drag and rollover 100 ms",
    "ui/src/logic/rollover.test.ts",
    "100 ms",
  ),
  shown("9.13", "a dragged dialog keeps 72 px at the bottom", "ui/src/logic/small-logic.test.ts", "72"),
];
