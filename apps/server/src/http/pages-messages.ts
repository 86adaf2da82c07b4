// What the server and a process that draws pages say to each other, and what the web build offers to either.
import type { Writable } from "node:stream";
import type { ApiCall, CallApi } from "./pages-api.ts";

/** What of a request a page is made from. */
export interface PageQuestion {
  readonly url: string;
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  readonly colorSchemeHint: string | undefined;
}

export interface PagePipe {
  readonly pipe: (destination: Writable) => void;
  readonly abort: (reason: Error) => void;
}

export type PageHeaders = readonly (readonly [string, string])[];

/** What the web build exports for rendering; the web package's server entry declares the same shapes. */
export interface PageServer {
  readonly answerPage: (
    request: PageQuestion & {
      readonly nonce: string;
      readonly version: string;
      readonly callApi: CallApi;
      readonly whole: boolean;
      /** Decides everything and draws nothing: the body is empty. */
      readonly isHead: boolean;
      readonly onError: (error: unknown) => void;
    },
  ) => Promise<{
    readonly status: number;
    readonly headers: PageHeaders;
    readonly body: string | PagePipe;
    /** The login that came along is over. */
    readonly endsSession?: boolean;
  }>;
}

/** What the web build exports to map a request to its page. */
export interface PageKeys {
  readonly readQuestion: (question: PageQuestion) => {
    /** Requests with equal keys may share one anonymous answer. */
    readonly key: string;
    /** The address with the part of its query the page reads. */
    readonly url: string;
    /** The rest of the query, which a redirect takes along. */
    readonly dropped: string;
    /** Data or a decision alone: nothing is drawn. */
    readonly isData: boolean;
  };
}

export type PageEncoding = "gzip" | "br" | "identity";

export interface PageTask {
  readonly question: PageQuestion;
  readonly nonce: string;
  readonly version: string;
  readonly encoding: PageEncoding;
  readonly isHead: boolean;
  /** To be shared: drawn to its end, cut at the nonce and compressed. */
  readonly isShared: boolean;
}

/** A page with a placeholder wherever a visitor's nonce is written. */
export interface CutPage {
  readonly plain: { readonly bytes: Buffer; readonly holes: readonly number[] };
  /** The same as gzip, without its checksum. */
  readonly packed: { readonly bytes: Buffer; readonly holes: readonly number[] };
  /** The checksum with the placeholders as they are, that of one placeholder, and what a change in all of them weighs. */
  readonly sum: number;
  readonly holeSum: number;
  readonly weight: number;
}

export interface PageHead {
  readonly status: number;
  readonly headers: PageHeaders;
  readonly endsSession: boolean;
}

export type ToPages =
  | { readonly kind: "draw"; readonly id: number; readonly task: PageTask }
  | { readonly kind: "leave"; readonly id: number }
  | { readonly kind: "answer"; readonly call: number; readonly text: string | undefined }
  | { readonly kind: "ping" };

export type FromPages =
  | { readonly kind: "ready" }
  | { readonly kind: "pong" }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly call: number;
      readonly requested: ApiCall;
      readonly isShared: boolean;
    }
  | { readonly kind: "fault"; readonly id: number; readonly path?: string; readonly error: string }
  | { readonly kind: "head"; readonly id: number; readonly head: PageHead }
  | { readonly kind: "chunk"; readonly id: number; readonly bytes: Buffer }
  | { readonly kind: "end"; readonly id: number }
  | {
      readonly kind: "cut";
      readonly id: number;
      readonly head: PageHead;
      readonly cut: CutPage;
      readonly isGood: boolean;
    }
  | { readonly kind: "failed"; readonly id: number; readonly error: string };
