// Requests are written on the contact page; old addresses of the form lead there.
import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";

export function loader({ context }: LoaderFunctionArgs): never {
  const { prefix } = context.get(pageContext).root;
  throw redirect(prefix === null ? "/contact-us" : `/${prefix}/contact-us`);
}

export const clientLoader = loadPayload<null>;

export default function HelpRequest() {
  return null;
}
