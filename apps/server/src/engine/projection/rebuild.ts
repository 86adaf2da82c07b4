// Owns the rebuilding of the projection's tables from nothing but the journal.
// Must never run while a server uses the same folder; the caller holds the folder's lock.
import { join } from "node:path";
import { EVENT_HEADER } from "@clockwork/core/protocol/event";
import type { Kysely } from "kysely";
import { localFiles } from "../journal/files.ts";
import { listSegments } from "../journal/segments.ts";
import { type MachineFactory, recoverInSteps } from "../recovery/recovery.ts";
import { openProjection, type ProjectionOptions } from "./projection.ts";

export interface RebuildOptions {
  readonly folder: string;
  readonly kysely: Kysely<unknown>;
  readonly projectors: ProjectionOptions["projectors"];
  readonly factory: MachineFactory;
  /** Commands of other releases are refused, with the tables as they were, unless they are to be replayed. */
  readonly release: string;
  readonly replayOthers?: boolean;
  readonly onNote?: (line: string) => void;
  readonly onProgress?: (sequence: number) => void;
}

/** Empties the tables and fills them again by replaying every command; returns the last sequence. */
export async function rebuildProjection(options: RebuildOptions): Promise<number> {
  const { folder, release, replayOthers = false, onNote } = options;
  const journalFolder = join(folder, "journal");
  const projection = await openProjection({ kysely: options.kysely, projectors: options.projectors });
  const identity = listSegments(localFiles, journalFolder)[0]?.header.identity;
  if (identity === undefined) {
    await projection.clear();
    return 0;
  }
  const steps = recoverInSteps({
    files: localFiles,
    journalFolder,
    snapshotFolder: join(folder, "snapshots"),
    factory: options.factory,
    withoutSnapshots: true,
    eventsAfter: 0,
    release,
    replayOthers,
    ...(onNote === undefined ? {} : { onNote }),
  });
  // A journal that may not be replayed is refused before anything is emptied.
  let step = steps.next();
  await projection.clear();
  projection.bind(identity);
  for (; !step.done; step = steps.next()) {
    const { machine, timeBeforeMs, hasEvents } = step.value;
    if (!hasEvents) continue;
    const bytes = machine.events.bytes.slice(0, machine.events.length);
    const firstSequence = EVENT_HEADER.sequence.read(new DataView(bytes.buffer), 0);
    await projection.listen({ bytes, timeBeforeMs, firstSequence, lastSequence: machine.sequence });
    options.onProgress?.(machine.sequence);
  }
  await projection.flush();
  return projection.sequence;
}
