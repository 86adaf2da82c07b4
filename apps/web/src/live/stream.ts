// How the server's messages read as feed updates: numbered streams, and streams whose latest value is all there is.
// Checks that what arrived has the shape the screen was promised, through the reader the caller brings.
import type { SocketMessage } from "@clockwork/kit/wire";
import type { FeedUpdate } from "./feed-definition.ts";

/** Answers nothing for data of the wrong shape: such a message is passed over, never shown. */
export type ReadData<Value> = (data: unknown) => Value | undefined;

/** A stream without numbers. */
export function readLatest<State>(read: ReadData<State>): (message: SocketMessage) => FeedUpdate<State, never> {
  return (message) => {
    const state = read(message.data);
    return state === undefined ? { kind: "none" } : { kind: "value", state };
  };
}

/** A numbered stream: a snapshot first, then one number per update, or a span of numbers. */
export function readNumbered<State, Delta>(
  readState: ReadData<State>,
  readDelta: ReadData<Delta>,
): (message: SocketMessage) => FeedUpdate<State, Delta> {
  return (message) => {
    const { sequence } = message;
    if (sequence === undefined) return { kind: "none" };
    if (message.resumed === true) return { kind: "level", sequence };
    if (message.snapshot === true) {
      const state = readState(message.data);
      return state === undefined ? { kind: "none" } : { kind: "snapshot", sequence, state };
    }
    const delta = readDelta(message.data);
    if (delta === undefined) return { kind: "none" };
    return { kind: "delta", first: message.firstSequence ?? sequence, last: sequence, delta };
  };
}
