// The readers of the fan-out benchmark, in their own process: many sockets that read one pair's depth and record the
// age of every update, and, on request, some that never read at all; or sockets of the Binance dialect with several
// streams each, which record the age of every trade. Plain TCP: a library's costs would be ours.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

const [port = "0", readers = "2000", seconds = "10", stalled = "0", streams = "0"] = process.argv.slice(2);
const isDialect = streams !== "0";
const KINDS = ["trade", "depth@100ms", "bookTicker", "miniTicker", "kline_1m"] as const;
const SYMBOLS = ["btcusdt", "ethusdt", "solusdt", "xrpusdt", "dogeusdt", "adausdt", "trxusdt", "ltcusdt"] as const;
const OPENING_AT_ONCE = 100;
const MARK = Buffer.from(isDialect ? '"T":' : '"timeMs":');
const TRADE = Buffer.from('"e":"trade"');
const SNAPSHOT = Buffer.from('"snapshot":true');
const AGES_MAX_MS = 20_000;

/** Updates by their age in ms. */
const ages = new Uint32Array(AGES_MAX_MS);
let messages = 0;
/** Of any kind. */
let frames = 0;
let bytes = 0;
let isMeasuring = false;

function subscribe(socket: Socket): void {
  const text = JSON.stringify({ event: "sub", channel: "depth", biz: "spot", pairCode: "BTC_USDT" });
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] as number);
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]));
}

let opened = 0;

/** Streams of every kind on every pair, a fixed number for each socket in turn. */
function nextPath(): string {
  if (!isDialect) return "/ws";
  const names = Array.from({ length: Number(streams) }, () => {
    const number = opened;
    opened += 1;
    return `${SYMBOLS[number % SYMBOLS.length]}@${KINDS[Math.floor(number / SYMBOLS.length) % KINDS.length]}`;
  });
  return `/stream?streams=${[...new Set(names)].join("/")}`;
}

function open(isStalled: boolean): Promise<Socket> {
  const path = nextPath();
  return new Promise((done, fail) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      const key = randomBytes(16).toString("base64");
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
    socket.once("error", fail);
    let rest: Buffer | undefined;
    let isOpen = false;
    socket.on("data", (chunk: Buffer) => {
      let data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      rest = undefined;
      if (!isOpen) {
        const end = data.indexOf("\r\n\r\n");
        if (end < 0) {
          rest = data;
          return;
        }
        if (!data.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) fail(new Error(data.toString().slice(0, 80)));
        isOpen = true;
        if (!isDialect) subscribe(socket);
        if (isStalled) socket.pause();
        done(socket);
        data = data.subarray(end + 4);
      }
      rest = takeFrames(data);
    });
  });
}

/** Reads whole frames; what is left of the last one waits for more. */
function takeFrames(data: Buffer): Buffer | undefined {
  let at = 0;
  while (at + 2 <= data.length) {
    const short = (data[at + 1] as number) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + head > data.length) break;
    const size = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
    if (at + head + size > data.length) break;
    if (isMeasuring && data[at] === 0x81) note(data.subarray(at + head, at + head + size));
    at += head + size;
  }
  return at < data.length ? data.subarray(at) : undefined;
}

function note(payload: Buffer): void {
  frames += 1;
  if (isDialect && !payload.includes(TRADE)) return;
  const mark = payload.lastIndexOf(MARK);
  if (mark < 0 || payload.subarray(0, 200).includes(SNAPSHOT)) return;
  const timeMs = Number.parseInt(payload.toString("latin1", mark + MARK.length, mark + MARK.length + 16), 10);
  const ageMs = Math.max(0, Math.min(AGES_MAX_MS - 1, Date.now() - timeMs));
  ages[ageMs] = (ages[ageMs] as number) + 1;
  messages += 1;
  bytes += payload.length;
}

function percentile(share: number): number {
  const wanted = messages * share;
  let seen = 0;
  for (const [ageMs, count] of ages.entries()) {
    seen += count;
    if (seen >= wanted) return ageMs;
  }
  return AGES_MAX_MS;
}

const sockets: Socket[] = [];
for (let index = 0; index < Number(stalled); index += 1) sockets.push(await open(true));
while (sockets.length < Number(readers) + Number(stalled)) {
  const count = Math.min(OPENING_AT_ONCE, Number(readers) + Number(stalled) - sockets.length);
  sockets.push(...(await Promise.all(Array.from({ length: count }, () => open(false)))));
}
await new Promise((resolve) => setTimeout(resolve, 2_000));
process.stdout.write("reading\n");
isMeasuring = true;
const startedMs = performance.now();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
isMeasuring = false;
const tookS = (performance.now() - startedMs) / 1_000;
process.stdout.write(
  `${JSON.stringify({
    readers: Number(readers),
    stalled: Number(stalled),
    streams: isDialect ? Number(readers) * Number(streams) : Number(readers),
    framesPerSecond: Math.round(frames / tookS),
    perSecond: Math.round(messages / tookS),
    perReaderSecond: Number((messages / tookS / Number(readers)).toFixed(2)),
    bytesMean: Math.round(bytes / Math.max(1, messages)),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    maxMs: percentile(1),
  })}\n`,
);
for (const socket of sockets) socket.destroy();
