// Owns the small header before each piece of events on its way to the main thread; as long as a record, so that records
// are at multiples of their length in the ring. 0 i32 bytes with header | 4 i32 flags | 8 f64 first sequence | 16 f64
// last sequence | 24 f64 time before it, ms
import { EVENT_BYTES } from "@clockwork/core/protocol/event";

export const CHUNK_HEADER_BYTES = EVENT_BYTES;
/** The commands came from `submit`, in its order; otherwise from the sequencer or a replay. */
export const FLAG_SUBMITTED = 1;
/** The last command's events continue in the next chunk. */
export const FLAG_CONTINUES = 2;
