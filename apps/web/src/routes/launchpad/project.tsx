// One launch with its draws, and the visitor's part in it.
import {
  LAUNCH_PATHS,
  type LaunchDraw,
  type LaunchOwn,
  type LaunchProject,
} from "@clockwork/earning/launchpad/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { fetchPage, readSlug } from "#boot/article-loading.ts";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ProjectPage, type ProjectPageProps } from "../../features/launchpad/project-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<ProjectPageProps> {
  const page = context.get(pageContext);
  const { root, callApi } = page;
  const id = readSlug(page.rest, "/launchpad/");
  const project = await fetchPage<LaunchProject>(page, `${LAUNCH_PATHS.project}?id=${id}`);
  const lotteries = project.rounds.filter(({ kind }) => kind === "lottery");
  const [draws, own] = await Promise.all([
    Promise.all(
      lotteries.map(
        async ({ roundId }) =>
          readEnvelope(await callApi({ method: "GET", path: `${LAUNCH_PATHS.draw}?id=${roundId}` })) as
            | LaunchDraw
            | undefined,
      ),
    ),
    root.topInfo.id === null
      ? undefined
      : callApi({ method: "GET", path: `${LAUNCH_PATHS.status}?id=${id}` }).then(readEnvelope),
  ]);
  return {
    project,
    draws: draws.filter((draw) => draw !== undefined),
    own: (own as LaunchOwn | undefined) ?? null,
    nowMs: project.timeMs,
  };
}

export const clientLoader = loadPayload<ProjectPageProps>;

export default function LaunchProjectPage() {
  return <ProjectPage {...useLoaderData<ProjectPageProps>()} />;
}
