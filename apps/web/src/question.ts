// Which page a request names, without rendering code: for the server's page cache. The contract is repeated in the
// server's http/pages-messages.ts.
import { formatFrameKey, isTerminalUrl, readPageFrame } from "#boot/page-frame.ts";
import { trimQuery } from "#boot/page-query.ts";
import { parsePayloadPath } from "#boot/payload-path.ts";
import type { PageQuestion } from "./server.ts";

export interface ReadQuestion {
  /** Requests with equal keys may share one anonymous answer. */
  readonly key: string;
  /** The address with the part of its query the page reads. */
  readonly url: string;
  /** The rest of the query, which a redirect takes along. */
  readonly dropped: string;
  /** Data alone: nothing is drawn. */
  readonly isData: boolean;
}

export function readQuestion(question: PageQuestion): ReadQuestion {
  const { url, dropped } = trimQuery(question.url);
  const [path = ""] = url.split("?", 1);
  const query = new URLSearchParams(url.slice(path.length));
  const frame = readPageFrame({ ...question, query });
  return {
    key: `${question.origin}|${formatFrameKey(frame, isTerminalUrl(url))}|${url}`,
    url,
    dropped,
    isData: parsePayloadPath(path) !== undefined,
  };
}
