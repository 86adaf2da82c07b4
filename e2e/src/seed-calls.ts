// The specification's statements about input, roles, calls, errors and constants (sections 5 to 9), in own words.
import { awaits, callOf, cookieOf, type Statement, seen, sentFrame, shown } from "./seed-statement.ts";

const VALIDATE = "kit/src/validate.test.ts";
const REQUEST = "apps/web/src/live/request.test.ts";
const SOCKET = "apps/web/src/live/socket.test.ts";
const CONSTANTS = "kit/src/constants.test.ts";
const HEADERS =
  "accept language x-language x-authorization selecttype token logintoken deviceid cwdeviceid systemversion devicename clienttag";

export const CALLS: readonly Statement[] = [
  shown("5.1", "an email is trimmed and matches a pattern", VALIDATE, "mail"),
  shown("5.2", "a phone has six digits or more", VALIDATE, "hone"),
  shown("5.3", "a password has 8 to 32 letters of two classes", VALIDATE, "assword"),
  shown("5.4", "a code has six digits at most", VALIDATE, "aptcha"),
  shown("5.5", "digits alone", VALIDATE, "igits"),
  shown("5.6", "decimals are cut, zeros and dots stripped", VALIDATE, "ecimal"),
  shown("5.7", "a bounded number is clamped", VALIDATE, "clamp"),
  shown("5.8", "a futures amount has its options", VALIDATE, "utures"),
  shown("5.9", "text of letters, digits, Chinese and a few marks", VALIDATE, "Chinese"),
  shown(
    "5.10",
    "English letters, digits and symbols: the number of a document",
    "e2e/src/auth-identity.test.ts",
    "Document number",
  ),
  shown(
    "5.11",
    "letters and Chinese alone: the name as an Asian document has it",
    "e2e/src/auth-identity.test.ts",
    "Name in Chinese characters",
  ),
  shown(
    "5.12",
    "letters and digits alone: an invite code",
    "apps/server/src/accounts/sign-up.slice.test.ts",
    "inviteCode",
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
    "utures",
  ),
  shown("7.1", "the spot base is as configured, /api in one process", "apps/web/src/live/bases.test.ts", "[NET-3]"),
  shown(
    "7.2",
    "the futures base is a subdomain where a domain is configured",
    "apps/server/src/http/bases.test.ts",
    "its own name below the domain",
  ),
  shown("7.3", "each route has a payload", "e2e/src/pages.test.ts", "_payload.json"),
  seen("7.4", "every call carries its twelve headers, none of the device's empty", ({ user }) =>
    user.calls
      .filter(({ path }) => path.startsWith("/api/"))
      .every(({ headers }) => {
        const named = HEADERS.split(" ").every((name) => headers[name] !== undefined);
        const known = ["deviceid", "cwdeviceid", "systemversion", "devicename"].every((name) => headers[name] !== "");
        return named && known && headers.clienttag === "web" && headers.system === undefined;
      }),
  ),
  shown("7.5", "futures calls add version, language, app token and id", REQUEST, "thirdapp"),
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
  shown(
    "7.14",
    "common calls: config, rates, letters, countries, footer, banners",
    "apps/server/src/content/content.slice.test.ts",
    "[USR-8]",
  ),
  awaits("7.15", "calls of coin-margined perpetuals", ["futures", "/delivery/BTC_USD", "DLV-1"]),
  awaits("7.16", "calls of perpetuals", ["futures", "/futures/BTC_USDT", "FUT-1"]),
  awaits("7.17", "calls of futures copy trading", ["copy", "/copy", "COPY-1"]),
  awaits("7.18", "calls of spot copy trading", ["copy", "/copy/spot", "COPY-2"]),
  awaits("7.19", "calls of earn, coupons and launchpad", ["earn", "/earn", "EARN-1"]),
  awaits("7.20", "calls of grid strategies", ["grid", "/grid/spot", "GRID-1"]),
  shown(
    "7.21",
    "calls of the first page, recommendations among them",
    "domains/src/recommend/rules.test.ts",
    "[PAGE-2]",
  ),
  shown("7.22", "calls of OTC", "apps/server/src/otc/otc.slice.test.ts", "[OTC-1]"),
  shown("7.23", "calls of spot", "apps/server/src/spot/trading.slice.test.ts", "[SPOT-2]"),
  shown("7.24", "calls of users", "apps/server/src/accounts/security.slice.test.ts", "[AUTH-7]"),
  awaits("7.25", "calls of the wallet beyond accounts, transfers and bills", ["wallet", "/wallet", "WAL-2"]),
  shown(
    "7.26",
    "college, announcements, social links, news, marketing",
    "apps/server/src/articles/articles.slice.test.ts",
    "[USR-7]",
  ),
  awaits("7.27", "welfare, rewards, tasks and activity cards", ["vip", "/rewards", "USR-5"]),
  seen("7.28", "the topic of all spot tickers is subscribed to", ({ visitor }) => {
    const named = visitor.frames.filter(({ sent }) => sent).map(({ message }) => JSON.stringify(message));
    return named.some((text) => text.includes('"ticker"'));
  }),
  shown("7.29", "topics: index ticker and rise/fall of the app", "domains/src/markets/rules.test.ts", "rise"),
  shown(
    "7.30",
    "moves of socket addresses are told as spot and futures WS change",
    "apps/web/src/clients/addresses.test.ts",
    "spot WS change",
  ),
  seen("7.31", "the socket's URL takes a ping event", ({ visitor }) => sentFrame(visitor, "ping")?.event === "ping"),
  shown(
    "7.32",
    "a list of domains is fetched from elsewhere, signed",
    "apps/web/src/live/signed-list.test.ts",
    "[NET-7]",
  ),
  shown(
    "8.1",
    "an audio fingerprint that hangs reads audioTimeout",
    "apps/web/src/live/fingerprint.test.ts",
    "audioTimeout",
  ),
  shown("8.2", "generic labels", "e2e/src/frame-rules.test.ts", "[SITE-17]"),
  shown("9.1", "twelve languages, nine available, English the default", CONSTANTS, "en_US"),
  shown("9.2", "a currency for each language, and its symbol", CONSTANTS, "TRY"),
  shown("9.3", "backgrounds #ffffff and #212121", CONSTANTS, "212121"),
  shown("9.4", "one retry of GET, none of others, on eight statuses", REQUEST, "retr"),
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
  shown("9.9", "number text: K M B T Q, in Chinese 万 亿 万亿", "kit/src/format.test.ts", "万"),
  shown("9.10", "times of the loading bar", "apps/web/src/shell/loading-bar-model.test.ts", "[SITE-9]"),
  shown("9.11", "the base layer is 2000", CONSTANTS, "2000"),
  shown(
    "9.12",
    "touch: tap 10, swipe 30, hold 400, drag and rollover 100 ms",
    "ui/src/logic/rollover.test.ts",
    "100 ms",
  ),
  shown("9.13", "a dragged dialog keeps 72 px at the bottom", "ui/src/logic/small-logic.test.ts", "72"),
];
