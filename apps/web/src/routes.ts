// The route tree in all languages: every page bare and below each offered language, built from the one route table.
// Explicit ids distinguish the forms although they share their modules.
import { LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import { layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { formatRouteId, type LayoutName, PAGES } from "#boot/route-table.ts";

const LAYOUTS: readonly LayoutName[] = ["default", "empty"];

function buildTree(form: string, prefix: string): RouteConfigEntry[] {
  return LAYOUTS.map((name) => {
    const pages = PAGES.filter((page) => (page.layout ?? "default") === name).map((page) =>
      route(`${prefix}${page.path}`.replace(/^\/(?=.)|\/$/g, "") || "/", `routes/${page.file}.tsx`, {
        id: formatRouteId(form, page.path),
        caseSensitive: true,
      }),
    );
    if (name === "default")
      pages.push(route(`${prefix}/*`, "routes/not-found.tsx", { id: `${form}/not-found`, caseSensitive: true }));
    return layout(`routes/${name}-layout.tsx`, { id: `${form}/${name}` }, [
      layout("routes/gate.tsx", { id: `${form}/${name}/gate` }, pages),
    ]);
  });
}

export default [
  ...buildTree("bare", ""),
  ...LOCAL_LANGUAGES.flatMap(({ lang }) => buildTree(lang, `/${lang}`)),
] satisfies RouteConfig;
