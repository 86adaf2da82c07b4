// Checks random power cuts: at some write, any write, only some of its sectors reach the disk. What was acknowledged
// must be there afterwards, nothing may be there twice, and the journal must accept new batches.
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { faultyFiles } from "./fault-files.ts";
import { localFiles } from "./files.ts";
import { fill, ScratchJournal } from "./journal-fixture.ts";
import { SECTOR_BYTES } from "./journal-format.ts";

class PowerCut extends Error {}

/** Writes some sectors of a write straight to the disk, in no order, and loses the rest. */
function tearWrite(path: string, bytes: Uint8Array, position: number, keep: () => boolean): void {
  const file = localFiles.open(path, "write");
  for (let at = position; at < position + bytes.length; ) {
    const end = Math.min(position + bytes.length, at - (at % SECTOR_BYTES) + SECTOR_BYTES);
    if (keep()) file.write(bytes.subarray(at - position, end - position), at);
    at = end;
  }
  file.close();
}

function runSeed(seed: number): void {
  const random = createRandom(seed);
  const scratch = new ScratchJournal();
  let acknowledged = 0;
  try {
    for (let life = 0; life < 4; life++) {
      let writesLeft = random.between(1, 60);
      const files = faultyFiles({
        onWrite: (path, bytes, position) => {
          if (--writesLeft > 0) return undefined;
          const share = random.below(11);
          tearWrite(path, bytes, position, () => random.below(10) < share);
          return new PowerCut();
        },
      });
      let journal: ReturnType<ScratchJournal["open"]> | undefined;
      try {
        journal = scratch.open({ files });
        expect(journal.durableSequence).toBeGreaterThanOrEqual(acknowledged);
        acknowledged = journal.durableSequence;
        for (;;) {
          fill(journal, 1, random.between(1, 6_000));
          acknowledged = journal.durableSequence;
        }
      } catch (error) {
        const isCut = error instanceof Error && (error instanceof PowerCut || error.cause instanceof PowerCut);
        if (!isCut) throw error;
      } finally {
        journal?.close();
      }
    }
    const last = scratch.open();
    // The batch in flight may have arrived whole without having been acknowledged.
    expect([acknowledged, acknowledged + 3]).toContain(last.durableSequence);
    fill(last, 2);
    const end = last.durableSequence;
    last.close();
    expect(scratch.readAll()).toBe(end);
  } finally {
    scratch.clear();
  }
}

for (let seed = 1; seed <= 25; seed++) {
  test(`[JOURNAL-10] seed ${seed}: a power cut in any write loses nothing that was acknowledged`, () => runSeed(seed));
}

test("[JOURNAL-10] a power cut that takes every name not synced with its folder loses nothing that was acknowledged", () => {
  const scratch = new ScratchJournal();
  const unsafe: { from: string; to: string }[] = [];
  const files = faultyFiles({
    onRename: (from, to) => {
      unsafe.push({ from, to });
      return undefined;
    },
    onFolderSynced: () => void unsafe.splice(0),
  });
  try {
    const journal = scratch.open({ files });
    let segments = journal.segments().length;
    for (let round = 0; round < 400 && segments < 3; round++) {
      fill(journal, 1, 6_000);
      const { length } = journal.segments();
      if (length === segments) continue;
      segments = length;
      // The first command of a new segment is acknowledged: its file must keep its name.
      expect(unsafe).toEqual([]);
    }
    expect(segments).toBe(3);
    const acknowledged = journal.durableSequence;
    journal.close();
    for (const { from, to } of unsafe.reverse()) localFiles.rename(to, from);
    const again = scratch.open();
    expect(again.durableSequence).toBe(acknowledged);
    again.close();
  } finally {
    scratch.clear();
  }
});
