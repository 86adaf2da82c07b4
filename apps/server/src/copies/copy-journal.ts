// Copies a journal that is being written: finished segments never change, the newest is copied until the bytes read are
// consistent. Must never produce a copy that a start would report as damaged.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { PLACES_FILE, readPlaces } from "../engine/journal/archive-store.ts";
import { decodeStub, readSegment } from "../engine/journal/archived.ts";
import { localFiles, readWhole } from "../engine/journal/files.ts";
import { scanSegment } from "../engine/journal/journal-scan.ts";
import { damageAt, listSegments, type Segment } from "../engine/journal/segments.ts";

/** A reader may pass a place just before it is written and see what follows: such a reading is taken again. */
const READINGS_MAX = 20;

export interface CopiedJournal {
  readonly identity: string;
  /** Archived segments whose objects are elsewhere than in the data folder: of them the stubs are copied alone. */
  readonly archivedElsewhere: number;
  /** The last command in the copy. */
  readonly sequence: number;
}

export function copyJournal(from: string, to: string): CopiedJournal {
  localFiles.makeFolder(to);
  let copied = 0;
  let archivedElsewhere = 0;
  for (;;) {
    const segments = listSegments(localFiles, from);
    const last = segments.at(-1);
    if (last === undefined) throw new Error(`there is no journal in ${from}`);
    let stop = { sequence: 1 };
    // What was the newest a moment ago may have been sealed since.
    for (const segment of segments.slice(Math.max(0, copied - 1))) {
      if (segment.isArchived) {
        if (!copyArchived(segment, from, to)) archivedElsewhere += 1;
      } else stop = copySegment(segment, join(to, segment.name));
    }
    copied = segments.length;
    if (listSegments(localFiles, from).length > copied) continue;
    if (segments.some(({ isArchived }) => isArchived)) copyFileSync(join(from, PLACES_FILE), join(to, PLACES_FILE));
    localFiles.syncFolder(to);
    return { identity: last.header.identity, sequence: stop.sequence - 1, archivedElsewhere };
  }
}

/** The stub, and its object where that lies inside the data folder; false where it does not. */
function copyArchived({ path, name }: Segment, from: string, to: string): boolean {
  copyFileSync(path, join(to, name));
  const { object } = decodeStub(path, readWhole(localFiles, path));
  for (const place of readPlaces(from)) {
    if (place.kind !== "folder" || isAbsolute(place.path)) continue;
    const source = join(dirname(from), place.path, object.name);
    if (!existsSync(source)) continue;
    mkdirSync(join(dirname(to), place.path), { recursive: true, mode: 0o700 });
    copyFileSync(source, join(dirname(to), place.path, object.name));
    return true;
  }
  return false;
}

function copySegment(segment: Segment, path: string): { readonly sequence: number } {
  for (let reading = 1; ; reading++) {
    const bytes = readSegment(localFiles, segment.path);
    const scan = scanSegment(bytes, segment.header.firstSequence);
    let step = scan.next();
    while (!step.done) step = scan.next();
    const stop = step.value;
    if (stop.kind !== "damaged") {
      // An unfinished write is left out: it was never published.
      if (stop.kind === "torn") bytes.fill(0, stop.offset);
      writeFileSync(path, bytes, { mode: 0o600, flush: true });
      return stop;
    }
    if (reading === READINGS_MAX) throw damageAt(segment, stop);
  }
}
