// `/launchpad`: all launches, each with its state and its rounds.
import type { LaunchProjects } from "@clockwork/earning/launchpad/contract";
import { formatDate } from "@clockwork/kit/time";
import { Badge } from "@clockwork/ui/pill";
import { SiteLink } from "#boot/site-link.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, orderLaunches } from "./launch-model.ts";

export function LaunchList({ data }: { readonly data: LaunchProjects | null }) {
  const text = useEarnText();
  if (data === null) return <FailedLine />;
  return (
    <>
      <h2 className="text-section">{text("launch.title")}</h2>
      <p className="mb-4 text-muted text-ui">{text("launch.lead")}</p>
      {data.projects.length === 0 ? <p className="text-muted text-ui">{text("launch.empty")}</p> : null}
      <ul className="grid gap-4 md:grid-cols-2">
        {orderLaunches(data.projects, data.timeMs).map((project) => (
          <li key={project.projectId}>
            <SiteLink
              to={`/launchpad/${project.projectId}`}
              className="block rounded-xl border border-line p-5 hover:border-line2"
            >
              <span className="flex flex-wrap items-center gap-2 text-card">
                {project.name} <Badge tone="outline">{project.asset}</Badge>
                <Badge tone={project.state === "SUBSCRIBE" || project.state === "PAY" ? "accent" : "neutral"}>
                  {text(`launch.state.${project.state}`)}
                </Badge>
                {project.isSimulated ? <Badge tone="outline">{text("simulated")}</Badge> : null}
              </span>
              <span className="mt-1 block text-muted text-ui">{project.summary}</span>
              <span className="figures mt-3 flex flex-wrap gap-x-5 gap-y-1 text-label text-muted">
                <span>{`${text("launch.price")} ${formatAmount(project.price, { decimals: 4 })} USDT`}</span>
                <span>{`${text("launch.forSale")} ${formatAmount(project.forSale, { decimals: 0 })}`}</span>
                <span>{`${text("launch.listing")} ${formatDate(project.listingAtMs)}`}</span>
              </span>
              <span className="mt-2 flex flex-wrap gap-2 text-label">
                {project.rounds.map((round) => (
                  <span key={round.roundId} className="rounded border border-line px-2 py-0.5">
                    {`${round.number}. ${text(`launch.${round.kind}`)}`}
                  </span>
                ))}
              </span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </>
  );
}
