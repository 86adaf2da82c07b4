// Every page of the product, once, with its frame. The route tree of all languages, the menus, the search, the sitemap
// and the screenshots are all derived from this table: a page that is not here does not exist, and nothing may link to
// it.

import type { Module } from "@clockwork/site/content/contract";

export type LayoutName = "default" | "empty";
export type MiddlewareName = "futures";
export type ValidateName = "pairCode";

/** What surrounds a page. Left out means the ordinary frame. */
export interface RouteFlags {
  /** `default` has header and footer, `empty` is the bare page. */
  readonly layout?: LayoutName;
  /** False hides the footer. */
  readonly footer?: false;
  /** Shows the small header with a title and a way back on narrow screens. */
  readonly mobileHeader?: true;
  /** Sent to sign in from here, the visitor is not brought back; the return control is not shown. */
  readonly noReturn?: true;
  /** Keeps the sticky bar open. */
  readonly stickyOpen?: true;
  /** Paints the page in this theme for any choice of the visitor. */
  readonly colorMode?: "light" | "dark";
  /** Paints the page in this theme until the visitor chooses one. */
  readonly usualMode?: "light" | "dark";
  /** The dense trading surface with its own colours. */
  readonly surface?: "terminal";
  /** The page has its own main action: the header's "Sign up" is toned down. */
  readonly ownAction?: true;
  readonly middleware?: MiddlewareName;
  readonly validate?: ValidateName;
  /** Only for signed-in visitors; others are sent to sign in and brought back. */
  readonly signedIn?: true;
  /** Only for visitors who are not signed in; others are sent on. */
  readonly signedOut?: true;
  /** The part of the product it belongs to: while that rests, the page is its maintenance page. */
  readonly module?: Module;
  /** Left out of sitemap and search. */
  readonly hidden?: true;
}

export interface PageRoute extends RouteFlags {
  /** Without the language prefix; a trailing `/*` takes everything below. */
  readonly path: string;
  /** The page's module below `routes/`, without its ending. */
  readonly file: string;
  /** Shown by search and as the link text of menus that name none. */
  readonly title: string;
  /** Words a visitor may search for. */
  readonly words?: string;
}

/** The documentation has its own frame and is always light. */
const DOCS: RouteFlags = { layout: "empty", footer: false, colorMode: "light" };

/** The classic one-page entries use the ordinary frame, with its footer. */
const ENTRY: RouteFlags = { noReturn: true, signedOut: true, ownAction: true };
/** A form to fill in and send. */
const FORM: RouteFlags = { ownAction: true };
/** One step per screen in its own frame: no footer, and never a return address. */
const STEP: RouteFlags = { layout: "empty", footer: false, noReturn: true, hidden: true };
/** A page of the signed-in account. */
const OWN: RouteFlags = { signedIn: true, hidden: true };
/** A page of the operators' console, in its own frame. */
const CONSOLE: RouteFlags = { ...OWN, layout: "empty", footer: false };
/** A step with the small header and its way back on narrow screens. */
const BACK_STEP: RouteFlags = { ...STEP, mobileHeader: true, signedOut: true };

/** The futures terminal on one of its products. */
const CONTRACT: RouteFlags = {
  module: "futures",
  footer: false,
  usualMode: "dark",
  surface: "terminal",
  ownAction: true,
  middleware: "futures",
};

export const PAGES: readonly PageRoute[] = [
  { path: "/", file: "home", title: "Home", words: "start exchange status health version", ...FORM },
  {
    path: "/spot/*",
    file: "spot",
    module: "spot",
    title: "Spot",
    words: "trade buy sell order book chart terminal",
    footer: false,
    usualMode: "dark",
    surface: "terminal",
    ownAction: true,
    validate: "pairCode",
  },
  {
    path: "/futures/data/*",
    file: "futures-data",
    module: "futures",
    title: "Futures data",
    middleware: "futures",
    words: "funding index insurance fund open interest ladder liquidations",
  },
  { path: "/futures/*", file: "futures", title: "Futures", words: "perpetual leverage long short margin", ...CONTRACT },
  { path: "/delivery/*", file: "delivery", title: "Coin-margined", words: "inverse perpetual coin", ...CONTRACT },
  { path: "/simulated/*", file: "simulated", title: "Demo trading", words: "practise experience gold", ...CONTRACT },
  { path: "/grid", file: "grid/ranking", title: "Grid ranking", words: "bots strategies clone copy apr", ...FORM },
  { path: "/grid/spot", file: "grid/create", title: "Spot grid", words: "bot strategy range lines back-test", ...FORM },
  {
    path: "/grid/futures",
    file: "grid/create",
    title: "Futures grid",
    words: "bot strategy leverage neutral",
    ...FORM,
  },
  {
    path: "/grid/rebalance",
    file: "grid/rebalance",
    title: "Rebalancing bot",
    words: "basket weights portfolio strategy index",
    ...FORM,
  },
  { path: "/grid/basket/*", file: "grid/basket", title: "Rebalancing bot", hidden: true },
  { path: "/grid/bots", file: "grid/bots", title: "My bots", ...OWN },
  { path: "/grid/bot/*", file: "grid/bot", title: "Grid bot", hidden: true },
  { path: "/home", file: "home", title: "Home", hidden: true, ...FORM },
  { path: "/user-agreement", file: "legal", title: "User agreement", words: "legal terms contract" },
  { path: "/privacy-policy", file: "legal", title: "Privacy policy", words: "legal data cookies" },
  { path: "/risk-disclosure", file: "legal", title: "Risk disclosure", words: "legal risk loss" },
  { path: "/legal-statement", file: "legal", title: "Legal statement", words: "legal imprint company" },
  { path: "/licensed-activities", file: "legal", title: "Licensed activities", words: "legal licence regulator" },
  { path: "/code-conduct", file: "legal", title: "Code of conduct", words: "legal rules behaviour" },
  { path: "/virtual-assets-standards", file: "legal", title: "Virtual assets standards", words: "legal listing" },
  { path: "/aed-otc", file: "aed-otc", title: "AED and crypto", words: "aed otc fiat" },
  {
    path: "/tomato-futures-reverse",
    file: "reverse",
    title: "Reverse a position",
    words: "futures long short flip calculator liquidation learn",
  },
  { path: "/exchange-trading-rules", file: "trading-rules", title: "Trading rules", words: "tick step fees pairs" },
  { path: "/complaints", file: "legal-form", title: "Complaints", words: "legal complaint form", ...FORM },
  { path: "/contact-us", file: "legal-form", title: "Contact us", words: "support mail institutional form", ...FORM },
  {
    path: "/whistleblower-policy",
    file: "legal-form",
    title: "Whistleblower policy",
    words: "report anonymous",
    ...FORM,
  },
  { path: "/help", file: "help/overview", title: "Help center", words: "support articles questions" },
  { path: "/help/articles/*", file: "help/article", title: "Help", hidden: true },
  { path: "/help/sections/*", file: "help/part", title: "Help", hidden: true },
  { path: "/help/categories/*", file: "help/part", title: "Help", hidden: true },
  { path: "/help/chat-group/*", file: "help/chat", title: "Chat group", hidden: true },
  { path: "/help/request", file: "help/request", title: "Submit a request", hidden: true, ...FORM },
  { path: "/help/requests/new", file: "help/request", title: "Submit a request", hidden: true, ...FORM },
  {
    path: "/help/ticket",
    file: "help/ticket",
    title: "Ticket status",
    words: "complaint number key",
    hidden: true,
  },
  { path: "/news", file: "news", title: "Announcements", words: "news listing maintenance" },
  { path: "/news/*", file: "news-article", title: "Announcement", hidden: true },
  { path: "/news-center", file: "news-center", title: "News", words: "engineering blog" },
  { path: "/news-center/*", file: "news-article", title: "News", hidden: true },
  { path: "/newsletter", file: "newsletter", title: "Newsletter", words: "mail subscribe marketing", ...FORM },
  { path: "/college", file: "college", title: "College", words: "learn courses lessons quiz" },
  { path: "/college/*", file: "college", title: "College", hidden: true },
  { path: "/api-docs", file: "api-docs", title: "API reference", words: "developers rest calls openapi" },
  { path: "/api-docs/dialect", file: "api-docs-dialect", title: "For bots", words: "ccxt binance bot api key stream" },
  {
    path: "/api-docs/data",
    file: "api-docs-data",
    title: "Market data files",
    words: "archive history download csv klines trades depth",
  },
  { path: "/api-docs/*", file: "api-docs", title: "API reference", hidden: true },
  {
    path: "/copy",
    file: "copy/leaders",
    title: "Copy trading",
    words: "follow leaders copy social futures profit share",
  },
  { path: "/copy/spot", file: "copy/leaders", title: "Spot copy trading", words: "follow leaders copy spot" },
  { path: "/copy/mine", file: "copy/mine", title: "My copies", ...OWN },
  { path: "/copy/spot/mine", file: "copy/mine", title: "My spot copies", ...OWN },
  { path: "/copy/lead", file: "copy/lead", title: "Lead trading", ...OWN },
  { path: "/copy/spot/lead", file: "copy/lead", title: "Spot lead trading", ...OWN },
  { path: "/copy/spot/:leader", file: "copy/leader", title: "Lead trader", hidden: true, ...FORM },
  { path: "/copy/:leader", file: "copy/leader", title: "Lead trader", hidden: true, ...FORM },
  { path: "/coins/:coin", file: "coin", title: "Coin", hidden: true },
  { path: "/markets", file: "markets", title: "Markets", words: "prices pairs volume heat map rankings coins" },
  { path: "/docs", file: "docs/overview", title: "Design system", words: "documentation components overview", ...DOCS },
  {
    path: "/docs/color",
    file: "docs/color",
    title: "Color",
    words: "design color colour token theme contrast",
    ...DOCS,
  },
  { path: "/docs/date", file: "docs/date", title: "Dates", words: "design date time picker countdown", ...DOCS },
  { path: "/docs/directives", file: "docs/directives", title: "Directives and hooks", words: "touch hotkey", ...DOCS },
  { path: "/docs/drag-sort", file: "docs/drag-sort", title: "Drag sort", words: "design order reorder", ...DOCS },
  { path: "/docs/element-plus", file: "docs/element-plus", title: "Component gallery", words: "ui", ...DOCS },
  { path: "/docs/fonts", file: "docs/fonts", title: "Fonts", words: "design type figures", ...DOCS },
  { path: "/docs/geetest", file: "docs/geetest", title: "Captcha", words: "design geetest proof of work", ...DOCS },
  { path: "/docs/select", file: "docs/select", title: "Select", words: "design combobox list phone", ...DOCS },
  { path: "/login", file: "auth/login", title: "Log in", words: "sign in account", ...ENTRY },
  { path: "/login-cw", file: "auth/login-cw", title: "Log in", ...STEP, signedOut: true, stickyOpen: true },
  { path: "/login-cw/verification", file: "auth/login-verification", title: "Enter the code", ...BACK_STEP },
  { path: "/login-cw/device-verification", file: "auth/login-device", title: "New device", ...BACK_STEP },
  { path: "/register", file: "auth/register", title: "Sign up", words: "create account join", ...ENTRY },
  { path: "/register/create", file: "auth/register-create", title: "Choose a password", ...BACK_STEP },
  { path: "/register/verification", file: "auth/register-verification", title: "Enter the code", ...BACK_STEP },
  { path: "/register-cw", file: "auth/register-cw", title: "Sign up", ...STEP, signedOut: true },
  { path: "/register-cw/create", file: "auth/register-cw-create", title: "Choose a password", ...BACK_STEP },
  { path: "/register-cw/verification", file: "auth/register-cw-verification", title: "Enter the code", ...BACK_STEP },
  { path: "/forget-cw", file: "auth/forget", title: "Reset password", ...BACK_STEP },
  { path: "/forget-cw/verification", file: "auth/forget-verification", title: "Enter the code", ...BACK_STEP },
  { path: "/forget-cw/reset", file: "auth/forget-reset", title: "New password", ...BACK_STEP },
  { path: "/login-cw/passkey", file: "auth/login-passkey", title: "Passkey", ...BACK_STEP },
  {
    path: "/bind-passkey-verification",
    file: "auth/bind-passkey",
    title: "Confirm it’s you",
    ...STEP,
    signedIn: true,
  },
  { path: "/operation-cw/enable-passkey", file: "auth/enable-passkey", title: "Passkey", ...STEP, signedIn: true },
  // Come back to from sign-in and from the security centre alike: an account elsewhere is linked here.
  {
    path: "/login-cw/social-verification",
    file: "auth/login-social",
    title: "Log in",
    layout: "empty",
    footer: false,
    mobileHeader: true,
    hidden: true,
  },
  {
    path: "/operation-cw/scan-login",
    file: "auth/scan-login",
    title: "Log in another device",
    ...STEP,
    signedIn: true,
  },
  { path: "/operation-cw/stay-signed-in", file: "auth/stay", title: "Stay signed in", ...STEP, signedIn: true },
  { path: "/offline", file: "offline", title: "Offline", hidden: true },
  { path: "/earn", file: "earn/overview", title: "Earn", words: "interest savings apr flexible fixed products" },
  { path: "/earn/flexible", file: "earn/overview", title: "Flexible earn", words: "interest savings redeem any time" },
  { path: "/earn/fixed", file: "earn/overview", title: "Fixed earn", words: "interest term maturity days" },
  {
    path: "/earn/shark-fin",
    file: "earn/overview",
    title: "Shark fin",
    words: "structured principal protected pay-off",
  },
  { path: "/earn/recurring", file: "earn/recurring", title: "Recurring buy", words: "dca plan schedule weekly" },
  {
    path: "/launchpad",
    file: "launchpad/list",
    title: "Launchpad",
    words: "new coins lottery tickets flash sale draw",
  },
  { path: "/launchpad/*", file: "launchpad/project", title: "Launch", hidden: true },
  { path: "/overview", file: "account/overview", title: "Overview", ...OWN, ownAction: true },
  { path: "/orders", file: "account/orders", title: "Orders", ...OWN },
  { path: "/account", file: "account/profile", title: "Profile", ...OWN },
  { path: "/account/freeze", file: "account/freeze", title: "Freeze account", ...STEP },
  { path: "/account/release", file: "account/release", title: "Release account", ...STEP },
  { path: "/identity", file: "account/identity", title: "Identity", ...OWN, module: "kyc" },
  { path: "/security", file: "account/security", title: "Security", ...OWN },
  { path: "/wallet", file: "wallet/overview", title: "Wallet", ...OWN },
  { path: "/wallet/deposit", file: "wallet/deposit", title: "Deposit", ...OWN },
  { path: "/wallet/withdraw", file: "wallet/withdraw", title: "Withdraw", ...OWN },
  { path: "/wallet/transfer", file: "wallet/transfer", title: "Transfer", ...OWN },
  { path: "/wallet/send", file: "wallet/send", title: "Send to a user", ...OWN },
  { path: "/wallet/convert", file: "wallet/convert", title: "Convert", ...OWN },
  { path: "/wallet/history", file: "wallet/history", title: "Wallet history", ...OWN },
  { path: "/wallet/addresses", file: "wallet/addresses", title: "Address book", ...OWN },
  { path: "/wallet/accounts/:account", file: "wallet/account", title: "Account", ...OWN },
  { path: "/otc", file: "otc/market", title: "OTC", words: "buy sell fiat dirham person merchant p2p bank", ...FORM },
  { path: "/otc/order/*", file: "otc/order", title: "OTC order", ...OWN },
  { path: "/otc/orders", file: "otc/orders", title: "OTC orders", ...OWN },
  { path: "/otc/payments", file: "otc/payments", title: "Payment accounts", ...OWN },
  { path: "/otc/ads", file: "otc/ads", title: "My ads", ...OWN },
  { path: "/otc/ad/*", file: "otc/ad", title: "Edit ad", ...OWN },
  { path: "/otc/post", file: "otc/post", title: "Post an ad", ...OWN },
  {
    path: "/otc/providers",
    file: "otc/providers",
    title: "Fiat providers",
    words: "buy sell fiat card provider quote balance",
    ...FORM,
  },
  { path: "/otc/bills", file: "otc/bills", title: "OTC transactions", ...OWN },
  { path: "/otc/merchant", file: "otc/merchant", title: "Merchant center", ...OWN },
  { path: "/wallet/profit", file: "wallet/profit", title: "PnL analysis", ...OWN },
  { path: "/wallet/statements", file: "wallet/statements", title: "Statements", ...OWN },
  { path: "/preferences", file: "account/preferences", title: "Preferences", ...OWN },
  { path: "/vip", file: "account/vip", title: "VIP and fees", words: "levels volume maker taker discount" },
  { path: "/invite", file: "account/invite", title: "Invite friends", ...OWN },
  { path: "/rewards", file: "account/rewards", title: "Rewards", ...OWN },
  { path: "/api-keys", file: "account/api-keys", title: "API keys", ...OWN },
  { path: "/devices", file: "account/devices", title: "Devices", ...OWN },
  { path: "/activity", file: "account/activity", title: "Activity log", ...OWN },
  { path: "/tickets", file: "account/tickets", title: "Support tickets", ...OWN },
  { path: "/letters", file: "account/letters", title: "Inbox", ...OWN },
  { path: "/operator", file: "console/overview", title: "Console", ...CONSOLE },
  { path: "/operator/operators", file: "console/operators", title: "Operators", ...CONSOLE },
  { path: "/operator/instruments", file: "console/instruments", title: "Instruments", ...CONSOLE },
  { path: "/operator/fund", file: "console/fund", title: "Insurance fund", ...CONSOLE },
  { path: "/operator/custody", file: "console/custody", title: "Custody", ...CONSOLE },
  { path: "/operator/ledger", file: "console/ledger", title: "Ledger", ...CONSOLE },
  { path: "/operator/restrictions", file: "console/restrictions", title: "Restrictions", ...CONSOLE },
  { path: "/operator/users/*", file: "console/person", title: "User", ...CONSOLE },
  { path: "/operator/users", file: "console/users", title: "User lookup", ...CONSOLE },
  { path: "/operator/kyc", file: "console/kyc", title: "Identity review", ...CONSOLE },
  { path: "/operator/tickets", file: "console/tickets", title: "Tickets", ...CONSOLE },
  { path: "/operator/articles", file: "console/articles", title: "Articles", ...CONSOLE },
  { path: "/operator/campaigns", file: "console/campaigns", title: "Banners and popups", ...CONSOLE },
  { path: "/operator/broadcasts", file: "console/broadcasts", title: "Broadcasts", ...CONSOLE },
  { path: "/operator/site", file: "console/site", title: "Site", ...CONSOLE },
  { path: "/operator/proposals", file: "console/proposals", title: "Proposals", ...CONSOLE },
  { path: "/operator/withdrawals", file: "console/withdrawals", title: "Withdrawals", ...CONSOLE },
  { path: "/operator/markets", file: "console/markets", title: "Market halts", ...CONSOLE },
  { path: "/operator/coupons", file: "console/coupons", title: "Coupons", ...CONSOLE },
  { path: "/operator/otc", file: "console/otc", title: "OTC appeals", ...CONSOLE },
  { path: "/operator/vip", file: "console/vip", title: "Trial levels", ...CONSOLE },
  { path: "/operator/invite", file: "console/invite", title: "Referrals", ...CONSOLE },
  { path: "/operator/earn", file: "console/earn", title: "Earn", ...CONSOLE },
  { path: "/operator/launches", file: "console/launches", title: "Launches", ...CONSOLE },
  { path: "/operator/rewards", file: "console/rewards", title: "Rewards", ...CONSOLE },
  { path: "/operator/copy", file: "console/copy", title: "Lead traders", ...CONSOLE },
  { path: "/operator/visits", file: "console/visits", title: "Visits", ...CONSOLE },
  { path: "/operator/audit", file: "console/audit", title: "Audit log", ...CONSOLE },
];

const byPath = new Map(PAGES.map((page) => [page.path, page]));

/** `/spot/:pairCode` takes one segment for each name, `/news/*` takes everything below. */
function takes(pattern: string, path: string): boolean {
  if (pattern.endsWith("/*")) return `${path}/`.startsWith(pattern.slice(0, -1));
  if (!pattern.includes(":")) return false;
  const segments = path.split("/");
  const wanted = pattern.split("/");
  return (
    wanted.length === segments.length &&
    wanted.every((name, at) => (name.startsWith(":") ? segments[at] !== "" : name === segments[at]))
  );
}

/** The page of a bare path, or of the pattern a router answers with. */
export function findPage(path: string): PageRoute | undefined {
  return byPath.get(path) ?? PAGES.find((page) => takes(page.path, path));
}

/** True when a link to this bare path leads to a page. Menus use it, so a product appears with its route. */
export function hasPage(path: string): boolean {
  return findPage(path) !== undefined;
}

/** Route ids: `bare:/docs` and `en_US:/docs` are forms of one page. */
export function formatRouteId(form: string, path: string): string {
  return `${form}:${path}`;
}

/** The page behind a route id; undefined for layouts, the root and the page that was not found. */
export function findPageById(id: string): PageRoute | undefined {
  const colon = id.indexOf(":");
  return colon === -1 ? undefined : byPath.get(id.slice(colon + 1));
}
