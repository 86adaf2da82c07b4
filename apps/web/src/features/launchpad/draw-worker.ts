// Runs a published draw again, away from the page: hashes every ticket and shuffles them, and tells of each line.
import { checkDraw, type DrawCheck, type PublishedDraw } from "@clockwork/kit/earn/draw";

export type DrawMessage =
  | { readonly kind: "line"; readonly check: DrawCheck; readonly isRight: boolean }
  | { readonly kind: "end"; readonly isRight: boolean; readonly tookMs: number };

addEventListener("message", ({ data }: MessageEvent<PublishedDraw>) => {
  const began = performance.now();
  const isRight = checkDraw(data, (check, isLineRight) => tell({ kind: "line", check, isRight: isLineRight }));
  tell({ kind: "end", isRight, tookMs: Math.round(performance.now() - began) });
});

function tell(message: DrawMessage): void {
  postMessage(message);
}
