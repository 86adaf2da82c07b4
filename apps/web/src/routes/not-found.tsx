// Where every address without a page ends: the error page of the frame, with status 404.

import { data, type LoaderFunctionArgs } from "react-router";
import { shortenPath } from "../frame/gate.ts";

function refuse(pathname: string): never {
  throw data(`Page Not Found: ${shortenPath(pathname)}`, { status: 404 });
}

export function loader({ url }: LoaderFunctionArgs): never {
  refuse(url.pathname);
}

export async function clientLoader({ url }: { url: URL }): Promise<never> {
  return refuse(url.pathname);
}

export default function NotFound() {
  return null;
}
