// Owns the warm-up of the journal's code before the first commit: made-up commands are packed and sealed as real ones
// are, in private memory. Must never touch a file, a cursor or a ring that is in use.
import { COMMAND_HEADER_BYTES, COMMANDS } from "@clockwork/core/protocol/command";
import { createRandom } from "@clockwork/kit/random";
import { RingWriter } from "../memory/ring.ts";
import { FrameWriter } from "./frame.ts";
import { JournalFeed, makeFeedMemory } from "./journal-feed.ts";
import { CHAIN_BYTES, encodeRecord, HEADER_BYTES, KIND_BATCH, recordBytes } from "./journal-format.ts";

const RING_BYTES = 1 << 16;
const FRAMES_BYTES = 1 << 15;
/** Lengths of plain orders, cancels and changes. */
const LENGTHS = [48, 32, 40, 48];
const START_MS = 1_700_000_000_000;

/** Packs about `count` commands; cold code would hold up the first seconds of a busy day by tens of milliseconds. */
export function warmUpJournal(count: number): void {
  const memory = makeFeedMemory(RING_BYTES);
  const [ring, feed] = [new RingWriter(memory.journalRing), new JournalFeed(memory, 1)];
  const frames = new FrameWriter(FRAMES_BYTES);
  const staging = new Uint8Array(CHAIN_BYTES + recordBytes(FRAMES_BYTES));
  const random = createRandom(20_260_102);
  for (let sequence = 1; sequence <= count; ) {
    // Batches of all sizes, as a calm and a busy market make them.
    for (let left = 1 + random.below(400); left > 0; left--) {
      if (!offer(ring, sequence, LENGTHS[random.below(LENGTHS.length)] as number, random.below(1_000_000))) break;
      sequence++;
    }
    ring.publish();
    frames.reset();
    feed.pack(frames);
    staging.set(frames.bytes.subarray(0, frames.length), CHAIN_BYTES + HEADER_BYTES);
    const { firstSequence, timeMs, length } = frames;
    encodeRecord(staging, { kind: KIND_BATCH, firstSequence, count: frames.count, frameBytes: length, timeMs });
  }
}

function offer(ring: RingWriter, sequence: number, length: number, value: number): boolean {
  const at = ring.reserve(length);
  if (at < 0) return false;
  const [word, double] = [at >> 2, at >> 3];
  ring.i32[word] = length | (COMMANDS.placeOrder.kind << 16);
  ring.i32[word + 1] = 16 + (value & 1023);
  ring.f64[double + 1] = sequence;
  ring.f64[double + 2] = START_MS + Math.floor(sequence / 64);
  for (let index = COMMAND_HEADER_BYTES >> 3; index < length >> 3; index++) {
    if ((index & 1) === 0) ring.f64[double + index] = value & 127;
    else ring.i32.fill(value >> (index & 7), word + index * 2, word + index * 2 + 2);
  }
  ring.commit(length);
  return true;
}
