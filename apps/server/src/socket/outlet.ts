// Where frames for readers leave the process: one system call each, so many in a turn of the event loop and the rest in
// the next ones. A message to thousands of readers would otherwise delay every order that arrives. The order of one
// reader's frames never changes; frames for a reader that is queued leave together.

export interface Outgoing {
  /** Lets go what was held back. Must not throw. */
  release(): void;
}

/** A system call takes some microseconds: a turn remains well below a millisecond. */
export const RELEASES_PER_TURN = 64;

let waiting: Outgoing[] = [];
let next = 0;
let isScheduled = false;

export function releaseSoon(outgoing: Outgoing): void {
  waiting.push(outgoing);
  if (isScheduled) return;
  isScheduled = true;
  process.nextTick(releaseSome);
}

function releaseSome(): void {
  const end = Math.min(waiting.length, next + RELEASES_PER_TURN);
  while (next < end) {
    waiting[next]?.release();
    next += 1;
  }
  if (next < waiting.length) {
    setImmediate(releaseSome);
    return;
  }
  waiting = [];
  next = 0;
  isScheduled = false;
}
