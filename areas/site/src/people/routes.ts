// REST of the console's search and of the page of one person: schema → service → envelope. Searching, opening a page and
// revealing personal data are in the audit log before anything is returned.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { PEOPLE_CALLS, PEOPLE_PERMISSION, PERSON_SECTIONS, REVEAL_PERMISSION, type Section } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import { maskAddress } from "./rules.ts";
import type { PeopleService, SearchRights } from "./service.ts";

export interface PeopleRouteParts {
  readonly people: PeopleService;
  readonly audit: Audit;
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
}

const OWN = { tag: "people", scope: { operator: PEOPLE_PERMISSION } } as const;
const DETAIL_MAX = 20;

export function peopleRoutes(parts: PeopleRouteParts): readonly RouteSpec[] {
  return [searchRoute(parts), ...headRoutes(parts), ...noteRoutes(parts), ...sectionRoutes(parts)];
}

function searchRoute({ people, audit, mayOperate }: PeopleRouteParts): RouteSpec {
  return serve(PEOPLE_CALLS.search, {
    ...OWN,
    summary: "For operators: finds users, orders, withdrawals, deposits, addresses, tickets and proposals",
    handle: async ({ body: { query } }, context) => {
      const [withdrawals, tickets, reports, otc] = await Promise.all(
        ["withdrawals.review", "support.answer", "reports.read", "otc.complaints"].map((one) =>
          mayOperate(context, one),
        ),
      );
      const rights: SearchRights = {
        withdrawals: withdrawals === true,
        tickets: tickets === true,
        reports: reports === true,
        otc: otc === true,
      };
      const hits = await people.search(query, rights);
      const found = hits.flatMap(({ kind, id }) => (kind === "user" ? [id] : [])).join(" ");
      await audit.record(context, "console.searched", found === "" ? "none" : found, `${hits.length} found`);
      return answer({ hits: [...hits] });
    },
  });
}

function headRoutes({ people, audit }: PeopleRouteParts): readonly RouteSpec[] {
  return [
    serve(PEOPLE_CALLS.list, {
      ...OWN,
      summary: "For operators: users, the newest first, personal data masked",
      handle: async ({ query }) => answer(await people.list(query)),
    }),
    serve(PEOPLE_CALLS.head, {
      ...OWN,
      changes: true,
      summary: "For operators: one user's facts, personal data masked; the look is in the audit log",
      handle: async ({ params: { user } }, context) => {
        const head = await people.readHead(Number(user), aboutOf(context));
        if (!head.done) return refuseBy(REFUSALS, head);
        await audit.record(context, "person.opened", user, "");
        return answer(head.value);
      },
    }),
    serve(PEOPLE_CALLS.reveal, {
      tag: "people",
      scope: { operator: REVEAL_PERMISSION },
      summary: "For operators: a user's contact and identity details, with the reason in the audit log",
      handle: async ({ body: { user, reason } }, context) => {
        if (!(await people.exists(Number(user)))) return refuseBy(REFUSALS, { code: "USER_UNKNOWN" });
        await audit.record(context, "person.revealed", user, reason.trim());
        return answer(await people.reveal(Number(user), context.timeMs));
      },
    }),
  ];
}

function noteRoutes({ people, audit }: PeopleRouteParts): readonly RouteSpec[] {
  return [
    serve(PEOPLE_CALLS.notes, {
      ...OWN,
      summary: "For operators: operators' notes about a user, the newest first",
      handle: async ({ params: { user } }) => answer(await people.listNotes(Number(user))),
    }),
    serve(PEOPLE_CALLS.addNote, {
      tag: "people",
      scope: { operator: REVEAL_PERMISSION },
      summary: "For operators: adds a note about a user; notes are never changed",
      handle: async ({ body: { user, text } }, context) => {
        if (!(await people.exists(Number(user)))) return refuseBy(REFUSALS, { code: "USER_UNKNOWN" });
        await audit.record(context, "person.noted", user, text.trim().slice(0, DETAIL_MAX));
        const noted = await people.addNote(Number(user), Number(context.userId), text.trim(), context.timeMs);
        return noted.done ? answer(noted.value) : refuseBy(REFUSALS, noted);
      },
    }),
  ];
}

function sectionRoutes(parts: PeopleRouteParts): readonly RouteSpec[] {
  return Object.entries(PERSON_SECTIONS).map(([name, section]) => sectionRoute(parts, name, section as Section));
}

function sectionRoute({ people }: PeopleRouteParts, name: string, section: Section): RouteSpec {
  const spec = serve(section.called, {
    ...OWN,
    summary: `For operators: what a user's own ${name} read answers; addresses of devices are masked`,
    handle: async ({ params, query, body }, context) => {
      const { user } = params as { readonly user: string };
      if (!(await people.exists(Number(user)))) return refuseBy(REFUSALS, { code: "USER_UNKNOWN" });
      const data = await people.readSection(Number(user), section, { query, body }, aboutOf(context));
      if (data === undefined) return refuseBy(REFUSALS, { code: "SECTION_UNAVAILABLE" });
      return answer(name === "devices" || name === "activity" ? maskAddresses(data) : data);
    },
  });
  return spec as unknown as RouteSpec;
}

/** Lists of sessions, devices and events, each with the `address` it came from. */
function maskAddresses(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(maskAddresses);
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      key === "address" && typeof value === "string" ? maskAddress(value) : maskAddresses(value),
    ]),
  );
}

function aboutOf({ requestId, ip, timeMs }: RouteContext) {
  return { requestId, address: ip, timeMs };
}
