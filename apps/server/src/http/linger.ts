// The end of a connection on which more is coming than is taken. Closed at once, it would be reset by what still arrives,
// and the refusal lost on the way: the answer is ended, and the rest of the body let go by for a while.
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
