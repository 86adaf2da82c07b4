// The frame of the pages under a clock that the walk moves: the loading bar, the head, the device, pointers, dialogs.
import type { Browser, Page } from "playwright-core";
import { newPage, visit, waitAwake } from "../site.ts";
import { PAUSE_AHEAD_MS, settle } from "./wire.ts";

export interface FrameEvidence {
  /** The loading bar at moments of a navigation: phase and how far it is. */
  readonly bar: Readonly<Record<string, string>>;
  readonly barHeightPx: number;
  /** The theme's colour in the head, before and after ten milliseconds; how often a view transition was used. */
  readonly head: readonly [early: string, late: string];
  readonly transitions: number;
  /** The device the page detects, before and after 50 ms. */
  readonly device: readonly [early: string, late: string];
  /** The output of the touch pad. */
  readonly touch: Readonly<Record<string, string>>;
  /** The reports of three drags within and after a tenth of a second, and the same of a pointer over a curve. */
  readonly drags: readonly string[];
  readonly rollover: readonly string[];
  /** From the top of a dialog pulled down as far as it goes to the screen's end. */
  readonly reservePx: number;
  /** A chunk that failed while the page woke: whether it was left at that, and how often the page was loaded. */
  readonly waking: { readonly isPrevented: boolean; readonly loads: number };
}

async function openPaused(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await visit(page, url);
  await page.waitForLoadState("networkidle");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AHEAD_MS);
}

async function walkBar(page: Page, origin: string): Promise<Pick<FrameEvidence, "bar" | "barHeightPx">> {
  await openPaused(page, `${origin}/docs`);
  const held = Promise.withResolvers<void>();
  const requested = page.waitForRequest("**/_payload.json");
  await page.route("**/_payload.json", async (route) => {
    await held.promise;
    await route.continue();
  });
  const element = page.locator("[data-phase]");
  const read = () =>
    element.evaluate((node) => {
      const { dataset, style } = node as HTMLElement;
      return `${dataset.phase} ${Number(/scaleX\(([\d.]+)\)/.exec(style.transform)?.[1] ?? 0).toFixed(2)}`;
    });
  const bar: Record<string, string> = {};
  await page.getByRole("link", { name: "Clockwork" }).first().click();
  await requested;
  await settle(page);
  await page.clock.runFor(190);
  bar.before200 = await read();
  await page.clock.runFor(20);
  bar.after200 = await read();
  const barHeightPx = await element.evaluate((node) => (node as HTMLElement).offsetHeight);
  await page.clock.runFor(990);
  bar.halfDuration = await read();
  held.resolve();
  await page.locator('[data-phase="finishing"]').waitFor({ state: "attached" });
  await page.clock.runFor(480);
  bar.before500 = await read();
  await page.clock.runFor(40);
  bar.after500 = await read();
  await page.clock.runFor(360);
  bar.before400 = await read();
  await page.clock.runFor(40);
  bar.after400 = await read();
  await page.unroute("**/_payload.json");
  return { bar, barHeightPx };
}

/** On the first page, where the bar's walk ended. */
async function walkHead(page: Page): Promise<Pick<FrameEvidence, "head" | "transitions">> {
  await page.evaluate(() => {
    const state = { count: 0 };
    Object.assign(globalThis, { transitions: state });
    const real = document.startViewTransition.bind(document);
    document.startViewTransition = ((change: ViewTransitionUpdateCallback) => {
      state.count += 1;
      return real(change);
    }) as typeof document.startViewTransition;
  });
  const colour = async () => (await page.locator('meta[name="theme-color"]').getAttribute("content")) ?? "";
  const button = page.getByRole("button", { name: "Choose a theme" });
  await waitAwake(button);
  // What opens slides into place by the clock too.
  await page.clock.resume();
  await button.click();
  const dark = page.getByRole("dialog", { name: "Theme" }).getByText("Dark", { exact: true });
  await dark.waitFor();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AHEAD_MS);
  await dark.click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.clock.runFor(8);
  const early = await colour();
  await page.clock.runFor(4);
  const transitions = await page.evaluate(
    () => (globalThis as unknown as { transitions: { count: number } }).transitions.count,
  );
  return { head: [early, await colour()], transitions };
}

async function walkDevice(page: Page, origin: string): Promise<Pick<FrameEvidence, "device" | "touch" | "drags">> {
  await openPaused(page, `${origin}/docs/directives`);
  const facts = page.getByText(/^This is a \w+ view/);
  await facts.waitFor();
  // The window has its width before the page's event; this listener runs after the page's own.
  await page.evaluate(() =>
    addEventListener("resize", () => {
      document.documentElement.dataset.resized = "1";
    }),
  );
  await page.setViewportSize({ width: 700, height: 900 });
  await page.locator("html[data-resized]").waitFor();
  await settle(page);
  await page.clock.runFor(40);
  const early = await facts.innerText();
  await page.clock.runFor(20);
  await page.getByText("This is a mobile view").waitFor();
  const device = [early, await facts.innerText()] as const;
  return { device, ...(await walkTouch(page)) };
}

async function walkTouch(page: Page): Promise<Pick<FrameEvidence, "touch" | "drags">> {
  const reply = page.getByRole("status").filter({ hasText: /Tap|tap|Hold|Swipe|Drag/ });
  await reply.scrollIntoViewIfNeeded();
  const box = await reply.boundingBox();
  if (box === null) throw new Error("the pad is not on the page");
  const [x, y] = [box.x + 4, box.y + 4];
  const touch: Record<string, string> = {};
  const stroke = async (name: string, px: number) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + px, y);
    await page.mouse.up();
    touch[name] = await reply.innerText();
  };
  await stroke("to 10", 10);
  await stroke("to 29", 29);
  await stroke("to 30", 30);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.clock.runFor(390);
  touch["before 400"] = await reply.innerText();
  await page.clock.runFor(20);
  await page.getByText("Hold", { exact: true }).waitFor();
  touch["after 400"] = await reply.innerText();
  await page.mouse.up();
  await page.getByText("Long tap", { exact: true }).waitFor();
  touch.long = await reply.innerText();
  const drags = await walkDrag(page, x, y, () => reply.innerText());
  return { touch, drags };
}

/** The pad's reports of three moves: at once, within a tenth of a second, and after it. */
async function walkDrag(page: Page, x: number, y: number, read: () => Promise<string>): Promise<readonly string[]> {
  const drags: string[] = [];
  const move = async (px: number, waitMs: number) => {
    await page.mouse.move(x + px, y);
    await settle(page);
    drags.push(await read());
    await page.clock.runFor(waitMs);
  };
  await page.mouse.move(x, y);
  await page.mouse.down();
  await move(20, 80);
  await move(40, 40);
  await move(60, 0);
  await page.mouse.up();
  return drags;
}

/** A pointer over a curve, and a dialog that is pulled down. */
async function walkGallery(page: Page, origin: string): Promise<Pick<FrameEvidence, "rollover" | "reservePx">> {
  await openPaused(page, `${origin}/docs/element-plus`);
  const curve = page.getByRole("button", { name: /^Total, 90 days/ });
  await waitAwake(curve);
  await curve.scrollIntoViewIfNeeded();
  const box = await curve.boundingBox();
  if (box === null) throw new Error("the curve is not on the page");
  const readout = async () => /Day \d+/.exec((await curve.getAttribute("aria-label")) ?? "")?.[0] ?? "";
  const rollover: string[] = [];
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await settle(page);
  rollover.push(await readout());
  await page.mouse.move(box.x + box.width * 0.8, box.y + 40);
  await settle(page);
  await page.clock.runFor(90);
  rollover.push(await readout());
  await page.clock.runFor(20);
  await settle(page);
  rollover.push(await readout());

  await page.clock.resume();
  await page.getByRole("button", { name: "Open dialog" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm sell" });
  await dialog.waitFor();
  const head = await dialog.getByRole("heading", { name: "Confirm sell" }).boundingBox();
  if (head === null) throw new Error("the dialog has no head");
  await page.mouse.move(head.x + 10, head.y + head.height / 2);
  await page.mouse.down();
  await page.mouse.move(head.x + 10, 2_000, { steps: 5 });
  await page.mouse.up();
  await settle(page);
  const pulled = await dialog.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return { rollover, reservePx: height - (pulled?.y ?? 0) };
}

/** A preload fails between the guard's first words and the page's waking. */
async function walkWaking(browser: Browser, origin: string): Promise<FrameEvidence["waking"]> {
  const { context, page } = await newPage(browser);
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.addInitScript(() => {
    const listen = window.addEventListener.bind(window);
    const hear = (kind: string, ...rest: [EventListener]) => {
      listen(kind, ...rest);
      if (kind !== "vite:preloadError") return;
      const failed = new Event(kind, { cancelable: true });
      queueMicrotask(() => Object.assign(globalThis, { isPrevented: !window.dispatchEvent(failed) }));
    };
    window.addEventListener = hear as typeof window.addEventListener;
  });
  await visit(page, origin);
  await page.waitForLoadState("networkidle");
  const isPrevented = await page.evaluate(() => (globalThis as { isPrevented?: boolean }).isPrevented === true);
  await context.close();
  return { isPrevented, loads };
}

export async function walkFrame(browser: Browser, origin: string): Promise<FrameEvidence> {
  const { context, page } = await newPage(browser);
  const bar = await walkBar(page, origin);
  const head = await walkHead(page);
  const other = await newPage(browser);
  const device = await walkDevice(other.page, origin);
  await other.context.close();
  const gallery = await newPage(browser);
  const drawn = await walkGallery(gallery.page, origin);
  await gallery.context.close();
  await context.close();
  return { ...bar, ...head, ...device, ...drawn, waking: await walkWaking(browser, origin) };
}
