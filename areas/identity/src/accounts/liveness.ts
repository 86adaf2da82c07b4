// Checks that the pictures show a living person: an outside provider over HTTP, or, where none is configured, a
// simulated check that is labelled as such everywhere and examines no one.
import type { Liveness } from "../kyc/needs.ts";

const DIRECTIONS = ["left", "right", "up", "down"] as const;
const STEPS = 3;
const TIMEOUT_MS = 8000;

/** Three directions to repeat, drawn from the token: the same token always gives the same. It proves attention only. */
export function simulatedLiveness(needs: {
  readonly mark: (text: string, context: string) => string;
  readonly randomId: () => string;
}): Liveness {
  const stepsOf = (token: string): readonly string[] =>
    [...Buffer.from(needs.mark(token, "liveness")).subarray(0, STEPS)].map(
      (byte) => DIRECTIONS[byte % DIRECTIONS.length] ?? "left",
    );
  return {
    kind: "simulated",
    async begin() {
      const token = needs.randomId();
      return { token, steps: stepsOf(token) };
    },
    async judge(token, answers) {
      return answers.join() === stepsOf(token).join() ? "passed" : "failed";
    },
  };
}

/**
 * `POST {base}/sessions {subject}` returns {token, url}; `GET {base}/sessions/{token}` returns {status}. The key is
 * sent as a bearer token. Anything other than passed or failed is pending.
 */
export function outsideLiveness(
  base: string,
  key: string,
  report: (fact: string, fields: Readonly<Record<string, unknown>>) => void,
): Liveness {
  const call = async (path: string, body?: unknown): Promise<Readonly<Record<string, unknown>> | undefined> => {
    try {
      const response = await fetch(`${base.replace(/\/$/, "")}${path}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`answered ${response.status}`);
      return (await response.json()) as Record<string, unknown>;
    } catch (error) {
      report("liveness.failed", { error });
      return undefined;
    }
  };
  return {
    kind: "outside",
    async begin(userId) {
      const answer = await call("/sessions", { subject: String(userId) });
      if (typeof answer?.token !== "string" || typeof answer.url !== "string") return undefined;
      // The address goes to a browser: it must be a web page.
      return /^https?:\/\//.test(answer.url) ? { token: answer.token, url: answer.url } : undefined;
    },
    async judge(token) {
      const answer = await call(`/sessions/${encodeURIComponent(token)}`);
      if (answer === undefined) return undefined;
      return answer.status === "passed" || answer.status === "failed" ? answer.status : "waiting";
    },
  };
}
