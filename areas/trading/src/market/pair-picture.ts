// The picture of a shared link to a pair: its name, price, change and the curve of the day, drawn as a PNG. At most one
// drawing a minute and pair, one at a time; never more than the listed pairs in memory.

import type { FastifyInstance } from "fastify";
import sharp from "sharp";
import type { Pair, Quotation } from "../markets/contract.ts";
import type { MarketService } from "../markets/service.ts";
import { drawText, measureText } from "./vector-font.ts";

const WIDTH = 1_200;
const HEIGHT = 630;
const FRESH_MS = 60_000;
const INK = "#eaecef";
const DIM = "#848e9c";
const RISE = "#2ebd85";
const FALL = "#f6465d";

export interface PairPictureParts {
  readonly service: Pick<MarketService, "listPairs" | "listQuotations" | "listSparklines">;
  readonly clock: () => number;
}

export function mountPairPictures(app: FastifyInstance, { service, clock }: PairPictureParts): void {
  const kept = new Map<string, { readonly png: Promise<Buffer>; readonly atMs: number }>();
  let turn: Promise<unknown> = Promise.resolve();
  app.get<{ Params: { file: string } }>("/pictures/pairs/:file", { config: { weight: 5 } }, async (request, reply) => {
    const pairCode = /^([A-Z0-9]{1,12}_[A-Z0-9]{1,12})\.png$/.exec(request.params.file)?.[1];
    const pair = service.listPairs().find((one) => one.pairCode === pairCode);
    if (pair === undefined) return reply.code(404).type("text/plain").send("There is no such picture.");
    const nowMs = clock();
    let known = kept.get(pair.pairCode);
    if (known === undefined || nowMs - known.atMs > FRESH_MS) {
      const quotation = service.listQuotations(nowMs).find((one) => one.pairCode === pair.pairCode);
      const points = service.listSparklines(nowMs).find((one) => one.pairCode === pair.pairCode)?.points ?? [];
      const svg = drawPair(pair, quotation, points);
      const png = turn.then(() => sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer());
      turn = png.catch(() => undefined);
      known = { png, atMs: nowMs };
      kept.set(pair.pairCode, known);
    }
    reply.raw.setHeader("cross-origin-resource-policy", "cross-origin");
    return reply
      .header("cache-control", "public, max-age=60")
      .type("image/png")
      .send(await known.png);
  });
}

export function drawPair(pair: Pair, quotation: Quotation | undefined, points: readonly string[]): string {
  const isFall = quotation?.changePercent.startsWith("-") === true;
  const color = isFall ? FALL : RISE;
  const name = `${pair.base} / ${pair.quote}`;
  const price = quotation?.last ?? "";
  const change = quotation === undefined ? "" : `${isFall ? "" : "+"}${quotation.changePercent}%`;
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#0b0e11"/>`,
    drawCurve(points, color),
    drawText("CLOCKWORK", { x: 72, y: 66, height: 26, color: DIM, weight: 0.9 }),
    drawText(name, { x: 72, y: 148, height: 84, color: INK }),
    drawText(price, { x: 72, y: 286, height: 60, color: INK, weight: 0.75 }),
    drawText(change, { x: 72 + measureText(price, 60) + 48, y: 296, height: 50, color, weight: 0.85 }),
  ];
  if (pair.isSimulated)
    parts.push(drawText("SIMULATED MARKET", { x: 850, y: 68, height: 22, color: DIM, weight: 0.8 }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join("")}</svg>`;
}

/** Prices are only converted to positions on a picture here, so plain numbers suffice. */
function drawCurve(points: readonly string[], color: string): string {
  const values = points.map(Number);
  if (values.length < 2) return "";
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const top = 400;
  const bottom = 580;
  const places = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)} ${(bottom - ((value - low) / span) * (bottom - top)).toFixed(1)}`;
  });
  const line = `M${places.join("L")}`;
  return (
    `<path d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z" fill="${color}" fill-opacity=".14"/>` +
    `<path d="${line}" fill="none" stroke="${color}" stroke-width="5" stroke-linejoin="round"/>`
  );
}
