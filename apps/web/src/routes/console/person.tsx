// One user, for operators.
import type { Me } from "@clockwork/identity/operators/contract";
import { PEOPLE_CALLS, type PersonHead } from "@clockwork/site/people/contract";
import {
  data,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRevalidator,
} from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { PersonPage } from "../../features/people/person-page.tsx";

interface PersonData {
  readonly me: Me;
  readonly user: string;
  readonly head: PersonHead | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<PersonData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const user = page.rest.slice("/operator/users/".length);
  if (!/^[1-9][0-9]{8,9}$/.test(user)) throw data(`Page Not Found: ${page.rest}`, { status: 404 });
  const mayRead = me.readable.includes("people.read");
  return { me, user, head: mayRead ? await loadBehindGate(page, me, PEOPLE_CALLS.head, { user }) : null };
}

export const clientLoader = loadPayload<PersonData>;

/** Each look is in the log: another part of the same page is no other look. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isOther = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isOther ? false : defaultShouldRevalidate;
}

export default function OperatorPerson() {
  const { me, user, head } = useLoaderData<PersonData>();
  const { revalidate } = useRevalidator();
  const proof = <StepUpProof kind="totp" onProved={() => void revalidate()} />;
  return <PersonPage me={me} user={user} head={head} proof={proof} />;
}
