// One request handler per form of the route tree: bare, and each language. The router scans every route three times per
// page; an address can only be in the form its first segment names, so it is given no other.
import { LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import { createRequestHandler, type ServerBuild } from "react-router";

type Handle = ReturnType<typeof createRequestHandler>;

const FORMS: ReadonlySet<string> = new Set(LOCAL_LANGUAGES.map(({ lang }) => lang));
const BARE = "bare";

/** The form an address is in: the language of its first segment, else bare. */
export function formOf(pathname: string): string {
  const [, first = ""] = pathname.split("/", 2);
  const named = first.replace(/\.data$/, "");
  return FORMS.has(named) ? named : BARE;
}

function pickForm<Entry>(routes: Readonly<Record<string, Entry>>, form: string): Record<string, Entry> {
  // Pages are `bare:/docs`, layouts `bare/default`.
  const isOfForm = (id: string) => id === "root" || id.startsWith(`${form}:`) || id.startsWith(`${form}/`);
  return Object.fromEntries(Object.entries(routes).filter(([id]) => isOfForm(id)));
}

export function createFormHandlers(build: ServerBuild, mode: "production" | "development"): (url: URL) => Handle {
  const whole = createRequestHandler(build, mode);
  const handlers = new Map<string, Handle>();
  return (url) => {
    // The list of routes for links of any language.
    if (url.pathname === build.routeDiscovery.manifestPath) return whole;
    const form = formOf(url.pathname);
    const found = handlers.get(form);
    if (found !== undefined) return found;
    const part: ServerBuild = {
      ...build,
      routes: pickForm(build.routes, form),
      assets: { ...build.assets, routes: pickForm(build.assets.routes, form) },
    };
    const made = createRequestHandler(part, mode);
    handlers.set(form, made);
    return made;
  };
}
