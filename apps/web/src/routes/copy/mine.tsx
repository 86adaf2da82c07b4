// The caller's copies, positions, history and shares, fetched together.
import {
  COPY_PATHS,
  type CopyKind,
  type CopyPage,
  type CopyPosition,
  type Follow,
  type ProfitPage,
} from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { MinePage, type MinePageProps } from "../../features/copy/mine-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MinePageProps> {
  const { callApi, rest } = context.get(pageContext);
  const kind: CopyKind = rest.startsWith("/copy/spot") ? "spot" : "futures";
  const read = async <Data,>(path: string): Promise<Data | undefined> =>
    readEnvelope(await callApi({ method: "GET", path: `${COPY_PATHS[kind]}${path}` })) as Data | undefined;
  const [follows, positions, copies, profits] = await Promise.all([
    read<Follow[]>("/follows"),
    read<CopyPosition[]>("/positions"),
    read<CopyPage>("/copies"),
    read<ProfitPage>("/profits"),
  ]);
  return {
    kind,
    nowMs: Date.now(),
    first: { follows: follows ?? [], positions: positions ?? [], copies: copies ?? null, profits: profits ?? null },
  };
}

export const clientLoader = loadPayload<MinePageProps>;

export default function CopyMine() {
  const data = useLoaderData<MinePageProps>();
  return <MinePage key={data.kind} {...data} />;
}
