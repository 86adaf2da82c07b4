// Ending a part's maintenance before its time: proposed by one operator, approved by another.
import type { ProposalKind } from "@clockwork/host/proposal";
import { DAY_MS } from "@clockwork/kit/time";
import { OpenModulePayload } from "./contract.ts";
import type { ContentService } from "./service.ts";

export function openModuleKind(
  content: Pick<ContentService, "endDowntime">,
): ProposalKind<typeof OpenModulePayload, never> {
  return {
    kind: "module.open",
    permission: "content.edit",
    needsFreshProof: false,
    expiresAfterMs: DAY_MS,
    payload: OpenModulePayload,
    beneficiariesOf: () => [],
    describe: ({ module }) => `End maintenance of ${module}: its pages are available again immediately`,
    execute: async ({ module, setAtMs }, { timeMs }) => {
      const ended = await content.endDowntime(module, setAtMs, timeMs);
      if (ended) return { end: "done", outcome: "opened" };
      return { end: "refused", code: "DOWNTIME_CHANGED", message: "The maintenance has changed. Reload it." };
    },
  };
}
