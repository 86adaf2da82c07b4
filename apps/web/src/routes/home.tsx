// The home page: the promise, the way in, the living market, what is new, and the health of the core.
import { type LoaderFunctionArgs, useLoaderData, useRouteLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { type RootData, readEnvelope } from "#boot/root-data.ts";
import { PageHead } from "#shell/page-head.tsx";
import { StructuredData } from "#shell/structured-data.tsx";
import { useHomeText } from "#words/home-text.ts";
import { useText } from "#words/text.ts";
import { type HomeMarkets, type HomeTexts, loadMarkets, loadTexts } from "../features/home/home-data.ts";
import { HomePage } from "../features/home/home-page.tsx";
import { readSystemStatus, type SystemStatus } from "../features/system/status.ts";

const CoreNumbers = latePart(async () => (await import("../features/system/core-numbers.tsx")).CoreNumbers);

const Popups = latePart(async () => (await import("../features/campaigns/popups.tsx")).Popups);

interface HomeData {
  readonly version: string;
  readonly status: SystemStatus | null;
  readonly markets: HomeMarkets;
  readonly texts: HomeTexts;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<HomeData> {
  const { root, callApi } = context.get(pageContext);
  const [answer, markets, texts] = await Promise.all([
    callApi({ method: "GET", path: "/v1/system/status", shared: true }),
    loadMarkets(callApi),
    loadTexts(callApi),
  ]);
  const status = readSystemStatus(readEnvelope(answer));
  return { version: status?.version ?? root.version, status: status ?? null, markets, texts };
}

export const clientLoader = loadPayload<HomeData>;

export default function Home() {
  const site = useText();
  const text = useHomeText();
  const { version, status, markets, texts } = useLoaderData<HomeData>();
  const root = useRouteLoaderData<RootData>("root");
  const isSignedIn = (root?.topInfo.id ?? null) !== null;
  return (
    <>
      <PageHead title={text("home.title")} />
      <StructuredData
        facts={{
          "@graph": [
            { "@type": "WebSite", name: site("site.name"), url: root?.origin, description: site("site.description") },
            {
              "@type": "Organization",
              name: site("site.name"),
              legalName: root?.legalName,
              url: root?.origin,
              logo: `${root?.origin}/mark.svg`,
              sameAs: root?.social.map(({ url }) => url),
            },
          ],
        }}
      />
      <HomePage
        markets={markets}
        texts={texts}
        isSignedIn={isSignedIn}
        numbers={<CoreNumbers served={status} version={version} />}
        popups={<Popups />}
      />
    </>
  );
}
