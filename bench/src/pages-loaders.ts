// The visitors of the pages benchmark, in their own process. Each requests one page after the other: a visitor with a
// query and an unrecognised cookie, and a signed-in user, whose page is rendered for them alone.
import { Agent, get } from "node:http";

export interface LoadersTask {
  readonly origin: string;
  readonly loaders: number;
  readonly runMs: number;
  readonly session: Readonly<Record<string, string>>;
}

export interface LoadersReport {
  readonly pages: number;
  readonly faults: number;
}

const PAGE_BYTES_MIN = 2_000;

function load(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((done) => {
    get(url, { agent, headers: { "accept-encoding": "gzip", ...headers } }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => done(response.statusCode === 200 && bytes > PAGE_BYTES_MIN));
      response.on("error", () => done(false));
    }).on("error", () => done(false));
  });
}

async function run({ origin, loaders, runMs, session }: LoadersTask): Promise<LoadersReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: loaders });
  const endMs = performance.now() + runMs;
  let [pages, faults, requested] = [0, 0, 0];
  const stay = async (at: number): Promise<void> => {
    while (performance.now() < endMs) {
      requested += 1;
      const headers = at % 2 === 0 ? { cookie: `junk=${requested}` } : session;
      if (await load(`${origin}/spot/BTC_USDT?x=${requested}`, agent, headers)) pages += 1;
      else faults += 1;
    }
  };
  await Promise.all(Array.from({ length: loaders }, (_, at) => stay(at)));
  agent.destroy();
  return { pages, faults };
}

process.on("message", async (task) => process.send?.(await run(task as LoadersTask)));
