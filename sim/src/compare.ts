// Owns the comparison of two event lists: every member of every event, in order. Reports the first difference.
import type { MachineEvent } from "@clockwork/core/protocol/event";

/** Undefined when both lists say the same; else one line that shows where they part. */
export function findDifference(got: readonly MachineEvent[], expected: readonly MachineEvent[]): string | undefined {
  const count = Math.max(got.length, expected.length);
  for (let i = 0; i < count; i++) {
    const a = got[i];
    const b = expected[i];
    if (a === undefined) return `event ${i} is missing: ${JSON.stringify(b)}`;
    if (b === undefined) return `event ${i} is one too many: ${JSON.stringify(a)}`;
    const member = differingMember(a, b);
    if (member !== undefined)
      return `event ${i} (${a.kind}) differs in ${member}:\n  machine   ${JSON.stringify(a)}\n  reference ${JSON.stringify(b)}`;
  }
  return undefined;
}

function differingMember(a: MachineEvent, b: MachineEvent): string | undefined {
  if (a.kind !== b.kind) return "kind";
  const left = a as unknown as Readonly<Record<string, unknown>>;
  const right = b as unknown as Readonly<Record<string, unknown>>;
  // Both have the members of their kind and no others.
  for (const member in left) if (left[member] !== right[member]) return member;
  return undefined;
}
