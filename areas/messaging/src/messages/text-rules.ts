// The texts of mails and SMS. Plain text only: no picture, no tracking, and no link but the one that freezes the
// account and those that confirm or end a newsletter.
import type { Message } from "./rules.ts";

export type CodePurpose = "sign-up" | "login" | "reset" | "contact" | "step-up" | "withdraw" | "release";

const CODE_SUBJECTS: Readonly<Record<CodePurpose, string>> = {
  "sign-up": "Your Clockwork registration code",
  login: "Your login code",
  reset: "Your password reset code",
  contact: "Your verification code",
  "step-up": "Your security verification code",
  withdraw: "Your withdrawal confirmation code",
  release: "Your account release code",
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
    "We received a request to create an account with this address. You already have an account: log in, or reset your password if you forgot it. If this was not you, no action is needed.",
  ],
  "new-device": [
    "Login from a new device",
    "We detected a login from a new device. Withdrawals are locked for 24 hours.",
  ],
  "token-reuse": [
    "Session ended for security",
    "A session token was used twice, which can indicate theft. We ended that session. Log in again and check your devices.",
  ],
  "password-reset": [
    "Your password was reset",
    "Your password was reset. All devices were logged out and withdrawals are locked for 24 hours.",
  ],
  "password-changed": [
    "Your password was changed",
    "Your password was changed. Other devices were logged out and withdrawals are locked for 24 hours.",
  ],
  "email-bound": [
    "Email address added",
    "An email address was added to your account. Withdrawals are locked for 6 hours.",
  ],
  "email-changed": [
    "Email address changed",
    "The email address of your account was changed. Withdrawals are locked for 24 hours.",
  ],
  "phone-bound": [
    "Phone number added",
    "A phone number was added to your account. Withdrawals are locked for 6 hours.",
  ],
  "phone-changed": [
    "Phone number changed",
    "The phone number of your account was changed. Withdrawals are locked for 24 hours.",
  ],
  "totp-bound": [
    "Authenticator added",
    "An authenticator was added to your account. Withdrawals are locked for 6 hours.",
  ],
  "totp-removed": [
    "Authenticator removed",
    "The authenticator was removed from your account. Withdrawals are locked for 24 hours.",
  ],
  "kyc-approved": ["Your identity is verified", "Your documents were approved. Your new limits apply now."],
  "kyc-rejected": [
    "Your documents were rejected",
    "Your documents were not accepted. See the reason in your account and try again.",
  ],
  "kyc-more-info": [
    "More information required",
    "We need more information to verify your identity. See the details in your account.",
  ],
  "social-bound": [
    "External account linked",
    "An external account can now log in to your account. Withdrawals are locked for 6 hours.",
  ],
  "social-removed": [
    "External account unlinked",
    "An external account can no longer log in to your account. Withdrawals are locked for 24 hours.",
  ],
  "passkey-bound": ["Passkey added", "A passkey was added to your account. Withdrawals are locked for 6 hours."],
  "passkey-removed": [
    "Passkey removed",
    "A passkey was removed from your account. Withdrawals are locked for 24 hours.",
  ],
  "trade-password-set": ["Fund password set", "A fund password was set for your account."],
  "trade-password-changed": [
    "Fund password changed",
    "The fund password of your account was changed. Withdrawals are locked for 24 hours.",
  ],
  "anti-phishing-set": [
    "Anti-phishing code set",
    "From now on, every genuine email from us contains your anti-phishing code.",
  ],
  frozen: [
    "Your account is frozen",
    "Your account was frozen and all devices were logged out. When it is safe, release it with your password and a code.",
  ],
  closed: [
    "Your account is closed",
    "Your account was closed and all devices were logged out. Records are kept as long as the law requires. If this was not you, contact support.",
  ],
  released: ["Your account is released", "Your account is active again. Withdrawals are locked for 24 hours."],
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
    `${code} is your Clockwork code. It is valid for 10 minutes.`,
    ...about.map(oneLine),
    "Do not share it with anyone. Clockwork never asks for it by phone or chat.",
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
    "We received a request to subscribe this address to the Clockwork newsletter.",
    `To subscribe, confirm within seven days: ${confirmUrl}`,
    "If this was not you, ignore this email. We will not write again.",
    `Unsubscribe at any time: ${leaveUrl}`,
  ];
  return { kind: "newsletter", subject: "Confirm your Clockwork newsletter subscription", text: lines.join("\n\n") };
}

/** To the writer of a support ticket. Contains nothing of its content: mails may be read by others. */
export function writeTicket(about: "opened" | "answered", number: string, statusUrl: string): Words {
  const lines =
    about === "opened"
      ? [
          `We received your request. Your ticket number is ${number}.`,
          `Check its status and add messages with the key shown when you sent it: ${statusUrl}`,
          "We never ask for passwords, codes or keys.",
        ]
      : [
          `Support has replied to your ticket ${number}.`,
          `Read it with the key shown after you sent it: ${statusUrl}`,
          "We never ask for passwords, codes or keys.",
        ];
  const subject = about === "opened" ? `Request received: ${number}` : `New reply: ${number}`;
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
