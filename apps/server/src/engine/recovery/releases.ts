// Owns what a release may read and replay of what others wrote: commands under numbered rules that it knows, snapshots of layouts that
// it knows; and the sentence which release to start otherwise. Reads headers alone, so that a start can ask before it changes a table.
import type { KnownRules } from "@clockwork/core/protocol/rules";
import type { Files } from "../journal/files.ts";
import { listSegments, readLastSequence, type Segment } from "../journal/segments.ts";
import { EngineFault } from "../memory/fault.ts";
import { readNewestHeader } from "./snapshots.ts";

const REPLAY_HINT =
  "or replay by this release, which is refused where a balance, order or position of the tables would change: " +
  "CW_REPLAY_OTHER_RELEASES=on";

export interface ReleaseRules {
  /** The release that is running. */
  readonly release: string;
  /** The numbered rules it knows; none of a test's machine. */
  readonly rules: KnownRules | undefined;
  /** Replays commands from before rules were numbered, with a note. */
  readonly replayOthers?: boolean;
  readonly onNote?: ((line: string) => void) | undefined;
}

export interface SequenceRange {
  readonly fromSequence: number;
  readonly toSequence: number;
}

/** Segments with commands in the range that were written by another release. The writer begins a new one for each release. */
export function listOthers(segments: readonly Segment[], release: string, range: SequenceRange): readonly Segment[] {
  return segments.filter(({ header }, index) => {
    const next = segments[index + 1]?.header.firstSequence ?? range.toSequence + 1;
    const isNeeded = next > range.fromSequence + 1 && header.firstSequence <= range.toSequence;
    return isNeeded && header.release !== release;
  });
}

/** Refuses commands that this release would not repeat as they were decided. */
export function checkReleases(segments: readonly Segment[], running: ReleaseRules, range: SequenceRange): void {
  for (const segment of listOthers(segments, running.release, range)) {
    const refusal = refuseSegment(segment, running);
    const by = `was written by release ${segment.header.release}`;
    if (refusal !== undefined)
      throw new EngineFault("JOURNAL_RELEASE", `${by}${refusal}`, {
        file: segment.path,
        sequence: range.fromSequence + 1,
      });
    const under = segment.header.rules > 0 ? `under rules ${segment.header.rules} ` : "";
    running.onNote?.(`${segment.name} ${by} and is replayed ${under}by ${running.release}`);
  }
}

function refuseSegment({ header }: Segment, { rules, replayOthers = false }: ReleaseRules): string | undefined {
  if (header.rules === 0 || rules === undefined)
    return replayOthers
      ? undefined
      : `. Start that release once and stop it in order, which leaves a snapshot to begin from; ${REPLAY_HINT}`;
  const known = rules.oldest === rules.newest ? `${rules.newest}` : `${rules.oldest} to ${rules.newest}`;
  const under = ` under rules ${header.rules}, which this release does not know (it knows ${known})`;
  if (header.rules > rules.newest) return `${under}. Start that release or a later one: downgrades are not possible`;
  if (header.rules < rules.oldest)
    return (
      `${under}. Start a release once that knows rules ${header.rules} and ${rules.oldest} (docs/releases.json lists them) ` +
      "and stop it in order: it leaves a snapshot to begin from"
    );
  return undefined;
}

/** The refusal of a snapshot whose bytes agree, so that it is whole: another release laid it out otherwise. */
export function refuseSnapshot(path: string, release: string, reason: string): EngineFault {
  const hint = `Start release ${release}, or a later one that reads both layouts (docs/releases.json lists them)`;
  return new EngineFault(
    "JOURNAL_RELEASE",
    `was written by release ${release} and cannot be read by this one (${reason}). ${hint}`,
    {
      file: path,
    },
  );
}

export interface FolderCheck extends ReleaseRules {
  readonly files: Files;
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** What is wrong with the layout of a state that begins with these bytes. */
  readonly judgeLayout: (state: Uint8Array) => string | undefined;
}

/** Refuses what recovery would refuse because of its release, before anything is changed. True where others' commands are replayed. */
export function checkFolder(check: FolderCheck): boolean {
  const { files, journalFolder, snapshotFolder, release } = check;
  const segments = listSegments(files, journalFolder);
  const newest = readNewestHeader(files, snapshotFolder);
  const problem = newest === undefined ? undefined : check.judgeLayout(newest.state);
  if (newest !== undefined && problem !== undefined) throw refuseSnapshot(newest.path, newest.release, problem);
  const range = { fromSequence: newest?.sequence ?? 0, toSequence: readLastSequence(files, segments) };
  checkReleases(segments, { ...check, onNote: undefined }, range);
  return listOthers(segments, release, range).length > 0;
}
