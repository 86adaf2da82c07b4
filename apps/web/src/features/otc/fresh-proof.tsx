// Asks somebody to prove once more who he is, in the way his account does, before he goes on with what he pressed.
import { useEffect, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import type { StepUpKind } from "#session/step-up-calls.ts";
import { StepUp } from "#shell/proof/step-up.tsx";

const OVERVIEW_PATH = "/v2/users/security/overview";

export interface FreshProofProps {
  readonly onProved: () => void;
  readonly onClose: () => void;
}

export function FreshProof({ onProved, onClose }: FreshProofProps) {
  const calls = useCalls();
  const [way, setWay] = useState<{ readonly stepUp: StepUpKind; readonly hasPasskeys: boolean }>();
  const close = useRef(onClose);
  useEffect(() => {
    void (async () => {
      const answer = await (await calls()).get<NonNullable<typeof way>>(OVERVIEW_PATH);
      if (answer.ok) setWay(answer.data);
      else close.current();
    })();
  }, [calls]);
  if (way === undefined) return null;
  return <StepUp kind={way.stepUp} hasPasskeys={way.hasPasskeys} onProved={onProved} onClose={onClose} />;
}
