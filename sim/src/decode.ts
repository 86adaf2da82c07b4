// Owns reading the machine's event records quickly: the fields of each kind are looked up once, because a soak reads
// some hundred million of them. Says the same as the core's own decoder; a test holds the two together.
import { EVENT_BYTES, EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";

type Reader = readonly [string, (view: DataView, at: number) => unknown];

interface Layout {
  readonly kind: string;
  readonly readers: readonly Reader[];
}

const LAYOUTS: readonly (Layout | undefined)[] = (() => {
  const layouts: (Layout | undefined)[] = [];
  for (const [name, { kind, layout }] of Object.entries(EVENTS)) {
    const fields = Object.entries(layout) as [string, { read(view: DataView, at: number): unknown }][];
    layouts[kind] = { kind: name, readers: fields.map(([member, field]) => [member, (v, at) => field.read(v, at)]) };
  }
  return layouts;
})();

/** Every record up to `length`; `time` is the journal time before the first. */
export function readEvents(bytes: Uint8Array, length: number, time: number): MachineEvent[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: MachineEvent[] = [];
  let now = time;
  for (let at = 0; at < length; at += EVENT_BYTES) {
    const layout = LAYOUTS[bytes[at] ?? 0];
    if (layout === undefined) throw new Error(`event kind ${bytes[at]} names nothing`);
    if (layout.kind === "clock") now = EVENTS.clock.layout.time.read(view, at);
    const event: Record<string, unknown> = {
      kind: layout.kind,
      sequence: EVENT_HEADER.sequence.read(view, at),
      time: now,
    };
    for (const [member, read] of layout.readers) event[member] = read(view, at);
    events.push(event as unknown as MachineEvent);
  }
  return events;
}
