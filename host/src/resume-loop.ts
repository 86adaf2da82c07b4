// Goes on with what a stopped process left half done: at once, then every while, one round after the other. Owns no
// work of its own; a round that fails is told and the next one tries again.
import type { Clock } from "./clock.ts";

export interface ResumeWork {
  readonly clock: Pick<Clock, "every">;
  readonly everyMs: number;
  readonly resume: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}

/** Begins; the answer ends it, after the round that is under way. */
export function keepResuming({ clock, everyMs, resume, onFailure }: ResumeWork): () => Promise<void> {
  let resuming: Promise<unknown> = Promise.resolve();
  const go = (): void => {
    resuming = resuming.then(resume).catch(onFailure);
  };
  go();
  const stop = clock.every(everyMs, go);
  return async () => {
    stop();
    await resuming;
  };
}
