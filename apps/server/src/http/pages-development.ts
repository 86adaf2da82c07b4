// Development only: the bundler as middleware, so that a saved file is on the screen before the hand is off the key.
// Nothing here runs, or is loaded, in production.
import middie from "@fastify/middie";
import type { FastifyInstance } from "fastify";
import type { PageServer } from "./pages.ts";

export async function startDevelopment(scope: FastifyInstance, folder: string): Promise<() => Promise<PageServer>> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: folder,
    configFile: `${folder}/vite.config.ts`,
    appType: "custom",
    server: { middlewareMode: true, ws: false, hmr: { port: 0 } },
  });
  await scope.register(middie);
  scope.use(vite.middlewares);
  scope.addHook("onClose", () => vite.close());
  return async () => (await vite.ssrLoadModule("/src/server.ts")) as PageServer;
}
