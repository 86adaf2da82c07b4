// The frame of a captcha: one click, visible progress, a solution or a retry. The solver defines the puzzle; the form
// provides the challenge and receives the solution.

import { useEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import type { CaptchaAnswer, CaptchaSolver } from "./logic/captcha.ts";
import { cx } from "./logic/class-names.ts";
import { Spinner } from "./spinner.tsx";

export interface CaptchaProps<Challenge> {
  readonly solver: CaptchaSolver<Challenge>;
  /** Requests a fresh challenge from the server; called once per try. */
  readonly getChallenge: (signal: AbortSignal) => Promise<Challenge>;
  readonly onAnswer: (answer: CaptchaAnswer) => void;
  readonly onFail?: ((error: unknown) => void) | undefined;
  /** Starts without a click; for a form whose first click should not wait. */
  readonly autoStart?: boolean | undefined;
  readonly className?: string | undefined;
}

type State = "idle" | "working" | "done" | "failed";

function useCaptcha<Challenge>(props: CaptchaProps<Challenge>) {
  const [state, setState] = useState<State>("idle");
  const [share, setShare] = useState(0);
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async () => {
    stop.current?.abort();
    const run = new AbortController();
    stop.current = run;
    setState("working");
    setShare(0);
    try {
      const challenge = await props.getChallenge(run.signal);
      const answer = await props.solver.solve(challenge, { signal: run.signal, onProgress: setShare });
      if (run.signal.aborted) return;
      setState("done");
      props.onAnswer(answer);
    } catch (error) {
      if (run.signal.aborted) return;
      setState("failed");
      props.onFail?.(error);
    }
  };
  return { state, share, start };
}

function StateSign({ state }: { readonly state: State }) {
  if (state === "working") return <Spinner size={20} className="text-accent" />;
  if (state === "failed") return <Icon name="warning" size={18} className="text-danger" />;
  return (
    <span
      className={cx(
        "flex size-5 items-center justify-center rounded-check border",
        state === "done" ? "border-text bg-text text-on-text" : "border-faint",
      )}
    >
      {state === "done" && <Icon name="check" size={13} className="[stroke-width:2]" />}
    </span>
  );
}

export function Captcha<Challenge>(props: CaptchaProps<Challenge>) {
  const labels = useLabels();
  const { state, share, start } = useCaptcha(props);
  const started = useRef(false);
  useEffect(() => {
    if (!props.autoStart || started.current) return;
    started.current = true;
    void start();
  });
  const words = { idle: labels.verify, working: labels.verifying, done: labels.verified, failed: labels.verifyFailed };
  const busy = state === "working" || state === "done";
  return (
    <div className={cx("relative overflow-hidden rounded-control border border-line2 bg-surface", props.className)}>
      <button
        type="button"
        aria-disabled={busy}
        onClick={() => {
          if (!busy) void start();
        }}
        className="flex h-12 w-full items-center gap-3 rounded-control px-3.5 text-left text-text text-ui outline-offset-[-2px] aria-disabled:cursor-default"
      >
        <span className="flex size-5 items-center justify-center">
          <StateSign state={state} />
        </span>
        <span className="flex-1" aria-live="polite">
          {words[state]}
          {state === "working" && <span className="figures text-muted"> {Math.floor(share * 100)}%</span>}
        </span>
        {state === "failed" && <span className="font-semibold text-[13px]">{labels.retry}</span>}
        {state !== "failed" && <Icon name="shield" className="text-faint" />}
      </button>
      {state === "working" && (
        <span
          className="absolute bottom-0 left-0 h-0.5 bg-accent transition-[width] duration-150"
          style={{ width: `${share * 100}%` }}
        />
      )}
    </div>
  );
}
