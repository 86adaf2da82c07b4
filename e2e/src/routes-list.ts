// Every page, as the site itself lists them: read from its sitemap, so no test can miss a route.

export async function listPaths(origin: string): Promise<readonly string[]> {
  const text = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => new URL(match[1] ?? "").pathname);
  if (paths.length === 0) throw new Error("the sitemap lists no page");
  return paths;
}

/** Pages made by one template from many texts; what a browser shows of one it shows of all. */
const TEMPLATES = [
  /^\/spot\/[^/]+$/,
  /^\/futures\/[^/]+$/,
  /^\/help\/articles\/[^/]+$/,
  /^\/news\/[^/]+$/,
  /^\/news-center\/[^/]+$/,
  /^\/college\/[^/]+$/,
  /^\/college\/[^/]+\/[^/]+$/,
  /^\/(?:user-agreement|privacy-policy|risk-disclosure|legal-statement|licensed-activities|code-conduct|virtual-assets-standards|aed-otc)$/,
];

/** The same list with one page of each template: every kind of page once, for walks that cost seconds a page. */
export async function listKinds(origin: string): Promise<readonly string[]> {
  const seen = new Set<RegExp>();
  return (await listPaths(origin)).filter((path) => {
    const template = TEMPLATES.find((pattern) => pattern.test(path));
    if (template === undefined) return true;
    if (seen.has(template)) return false;
    seen.add(template);
    return true;
  });
}
