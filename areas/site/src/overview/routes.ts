// REST of the overview: schema → service → envelope.
import type { CoreHealth } from "@clockwork/host/engine";
import { answer, type RouteContext, type RouteSpec, serve } from "@clockwork/host/route";
import { CONSOLE_PERMISSION, OVERVIEW_CALLS, OVERVIEW_PERMISSION, type Queue, type QueueName } from "./contract.ts";
import type { OverviewService } from "./service.ts";

/** Who acts on a queue. */
const ACTING: readonly (readonly [Exclude<QueueName, "proposals">, permission: string])[] = [
  ["withdrawals", "withdrawals.review"],
  ["identity", "kyc.review"],
  ["otc", "otc.complaints"],
  ["merchants", "otc.merchants"],
  ["leaders", "copy.read"],
  ["tickets", "support.answer"],
];

export interface OverviewRouteParts {
  readonly overview: OverviewService;
  readonly health: () => CoreHealth;
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
  /** When each proposal was made that the caller may decide. */
  readonly listDecidable: (context: RouteContext) => Promise<readonly number[]>;
}

export function overviewRoutes(parts: OverviewRouteParts): readonly RouteSpec[] {
  const { overview, health, mayOperate, listDecidable } = parts;
  return [
    serve(OVERVIEW_CALLS.queues, {
      tag: "overview",
      scope: { operator: CONSOLE_PERMISSION },
      summary: "For operators: what waits in the queues of their roles, and the state of the core",
      handle: async (_, context) => {
        const counted = await Promise.all(
          ACTING.map(
            async ([queue, permission]): Promise<readonly Queue[]> =>
              (await mayOperate(context, permission)) ? [await overview.countQueue(queue)] : [],
          ),
        );
        const queues = [...counted.flat(), overview.countProposals(await listDecidable(context))];
        const { state, sequence } = health();
        return answer({ queues, core: { state, sequence }, nowMs: context.timeMs });
      },
    }),
    serve(OVERVIEW_CALLS.read, {
      tag: "overview",
      scope: { operator: OVERVIEW_PERMISSION },
      summary: "For operators: figures of the exchange by hour over a day, a week or a month",
      handle: async ({ query: { span = "24h" } }, { timeMs }) => answer(await overview.read(span, timeMs)),
    }),
  ];
}
