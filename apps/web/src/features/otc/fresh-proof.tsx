// Prompts the user for a fresh proof of identity, by the account's own method, before the action continues.
import { type Overview, SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { useEffect, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { StepUp } from "#shell/proof/step-up.tsx";

export interface FreshProofProps {
  readonly onProved: () => void;
  readonly onClose: () => void;
}

export function FreshProof({ onProved, onClose }: FreshProofProps) {
  const calls = useCalls();
  const [way, setWay] = useState<Overview>();
  const close = useRef(onClose);
  useEffect(() => {
    void (async () => {
      const answer = await (await calls()).call(SECURITY_CALLS.overview, {});
      if (answer.ok) setWay(answer.data);
      else close.current();
    })();
  }, [calls]);
  if (way === undefined) return null;
  return <StepUp kind={way.stepUp} hasPasskeys={way.hasPasskeys} onProved={onProved} onClose={onClose} />;
}
