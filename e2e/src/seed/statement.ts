// How one statement of the specification is verified: seen in the evidence a browser left, or, where it takes a site or
// a story of its own, by another journey in a browser that is named by its title.
import { allOf } from "@clockwork/kit/all-of";
import type { Evidence } from "./evidence.ts";
import type { Visit } from "./wire.ts";

export interface Statement {
  /** Section and number within it. */
  readonly id: string;
  readonly says: string;
  /** Looks for itself. */
  readonly seen?: (evidence: Evidence) => boolean;
  /** A journey elsewhere that shows it: its file and words of its title. */
  readonly shown?: readonly [file: string, words: string];
}

export const seen = (id: string, says: string, look: (evidence: Evidence) => boolean): Statement => ({
  id,
  says,
  seen: look,
});
export const shown = (id: string, says: string, file: string, words: string): Statement => ({
  id,
  says,
  shown: [file, words],
});
/** Every call was answered as an existing route. */
export const answered = ({ api }: Evidence, ...paths: readonly string[]): boolean =>
  allOf(paths, (path) => {
    const { status, code } = api.get(path) ?? { status: 0, code: "" };
    return status === 200 && (code === 200 || code === 0);
  });

/** The product's page is there and its calls answer. */
export const product = (id: string, says: string, page: string, ...paths: readonly string[]): Statement =>
  seen(id, says, (evidence) => isPage(evidence, page) && answered(evidence, ...paths));

export const isPage = (evidence: Evidence, path: string): boolean => {
  const { status = 404, location = "" } = evidence.answers.get(path) ?? {};
  // A page for signed-in users redirects others to sign-in; any other redirect leads to a page of its own.
  return status === 200 || (status === 302 && location !== "");
};

export const callOf = ({ calls }: Visit, part: string) => calls.find(({ path }) => path.includes(part));

export const cookieOf = ({ cookies }: Visit, name: string) => cookies.find((cookie) => cookie.name === name);

export const sentFrame = ({ frames }: Visit, event: string) =>
  frames.find(({ sent, message }) => sent && message.event === event)?.message;

/** What every call of the futures API adds; a browser names marks, and its cookies speak for it. */
const FUTURES_HEADERS = {
  authorization: /./,
  thirdapptoken: /./,
  thirdappid: /^cw$/,
  "x-locale": /^en_US$/,
  "accept-language": /^en-US/,
  appversion: /^100\.100\.100$/,
  "content-type": /^application\/json/,
};

export const hasFuturesHeaders = ({ calls }: Visit): boolean => {
  const requested = calls.filter(({ path }) => path.startsWith("/futuresapi/"));
  const isWhole = (headers: Readonly<Record<string, string>>) =>
    allOf(Object.entries(FUTURES_HEADERS), ([name, pattern]) => pattern.test(headers[name] ?? ""));
  return allOf(requested, ({ headers }) => isWhole(headers));
};
