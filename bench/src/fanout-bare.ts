// The peer of the fan-out benchmark: a bare WebSocket server that sends every reader a text of the same size as often.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const [bytes = "1000", perSecond = "10"] = process.argv.slice(2);
const server = createServer();
const sockets = new WebSocketServer({ server, path: "/ws", perMessageDeflate: false });
const filling = "x".repeat(Math.max(0, Number(bytes) - 60));
setInterval(() => {
  const text = JSON.stringify({ event: "data", channel: "depth", filling, timeMs: Date.now() });
  for (const socket of sockets.clients) socket.send(text);
}, 1_000 / Number(perSecond));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
