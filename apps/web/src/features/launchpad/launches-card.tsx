// Launches for operators: the state of each, and ending one early, which another operator decides.
import { LAUNCH_CALLS, type LaunchProject } from "@clockwork/earning/launchpad/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount } from "./launch-model.ts";

/** Nothing is left to end or to refund. */
const OVER: ReadonlySet<string> = new Set(["CANCELLED", "DISTRIBUTED"]);

export function LaunchesCard({ projects }: { readonly projects: readonly LaunchProject[] | null }) {
  const text = useEarnText();
  const action = useOperatorAction();
  const [reason, setReason] = useState("");
  return (
    <Card title={text("desk.launches")}>
      <ActionNote action={action} />
      {projects === null && <FailedLine />}
      <TextField label={text("desk.reason")} value={reason} onChange={setReason} maxLength={200} />
      <ul className="mt-3">
        {projects?.map((project) => (
          <li
            key={project.projectId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-1.5 text-ui"
          >
            <span className="min-w-0 flex-1 basis-40">{project.name}</span>
            {project.rounds.map(({ roundId, returned }) =>
              returned === null || returned === "0" ? null : (
                <span key={roundId} className="figures text-label text-muted">
                  {text("desk.returned", { amount: formatAmount(returned), coin: project.asset })}
                </span>
              ),
            )}
            <Badge>{text(`launch.state.${project.state}`)}</Badge>
            {!OVER.has(project.state) && (
              <Button
                kind="neutral"
                size={28}
                isDisabled={reason.trim() === ""}
                onPress={() =>
                  void action.propose(LAUNCH_CALLS.stop, { projectId: project.projectId, reason: reason.trim() })
                }
              >
                {text("desk.stop")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
