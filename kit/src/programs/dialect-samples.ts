// How a program is pointed at this exchange: the few lines that differ from its usual set-up, ready to copy.
export const SAMPLE_WAYS = ["ccxt", "contracts", "python", "rest", "socket"] as const;
export type SampleWay = (typeof SAMPLE_WAYS)[number];
export const SAMPLE_TITLES: Readonly<Record<SampleWay, string>> = {
  ccxt: "ccxt, JS",
  contracts: "ccxt, contracts",
  python: "Python",
  rest: "REST",
  socket: "WebSocket",
};

/** Older ones use spot's streams for contracts. */
export const CCXT_LEAST = "4.5.84";

const redirect = (origin: string): string => {
  const host = origin.replace(/^https?:\/\//, "");
  return `const here = (urls) => {
  for (const [name, url] of Object.entries(urls)) {
    if (typeof url === "object") here(url);
    else urls[name] = url.replace(/^(http|ws)s?:\\/\\/[^/]+/, "$1${origin.startsWith("http:") ? "" : "s"}://${host}");
  }
};
here(exchange.urls.api);`;
};

export function sampleOf(way: SampleWay, origin: string): string {
  const socket = origin.replace(/^http/, "ws");
  const plain = origin.startsWith("http:") ? "await exchange.loadHttpProxyAgent();\n" : "";
  switch (way) {
    case "ccxt":
      return `import ccxt from "ccxt"; // ${CCXT_LEAST} or later

const exchange = new ccxt.pro.binance({
  apiKey: process.env.CW_KEY,
  secret: process.env.CW_SECRET,
});
${redirect(origin)}
exchange.urls.api.ws.spot = "${socket}/stream/ws";
${plain}
await exchange.loadMarkets();
const order = await exchange.createOrder("BTC/USDT", "limit", "buy", 0.001, 60000);
console.log(order.id, order.status);`;
    case "contracts":
      return `import ccxt from "ccxt"; // ${CCXT_LEAST} or later

const exchange = new ccxt.pro.binanceusdm({
  apiKey: process.env.CW_KEY,
  secret: process.env.CW_SECRET,
});
${redirect(origin)}
exchange.urls.api.ws.future = "${socket}/fstream/ws";
exchange.urls.api.ws.delivery = "${socket}/dstream/ws";
Object.assign(exchange.exceptions.exact, exchange.exceptions.linear.exact);
${plain}
await exchange.setLeverage(5, "BTC/USDT:USDT");
await exchange.createOrder("BTC/USDT:USDT", "market", "buy", 0.001);
console.log(await exchange.fetchPositions());`;
    case "python":
      return `import ccxt, os, re

exchange = ccxt.binance({
    "apiKey": os.environ["CW_KEY"],
    "secret": os.environ["CW_SECRET"],
})
def here(urls):
    for name, url in urls.items():
        if isinstance(url, dict):
            here(url)
        else:
            urls[name] = re.sub(r"^(http|ws)s?://[^/]+", r"\\1${origin.startsWith("http:") ? "" : "s"}://${origin.replace(/^https?:\/\//, "")}", url)
here(exchange.urls["api"])
exchange.urls["api"]["ws"] = {**exchange.urls["api"].get("ws", {}), "spot": "${socket}/stream/ws"}

print(exchange.fetch_balance()["USDT"])`;
    case "rest":
      return `query="timestamp=$(date +%s000)"
signature=$(printf %s "$query" | openssl dgst -sha256 -hmac "$CW_SECRET" | sed 's/^.* //')
curl -H "X-MBX-APIKEY: $CW_KEY" \\
  "${origin}/api/v3/account?$query&signature=$signature"`;
    case "socket":
      return `node -e '
const socket = new WebSocket("${socket}/stream?streams=btcusdt@trade/btcusdt@depth@100ms");
socket.onmessage = ({ data }) => console.log(data);
'`;
  }
}
