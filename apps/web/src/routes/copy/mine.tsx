// The caller's copies, positions, history and shares, fetched together.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { MinePage, type MinePageProps } from "../../features/copy/mine-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<MinePageProps> {
  const page = context.get(pageContext);
  const kind: CopyKind = page.rest.startsWith("/copy/spot") ? "spot" : "futures";
  const calls = COPY_CALLS[kind];
  const [follows, positions, copies, profits] = await Promise.all([
    readCall(page, calls.follows, {}),
    readCall(page, calls.positions, {}),
    readCall(page, calls.copies, {}),
    readCall(page, calls.profits, {}),
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
