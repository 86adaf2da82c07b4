// Follows the core's health over the socket while somebody looks; a plain fetch while the socket is down.
import { readSystemStatus, type SystemStatus } from "./status.ts";

export interface StatusListener {
  readonly onStatus: (status: SystemStatus) => void;
  readonly onLive: (live: boolean) => void;
}

const RETRY_MS = 2_000;

export function followStatus({ onStatus, onLive }: StatusListener): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const connect = () => {
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => opened.send(JSON.stringify({ event: "sub", channel: "system", type: "status" }));
    opened.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as { event?: string; channel?: string; data?: unknown };
      if (message.channel !== "system") return;
      const status = readSystemStatus(message.data);
      if (status === undefined) return;
      onStatus(status);
      onLive(true);
    };
    opened.onclose = () => {
      onLive(false);
      if (!stopped) timer = setTimeout(connect, RETRY_MS);
    };
  };
  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}
