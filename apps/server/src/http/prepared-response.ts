// An answer that can be given header lines ready to be sent: what every call of the API carries is written once at the
// start instead of being checked and joined, name by name, for each answer. Must only be given lines whose names nothing
// else sets on the same answer.
import { type IncomingMessage, ServerResponse } from "node:http";

/** Node's own name for where the head becomes text; it takes the first line and the headers set so far. */
interface HeadWriter {
  _storeHeader(firstLine: string, headers: unknown): void;
}
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as HeadWriter;

export class PreparedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Whole lines, each with its end; empty while headers are set one by one. */
  preparedLines = "";

  _storeHeader(firstLine: string, headers: unknown): void {
    storeHeader.call(this as unknown as HeadWriter, firstLine + this.preparedLines, headers);
  }
}

/** Adds a header to a prepared answer, or sets it on any other. */
export function addHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof PreparedResponse && response.preparedLines !== "") {
    response.preparedLines += `${name}: ${value}\r\n`;
  } else response.setHeader(name, value);
}

export function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
}
