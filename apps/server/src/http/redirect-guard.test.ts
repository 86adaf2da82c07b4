// Pages that send each other round, walked by a browser that keeps cookies.
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { guardRedirect } from "./redirect-guard.ts";

type Decide = (path: string, isSignedIn: boolean) => string | undefined;

/** Follows redirects and, where a script would leave a page that was shown, the script too. */
async function walk(decide: Decide, first: string, leave: (path: string) => string | undefined = () => undefined) {
  const app = fastify();
  app.get("/*", (request, reply) => {
    const isSignedIn = request.headers.cookie?.includes(`${SESSION_COOKIE.correctedToken}=`) === true;
    const to = decide(request.url, isSignedIn);
    if (to !== undefined) reply.code(302).header("location", to);
    guardRedirect(request, reply, { parentDomain: "", isSecure: false });
    reply.send("");
  });
  const jar = new Map<string, string>([[SESSION_COOKIE.correctedToken, "~a"]]);
  const seen: string[] = [];
  let path: string | undefined = first;
  while (path !== undefined && seen.length < 60) {
    seen.push(path);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response: Awaited<ReturnType<typeof app.inject>> = await app.inject({ url: path, headers: { cookie } });
    for (const { name, value, maxAge } of response.cookies) {
      if (value === "" || maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    }
    path = typeof response.headers.location === "string" ? response.headers.location : leave(path);
    if (path !== undefined && !jar.has(SESSION_COOKIE.correctedToken) && leave(path) !== undefined)
      leave = () => undefined;
  }
  await app.close();
  return { seen, isSignedIn: jar.has(SESSION_COOKIE.correctedToken) };
}

const own: Decide = (path, isSignedIn) => (path === "/account" && !isSignedIn ? "/login" : undefined);

test("[AUTH-3] two pages that send a session to each other are stopped, and it is signed out", async () => {
  const loop: Decide = (path, isSignedIn) =>
    isSignedIn ? (path === "/account" ? "/login" : "/account") : own(path, false);
  const { seen, isSignedIn } = await walk(loop, "/account");
  expect(seen.length).toBeLessThan(10);
  expect(isSignedIn).toBe(false);
});

test("[AUTH-3] three pages in a ring are stopped as well", async () => {
  const ring: Decide = (path, isSignedIn) => (isSignedIn ? { "/a": "/b", "/b": "/c", "/c": "/a" }[path] : undefined);
  const { seen, isSignedIn } = await walk(ring, "/a");
  expect(seen.length).toBeLessThan(10);
  expect(isSignedIn).toBe(false);
});

test("[AUTH-3] a page whose script leaves it for one that leads back is stopped", async () => {
  const back: Decide = (path, isSignedIn) => (path === "/login" && isSignedIn ? "/account" : own(path, isSignedIn));
  const { seen, isSignedIn } = await walk(back, "/account", (path) => (path === "/account" ? "/login" : undefined));
  expect(seen.length).toBeLessThan(15);
  expect(isSignedIn).toBe(false);
});

test("[AUTH-3] redirects that lead somewhere are left alone", async () => {
  const there: Decide = (path) => ({ "/old": "/older", "/older": "/new", "/login": "/" })[path];
  expect(await walk(there, "/old")).toEqual({ seen: ["/old", "/older", "/new"], isSignedIn: true });
  const onward = ["/new", "/login", "/", "/old"];
  const wander = await walk(there, "/login", (path) =>
    path === "/" && onward.length > 0 ? onward.shift() : undefined,
  );
  expect(wander.isSignedIn).toBe(true);
});
