// The texts of mails and SMS. Plain text only: no picture, no tracking, and no link but the one that freezes the
// account and those that confirm or end a newsletter.
import type { Message } from "./rules.ts";

export type CodePurpose = "sign-up" | "login" | "reset" | "contact" | "step-up" | "withdraw" | "release";

const CODE_SUBJECTS: Readonly<Record<CodePurpose, string>> = {
  "sign-up": "Your code to open a Clockwork account",
  login: "Your code to sign in",
  reset: "Your code to set a new password",
  contact: "Your code to confirm this address",
  "step-up": "Your code to confirm a change",
  withdraw: "Your code to confirm a withdrawal",
  release: "Your code to release your account",
};

export interface NoticeFields {
  readonly device?: string;
  readonly address?: string;
  /** As written by the reviewer; only in the letter, since mail may be read by others. */
  readonly reason?: string;
}

const NOTICES = {
  "sign-up-known": [
    "You already have a Clockwork account",
    "Somebody, perhaps you, tried to open an account with this address. You have one already: sign in, or set a new password if you forgot yours. If it was not you, there is nothing to do.",
  ],
  "new-device": [
    "New device signed in",
    "Your account was used from a device we had not seen before. Withdrawals rest for 24 hours.",
  ],
  "token-reuse": [
    "A session was ended for your safety",
    "A key of one of your sessions was used twice, as a thief would. We ended that session; sign in again and look through your devices.",
  ],
  "password-reset": [
    "Your password was reset",
    "Your password was reset. All devices were signed out and withdrawals rest for 24 hours.",
  ],
  "password-changed": [
    "Your password was changed",
    "Your password was changed. Other devices were signed out and withdrawals rest for 24 hours.",
  ],
  "email-bound": ["E-mail address added", "An e-mail address was added to your account. Withdrawals rest for 6 hours."],
  "email-changed": [
    "E-mail address changed",
    "The e-mail address of your account was changed. Withdrawals rest for 24 hours.",
  ],
  "phone-bound": ["Phone number added", "A phone number was added to your account. Withdrawals rest for 6 hours."],
  "phone-changed": [
    "Phone number changed",
    "The phone number of your account was changed. Withdrawals rest for 24 hours.",
  ],
  "totp-bound": ["Authenticator added", "An authenticator was added to your account. Withdrawals rest for 6 hours."],
  "totp-removed": [
    "Authenticator removed",
    "The authenticator was removed from your account. Withdrawals rest for 24 hours.",
  ],
  "kyc-approved": ["Your identity is verified", "Your documents were approved. Your new limits are open now."],
  "kyc-rejected": [
    "Your documents were rejected",
    "Your documents were not accepted. The reason stands in your account; you may try again.",
  ],
  "kyc-more-info": [
    "We need something more",
    "To verify your identity we need something more. What it is stands in your account.",
  ],
  "social-bound": [
    "Account elsewhere linked",
    "An account of another site may now sign in to yours. Withdrawals rest for 6 hours.",
  ],
  "social-removed": [
    "Account elsewhere unlinked",
    "An account of another site may no longer sign in to yours. Withdrawals rest for 24 hours.",
  ],
  "passkey-bound": ["Passkey added", "A passkey was added to your account. Withdrawals rest for 6 hours."],
  "passkey-removed": ["Passkey removed", "A passkey was removed from your account. Withdrawals rest for 24 hours."],
  "trade-password-set": ["Trade password set", "A trade password was set for your account."],
  "trade-password-changed": [
    "Trade password changed",
    "The trade password of your account was changed. Withdrawals rest for 24 hours.",
  ],
  "anti-phishing-set": [
    "Anti-phishing code set",
    "From now on every genuine mail from us carries your anti-phishing code.",
  ],
  frozen: [
    "Your account is frozen",
    "Your account was frozen and all devices were signed out. Release it when you are ready, with your password and a code.",
  ],
  released: ["Your account is released", "Your account can be used again. Withdrawals rest for 24 hours."],
} as const satisfies Record<string, readonly [subject: string, text: string]>;

export type NoticeKind = keyof typeof NOTICES;

export interface Signature {
  /** The address that freezes the account. */
  readonly freezeUrl?: string | undefined;
}

type Words = Pick<Message, "kind" | "subject" | "text" | "code">;

interface CodeText extends Signature {
  /** In place of the purpose's own subject. */
  readonly title?: string;
  /** What the code is good for, and nothing else. */
  readonly lines?: readonly string[];
}

export function writeCode(
  purpose: CodePurpose,
  code: string,
  { title, lines: about = [], ...signature }: CodeText = {},
): Words {
  const lines = [
    `${code} is your code. It is good for 10 minutes.`,
    ...about.map(oneLine),
    "We never ask for it by phone or chat; whoever asks is a thief.",
  ];
  return { kind: purpose, subject: title ?? CODE_SUBJECTS[purpose], text: signText(lines, signature), code };
}

export function writeNotice(kind: NoticeKind, fields: NoticeFields, signature: Signature = {}): Words {
  const [subject, text] = NOTICES[kind];
  return { kind, subject, text: signText([text, ...describe(fields)], signature) };
}

/** To the subscriber of the newsletter, or to an address another person typed. */
export function writeNewsletter(confirmUrl: string, leaveUrl: string): Words {
  const lines = [
    "Somebody, perhaps you, asked for the Clockwork newsletter at this address.",
    `To receive it, confirm within seven days: ${confirmUrl}`,
    "If it was not you, do nothing: we will not write again.",
    `To leave at any time: ${leaveUrl}`,
  ];
  return { kind: "newsletter", subject: "Confirm the Clockwork newsletter", text: lines.join("\n\n") };
}

/** To the writer of a support ticket. Contains nothing of its content: mails may be read by others. */
export function writeTicket(about: "opened" | "answered", number: string, statusUrl: string): Words {
  const lines =
    about === "opened"
      ? [
          `We have your message. Its number is ${number}.`,
          `With the key shown after you sent it you can follow it and add to it: ${statusUrl}`,
          "We never ask for passwords, codes or keys, also not in an answer.",
        ]
      : [
          `There is an answer to your message ${number}.`,
          `Read it with the key shown after you sent it: ${statusUrl}`,
          "We never ask for passwords, codes or keys, also not in an answer.",
        ];
  const subject = about === "opened" ? `We have your message ${number}` : `An answer to ${number}`;
  return { kind: "support", subject, text: lines.join("\n\n") };
}

/** The same text as a letter: inside the product no proof of origin is needed. */
export function writeLetter(kind: NoticeKind, fields: NoticeFields): { kind: string; title: string; body: string } {
  const [title, text] = NOTICES[kind];
  const reason = fields.reason === undefined || fields.reason === "" ? [] : [`Reason: ${fields.reason}`];
  return { kind, title, body: [text, ...describe(fields), ...reason].join("\n") };
}

const FIELD_LENGTH_MAX = 120;

/** The name reported by a device is cut to one short line: it must not imitate our own sentences. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, FIELD_LENGTH_MAX);
}

function describe({ device, address }: NoticeFields): readonly string[] {
  return [
    ...(device === undefined || device === "" ? [] : [`Device: ${oneLine(device)}`]),
    ...(address === undefined || address === "" ? [] : [`Address: ${oneLine(address)}`]),
  ];
}

export function signText(lines: readonly string[], { freezeUrl }: Signature): string {
  return [
    ...lines,
    ...(freezeUrl === undefined ? [] : [`If this was not you, freeze your account: ${freezeUrl}`]),
  ].join("\n\n");
}
