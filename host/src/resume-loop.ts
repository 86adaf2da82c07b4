// Resumes what a stopped process left unfinished: at once, then periodically, one round after the other. Owns no work
// of its own; a failed round is reported and the next one retries.
import type { Clock } from "./clock.ts";

export interface ResumeWork {
  readonly clock: Pick<Clock, "every">;
  readonly everyMs: number;
  readonly resume: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}

/** Starts; the returned function stops it, after the round that is under way. */
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
