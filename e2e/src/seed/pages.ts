// What pages answer a browser without scripts: status, where they lead, and the HTML as the server wrote it.
import type { Browser, Page } from "playwright-core";
import { newPage } from "../site.ts";

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly location: string;
}

const SIDE_BY_SIDE = 3;

async function openBare(browser: Browser, cookies: Readonly<Record<string, string>>, origin: string): Promise<Page> {
  const { context, page } = await newPage(browser, { javaScriptEnabled: false });
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin })));
  // Only the page itself is checked.
  await page.route("**/*", (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()));
  return page;
}

/** The first answer to an address: a page, or where it leads. */
async function ask(page: Page, url: string): Promise<PageAnswer> {
  const last = await page.goto(url, { waitUntil: "commit" });
  let first = last?.request();
  for (let before = first?.redirectedFrom(); before; before = first?.redirectedFrom()) first = before;
  const answer = (await first?.response()) ?? last;
  const location = (await answer?.headerValue("location")) ?? "";
  const status = answer?.status() ?? 0;
  return { status, location, html: location === "" ? ((await last?.text()) ?? "") : "" };
}

export async function requestPages(
  browser: Browser,
  origin: string,
  paths: readonly string[],
  cookies: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, PageAnswer>> {
  const answers = new Map<string, PageAnswer>();
  const walk = async (turn: number) => {
    const page = await openBare(browser, cookies, origin);
    for (const path of paths.filter((_, at) => at % SIDE_BY_SIDE === turn)) {
      answers.set(path, await ask(page, origin + path));
    }
    await page.context().close();
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, turn) => walk(turn)));
  return answers;
}
