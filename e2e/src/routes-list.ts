// Every page there is, as the site itself lists them: read from its sitemap, so no route can be forgotten by a test.

export async function listPaths(origin: string): Promise<readonly string[]> {
  const text = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => new URL(match[1] ?? "").pathname);
  if (paths.length === 0) throw new Error("the sitemap lists no page");
  return paths;
}
