// The specification's statements about what a browser holds and how it changes (sections 3 and 4), rephrased.
import { allOf } from "@clockwork/kit/all-of";
import { SIX_COOKIES } from "../auth-steps.ts";
import { answered, callOf, cookieOf, hasFuturesHeaders, type Statement, seen, sentFrame, shown } from "./statement.ts";

const FIELDS =
  "screen_resolution available_screen_resolution system_version brand_model system_lang timezone timezoneOffset user_agent list_plugin canvas_code webgl_vendor webgl_renderer audio platform web_timezone device_name fingerprint";

function readFingerprint(text: string | undefined): { readonly savedAtMs: number; readonly record: object } {
  return JSON.parse(text ?? "null") as { savedAtMs: number; record: object };
}

export const STATES: readonly Statement[] = [
  seen(
    "3.1",
    "theme, language and currency are shared by all screens, and all call one domain",
    ({ places: { shared }, visitor, user, origin }) =>
      shared.theme === "dark" &&
      shared.footer.includes("· EUR ·") &&
      shared.body.includes("lang-en_US") &&
      [...visitor.frames, ...user.frames].every(({ url }) => new URL(url).host === new URL(origin).host),
  ),
  seen("3.2", "a map of switches, the Hbt switch among them", ({ api }) => {
    const { data } = api.get("/api/v1/common/global-config") ?? {};
    return typeof data === "object" && data !== null && "hbtSwitch" in data && "systemOut" in data;
  }),
  seen(
    "3.30",
    "the Hbt switch is read: turned on, no page says what an account is worth",
    ({ live: { totals } }) => /^0\.00/.test(totals[0]) && totals[1].startsWith("–"),
  ),
  seen("3.3", "the price rate", ({ api }) => {
    const { data } = api.get("/api/v1/common/exchange-rate") ?? {};
    return Number((data as { rates?: Record<string, string> } | undefined)?.rates?.EUR) > 0;
  }),
  seen("3.4", "the count of unread letters", (evidence) => answered(evidence, "/api/v2/users/letters/unread-count")),
  shown("3.5", "the total asset", "e2e/src/new-user.test.ts", "one total on the overview"),
  seen(
    "3.6",
    "the list of market data, kept level by the stream of all tickers",
    ({ visitor, topics }) => Array.isArray(topics.get("all")) && sentFrame(visitor, "sub") !== undefined,
  ),
  seen("3.7", "the flag that the system is out, shown to everybody at once", ({ live }) => live.systemOut),
  seen("3.8", "socket addresses of spot and futures, in the page's protocol", ({ visitor, contracts, origin }) =>
    [visitor, contracts].every(({ frames }) =>
      allOf(frames, ({ url }) => url === `${origin.replace("http", "ws")}/ws`),
    ),
  ),
  seen("3.26", "fast addresses, and the bases of calls, come with the page", ({ answers }) =>
    ["apiBase", "futuresBase", "socketPath", "domains"].every((name) => answers.get("/")?.html.includes(name)),
  ),
  seen(
    "3.27",
    "the calculation currency, USD unless another was chosen",
    ({ contracts }) => callOf(contracts, "/api/")?.headers.selecttype === "USD",
  ),
  shown(
    "3.9",
    "the inviter of the domain that was hit",
    "e2e/src/addresses.test.ts",
    "a partner's domain carries its inviter",
  ),
  shown(
    "3.10",
    "the account typed on the first page",
    "e2e/src/new-user.test.ts",
    "from the first page to a first fill",
  ),
  seen(
    "3.11",
    "themes are light, dark and system: dark is in the first byte for whoever chose it",
    ({ darkHtml, home }) => /<html [^>]*data-theme="dark"/.test(darkHtml) && home.themeColor === "#ffffff",
  ),
  seen("3.12", "time zones: UTC8 is stored as 1, UTC0 as 0", ({ wrappers }) => wrappers.zones.join(" ") === "1 0"),
  seen("3.13", "the menu object holds id, userInfo and availableLanguage", ({ user }) => {
    const menu = JSON.parse(user.storage.cw_user_menu ?? "{}") as object;
    return ["id", "userInfo", "availableLanguage"].every((name) => name in menu);
  }),
  seen("3.14", "the user's id is id, else fid", ({ places }) => places.fid.includes("4204200")),
  seen("3.15", "available languages are stored as availableLanguage", ({ visitor, user }) =>
    [visitor, user].every(({ storage }) =>
      (JSON.parse(storage.availableLanguage ?? "[]") as string[]).includes("en_US"),
    ),
  ),
  seen("3.16", "the public profile is stored as userAnchorInfo", ({ user }) => {
    const profile: unknown = JSON.parse(user.storage.userAnchorInfo ?? "null");
    return typeof profile === "object" && profile !== null;
  }),
  shown("3.17", "a flag shows the identity popup", "e2e/src/auth-identity.test.ts", "a user is guided through"),
  seen("3.18", "futures headers: authorization, app token, app id, language", ({ contracts }) =>
    hasFuturesHeaders(contracts),
  ),
  seen("3.19", "six cookies carry tokens", ({ user }) =>
    allOf(SIX_COOKIES, (name) => (cookieOf(user, name)?.value ?? "") !== ""),
  ),
  seen(
    "3.20",
    "the stored language has the short name in its key",
    ({ visitor }) => visitor.storage.cw_language === "en_US",
  ),
  seen("3.21", "preferences: language and pricing currency", ({ user }) => {
    const update = callOf(user, "user-perfenerce/update");
    return (JSON.parse(update?.body ?? "{}") as Record<string, string>).pricingCurrency === "EUR";
  }),
  seen(
    "3.22",
    "a language entry has name, lang and fiatCurrency: the page offers it by name, and prices in its currency",
    ({ home }) => home.offered.includes("English") && home.offered.includes("USD"),
  ),
  seen("3.23", "the fingerprint has its seventeen fields, the hash last", ({ visitor }) => {
    const { record } = readFingerprint(visitor.storage.cw_fingerprint);
    return Object.keys(record).join(" ") === FIELDS;
  }),
  seen(
    "3.28",
    "its time zone is the offset as text, its plugins are joined by commas, 500 at most",
    ({ visitor, hung }) => {
      const record = readFingerprint(visitor.storage.cw_fingerprint).record as Record<string, unknown>;
      const plugins = String((readFingerprint(hung).record as Record<string, unknown>).list_plugin).split(",");
      return /^GMT[+-]\d\d:\d\d$/.test(String(record.timezone)) && plugins.length === 500;
    },
  ),
  shown("3.29", "and it is kept for a day and not for longer", "e2e/src/frame-rules.test.ts", "kept for a day"),
  seen("3.24", "the fingerprint is kept in local storage with its age", ({ visitor }) => {
    const { savedAtMs } = readFingerprint(visitor.storage.cw_fingerprint);
    return Date.now() - savedAtMs < 86_400_000;
  }),
  seen("3.25", "socket messages have event, channel, biz, type, pairCode, base, data", ({ visitor }) => {
    const known = new Set(
      "event channel biz type pairCode base data sequence firstSequence snapshot resumed time code message".split(" "),
    );
    return allOf(visitor.frames, ({ message }) => allOf(Object.keys(message), (name) => known.has(name)));
  }),
  seen(
    "4.1",
    "logged in means that the corrected token is there",
    ({ visitor, user }) =>
      (cookieOf(visitor, "cw_correct_token")?.value ?? "") === "" &&
      (cookieOf(user, "cw_correct_token")?.value ?? "") !== "",
  ),
  seen("4.2", "signing out empties all six cookies", ({ left }) =>
    allOf(SIX_COOKIES, (name) => (cookieOf(left, name)?.value ?? "") === ""),
  ),
  seen("4.3", "and removes access token, menu and tab list from storage", ({ left }) =>
    ["cw_access_token", "cw_user_menu", "cw_tab_list"].every((name) => left.storage[name] === undefined),
  ),
  seen(
    "4.4",
    "a 401 clears the menu and goes to log-in with the way back",
    ({ places: { ended } }) =>
      ended.menu === null && ended.url.startsWith("/login?") && ended.url.includes("redirectUrl=%2Fletters"),
  ),
  shown(
    "4.5",
    "a global error is held and cleared, with a redirect at will",
    "e2e/src/browser.test.ts",
    "shows the error page with its message",
  ),
  shown(
    "4.6",
    "the theme is kept in the cookie theme, light unless chosen",
    "e2e/src/browser.test.ts",
    "the toggle paints, stores",
  ),
  seen("4.7", "changing it uses a view transition where there is one", ({ frame }) => frame.transitions === 1),
  seen("4.8", "the loading bar goes from idle to progress to finishing and is idle again", ({ frame: { bar } }) => {
    const phases = ["before200", "after200", "before500", "after500"].map((name) => bar[name]?.split(" ")[0]);
    return phases.join(" ") === "idle progress finishing idle";
  }),
  shown("4.22", "red on error", "e2e/src/frame-rules.test.ts", "ends in the colour of danger"),
  shown(
    "4.9",
    "language: the user's preference, else the address, else English",
    "e2e/src/planted-site.test.ts",
    "the account's preference goes before the address",
  ),
  seen(
    "4.10",
    "the user's preference is asked for when signed in, and then alone",
    ({ visitor, user }) =>
      callOf(user, "user-perfenerce/get") !== undefined && callOf(visitor, "user-perfenerce") === undefined,
  ),
  seen("4.11", "a language that is not available leads to one that is, English first", ({ answers }) => {
    const { status, location = "" } = answers.get("/ja_JP/docs") ?? { status: 0 };
    return status === 302 && location.includes("/en_US/docs");
  }),
  shown(
    "4.12",
    "changing it updates storage, body, preference, components and help links",
    "e2e/src/planted-site.test.ts",
    "storage, body, preference, components and help links follow",
  ),
  seen("4.13", "on opening, subscriptions are sent", ({ visitor }) => sentFrame(visitor, "sub") !== undefined),
  seen(
    "4.14",
    "a ping goes out and a pong is taken",
    ({ visitor }) =>
      sentFrame(visitor, "ping") !== undefined && visitor.frames.some(({ message }) => message.event === "pong"),
  ),
  seen("4.15", "a ping every two seconds", ({ visitor }) => {
    const sent = visitor.frames.filter((frame) => frame.socket === 0 && frame.sent && frame.message.event === "ping");
    const gaps = sent.slice(1).map((frame, at) => frame.timeMs - (sent[at]?.timeMs ?? 0));
    // A busy machine is late with one and early with the next.
    const middle = gaps.toSorted((left, right) => left - right)[Math.floor(gaps.length / 2)] ?? 0;
    return middle > 1_000 && middle < 4_000;
  }),
  seen("4.16", "it reconnects when online again", ({ visitor }) => visitor.frames.some(({ socket }) => socket > 0)),
  // A heartbeat of two seconds finds it out, and half a second later there is another.
  seen(
    "4.21",
    "and after more than ten seconds of silence",
    ({ live }) => live.silenceMs > 10_000 && live.silenceMs <= 16_000,
  ),
  seen(
    "4.17",
    "close and error are told: the page says that it is no longer live",
    ({ live }) => /^(polling|stale)$/.test(live.closed) && /^(polling|stale)$/.test(live.failed),
  ),
  seen("4.18", "subscriptions outlive a connection", ({ visitor }) => {
    const channels = (of: (socket: number) => boolean) =>
      visitor.frames
        .filter(({ sent, socket, message }) => sent && of(socket) && message.event === "sub")
        .map(({ message }) => `${message.channel} ${message.type} ${message.pairCode}`);
    const again = channels((socket) => socket > 0);
    return allOf(again, (topic) => channels((socket) => socket === 0).includes(topic));
  }),
  seen(
    "4.19",
    "leaving gives streams back, and a login by logout",
    ({ left }) => sentFrame(left, "logout") !== undefined,
  ),
  seen(
    "4.20",
    "pong is not handed on: what came with one is on no screen",
    ({ live }) => live.afterPong.includes("0.4321") && live.afterData.includes("0.5678"),
  ),
];
