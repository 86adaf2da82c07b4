// The specification's statements about errors and constants (sections 8 and 9), rephrased.
import { cookieOf, type Statement, seen, shown } from "./statement.ts";

export const LIMITS: readonly Statement[] = [
  seen("8.1", "an audio fingerprint that hangs reads audioTimeout", ({ hung }) => {
    const { record } = JSON.parse(hung === "" ? "{}" : hung) as { record?: { audio?: string } };
    return record?.audio === "audioTimeout";
  }),
  shown("8.2", "generic labels", "e2e/src/frame-rules.test.ts", "every generic label is used"),
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
  seen("9.14", "on eight statuses and no other", ({ wrappers: { tries } }) =>
    [...tries].every(([status, count]) => count === (status === 400 || status === 404 ? 1 : 2)),
  ),
  seen(
    "9.5",
    "head updates wait 10 ms, device detection 50 ms after a resize",
    ({ frame: { head, device } }) =>
      head.join(" ") === "#ffffff #212121" && /desktop/.test(device[0]) && /mobile/.test(device[1]),
  ),
  seen("9.6", "the locale cookie: a year, the whole site, lax", ({ visitor }) => {
    const cookie = cookieOf(visitor, "cw_language");
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    return cookie?.path === "/" && cookie.sameSite === "Lax" && days > 364 && days < 366;
  }),
  shown("9.7", "the guard of a reload is ten seconds", "e2e/src/browser.test.ts", "a chunk that is gone"),
  seen(
    "9.8",
    "without a connection pages ask by HTTP, some each 30 s and some each 60 s (connectHttp, connectHttp_1m)",
    ({ live }) => live.eachMinute >= 2 && live.eachMinute <= 3 && live.eachHalf >= 4 && live.eachHalf <= 5,
  ),
  shown(
    "9.9",
    "number text: K M B T Q, in Chinese 万 亿 万亿",
    "e2e/src/planted-site.test.ts",
    "shortens large amounts in its own way",
  ),
  seen("9.10", "the loading bar: 200 ms throttle, 2000 ms, hidden after 500, reset after 400, 3 px", ({ frame }) => {
    const { bar, barHeightPx } = frame;
    const way = Number(bar.halfDuration?.split(" ")[1]);
    return (
      barHeightPx === 3 &&
      bar.before200 === "idle 0.00" &&
      bar.after200?.startsWith("progress") === true &&
      Math.abs(way - 0.5) < 0.02 &&
      bar.before500 === "finishing 1.00" &&
      bar.after500 === "idle 1.00" &&
      bar.before400 === "idle 1.00" &&
      bar.after400 === "idle 0.00"
    );
  }),
  seen("9.11", "the base layer is 2000", ({ home }) => home.baseLayer.trim() === "2000"),
  seen("9.12", "touch: tap 10, swipe 30, hold and long tap 400 ms", ({ frame: { touch } }) => {
    const reply = ["to 10", "to 29", "to 30", "before 400", "after 400", "long"].map((name) => touch[name] ?? "");
    const [tap, short, swipe, early, hold, long] = reply;
    return (
      tap === "Tap" &&
      short?.startsWith("Swipe") === false &&
      swipe === "Swipe right, 30 px" &&
      early !== "Hold" &&
      hold === "Hold" &&
      long === "Long tap"
    );
  }),
  seen("9.16", "drags and rollovers are reported every 100 ms at most", ({ frame: { drags, rollover } }) => {
    const [first, held, last] = rollover;
    return drags.join() === "Drag 20, 0,Drag 20, 0,Drag 60, 0" && first !== "" && held === first && last !== first;
  }),
  seen("9.13", "a dragged dialog keeps 72 px at the bottom", ({ frame }) => Math.round(frame.reservePx) === 72),
  seen(
    "9.15",
    "amounts have their currency's symbol",
    ({ wrappers: { rates }, places }) =>
      ["₩", "NT$", "₫", "₺", "₽", "₴", "€", "¥", "￥"].every((symbol) => rates.includes(symbol)) &&
      places.fid.includes("$0.00"),
  ),
];
