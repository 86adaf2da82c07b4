// One launch with its draws, and the visitor's part in it.
import { LAUNCH_CALLS } from "@clockwork/earning/launchpad/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage, slugOf } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ProjectPage, type ProjectPageProps } from "../../features/launchpad/project-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ProjectPageProps> {
  const page = context.get(pageContext);
  const id = slugOf(page.rest, "/launchpad/");
  const project = await fetchPage(page, LAUNCH_CALLS.project, { id }, { shared: true });
  const lotteries = project.rounds.filter(({ kind }) => kind === "lottery");
  const [draws, own] = await Promise.all([
    Promise.all(lotteries.map(({ roundId }) => readCall(page, LAUNCH_CALLS.draw, { id: roundId }))),
    page.root.topInfo.id === null ? undefined : readCall(page, LAUNCH_CALLS.status, { id }),
  ]);
  return {
    project,
    draws: draws.filter((draw) => draw !== undefined),
    own: own ?? null,
    nowMs: project.timeMs,
  };
}

export const clientLoader = loadPayload<ProjectPageProps>;

export default function LaunchProjectPage() {
  return <ProjectPage {...useLoaderData<ProjectPageProps>()} />;
}
