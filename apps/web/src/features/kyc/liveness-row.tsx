// The liveness check as one row of the second level: with an external provider on its own page, or simulated, which is
// stated plainly. Decides nothing itself.
import { type BaseInfo, KYC_CALLS, type LivenessStarted } from "@clockwork/identity/kyc/contract";
import { Button } from "@clockwork/ui/button";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const DIRECTIONS = ["left", "up", "down", "right"] as const;

export interface LivenessRowProps {
  readonly liveness: BaseInfo["liveness"];
  readonly onPassed: () => void;
  readonly onError: (error: string | undefined) => void;
}

function useLiveness({ liveness, onPassed, onError }: LivenessRowProps) {
  const words = useAuthText();
  const calls = useCalls();
  const [state, setState] = useState(liveness.state);
  const [started, setStarted] = useState<LivenessStarted>();
  const [pressed, setPressed] = useState<readonly string[]>([]);
  const begin = async () => {
    onError(undefined);
    const answer = await (await calls()).call(KYC_CALLS.beginLiveness, {});
    if (!answer.ok) {
      onError(describeFailure(words, answer));
      return;
    }
    setPressed([]);
    setStarted(answer.data);
  };
  const complete = async (answers: readonly string[]) => {
    const answer = await (await calls()).call(KYC_CALLS.completeLiveness, { answers: [...answers] });
    if (!answer.ok) {
      onError(describeFailure(words, answer));
      return;
    }
    setState(answer.data.state);
    if (answer.data.state === "waiting") return;
    setStarted(undefined);
    if (answer.data.state === "passed") onPassed();
  };
  const press = (direction: string) => {
    const now = [...pressed, direction];
    setPressed(now);
    if (now.length === (started?.steps?.length ?? 0)) void complete(now);
  };
  return { state, started, pressed, begin, complete, press };
}

export function LivenessRow(props: LivenessRowProps) {
  const text = useAccountText();
  const { state, started, pressed, begin, complete, press } = useLiveness(props);
  const isPassed = state === "passed";
  return (
    <div className="mt-4 border-line border-t pt-4" data-liveness={state}>
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="text-ui">{text("live.title")}</p>
          <p className="text-[13px] text-muted">
            {text(props.liveness.kind === "simulated" ? "live.simulated" : "live.outside")}
          </p>
        </div>
        <span className="flex items-center gap-3">
          {state !== "none" && started?.steps === undefined && (
            <span role="status" className={`flex items-center gap-1.5 text-[13px] ${isPassed ? "" : "text-warn"}`}>
              <Icon name={isPassed ? "check" : "warning"} size={14} />
              {text(`live.${state}`)}
            </span>
          )}
          {!isPassed && started === undefined && (
            <Button size={32} onPress={() => void begin()}>
              {text("live.begin")}
            </Button>
          )}
        </span>
      </div>
      {started?.steps !== undefined && <Directions steps={started.steps} pressed={pressed} onPress={press} />}
      {started?.url !== undefined && (
        <div className="mt-3 flex flex-wrap gap-2">
          <a
            href={started.url}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ kind: "primary", size: 40 })}
          >
            {text("live.open")}
          </a>
          <Button size={40} onPress={() => void complete([])}>
            {text("live.finished")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface DirectionsProps {
  readonly steps: readonly string[];
  readonly pressed: readonly string[];
  readonly onPress: (direction: string) => void;
}

function Directions({ steps, pressed, onPress }: DirectionsProps) {
  const text = useAccountText();
  return (
    <div className="mt-3">
      <p className="text-ui">{text("live.repeat")}</p>
      <ol data-live-steps={steps.join(" ")} className="my-3 flex gap-5">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same direction may occur twice
          <li key={index} className={`text-ui ${index < pressed.length ? "text-muted line-through" : "font-semibold"}`}>
            {describeOr(text, `live.to.${step}`, step)}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        {DIRECTIONS.map((direction) => (
          <Button key={direction} size={40} onPress={() => onPress(direction)}>
            {text(`live.to.${direction}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
