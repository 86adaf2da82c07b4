// The end of the HTTP server: no new calls, running ones end in their own time until a deadline, then all is cut.

import type { Log } from "@clockwork/host/log";
import { later } from "@clockwork/host/time/background";
import type { FastifyInstance } from "fastify";

export async function closeApp(app: FastifyInstance, deadlineMs: number, log: Log): Promise<void> {
  app.drain.begin();
  const closing = app.close();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<"late">((done) => {
    timer = later("http.shutdown", () => done("late"), deadlineMs);
  });
  const ended = await Promise.race([app.drain.idle().then(() => "idle" as const), deadline]);
  clearTimeout(timer);
  if (ended === "late") log.warn("http.cut", { deadlineMs });
  // Idle keep-alive connections would hold the process for as long as their clients like.
  app.server.closeAllConnections();
  app.lane.cut();
  await closing;
}
