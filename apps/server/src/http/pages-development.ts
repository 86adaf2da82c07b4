// Development only: the bundler as middleware, so that a saved file is on the screen before the hand is off the key. Pages
// are drawn in the server itself. Nothing here runs, or is loaded, in production.
import { createServer as createProbe } from "node:net";
import { PassThrough, Readable } from "node:stream";
import middie from "@fastify/middie";
import type { FastifyInstance } from "fastify";
import type { PageRenderer } from "./pages.ts";
import { drawPage } from "./pages-draw.ts";
import type { PageKeys, PageServer, PageTask } from "./pages-messages.ts";
import type { PageContext, RenderedPage } from "./pages-processes.ts";

/** The bundler's socket has its own port, so that neither receives the other's upgrades. */
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

export async function startDevelopment(scope: FastifyInstance, folder: string): Promise<PageRenderer> {
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
  const draw = async (task: PageTask, { ask }: PageContext): Promise<RenderedPage & { readonly abort: () => void }> => {
    const server = (await vite.ssrLoadModule("/src/server.ts")) as PageServer;
    const { head, body, abort } = await drawPage(server, task, {
      callApi: async (call) => {
        const text = await ask(call, call.shared === true);
        return text === undefined ? undefined : JSON.parse(text);
      },
      onFault: (error) => vite.config.logger.error(String(error)),
    });
    const stream = Readable.from(Buffer.isBuffer(body) ? [body] : body).pipe(new PassThrough());
    return { head, body: stream, isGood: true, abort };
  };
  return {
    load: async () => (await vite.ssrLoadModule("/src/question.ts")) as PageKeys,
    render: (task, context) => {
      const page = draw(task, context);
      return { page, leave: () => void page.then(({ abort }) => abort()) };
    },
  };
}
