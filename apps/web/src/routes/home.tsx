// The home page: the name, the running version and the live health of the core.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { CoreCard } from "../features/system/core-card.tsx";
import { readSystemStatus, type SystemStatus } from "../features/system/status.ts";
import { EscapeWheel } from "../frame/escape-wheel.tsx";
import { useHomeText } from "../frame/home-text.ts";
import { pageContext } from "../frame/page-context.ts";
import { PageHead } from "../frame/page-head.tsx";
import { loadPayload } from "../frame/payload.ts";
import { readEnvelope } from "../frame/root-data.ts";
import { StructuredData } from "../frame/structured-data.tsx";
import { useText } from "../frame/text.ts";

interface HomeData {
  readonly version: string;
  readonly status: SystemStatus | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<HomeData> {
  const { root, callApi } = context.get(pageContext);
  const status = readSystemStatus(
    readEnvelope(await callApi({ method: "GET", path: "/v1/system/status", shared: true })),
  );
  return { version: status?.version ?? root.version, status: status ?? null };
}

export const clientLoader = loadPayload<HomeData>;

export default function Home() {
  const site = useText();
  const text = useHomeText();
  const { version, status } = useLoaderData<HomeData>();
  return (
    <main id="content" className="relative flex flex-1 overflow-hidden">
      <PageHead title={text("home.title")} />
      <StructuredData facts={{ "@type": "WebSite", name: site("site.name"), description: site("site.description") }} />
      <EscapeWheel className="-right-48 -top-16 lg:-right-52 lg:-top-24 absolute size-[460px] text-draw lg:size-[720px]" />
      <div className="container-read relative grid items-center gap-12 py-16 lg:grid-cols-[1fr_560px]">
        <div>
          <h1 className="text-hero-mobile sm:text-hero">
            {text("home.headline1")} <br className="hidden sm:block" />
            {text("home.headline2")}
          </h1>
          <p className="mt-6 max-w-[480px] text-muted text-read">{text("home.lead")}</p>
          <p className="mt-6 text-label text-muted" data-version={version}>
            {site("site.name")} · {site("site.version", { version })}
          </p>
        </div>
        <CoreCard served={status} />
      </div>
    </main>
  );
}
