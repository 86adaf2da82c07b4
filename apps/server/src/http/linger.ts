// The end of a connection whose peer sends more than is read. Closed at once, it would be reset by the data still
// arriving, and the refusal lost: the response is ended, and the rest of the body discarded for a limited time.
import type { IncomingMessage } from "node:http";

/** A client that has not read its response by then is cut. */
const LINGER_MS = 10_000;

/** To be called before the answer that ends the connection is sent. */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete) return;
  // What the library calls when the last answer of a connection is written.
  socket.destroySoon = () => {
    const cut = (): void => void socket.destroy();
    const timer = setTimeout(cut, LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    // A body that has come to its end leaves nothing that could reset the connection, and no further request is read.
    request.once("end", cut);
    socket.once("end", cut);
    request.resume();
    socket.end();
  };
}
