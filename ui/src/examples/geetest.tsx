// Live examples of the captcha page: the embedded puzzle, and an outside provider through the same door.

import { useState } from "react";
import { Captcha } from "../captcha.tsx";
import { type GeetestStart, geetestSolver, workSolver } from "../logic/captcha.ts";

/** The default: a proof of work, solved in slices so that the page never stalls. */
export function EmbeddedCaptcha() {
  const [answer, setAnswer] = useState("");
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <Captcha
        solver={workSolver}
        getChallenge={async () => ({ id: "example", salt: "clockwork", zeroBits: 14 })}
        onAnswer={(given) => setAnswer(`nonce ${given.nonce}`)}
      />
      <span role="status" className="figures text-label text-muted">
        {answer}
      </span>
    </div>
  );
}

/** Stands in for the provider's script, so that the example works without the network. */
const pretendStart: GeetestStart = (_config, ready) => {
  const listeners: Record<string, () => void> = {};
  const shown = {
    onReady: (listener: () => void) => keep("ready", listener),
    onSuccess: (listener: () => void) => keep("success", listener),
    onError: (listener: () => void) => keep("error", listener),
    onClose: (listener: () => void) => keep("close", listener),
    showCaptcha: () => setTimeout(() => listeners.success?.(), 800),
    getValidate: () => ({ lot_number: "example", pass_token: "example" }),
  };
  function keep(name: string, listener: () => void) {
    listeners[name] = listener;
    return shown;
  }
  ready(shown);
  listeners.ready?.();
};

const providerSolver = geetestSolver(async () => pretendStart);

/** When a provider is configured, only the solver changes. */
export function ProviderCaptcha() {
  const [answer, setAnswer] = useState("");
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <Captcha
        solver={providerSolver}
        getChallenge={async () => ({ captchaId: "example" })}
        onAnswer={(given) => setAnswer(Object.keys(given).join(", "))}
      />
      <span role="status" className="text-label text-muted">
        {answer}
      </span>
    </div>
  );
}
