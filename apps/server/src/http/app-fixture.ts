// A listening server for tests, on a free port of this machine, with the parts under test.
import { connect } from "node:net";
import { SILENT_LOG } from "@clockwork/host/log";
import { readConfig } from "@clockwork/host/settings/config";
import type { FastifyInstance } from "fastify";
import { type AppParts, buildApp } from "./app.ts";

export interface ServedApp {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly port: number;
  /** Sends bytes as they are and answers all that came back until the server closed. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export function testConfig(environment: Record<string, string> = {}): AppParts["config"] {
  const { config, problems } = readConfig({ CW_MODE: "development", ...environment });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return config;
}

export async function serveApp(
  parts: Partial<AppParts> = {},
  environment: Record<string, string> = {},
  beforeListening: (app: FastifyInstance) => void = () => undefined,
): Promise<ServedApp> {
  const app = await buildApp({ config: testConfig(environment), log: SILENT_LOG, ...parts });
  beforeListening(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    app,
    port,
    url: `http://127.0.0.1:${port}`,
    raw: (bytes) => exchange(port, bytes),
    async close() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? done(text) : fail(error)));
    socket.on("close", () => done(text));
  });
}
