// The service worker: shows pushes, and answers a page that cannot be reached by the offline page it has kept. It keeps
// nothing of an account, and prices never come from it.
const KEPT = "cw-offline";
const USUAL = "/offline";
const asked = new URL(location.href).searchParams.get("page") ?? USUAL;
/** The offline page in the visitor's language. */
const OFFLINE = /^(?:\/[A-Za-z_]{2,8})?\/offline$/.test(asked) ? asked : USUAL;
const FRESH_MS = 24 * 3600_000;
const ASSETS = /\/assets\/[\w.-]+\.(?:js|css|woff2)/g;
const TIME = "x-kept-at";

/** The page as a visitor without an account receives it, and the files it names. */
async function keepOffline() {
  const page = await fetch(OFFLINE, { credentials: "omit", cache: "no-store" });
  if (!page.ok || page.redirected) return;
  const html = await page.text();
  const files = new Set(html.match(ASSETS) ?? []);
  const kept = await caches.open(KEPT);
  for (const file of files) if ((await kept.match(file)) === undefined) await kept.add(file);
  const headers = new Headers(page.headers);
  headers.set(TIME, String(Date.now()));
  await kept.put(OFFLINE, new Response(html, { headers }));
  for (const { url } of await kept.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== OFFLINE && !files.has(pathname)) await kept.delete(url);
  }
}

async function renewOffline() {
  const page = await caches.match(OFFLINE);
  if (page === undefined || Date.now() - Number(page.headers.get(TIME)) > FRESH_MS) await keepOffline();
}

async function answerPage(event, url) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(renewOffline().catch(() => undefined));
    return answer;
  } catch (error) {
    const page = await caches.match(OFFLINE);
    if (page === undefined) throw error;
    // The page is drawn for its own address.
    if (url.pathname === OFFLINE) return page;
    return Response.redirect(`${OFFLINE}?from=${encodeURIComponent(url.pathname + url.search)}`);
  }
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepOffline().catch(() => undefined));
});

self.addEventListener("activate", (event) => {
  // A page is requested while the worker starts.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(answerPage(event, url));
  // Their names change with their content.
  else if (url.pathname.startsWith("/assets/"))
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});

self.addEventListener("push", (event) => {
  const { title = "Clockwork", body = "", id, path } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title, { body, tag: id, icon: "/icon-192.png", data: { path: path ?? null } }),
  );
});

async function openPath(path) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find(({ url }) => new URL(url).pathname === path) ?? pages[0];
  if (page === undefined) return self.clients.openWindow(path);
  await page.focus();
  if (new URL(page.url).pathname !== path) await page.navigate(path);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data ?? {};
  // Never another site's address.
  event.waitUntil(openPath(typeof path === "string" && /^\/(?!\/)/.test(path) ? path : "/letters"));
});
