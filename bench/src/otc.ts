// Trading between users at scale (OTC-1): the first page of ten thousand ads against an empty list, a thousand orders
// on one ad at once against as many reads, and a chat message from the writer's click to the reader's screen against a
// plain read. Exits with 1 when an ad is oversold or a bar is missed; bars are by the clock of this machine. Needs the
// built server.
import { WebSocket } from "ws";
import { quantile, type Reply } from "./accounts-site.ts";
import { ADS, BUYERS, openWorld, type Person, type World } from "./otc-world.ts";

const TURN = 100;
const TURNS = 10;
const LIST_P99_MS = 50;
/** Answers without a session, a table or the core. */
const PING = "/api/v3/ping";
const ORDERS_EACH = 10;
const SOLD = 500;
const MESSAGES_EACH = 5;
const CHAT_P99_MS = 100;

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
const latencyOf = (tookMs: readonly number[]): Latency => ({
  p50Ms: quantile(tookMs, 0.5),
  p99Ms: quantile(tookMs, 0.99),
  maxMs: Math.max(...tookMs),
});
const ms = (value: number): string => `${value.toFixed(2)} ms`.padStart(11);
/** With what the served process used of the processors for each call, where that was counted. */
const print = (name: string, { p50Ms, p99Ms, maxMs }: Latency, usedMs?: number): void => {
  const used = usedMs === undefined ? "" : `  processor ${ms(usedMs)}`;
  console.log(`  ${name.padEnd(34)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  max ${ms(maxMs)}${used}`);
};

const firstOf = <Value>(values: readonly Value[]): Value => {
  const [first] = values;
  if (first === undefined) throw new Error("nobody is there");
  return first;
};

/** Both lists and a ping in turns of this many calls by one signed-in visitor, so that both see the same machine. */
async function measureLists({ buyers, processorMs }: World): Promise<boolean> {
  const visitor = firstOf(buyers);
  const turn = async (path: string, total?: number): Promise<{ tookMs: number[]; usedMs: number }> => {
    const startedMs = processorMs();
    const tookMs: number[] = [];
    for (let call = 0; call < TURN; call += 1) {
      const reply = await visitor.call(path);
      if (total !== undefined && reply.body.data?.total !== total)
        throw new Error(`${path} lists ${String(reply.body.data?.total)}`);
      tookMs.push(reply.tookMs);
    }
    return { tookMs, usedMs: processorMs() - startedMs };
  };
  const page = (fiat: string): string => `/api/v2/otc/ads/page?side=buy&asset=USDT&fiat=${fiat}`;
  const [full, empty, pings]: [number[], number[], number[]] = [[], [], []];
  let [fullMs, emptyMs, pingMs] = [0, 0, 0];
  for (let round = 0; round <= TURNS; round += 1) {
    const [listed, nothing, ping] = [await turn(page("AED"), ADS), await turn(page("EUR"), 0), await turn(PING)];
    // The first one warms them up.
    if (round === 0) continue;
    full.push(...listed.tookMs);
    empty.push(...nothing.tookMs);
    pings.push(...ping.tookMs);
    fullMs += listed.usedMs;
    emptyMs += nothing.usedMs;
    pingMs += ping.usedMs;
  }
  const [list, none, plain] = [latencyOf(full), latencyOf(empty), latencyOf(pings)];
  console.log(`\nThe first page of ${ADS} ads, signed in, ${full.length} calls (bar: p99 below ${LIST_P99_MS} ms)`);
  print(`${ADS} ads`, list, fullMs / full.length);
  print("an empty list", none, emptyMs / empty.length);
  print("a plain ping", plain, pingMs / pings.length);
  const ratios = (other: Latency, usedMs: number): string =>
    [list.p50Ms / other.p50Ms, list.p99Ms / other.p99Ms, fullMs / usedMs].map((one) => one.toFixed(2)).join(", ");
  console.log(
    `  ÷ an empty list, p50, p99 and processor time: ${ratios(none, emptyMs)}; ÷ a ping: ${ratios(plain, pingMs)}`,
  );
  return list.p99Ms < LIST_P99_MS;
}

async function measureOrders({ merchant, paymentId, buyers, processorMs }: World): Promise<boolean> {
  const terms = {
    side: "sell",
    asset: "USDT",
    fiat: "AED",
    premium: "100",
    quantity: String(SOLD),
    min: "1",
    max: "100",
  };
  const body = { ...terms, paymentIds: [paymentId], online: true, clientId: "bench-ad" };
  const own = await merchant.must("/api/v2/otc/ads/add", body);
  const { adId } = firstOf(own.ads as { adId: string }[]);
  const atOnce = async (call: (buyer: Person, index: number) => Promise<Reply>) => {
    const [startedMs, usedBefore] = [performance.now(), processorMs()];
    const requested = buyers.flatMap((buyer) => Array.from({ length: ORDERS_EACH }, (_, index) => call(buyer, index)));
    const replies = await Promise.all(requested);
    const usedMs = (processorMs() - usedBefore) / replies.length;
    return { replies, usedMs, tookMs: performance.now() - startedMs };
  };
  const reads = await atOnce((buyer) => buyer.call("/api/v2/otc/orders/list?open=true"));
  const orders = await atOnce((buyer, index) =>
    buyer.call("/api/v2/otc/orders/add", { adId, quantity: "1", paymentId, clientId: `bench-${index}` }),
  );
  const placed = orders.replies.filter(({ status }) => status === 200).length;
  const codes = new Map<string, number>();
  for (const { status, body: response } of orders.replies)
    if (status !== 200) codes.set(String(response.code), (codes.get(String(response.code)) ?? 0) + 1);
  const after = await merchant.must("/api/v2/otc/ads/own");
  const { stock } = (after.ads as { adId: string; stock: string }[]).find((ad) => ad.adId === adId) ?? { stock: "?" };
  console.log(
    `\n${BUYERS * ORDERS_EACH} orders of 1 USDT at once on one ad of ${SOLD} (bar: ${SOLD} placed, none more)`,
  );
  console.log(`  placed ${placed}, left ${stock}, refused ${JSON.stringify(Object.fromEntries(codes))}`);
  print("an order", latencyOf(orders.replies.map(({ tookMs }) => tookMs)), orders.usedMs);
  print("a read of open orders before", latencyOf(reads.replies.map(({ tookMs }) => tookMs)), reads.usedMs);
  const rate = (took: number): string => `${Math.round((BUYERS * ORDERS_EACH * 1_000) / took)}/s`;
  const ratio = (orders.tookMs / reads.tookMs).toFixed(2);
  console.log(`  all orders ${rate(orders.tookMs)}, all reads ${rate(reads.tookMs)}, ratio of the times ${ratio}`);
  return placed === SOLD && stock === "0";
}

interface News {
  readonly channel?: string;
  readonly event?: string;
  readonly data?: { readonly orderId?: string; readonly what?: string };
}

/** The merchant's live channel; resolves when an order's message arrives. */
async function listen({ origin, merchant }: World): Promise<{ answer(orderId: string): Promise<void>; close(): void }> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/ws`);
  const waiting = new Map<string, () => void>();
  const isReady = new Promise<void>((done) => {
    socket.on("message", (text) => {
      const { event, channel, data } = JSON.parse(String(text)) as News;
      // Answered in order: the pong implies the subscription.
      if (event === "login")
        for (const ask of [{ event: "sub", channel: "otcOrders" }, { event: "ping" }]) socket.send(JSON.stringify(ask));
      if (event === "pong") done();
      if (event === "data" && channel === "otcOrders" && data?.what === "message") waiting.get(data.orderId ?? "")?.();
    });
  });
  await new Promise((done, fail) => socket.once("open", done).once("error", fail));
  const token = /cw_access_token=([^;]+)/.exec(merchant.cookie)?.[1];
  socket.send(JSON.stringify({ event: "login", data: { token } }));
  await isReady;
  return { answer: (orderId) => new Promise((done) => waiting.set(orderId, done)), close: () => socket.close() };
}

/** One after the other: the press, the news on the live channel, and the text in the reader's next call. */
async function measureChat(world: World): Promise<boolean> {
  const live = await listen(world);
  const news: number[] = [];
  const seen: number[] = [];
  const reads: number[] = [];
  for (const buyer of world.buyers) {
    const { orders } = await buyer.must("/api/v2/otc/orders/list?open=true");
    const [order] = orders as { orderId: string }[];
    if (order === undefined) continue;
    const { orderId } = order;
    for (let turn = 0; turn < MESSAGES_EACH; turn += 1) {
      const answer = live.answer(orderId);
      const startedMs = performance.now();
      const sent = buyer.must("/api/v2/otc/chat/send", { orderId, text: `message ${turn}` });
      await answer;
      news.push(performance.now() - startedMs);
      const { messages } = await world.merchant.must(`/api/v2/otc/chat/list?id=${orderId}`);
      if ((messages as { text: string }[]).at(-1)?.text !== `message ${turn}`)
        throw new Error("told before it was there");
      seen.push(performance.now() - startedMs);
      await sent;
      reads.push((await buyer.call("/api/v2/otc/orders/list?open=true")).tookMs);
    }
  }
  live.close();
  const [shown, plain] = [latencyOf(seen), latencyOf(reads)];
  console.log(`\n${seen.length} chat messages, one after the other (bar: p99 below ${CHAT_P99_MS} ms)`);
  print("press to the live channel", latencyOf(news));
  print("press to the text at the reader", shown);
  print("a read of open orders between", plain);
  console.log(`  ratio of the medians ${(shown.p50Ms / plain.p50Ms).toFixed(2)}`);
  return shown.p99Ms < CHAT_P99_MS;
}

const world = await openWorld();
try {
  const met = [await measureLists(world), await measureOrders(world), await measureChat(world)];
  if (met.includes(false)) process.exitCode = 1;
} finally {
  await world.close();
}
