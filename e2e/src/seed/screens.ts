// The specification's statements about what the product is and which screens it has (sections 1 and 2), rephrased.
import { allOf } from "@clockwork/kit/all-of";
import { isPage, product, type Statement, seen, shown } from "./statement.ts";

export const PUBLIC_PATHS = [
  "/",
  "/home",
  "/aed-otc",
  "/code-conduct",
  "/complaints",
  "/contact-us",
  "/exchange-trading-rules",
  "/legal-statement",
  "/licensed-activities",
  "/privacy-policy",
  "/risk-disclosure",
  "/tomato-futures-reverse",
  "/user-agreement",
  "/virtual-assets-standards",
  "/whistleblower-policy",
];
export const AUTH_PATHS = [
  "/login",
  "/register",
  "/register/create",
  "/register/verification",
  "/login-cw",
  "/login-cw/verification",
  "/login-cw/device-verification",
  "/login-cw/passkey",
  "/login-cw/social-verification",
  "/register-cw",
  "/register-cw/create",
  "/register-cw/verification",
  "/forget-cw",
  "/forget-cw/verification",
  "/forget-cw/reset",
  "/bind-passkey-verification",
  "/operation-cw/enable-passkey",
  "/operation-cw/stay-signed-in",
];
export const DOCS_PATHS = [
  "/docs",
  "/docs/color",
  "/docs/date",
  "/docs/directives",
  "/docs/drag-sort",
  "/docs/element-plus",
  "/docs/fonts",
  "/docs/geetest",
  "/docs/select",
];
const prefixed = (paths: readonly string[]) => paths.map((path) => `/en_US${path === "/" ? "" : path}`);

export const PRODUCT_PATHS = [
  "/futures/BTC_USDT",
  "/delivery/BTC_USD",
  "/copy",
  "/copy/spot",
  "/grid/spot",
  "/earn",
  "/launchpad",
  "/otc",
  "/wallet",
  "/vip",
  "/api-keys",
  "/college",
  "/news",
  "/rewards",
];

const CHAT_PATHS = {
  "/help/chat-group/zh_CN": 200,
  "/help/chat-group/zh_TW": 200,
  "/help/chat-group/ru_RU": 200,
  "/help/chat-group/fr_FR": 404,
};

export const ALL_PATHS = [
  ...PUBLIC_PATHS,
  ...AUTH_PATHS,
  ...DOCS_PATHS,
  ...prefixed([...PUBLIC_PATHS, ...AUTH_PATHS, ...DOCS_PATHS]),
  ...PRODUCT_PATHS,
  "/spot",
  "/spot/BTC_USDT",
  "/spot/BTC_USDT/anything",
  "/spot/BTCUSDT",
  "/spot/no-pair-code",
  "/futures/btc_usdt",
  "/identity",
  "/no-such-page",
  ...Object.keys(CHAT_PATHS),
  "/help",
  "/ja_JP/docs",
];

const hasFooter = (html: string) => /<footer\b/.test(html);

export const SCREENS: readonly Statement[] = [
  seen("1.1", "pages are drawn by the server and woken in the browser", ({ answers, home }) => {
    const html = answers.get("/")?.html ?? "";
    return html.includes("<h1") && home.awake === "1";
  }),
  seen("1.2", "pages run inside ios, android and flutter shells, without a frame of their own", ({ places }) =>
    ["ios", "android", "flutter"].every((shell) => places.shells[shell]?.frames === 0),
  ),
  seen("1.3", "spot trading", (evidence) => isPage(evidence, "/spot/BTC_USDT")),
  product(
    "1.4",
    "perpetuals margined in USDT",
    "/futures/BTC_USDT",
    "/futuresapi/v1/futuresc/instruments",
    "/futuresapi/v1/futuresc/positions",
  ),
  product(
    "1.5",
    "perpetuals margined in a coin",
    "/delivery/BTC_USD",
    "/futuresapi/v1/perpcm/instruments",
    "/futuresapi/v1/perpcm/positions",
  ),
  product(
    "1.6",
    "copy trading of futures, with leaders and followers",
    "/copy",
    "/api/follow/v1/leaders",
    "/api/follow/v1/follows",
  ),
  product("1.7", "copy trading of spot", "/copy/spot", "/api/spot-follow/leaders", "/api/spot-follow/follows"),
  product("1.8", "grid strategies", "/grid/spot", "/api/v1/spot/strategy/list", "/api/v1/sps/list"),
  product("1.9", "earn and financial products", "/earn", "/api/financial/v1/products"),
  product("1.10", "a launchpad", "/launchpad", "/api/open/seckill/projects"),
  product("1.11", "buying and selling for fiat between people", "/otc", "/api/v2/otc/index", "/api/v2/otc/ads/page"),
  product("1.12", "a wallet", "/wallet", "/api/asset/v1/api/wallet/coins", "/api/asset/v1/api/wallet/bills"),
  product("1.13", "VIP levels", "/vip", "/api/v2/users/vip"),
  product("1.14", "API keys", "/api-keys", "/api/v2/users/api-keys/list"),
  product("1.15", "a college", "/college", "/api/v1/college/courses"),
  product("1.16", "announcements", "/news", "/api/v1/announcements/list", "/api/v1/news/list"),
  product("1.17", "rewards", "/rewards", "/api/v1/welfare/tasks"),
  seen("1.18", "visitors read the public and legal pages", ({ answers }) =>
    allOf(PUBLIC_PATHS, (path) => answers.get(path)?.status === 200),
  ),
  seen("1.19", "users log in, register and prove who they are", (evidence) =>
    ["/login", "/register", "/identity"].every((path) => isPage(evidence, path)),
  ),
  shown("1.20", "light, dark and system themes", "e2e/src/browser.test.ts", "also under system"),
  shown("1.21", "a theme of up and down colours", "e2e/src/browser.test.ts", "movement colours and currency change"),
  shown("1.22", "prices in fiat currencies", "e2e/src/frame-data.test.ts", "a visitor's choice is painted"),
  seen("2.1", "every route is there bare and below /en_US", ({ answers }) =>
    [...PUBLIC_PATHS, ...AUTH_PATHS, ...DOCS_PATHS].every((path) => {
      const reference = answers.get(`/en_US${path === "/" ? "" : path}`);
      return reference !== undefined && reference.status === answers.get(path)?.status && reference.status !== 404;
    }),
  ),
  seen("2.2", "English alone is offered: another known language leads to it", ({ answers }) => {
    const other = answers.get("/ja_JP/docs");
    return other?.status === 302 && other.location.includes("/en_US/docs");
  }),
  seen("2.3", "spot takes everything below its path", ({ answers }) =>
    ["/spot", "/spot/BTC_USDT", "/spot/BTC_USDT/anything"].every((path) => answers.get(path)?.status !== 404),
  ),
  seen("2.4", "spot has no footer", ({ terminal }) => terminal.footers === 0),
  seen(
    "2.5",
    "spot is dark on the first visit, whatever theme the site has",
    ({ terminal }) => terminal.theme === "dark",
  ),
  seen("2.6", "spot's header has a background of its own", ({ terminal, home }) => terminal.header !== home.header),
  seen("2.7", "spot is keyed by its route: a surface of its own", ({ terminal }) => terminal.surface === "terminal"),
  seen("2.8", "every sign-in and sign-up screen is there", (evidence) =>
    allOf(AUTH_PATHS, (path) => isPage(evidence, path)),
  ),
  seen("2.9", "most sign-in screens have no footer", ({ answers }) => {
    const drawn = AUTH_PATHS.filter((path) => answers.get(path)?.status === 200);
    const without = drawn.filter((path) => !hasFooter(answers.get(path)?.html ?? ""));
    return without.length > drawn.length / 2;
  }),
  seen("2.10", "some show a header for phones, and some of those no way back", ({ places }) => {
    const headers = Object.values(places.narrow).filter(({ hasHeader }) => hasHeader);
    return headers.some(({ hasBack }) => hasBack) && headers.some(({ hasBack }) => !hasBack);
  }),
  seen("2.11", "the stepwise log-in keeps its bar open", ({ answers }) =>
    (answers.get("/login-cw")?.html ?? "").includes('data-sticky="true"'),
  ),
  seen("2.12", "the forgotten-password screens have no footer", ({ answers }) =>
    allOf(
      AUTH_PATHS.filter((path) => path.startsWith("/forget-cw")),
      (path) => answers.get(path)?.status !== 404 && !hasFooter(answers.get(path)?.html ?? ""),
    ),
  ),
  seen("2.28", "the forgotten-password screens have the header for phones", ({ places }) =>
    allOf(Object.entries(places.narrow), ([path, { hasHeader }]) => !path.startsWith("/forget-cw") || hasHeader),
  ),
  shown("2.13", "log-in follows redirectUrl and forwardUrl", "e2e/src/auth.test.ts", "no redirect trick leads off"),
  shown("2.14", "sign-up follows forwardUrl", "e2e/src/auth.test.ts", "a carried path is where it ends"),
  seen(
    "2.29",
    "and takes more fields, which it hands on",
    ({ places: { carried } }) =>
      carried.invite === "AB12CD" &&
      ["forwardUrl=%2Fdocs", "inviteCode=AB12CD", "utm_source=letter"].every((part) => carried.login.includes(part)),
  ),
  shown(
    "2.15",
    "a no-return route goes to log-in without the way back",
    "e2e/src/auth.test.ts",
    "a no-return page without the way",
  ),
  seen("2.16", "the design documentation is there, always light", ({ answers }) =>
    allOf(DOCS_PATHS, (path) => {
      const { status, html } = answers.get(path) ?? { status: 0, html: "" };
      return status === 200 && html.includes('data-theme="light"');
    }),
  ),
  seen("2.17", "an unknown route is 404 and names its path", ({ answers }) => {
    const { status, html } = answers.get("/no-such-page") ?? { status: 0, html: "" };
    return status === 404 && /<title>[^<]*Page Not Found: \/no-such-page/.test(html);
  }),
  shown(
    "2.18",
    "any other status is an internal error with its message",
    "e2e/src/browser.test.ts",
    "shows the error page with its message",
  ),
  seen(
    "2.19",
    "two layouts: the ordinary frame and the empty one",
    ({ answers }) =>
      hasFooter(answers.get("/help")?.html ?? "") && !hasFooter(answers.get("/docs")?.html ?? "x<footer "),
  ),
  seen("2.20", "one named middleware handles futures routes: what is spelt otherwise is corrected", ({ answers }) => {
    const { status, location = "" } = answers.get("/futures/btc_usdt") ?? { status: 0 };
    return status === 302 && location.endsWith("/futures/BTC_USDT");
  }),
  seen("2.21", "a route may validate its address", ({ answers }) => {
    const { status, location = "" } = answers.get("/spot/BTCUSDT") ?? { status: 0 };
    return status === 302 && location.endsWith("/spot/BTC_USDT") && answers.get("/spot/no-pair-code")?.status === 404;
  }),
  shown("2.22", "a chunk that fails reloads the page once, guarded", "e2e/src/browser.test.ts", "a chunk that is gone"),
  seen(
    "2.23",
    "a preload that fails while waking is suppressed",
    ({ frame: { waking } }) => waking.isPrevented && waking.loads === 1,
  ),
  seen(
    "2.24",
    "help links are built from ids of articles, sections, categories and requests",
    ({ places: { help } }) => {
      const names = "About us,Fees,Legal statement,Risk notification,VIP levels,Become a merchant,Submit a request";
      const kinds = ["articles/about-us", "sections/notices", "categories/announcements", "requests/new"];
      return (
        allOf(`${names},Announcements,Notices`.split(","), (name) => help.some((link) => link.name === name)) &&
        allOf(kinds, (end) => help.some(({ to }) => to === `/en_US/help/${end}`)) &&
        allOf(help, ({ status }) => status === 200)
      );
    },
  ),
  seen("2.25", "three languages have a chat group, the others the form", ({ answers }) =>
    allOf(Object.entries(CHAT_PATHS), ([path, status]) => answers.get(path)?.status === status),
  ),
  shown(
    "2.30",
    "and the links of those three lead there",
    "e2e/src/planted-site.test.ts",
    "in the form of its language",
  ),
  seen("2.26", "top-info and the language menu come with the page and are not asked for again", ({ visitor }) =>
    allOf(visitor.calls, ({ path }) => !path.endsWith("/top-info") && !path.endsWith("/language-menu")),
  ),
  seen("2.27", "the phone's theme colour follows the theme", ({ home }) => home.themeColor === "#ffffff"),
];
