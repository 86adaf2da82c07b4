// Runs a published draw again, away from the page: hashes every ticket, shuffles them, and compares the journalled seed with
// the record of seeds that everybody is served; tells of each line.
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
  | { readonly kind: "end"; readonly isRight: boolean; readonly tookMs: number };

addEventListener("message", ({ data }: MessageEvent<PublishedDraw>) => void check(data));

async function check(draw: PublishedDraw): Promise<void> {
  const began = performance.now();
  const isRight = checkDraw(draw, (line, isLineRight) => tell({ kind: "line", check: line, isRight: isLineRight }));
  const tookMs = Math.round(performance.now() - began);
  const isOnRecord = await checkRecord(draw, readSeed);
  if (isOnRecord !== undefined) tell({ kind: "line", check: "journal", isRight: isOnRecord });
  tell({ kind: "end", isRight: isRight && isOnRecord !== false, tookMs });
}

/** Undefined where the record does not go back so far, or cannot be asked. */
async function readSeed(sequence: number): Promise<JournalledSeed | undefined> {
  try {
    const response = await fetch(`/api/v1/system/seeds?sequence=${sequence}`);
    return response.ok ? ((await response.json()) as { data: JournalledSeed }).data : undefined;
  } catch {
    return undefined;
  }
}

function tell(message: DrawMessage): void {
  postMessage(message);
}
