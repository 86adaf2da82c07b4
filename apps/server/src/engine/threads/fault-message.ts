// Owns the crossing of faults between threads: an error becomes plain data on one side and an error on the other.
import { EngineFault } from "../memory/fault.ts";
import type { FaultMessage } from "./messages.ts";

export function toFaultMessage(error: unknown): FaultMessage {
  if (error instanceof EngineFault) {
    const { code, message, place } = error;
    return place === undefined ? { kind: "fault", code, message } : { kind: "fault", code, message, place };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "fault", code: "UNEXPECTED", message };
}

export function toError(message: FaultMessage): Error {
  if (message.code === "UNEXPECTED") return new Error(message.message);
  const fault = new EngineFault(message.code, "", message.place);
  fault.message = message.message;
  return fault;
}
