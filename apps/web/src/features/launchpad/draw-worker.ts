// Replays a published draw, off the page: hashes every ticket, shuffles them, and compares the journalled seed with the
// public record of seeds; reports each line.
import {
  checkDraw,
  checkRecord,
  type DrawCheck,
  type JournalledSeed,
  type PublishedDraw,
} from "@clockwork/kit/earn/draw";

export type DrawLine = DrawCheck | "journal";
export type DrawMessage =
  | { readonly kind: "line"; readonly check: DrawLine; readonly isRight: boolean }
  /** The page reads the record: it has the live address of the exchange. */
  | { readonly kind: "wanted"; readonly sequence: number }
  | { readonly kind: "end"; readonly isRight: boolean; readonly tookMs: number };
export type DrawRequest =
  | { readonly kind: "draw"; readonly draw: PublishedDraw }
  | { readonly kind: "seed"; readonly sequence: number; readonly seed: JournalledSeed | undefined };

const waiting = new Map<number, (seed: JournalledSeed | undefined) => void>();

addEventListener("message", ({ data }: MessageEvent<DrawRequest>) => {
  if (data.kind === "draw") void check(data.draw);
  else waiting.get(data.sequence)?.(data.seed);
});

async function check(draw: PublishedDraw): Promise<void> {
  const startedAt = performance.now();
  const isRight = checkDraw(draw, (line, isLineRight) => publish({ kind: "line", check: line, isRight: isLineRight }));
  const tookMs = Math.round(performance.now() - startedAt);
  const isOnRecord = await checkRecord(draw, readSeed);
  if (isOnRecord !== undefined) publish({ kind: "line", check: "journal", isRight: isOnRecord });
  publish({ kind: "end", isRight: isRight && isOnRecord !== false, tookMs });
}

/** Undefined where the record does not go back so far, or cannot be read. */
function readSeed(sequence: number): Promise<JournalledSeed | undefined> {
  return new Promise((found) => {
    waiting.set(sequence, found);
    publish({ kind: "wanted", sequence });
  });
}

function publish(message: DrawMessage): void {
  postMessage(message);
}
