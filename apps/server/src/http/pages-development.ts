// Development only: the bundler as middleware, so that a saved file is on the screen before the hand is off the key.
// Nothing here runs, or is loaded, in production.
import { createServer as createProbe } from "node:net";
import middie from "@fastify/middie";
import type { FastifyInstance } from "fastify";
import type { PageServer } from "./pages.ts";

/** The bundler's own socket stands beside the server's, so that neither hears the other's upgrades. */
function findFreePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createProbe();
    probe.once("error", fail);
    probe.listen(0, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

export async function startDevelopment(scope: FastifyInstance, folder: string): Promise<() => Promise<PageServer>> {
  const { createServer } = await import("vite");
  const port = await findFreePort();
  const vite = await createServer({
    root: folder,
    configFile: `${folder}/vite.config.ts`,
    appType: "custom",
    server: { middlewareMode: true, hmr: { port, clientPort: port } },
  });
  await scope.register(middie);
  scope.use(vite.middlewares);
  scope.addHook("onClose", () => vite.close());
  return async () => (await vite.ssrLoadModule("/src/server.ts")) as PageServer;
}
